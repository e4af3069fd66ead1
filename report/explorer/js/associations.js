// Associations: the forest of effect sizes, and the words behind each of them.

import { jsonOf } from "./blocks.js";
import { chart } from "./charts.js";
import { h, missing, select, table } from "./dom.js";
import { count, fixed, interval, probability, signed } from "./format.js";
import { address, go } from "./state.js";

const FOUND = 0.05;

export function associationsView(study, values) {
  const data = study.associations;
  const head = h("h1", {}, "Which words go together?");
  if (data.missing) return [head, missing(data.missing)];
  const entry = data.entries.find((one) => one.embedding === values.embedding) ?? data.entries[0];
  const beside = data.entries.find((one) => one.embedding === values.beside && one !== entry);
  const families = [...new Set(entry.rows.map((row) => row.family))];
  const family = families.includes(values.family) ? values.family : "";
  const rows = entry.rows.filter((row) => !family || row.family === family);
  const made = rows.filter((row) => row.d !== null);
  const now = { ...values, embedding: entry.embedding };
  const change = (more) => go("associations", { ...now, ...more });
  const words = h("section", { "aria-label": "Words of the chosen test" });
  if (values.test) showWords(entry, entry.rows.find((row) => row.test === values.test), words, study);
  return [
    head,
    h("p", {}, "The word embedding association test (WEAT) asks whether the first target words lie closer to the first attribute words than the second targets do. Its effect size lies between −2 and 2; ",
      h("strong", {}, "above zero the association is the stereotyped one"), ". Intervals are 95 % bootstrap intervals over the target words."),
    h("form", { class: "controls", "aria-label": "Associations", onsubmit: (event) => event.preventDefault() },
      select("Embedding", data.entries.map((one) => [one.embedding, one.title]), entry.embedding, (value) => change({ embedding: value })),
      select("Beside it", [["", "nothing"], ...data.entries.filter((one) => one !== entry).map((one) => [one.embedding, one.title])], beside?.embedding ?? "", (value) => change({ beside: value })),
      families.length > 1 && select("Tests from", [["", "all papers"], ...families.map((one) => [one, one])], family, (value) => change({ family: value }))),
    made.length ? forest(entry, beside, made, change) : h("p", {}, "None of these tests could be made on this embedding: too few of its words are in the vocabulary."),
    words,
    testTable(made, now),
    rows.length > made.length && notMade(rows.filter((row) => row.d === null)),
  ];
}

function forest(entry, beside, rows, change) {
  const name = (row) => `${row.test}  ${row.title}`;
  const narrow = window.innerWidth < 700;
  const domain = rows.map((row) => row.test);
  const titles = new Map(rows.map((row) => [row.test, row.title]));
  const found = rows.filter((row) => row.q !== null && row.q <= FOUND);
  const other = beside ? beside.rows.filter((row) => row.d !== null && titles.has(row.test)) : [];
  const figure = chart("Effect sizes", `${rows.length} tests on ${entry.title}; ${found.length} found (one-sided, q at most .05 over the tests of this embedding).`, () => ({
    height: 60 + 24 * rows.length, marginLeft: narrow ? 46 : 330, marginRight: 20, marginTop: 30,
    x: { label: "effect size d →", grid: true, domain: [-2.05, 2.05], axis: "both", ticks: narrow ? 5 : 9 },
    y: { label: null, domain, tickFormat: (test) => (narrow ? test : shorten(`${test}  ${titles.get(test)}`)) },
    color: { legend: true, domain: ["found", "not found", ...(beside ? [beside.title] : [])], range: ["var(--vermilion)", "var(--grey)", ...(beside ? ["var(--blue)"] : [])] },
    marks: [
      window.Plot.ruleX([0], { stroke: "currentColor" }),
      window.Plot.ruleY(rows, { y: "test", x1: "low", x2: "high", stroke: (row) => status(row), strokeWidth: 2 }),
      window.Plot.dot(other, { x: "d", y: "test", stroke: () => beside.title, symbol: "diamond", r: 5, strokeWidth: 2 }),
      window.Plot.dot(rows, { x: "d", y: "test", fill: (row) => status(row), r: 5 }),
      window.Plot.tip(rows, window.Plot.pointerY({ x: "d", y: "test", title: (row) => hover(row, name), fill: "var(--back)", stroke: "var(--line)", maxRadius: 60 })),
    ],
  }), [`${rows.length} tests on ${entry.title}; ${found.length} found (one-sided permutation test, q ≤ .05 after Benjamini and Hochberg). `,
    entry.seeds > 1 ? `Means over ${entry.seeds} trainings; q is the largest of them. ` : "", beside ? `Diamonds: ${beside.title}. ` : "", "Point at a row for its words; press it, or choose it in the table, to see all of them."]);
  figure.querySelector(".plot")?.addEventListener("click", () => {
    const svg = figure.querySelector("svg[role=img]");
    if (svg?.value) change({ test: svg.value.test });
  });
  return figure;
}

function status(row) {
  return row.q !== null && row.q <= FOUND ? "found" : "not found";
}

function shorten(text) {
  return text.length > 44 ? `${text.slice(0, 43)}…` : text;
}

function hover(row, name) {
  return [name(row), `d = ${fixed(row.d)} (${interval(row.low, row.high)}), p = ${probability(row.p)}, q = ${probability(row.q)}`, `carried most by: ${row.top}`].join("\n");
}

function testTable(rows, now) {
  return table("The same as a table; choose a test to see its words", [
    { title: "Test", head: true, cell: (row) => h("a", { href: address("associations", { ...now, test: row.test }) }, `${row.test}: ${row.title}`) },
    { title: "d", cell: (row) => fixed(row.d), numeric: true },
    { title: "95 % interval", cell: (row) => interval(row.low, row.high), numeric: true },
    { title: "p, one-sided", cell: (row) => probability(row.p), numeric: true },
    { title: "q", cell: (row) => probability(row.q), numeric: true },
    { title: "Words used", cell: (row) => row.used.join(" + "), numeric: true },
    { title: "Not in vocabulary", cell: (row) => count(row.absent), numeric: true },
  ], rows);
}

function notMade(rows) {
  return h("details", {}, h("summary", {}, `${count(rows.length)} ${rows.length === 1 ? "test" : "tests"} could not be made on this embedding`),
    h("ul", {}, rows.map((row) => h("li", {}, h("strong", {}, `${row.test}: ${row.title}. `), row.problem ?? ""))));
}

async function showWords(entry, row, place, study) {
  if (!row) return;
  const heading = h("h2", {}, `${row.test}: ${row.title}`);
  if (row.d === null) {
    place.replaceChildren(heading, h("p", {}, row.problem ?? "This test could not be made."));
    return;
  }
  const words = (await jsonOf(entry.words))[row.test] ?? [];
  const roles = study.tests[row.test]?.roles ?? [];
  const used = words.filter((word) => word.part !== null);
  const lost = words.filter((word) => word.part === null);
  const link = study.documents.entries?.some((one) => one.embedding === entry.embedding && one.sets.some((set) => set.key === row.test));
  place.replaceChildren(heading,
    h("p", {}, `Effect size ${fixed(row.d)} (${interval(row.low, row.high)}), one-sided p ${probability(row.p)}. `,
      link && h("a", { href: address("documents", { embedding: entry.embedding, set: row.test }) }, "Which documents teach it?")),
    h("div", { class: "split" }, [[0, 1], [2, 3]].map((pair) => h("div", {}, contributions(used.filter((word) => pair.includes(word.role)), roles, pair, row)))),
    ...(lost.length ? [h("p", { class: "faint" }, "Not used: ", lost.map((word) => `${word.word} (${word.fate})`).join(", "), ".")] : []));
}

function contributions(words, roles, pair, row) {
  const side = pair[0] === 0 ? "targets" : "attributes";
  const sorted = [...words].sort((a, b) => b.part - a.part);
  const group = (word) => roles[word.role]?.title ?? `list ${word.role + 1}`;
  return chart(`Parts of d by ${side}`, `Each word's part; together they are ${fixed(row.d)}.`, () => ({
    width: 520, height: 50 + 17 * sorted.length, marginLeft: 110,
    x: { label: "part of the effect size", grid: true, ticks: 5 }, y: { label: null, domain: sorted.map((word) => word.word) },
    color: { legend: true, domain: pair.map((number) => roles[number]?.title ?? `list ${number + 1}`), range: pair[0] === 0 ? ["var(--blue)", "var(--orange)"] : ["var(--green)", "var(--purple)"] },
    marks: [
      window.Plot.barX(sorted, { x: "part", y: "word", fill: group, tip: { fill: "var(--back)" }, title: (word) => `${word.word} (${group(word)}): ${signed(word.part)}${word.count ? `, seen ${count(word.count)} times` : ""}` }),
      window.Plot.ruleX([0], { stroke: "currentColor" }),
    ],
  }));
}
