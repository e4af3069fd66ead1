// Overview: what was measured, on what, what was found, how sure it is.

import { h, missing, table } from "./dom.js";
import { count, percent } from "./format.js";

export function overviewView(study) {
  const data = study.overview;
  return [
    h("h1", {}, "What bias do these word embeddings hold, and which documents taught it?"),
    h("p", { class: "lead" }, data.summary),
    h("ul", { class: "cards" }, data.headlines.map((one) => h("li", {}, h("span", { class: "label" }, one.label), h("span", { class: "value" }, one.value),
      h("span", {}, one.detail, " ", one.href && h("a", { href: one.href, "aria-label": `Show: ${one.label}` }, "Show"))))),
    h("h2", {}, "What was studied"),
    data.corpora.length ? table("Corpora", [
      { title: "Corpus", cell: (one) => one.title, head: true },
      { title: "Documents", cell: (one) => count(one.documents), numeric: true },
      { title: "Words of text", cell: (one) => count(one.tokens), numeric: true },
      { title: "Vocabulary", cell: (one) => count(one.vocabulary), numeric: true },
      { title: "Text covered by it", cell: (one) => percent(one.share), numeric: true },
    ], data.corpora) : missing({ what: "No corpus is part of this study." }),
    table("Embeddings", [
      { title: "Embedding", cell: (one) => one.title, head: true },
      { title: "Kind", cell: (one) => one.kind },
      { title: "Learned from", cell: (one) => one.corpus ?? "published vectors" },
      { title: "Words", cell: (one) => count(one.words), numeric: true },
      { title: "Dimensions", cell: (one) => count(one.dim), numeric: true },
      { title: "Trainings", cell: (one) => (one.corpus ? count(one.seeds) : "–"), numeric: true },
    ], data.embeddings),
    h("h2", {}, "Against the published numbers"),
    data.scorecard.missing ? missing(data.scorecard.missing) : scorecard(data.scorecard),
  ];
}

function scorecard(card) {
  return [
    h("p", {}, "Every number that the five papers print, beside what this study found. A number can only be reproduced on the papers' own data; on other data it is shown, not judged."),
    table(`${count(card.total)} published numbers`, [
      { title: "Paper", cell: (row) => row.paper, head: true },
      ...card.statuses.map((status) => ({ title: status, cell: (row) => count(row[status] ?? 0), numeric: true })),
    ], card.rows),
  ];
}
