// Methods: what each number is, how sure it is, and what it cannot say.

import { h } from "./dom.js";

const MATHS = "http://www.w3.org/1998/Math/MathML";

function m(tag, ...children) {
  const element = document.createElementNS(MATHS, tag);
  for (const child of children) element.append(typeof child === "string" ? (tag.length === 2 ? child : leaf(child)) : child);
  return element;
}

// A single sign as the element MathML wants: number, operator or name.
function leaf(text) {
  if (/^[\d.]+$/.test(text)) return m("mn", text);
  return /^\p{L}+$/u.test(text) ? m("mi", text) : m("mo", text);
}

const sub = (base, index) => m("msub", base, index);
const row = (...parts) => m("mrow", ...parts);
const over = (top, bottom) => m("mfrac", top, bottom);
const mean = (set, body) => row(m("munder", "mean", set), space(), body);

function space() {
  const element = m("mspace");
  element.setAttribute("width", "0.25em");
  return element;
}

function formula(label, ...parts) {
  const math = m("math", ...parts);
  math.setAttribute("display", "block");
  math.setAttribute("aria-label", label);
  return h("div", { class: "formula", tabindex: "0", role: "group", "aria-label": label }, math);
}

export function methodsView(study) {
  return [
    h("h1", {}, "How the numbers are made"),
    association(), differential(study), enumeration(), repair(),
    h("h2", {}, "What the study cannot say"),
    h("ul", {}, study.methods.limits.map((limit) => h("li", {}, limit))),
    h("h2", {}, "Settings of this run"),
    h("dl", { class: "facts" }, study.methods.settings.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
    h("h2", {}, "Sources"),
    h("ul", {}, study.methods.sources.map((source) => h("li", {}, source))),
  ];
}

function association() {
  return [
    h("h2", {}, "Association (WEAT)"),
    h("p", {}, "Each target word c has an association with the two lists of attribute words A and B:"),
    formula("g of c is the mean cosine of c with the words of A minus the mean cosine with the words of B",
      row("g", "(", "c", ")", "=", mean("A", row("cos", "(", "c", ",", "a", ")")), "−", mean("B", row("cos", "(", "c", ",", "b", ")")))),
    h("p", {}, "The effect size compares the two lists of targets S and T:"),
    formula("d is the mean of g over S minus the mean of g over T, divided by the standard deviation of g over both",
      row("d", "=", over(row(mean("S", row("g", "(", "s", ")")), "−", mean("T", row("g", "(", "t", ")"))), row(m("msub", "std", row("S", "∪", "T")), "g")))),
    h("p", {}, "The standard deviation divides by n − 1. The p-value is the share of all ways to split the targets into two lists of these sizes that give a larger difference (counted exactly where that is possible). q is p after Benjamini and Hochberg over the tests of one embedding. The interval draws the target words again, 2.5 % to 97.5 %: it says how much the choice of words matters, not how much another corpus would. Words that the vocabulary lacks are left out, and both lists are cut to the same length by dropping the rarest; the tables say how many. Caliskan, Bryson and Narayanan 2017."),
    h("p", {}, "A word's part of the effect size is its own summand, divided by the standard deviation; the parts of the targets sum to d, and so do those of the attributes."),
  ];
}

function differential(study) {
  return [
    h("h2", {}, "Differential bias of a document"),
    formula("The differential bias of document k is the bias of the embedding minus the bias of the embedding that would be learned without k",
      row(sub("Δ", "k"), "B", "=", "B", "(", "w", ")", "−", "B", "(", m("mover", "w", "~"), ")")),
    h("p", {}, "Above zero: removing the document lowers the bias. The embedding without the document is not trained but estimated: for each word i of the set, with all context vectors held fixed,"),
    formula("the new vector of word i is the old one minus the inverse Hessian times the change of the gradient",
      row(sub(m("mover", "w", "~"), "i"), "=", sub("w", "i"), "−", m("msubsup", "H", "i", row("−", "1")), "(", sub("∇", "i"), "(", m("mover", "X", "~"), ")", "−", sub("∇", "i"), "(", "X", ")", ")")),
    h("p", {}, "where X are the co-occurrences of the corpus and X̃ those without the document. Several documents at once are not the sum of single ones: the page What if says which is shown. The estimate is checked by training again without the documents, same seed, same vocabulary. Brunet, Alkalay-Houlihan, Anderson and Zemel 2019."),
    study.methods.estimator && h("p", {}, study.methods.estimator),
  ];
}

function enumeration() {
  return [
    h("h2", {}, "Enumeration"),
    h("p", {}, "Names are cleaned of words that are more than names, and sorted by K-means into groups; the most frequent lower-case words into categories. In each category a group has the words that lie closest to it. Their score is compared with that under random rotations of the groups; p-values are corrected over all pairs (Benjamini and Hochberg). Demographics are weighted means over the bearers of the names in public registers. Swinger, De-Arteaga, Heffernan, Leiserson and Kalai 2019."),
  ];
}

function repair() {
  return [
    h("h2", {}, "Mitigation"),
    formula("minimise over positive semidefinite X the change of the inner products of all words plus lambda times what is left of the bias",
      row(m("munder", "min", row("X", "⪰", "0")), space(), m("msup", row("‖", "Σ", m("msup", "V", "T"), "(", "X", "−", "I", ")", "V", "Σ", "‖"), "2"), "+", "λ", m("msup", row("‖", "P", "X", m("msup", "B", "T"), "‖"), "2"))),
    h("p", {}, "The linear map that changes inner products least while it takes the bias direction B out of the seed words P; λ weighs the two. Beside it: removing the direction from neutral words (hard debiasing), and training again without the documents that raise the bias most. Bolukbasi et al. 2016; the tests for hidden bias are those of Gonen and Goldberg 2019."),
  ];
}
