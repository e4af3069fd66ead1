// One document: its text with the carrying words marked, its effect on every set, and why.

import { jsonOf, numbersOf } from "./blocks.js";
import { chart } from "./charts.js";
import { effectsOf, facetOf, lengthsOf, textOf } from "./corpus_data.js";
import { h, table } from "./dom.js";
import { count, signed } from "./format.js";
import { legend, marked, rolesOf } from "./marking.js";
import { address } from "./state.js";

export async function readDocument(study, entry, set, now, number, id, detail, over) {
  const [content, effects, lengths, carriers, spread] = await Promise.all([
    textOf(entry, number), effectsOf(entry, set.key), lengthsOf(entry), carriersOf(entry, set, number), set.spread && numbersOf(set.spread, "float")]);
  const facets = await Promise.all(entry.facets.map(async (facet) => {
    const { values, codes } = await facetOf(entry, facet.name);
    const value = values[codes[number]];
    return [facet.name, value && h("a", { href: address("documents", { ...now, doc: null, page: null, [`is.${facet.name}`]: value }), title: `Only documents with ${facet.name} ${value}` }, value)];
  }));
  if (over()) return;
  const roles = rolesOf(set, entry.lowercase);
  const pairs = new Map();
  for (const pair of carriers) pairs.set(pair.context, (pairs.get(pair.context) ?? new Set()).add(pair.word));
  const effectPlace = h("div", {}, h("p", { class: "faint" }, "Reading the other sets …"));
  detail.replaceChildren(...[
    h("h2", {}, "Document ", h("code", {}, id)),
    h("p", { class: "lead" }, verdict(effects[number], spread?.[number], set, entry)),
    h("dl", { class: "facts" }, facts([["Words", count(lengths[number])], ...facets, ...content.more])),
    legend(set, pairs.size > 0),
    h("p", { class: "text", "data-text": "" }, marked(content.text, roles, entry.lowercase, pairs, entry.window)),
    carriers.length > 0 && pairTable(carriers),
    effectPlace,
  ].filter(Boolean));
  if (window.matchMedia("(max-width: 60rem)").matches) detail.scrollIntoView({ block: "start" });
  const all = await Promise.all(entry.sets.map(async (one) => ({ key: one.key, title: one.title, effect: (await effectsOf(entry, one.key))[number] })));
  if (!over()) effectPlace.replaceChildren(effectsChart(all, now));
}

function verdict(effect, spread, set, entry) {
  if (effect === 0) return `No word of ${set.key} occurs near another word here: the document has no effect on it.`;
  return `Removing this document would ${effect > 0 ? "lower" : "raise"} the bias ${set.key} by ${signed(Math.abs(effect)).replace("+", "")}${spread === undefined || spread === null ? "" : ` ± ${signed(spread, 2).replace("+", "")}`} (estimate${spread === undefined || spread === null ? "" : `; ± is the standard deviation over ${entry.seeds} trainings`}).`;
}

function facts(pairs) {
  return pairs.filter(([, value]) => value !== null && value !== undefined && value !== "").map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]);
}

async function carriersOf(entry, set, number) {
  if (!set.carriers) return [];
  const all = await jsonOf(set.carriers);
  return all[number] ?? [];
}

function pairTable(carriers) {
  return table("Pairs of words that carry the effect, largest first; above zero raises the bias", [
    { title: "Word of the set", cell: (pair) => pair.word, head: true },
    { title: "beside", cell: (pair) => pair.context },
    { title: "Part of the effect", cell: (pair) => signed(pair.contribution), numeric: true },
  ], carriers.slice(0, 12));
}

function effectsChart(all, now) {
  const touched = all.filter((one) => one.effect !== 0).sort((a, b) => b.effect - a.effect);
  if (!touched.length) return h("p", {}, "The document has no effect on any set.");
  const names = touched.map((one) => one.key);
  const figure = chart("Effect on every set", `Estimated differential bias of this document for ${touched.length} of ${all.length} sets; the others do not move.`, () => ({
    width: 440, height: 40 + 22 * touched.length, marginLeft: 60,
    x: { label: "differential bias (above 0: the document raises the bias)", grid: true, ticks: 4 }, y: { label: null, domain: names },
    marks: [
      window.Plot.barX(touched, { x: "effect", y: "key", fill: (one) => (one.effect > 0 ? "var(--vermilion)" : "var(--blue)"), fillOpacity: (one) => (one.key === now.set ? 1 : 0.65) }),
      window.Plot.ruleX([0], { stroke: "currentColor" }),
    ],
  }));
  const links = h("p", {}, "Read it for another set: ", touched.map((one, place) => [place > 0 && ", ", h("a", { href: address("documents", { ...now, set: one.key }), title: one.title }, one.key)]));
  return h("div", {}, figure, links);
}
