// Documents: ranked by their differential bias, filtered, searched, read.

import { facetOf, effectsOf, idsOf, lengthsOf, ORDERS, orderOf, searchTexts, textOf } from "./corpus_data.js";
import { freshId, h, missing, say, select, settled, table } from "./dom.js";
import { readDocument } from "./document.js";
import { count, fixed, probability, signed } from "./format.js";
import { rolesOf, snippet } from "./marking.js";
import { address, go } from "./state.js";

const PAGE = 20;
const searches = new Map();
let latest = 0;

export function documentsView(study, values) {
  const data = study.documents;
  const head = h("h1", {}, "Which documents teach the bias?");
  if (data.missing) return [head, missing(data.missing)];
  const entry = data.entries.find((one) => one.embedding === values.embedding) ?? data.entries[0];
  const set = entry.sets.find((one) => one.key === values.set) ?? entry.sets[0];
  const results = h("div", { class: "results" }, h("p", {}, "Reading …"));
  const detail = h("section", { class: "detail", "aria-label": "Document", tabindex: "-1" }, h("p", { class: "faint" }, "Choose a document to read it with the words that carry its effect."));
  const now = { ...values, embedding: entry.embedding, set: set.key };
  const change = (more) => go("documents", { ...now, page: null, ...more });
  const number = ++latest;
  fill(study, entry, set, now, results, detail, () => number !== latest)
    .catch((error) => results.replaceChildren(h("p", { role: "alert" }, error.message)))
    .finally(settled);
  return [
    head,
    h("p", {}, "The differential bias of a document is what the bias would lose if the document were removed: ", h("strong", {}, "above zero, the document raises the bias"),
      "; below, it lowers it. ", set.bias !== null && `The bias of this set is ${signed(set.bias)} (effect size, mean over ${entry.seeds} trainings).`),
    controls(data, entry, set, now, change),
    h("div", { class: "split" }, results, detail),
    set.kinds && kinds(set),
  ];
}

function controls(data, entry, set, now, change) {
  const searchId = freshId("search");
  const shortId = freshId("short");
  return h("form", { class: "controls", role: "search", "aria-label": "Documents", onsubmit: (event) => event.preventDefault() },
    select("Embedding and its corpus", data.entries.map((one) => [one.embedding, one.title]), entry.embedding, (value) => change({ embedding: value, doc: null })),
    select("Bias (WEAT set)", entry.sets.map((one) => [one.key, `${one.key}: ${one.title}`]), set.key, (value) => change({ set: value })),
    select("Order", ORDERS, now.order ?? "raising", (value) => change({ order: value })),
    entry.facets.map((facet) => select(facet.name, [["", "any"], ...facet.values.map((value) => [value, value === "" ? "(none)" : value])], now[`is.${facet.name}`] ?? "",
      (value) => change({ [`is.${facet.name}`]: value }))),
    h("div", { class: "field" }, h("label", { for: shortId }, "Words at least"),
      h("input", { id: shortId, type: "number", min: "0", step: "1", size: "6", value: now.least ?? "", onchange: (event) => change({ least: event.target.value }) })),
    h("div", { class: "field wide" }, h("label", { for: searchId }, "Text contains"),
      h("input", { id: searchId, type: "search", value: now.q ?? "", onchange: (event) => change({ q: event.target.value.trim() }) })));
}

function kinds(set) {
  const about = `The ${count(set.kinds.top)} documents that raise ${set.key} most against ${count(set.kinds.matched)} others of the same length`;
  if (!set.kinds.rows.length) return [h("h2", {}, "What kind of documents are they?"), h("p", {}, `${about}: no difference in topic, sentiment or metadata is found (q ≤ .05).`)];
  return [h("h2", {}, "What kind of documents are they?"), table(`${about}: what differs most (q ≤ .05)`, [
    { title: "Kind", cell: (row) => row.kind },
    { title: "Feature", cell: (row) => row.feature, head: true },
    { title: "Top documents, mean or share", cell: (row) => fixed(row.top, 3), numeric: true },
    { title: "Others", cell: (row) => fixed(row.matched, 3), numeric: true },
    { title: "q", cell: (row) => probability(row.q), numeric: true },
  ], set.kinds.rows)];
}

async function fill(study, entry, set, now, results, detail, over) {
  const order = await orderOf(entry, set.key, now.order ?? "raising");
  const chosen = await filtered(entry, now, order, over);
  if (!chosen || over()) return;
  const [effects, ids, lengths] = await Promise.all([effectsOf(entry, set.key), idsOf(entry), lengthsOf(entry)]);
  const pages = Math.max(1, Math.ceil(chosen.length / PAGE));
  const page = Math.min(pages, Math.max(1, Number.parseInt(now.page ?? "1", 10) || 1));
  const shown = Array.from(chosen.subarray((page - 1) * PAGE, page * PAGE));
  const roles = rolesOf(set, entry.lowercase);
  const texts = await Promise.all(shown.map((document) => textOf(entry, document)));
  if (over()) return;
  const largest = Math.max(...[effects[order[0]], effects[order[order.length - 1]]].map(Math.abs), ...shown.map((document) => Math.abs(effects[document]))) || 1;
  const rows = shown.map((document, place) => row({ entry, now, document, rank: (page - 1) * PAGE + place + 1, effect: effects[document], largest,
    id: ids[document], length: lengths[document], snippet: snippet(texts[place].text, roles, entry.lowercase, now.q) }));
  results.replaceChildren(...list(entry, set, now, rows, chosen.length, page, pages));
  if (now.doc) {
    const document = ids.indexOf(now.doc);
    if (document < 0) detail.replaceChildren(h("p", { role: "alert" }, "There is no document ", h("code", {}, now.doc), " in this corpus."));
    else await readDocument(study, entry, set, now, document, ids[document], detail, over);
  }
}

async function filtered(entry, now, order, over) {
  const tests = [];
  for (const facet of entry.facets) {
    const wanted = now[`is.${facet.name}`];
    if (wanted === undefined) continue;
    const { values, codes } = await facetOf(entry, facet.name);
    const code = values.indexOf(wanted);
    tests.push((document) => codes[document] === code);
  }
  const least = Number.parseInt(now.least ?? "0", 10) || 0;
  if (least > 0) {
    const lengths = await lengthsOf(entry);
    tests.push((document) => lengths[document] >= least);
  }
  if (now.q) {
    const found = await searched(entry, now.q, over);
    if (!found) return null;
    tests.push((document) => found[document] === 1);
  }
  return tests.length ? order.filter((document) => tests.every((test) => test(document))) : order;
}

async function searched(entry, query, over) {
  const name = `${entry.embedding}/${query}`;
  if (!searches.has(name)) {
    say("Searching …");
    const found = await searchTexts(entry, query, (share) => say(`Searching: ${Math.round(100 * share)} %`), over);
    say("");
    if (!found) return null;
    searches.set(name, found);
  }
  return searches.get(name);
}

function row({ entry, now, document, rank, effect, largest, id, length, snippet: text }) {
  const width = Math.max(2, Math.round(60 * Math.abs(effect) / largest));
  const here = now.doc === id;
  return h("tr", { class: here && "chosen" },
    h("td", { class: "number optional" }, count(rank)),
    h("td", { class: "number" }, signed(effect), h("br"), effect !== 0 && h("span", { class: `bar ${effect > 0 ? "raises" : "lowers"}`, style: `width:${width}px`, "aria-hidden": "true" })),
    h("td", { class: "snippet" }, h("a", { href: address("documents", { ...now, doc: id }), "aria-current": here && "true", "data-document": document }, text || "(empty)")),
    h("td", { class: "number optional" }, count(length)));
}

function list(entry, set, now, rows, found, page, pages) {
  const turn = (target) => go("documents", { ...now, page: target });
  const listed = h("table", { onkeydown: moveBetweenLinks },
    h("caption", {}, `${count(found)} of ${count(entry.documents)} documents; effect on ${set.key}: ${set.title}. Arrows move, Enter opens.`),
    h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "number optional" }, "Place"), h("th", { scope: "col", class: "number" }, "Effect"), h("th", { scope: "col" }, "Text"),
      h("th", { scope: "col", class: "number optional" }, "Words"))),
    h("tbody", {}, rows));
  const pager = h("nav", { class: "pager", "aria-label": "Pages of documents" },
    h("button", { type: "button", disabled: page <= 1, onclick: () => turn(page - 1) }, "Previous"),
    h("span", {}, `page ${count(page)} of ${count(pages)}`),
    h("button", { type: "button", disabled: page >= pages, onclick: () => turn(page + 1) }, "Next"));
  return [found === 0 && h("p", {}, "No document fits. Loosen the filters."), h("div", { class: "scroll" }, listed), pager].filter(Boolean);
}

function moveBetweenLinks(event) {
  const links = [...event.currentTarget.querySelectorAll("a[data-document]")];
  const at = links.indexOf(document.activeElement);
  const steps = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 };
  if (at < 0 || !(event.key in steps)) return;
  event.preventDefault();
  links[Math.min(links.length - 1, Math.max(0, steps[event.key]))].focus();
}
