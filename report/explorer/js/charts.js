// Charts by Observable Plot in the page's own colours, each a figure with a name and a text of what it shows.

import { h } from "./dom.js";

// `options` is a function, because a page may have been made without the library.
export function chart(title, description, options, note) {
  const caption = h("figcaption", {}, h("strong", {}, title), " ", note ?? description);
  if (!window.Plot) return h("figure", { class: "chart" }, caption, h("p", { class: "faint" }, "This page was made without charts (report.charts in the configuration)."));
  const given = options();
  const plot = window.Plot.plot({
    style: { background: "transparent", color: "var(--text)", fontFamily: "inherit", fontSize: "12px", overflow: "visible" },
    marginBottom: 42,
    ...given,
    width: Math.max(280, Math.min(given.width ?? 860, availableWidth())),
  });
  const svg = plot.tagName === "svg" ? plot : plot.querySelector(":scope > svg");
  for (const swatch of plot.querySelectorAll("div svg")) swatch.setAttribute("aria-hidden", "true");
  for (const group of svg.querySelectorAll("g[aria-label]")) group.setAttribute("role", "group"); // a name needs a role
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `${title}. ${description}`);
  return h("figure", { class: "chart" }, caption, h("div", { class: "plot" }, plot));
}

export function availableWidth() {
  const main = document.getElementById("main");
  return main.clientWidth - 2 * parseFloat(getComputedStyle(main).paddingLeft);
}
