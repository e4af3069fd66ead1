// Elements from plain values. Text becomes text, never markup: there is no other way to make elements in this page.

export function h(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") element.style.cssText = value;
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

export function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

export function say(text) {
  document.getElementById("status").textContent = text;
}

// While a view is made anew its height is held, so that the reader's place on the page is not lost.
export function unsettled() {
  const main = document.getElementById("main");
  main.style.minHeight = `${main.offsetHeight}px`;
}

export function settled() {
  document.getElementById("main").style.minHeight = "";
}

let lastId = 0;

export function freshId(stem) {
  lastId += 1;
  return `${stem}-${lastId}`;
}

export function select(label, options, chosen, onchange) {
  const id = freshId("select");
  return h("div", { class: "field" }, h("label", { for: id }, label), h("select", { id, onchange: (event) => onchange(event.target.value) },
    options.map(([value, text]) => h("option", { value, selected: value === chosen }, text))));
}

// A table with a caption and headed columns. Columns: {title, cell, numeric, head (row header)}.
export function table(caption, columns, rows, properties = {}) {
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    h("table", properties, h("caption", {}, caption),
      h("thead", {}, h("tr", {}, columns.map((column) => h("th", { scope: "col", class: column.numeric && "number" }, column.title)))),
      h("tbody", {}, rows.map((row) => h("tr", {}, columns.map((column) => {
        const content = column.cell(row);
        return column.head ? h("th", { scope: "row" }, content) : h("td", { class: column.numeric && "number" }, content);
      }))))));
}

export function missing(what) {
  return h("div", { class: "missing" }, h("p", {}, what.what), what.command && h("p", {}, "Make it with ", h("code", {}, what.command), ", then make this page again."));
}
