// Puts the views together: navigation, theme, and the place in the address.

import { associationsView } from "./associations.js";
import { prepareBlocks } from "./blocks.js";
import { documentsView } from "./documents.js";
import { h, say, settled, unsettled } from "./dom.js";
import { enumerationView } from "./enumeration.js";
import { methodsView } from "./methods.js";
import { mitigationView } from "./mitigation.js";
import { overviewView } from "./overview.js";
import { address, place } from "./state.js";
import { whatIfView } from "./what_if.js";

const VIEWS = {
  overview: ["Overview", overviewView],
  associations: ["Associations", associationsView],
  enumeration: ["Enumeration", enumerationView],
  documents: ["Documents", documentsView],
  "what-if": ["What if", whatIfView],
  mitigation: ["Mitigation", mitigationView],
  methods: ["Methods", methodsView],
};
const study = JSON.parse(document.getElementById("study").textContent);
const main = document.getElementById("main");
let shown = null;

function show() {
  const { view, values } = place();
  if (view === "main") return;
  const name = view in VIEWS ? view : "overview";
  const [title, make] = VIEWS[name];
  say("");
  const kept = keptFocus();
  main.dataset.view = name;
  if (shown === name) unsettled();
  main.replaceChildren(...[make(study, values)].flat(Infinity).filter(Boolean));
  document.title = `${title} · ${study.title} · biasorigin`;
  for (const link of document.querySelectorAll("#views a")) {
    if (link.dataset.view === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (shown !== null && shown !== name) {
    main.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  } else if (kept) kept();
  if (name !== "documents") settled();
  shown = name;
}

// A control that changes the view is made anew; the reader's place in it is not lost.
function keptFocus() {
  const controls = () => [...main.querySelectorAll(".controls select, .controls input, .pager button")];
  const at = controls().indexOf(document.activeElement);
  const reader = document.activeElement?.dataset?.document;
  if (at >= 0) return () => controls()[at]?.focus({ preventScroll: true });
  if (reader === undefined) return null;
  return () => {
    const watcher = new MutationObserver(() => {
      const link = main.querySelector(`a[data-document="${reader}"]`);
      if (link) { watcher.disconnect(); link.focus({ preventScroll: true }); }
    });
    watcher.observe(main, { childList: true, subtree: true });
  };
}

function theme() {
  const root = document.documentElement;
  const button = document.getElementById("theme");
  const dark = () => (root.dataset.theme ? root.dataset.theme === "dark" : window.matchMedia("(prefers-color-scheme: dark)").matches);
  const label = () => { button.textContent = dark() ? "Light" : "Dark"; button.setAttribute("aria-label", `Use ${dark() ? "light" : "dark"} colours`); };
  try {
    const wish = localStorage.getItem("biasorigin-theme");
    if (wish === "dark" || wish === "light") root.dataset.theme = wish;
  } catch { /* the browser keeps nothing for this page */ }
  button.addEventListener("click", () => {
    root.dataset.theme = dark() ? "light" : "dark";
    try { localStorage.setItem("biasorigin-theme", root.dataset.theme); } catch { /* as above */ }
    label();
  });
  label();
}

prepareBlocks(study.blocks);
document.getElementById("study-title").textContent = study.title;
document.getElementById("views").replaceChildren(...Object.entries(VIEWS).map(([name, [title]]) => h("a", { href: address(name), "data-view": name }, title)));
document.querySelector(".skip").addEventListener("click", (event) => { event.preventDefault(); main.focus(); });
theme();
window.addEventListener("hashchange", show);
show();
document.documentElement.dataset.ready = "true";
