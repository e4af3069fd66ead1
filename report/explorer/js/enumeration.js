// Enumeration: groups of names that nobody chose, and the words that lie on their side.

import { jsonOf } from "./blocks.js";
import { h, missing, select, table } from "./dom.js";
import { count, fixed, percent, probability } from "./format.js";
import { go } from "./state.js";

export function enumerationView(study, values) {
  const data = study.enumeration;
  const head = h("h1", {}, "Which biases are there that nobody asked for?");
  if (data.missing) return [head, missing(data.missing)];
  const entry = data.entries.find((one) => one.key === values.of) ?? data.entries[0];
  const now = { ...values, of: entry.key };
  const tests = h("div", {}, h("p", {}, "Reading …"));
  showTests(entry, tests, values.all === "1").catch((error) => tests.replaceChildren(h("p", { role: "alert" }, error.message)));
  const s = entry.summary;
  return [
    head,
    h("p", {}, "Unsupervised bias enumeration (Swinger et al. 2019) sorts first names into groups and frequent words into categories, by the embedding alone, and asks of each pair whether the group's closest words of the category lie nearer to it than chance would have it."),
    h("form", { class: "controls", "aria-label": "Enumeration", onsubmit: (event) => event.preventDefault() },
      select("Embedding and names", data.entries.map((one) => [one.key, one.title]), entry.key, (value) => go("enumeration", { ...now, of: value })),
      select("Rows", [["", "categories with a finding"], ["1", "all categories"]], values.all ?? "", (value) => go("enumeration", { ...now, all: value }))),
    h("p", {}, h("strong", {}, `${count(s.significant)} of ${count(entry.cells)} pairs are found`), ` (p over ${count(s.rotations)} random rotations, Benjamini and Hochberg at ${fixed(s.alpha, 2)}).`),
    groups(entry),
    h("h2", {}, "What the groups go with"),
    h("p", {}, "Each entry names the words of the category on the group's side. Bold entries are found; with faint ones chance is a fair explanation."),
    tests,
  ];
}

function groups(entry) {
  const has = (name) => entry.groups.some((group) => group[name] !== null && group[name] !== undefined);
  const races = entry.races.filter((race) => has(race.column));
  return table(`Name groups of ${entry.title}, with what registers say of the people who bear the names (the embedding does not know it)`, [
    { title: "Group", cell: (group) => group.label, head: true },
    { title: "Names such as", cell: (group) => group.examples },
    { title: "Names", cell: (group) => count(group.names), numeric: true },
    has("female") && { title: "Female", cell: (group) => percent(group.female, 0), numeric: true },
    has("birth_year") && { title: "Born, mean", cell: (group) => fixed(group.birth_year, 0), numeric: true },
    ...races.map((race) => ({ title: race.title, cell: (group) => percent(group[race.column], 0), numeric: true })),
  ].filter(Boolean), entry.groups);
}

async function showTests(entry, place, everything) {
  const cells = await jsonOf(entry.block);
  const labels = entry.groups.map((group) => group.label);
  const categories = new Map();
  for (const cell of cells) {
    if (!categories.has(cell.category)) categories.set(cell.category, { name: cell.category, examples: cell.examples, cells: new Map() });
    categories.get(cell.category).cells.set(cell.group, cell);
  }
  const rows = [...categories.values()].filter((row) => everything || [...row.cells.values()].some((cell) => cell.significant));
  if (!rows.length) {
    place.replaceChildren(h("p", {}, "No pair is found on this embedding: none of the groups is nearer to any category than random rotations bring it. Show all categories to see the closest words nevertheless."));
    return;
  }
  const shownLabels = labels.filter((label) => everything || rows.some((row) => row.cells.get(label)?.significant));
  place.replaceChildren(table(`${count(rows.length)} categories by ${count(shownLabels.length)} name groups`, [
    { title: "Category", head: true, cell: (row) => h("span", {}, `${row.name}: `, h("span", { class: "faint" }, row.examples)) },
    ...shownLabels.map((label) => ({ title: label, cell: (row) => cellText(row.cells.get(label), everything) })),
  ], rows));
}

function cellText(cell, everything) {
  if (!cell || !cell.words || (!cell.significant && !everything)) return "";
  const about = `score ${fixed(cell.score, 3)}, p ${probability(cell.p)}`;
  return h(cell.significant ? "strong" : "span", { title: about, class: cell.significant ? null : "faint" }, cell.words);
}
