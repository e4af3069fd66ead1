// Where the reader is stands in the address, so that every place can be linked to: #view?key=value&key=value

export function place() {
  const [view, query = ""] = location.hash.replace(/^#/, "").split("?", 2);
  return { view, values: Object.fromEntries(new URLSearchParams(query)) };
}

export function address(view, values = {}) {
  const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== "")).toString();
  return `#${view}${query ? `?${query}` : ""}`;
}

// A step that the back button undoes; with `quietly`, one that replaces the present place.
export function go(view, values, quietly = false) {
  const target = address(view, values);
  if (target === location.hash) return;
  if (!quietly) {
    location.hash = target;
    return;
  }
  history.replaceState(null, "", target);
  window.dispatchEvent(new Event("hashchange"));
}
