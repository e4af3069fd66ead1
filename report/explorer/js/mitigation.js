// Mitigation: how much bias is left after each repair, and what it cost.

import { chart } from "./charts.js";
import { h, missing, select, table } from "./dom.js";
import { count, fixed, interval } from "./format.js";
import { go } from "./state.js";

export function mitigationView(study, values) {
  const data = study.mitigation;
  const head = h("h1", {}, "What does it cost to take the bias out?");
  if (data.missing) return [head, missing(data.missing)];
  const entry = data.entries.find((one) => one.embedding === values.embedding) ?? data.entries[0];
  const measures = entry.measures;
  const bias = measures.find((one) => one.key === values.bias && one.side === "bias") ?? measures.find((one) => one.side === "bias");
  const quality = measures.find((one) => one.key === values.quality && one.side === "quality") ?? measures.find((one) => one.side === "quality");
  const now = { ...values, embedding: entry.embedding, bias: bias?.key, quality: quality?.key };
  const change = (more) => go("mitigation", { ...now, ...more });
  return [
    head,
    h("p", {}, "A repair of the vectors (debiasing) or of the corpus (documents removed, trained again) should take bias away and leave quality as it was. Tests that the repair was not aimed at tell whether the bias is gone or only hidden."),
    h("form", { class: "controls", "aria-label": "Mitigation", onsubmit: (event) => event.preventDefault() },
      select("Embedding", data.entries.map((one) => [one.embedding, one.title]), entry.embedding, (value) => change({ embedding: value, bias: null, quality: null })),
      select("Bias", measures.filter((one) => one.side === "bias").map((one) => [one.key, one.title]), bias?.key, (value) => change({ bias: value })),
      select("Quality", measures.filter((one) => one.side === "quality").map((one) => [one.key, one.title]), quality?.key, (value) => change({ quality: value }))),
    bias && quality ? trade(entry, bias, quality) : h("p", {}, "Bias or quality was not measured here."),
    bias && numbers(entry, bias),
    quality && numbers(entry, quality),
    everything(entry),
  ];
}

function join(entry, bias, quality) {
  return entry.versions.map((version) => ({ version, bias: bias.values[version.key], quality: quality.values[version.key] }))
    .filter((row) => row.bias?.value !== null && row.bias !== undefined && row.quality?.value !== null && row.quality !== undefined);
}

function trade(entry, bias, quality) {
  const rows = join(entry, bias, quality);
  if (!rows.length) return h("p", {}, "No version has both numbers.");
  const name = (row) => row.version.title;
  return chart(`${bias.title} against ${quality.title}`, `${rows.length} versions of ${entry.title}, with 95 % intervals where there are any.`, () => ({
    height: 420, marginLeft: 60, marginBottom: 44, marginRight: 30,
    x: { label: `${bias.title} (${bias.better}) →`, grid: true, nice: true, inset: 12 }, y: { label: `↑ ${quality.title} (higher is better)`, grid: true, domain: span(rows.flatMap((row) => [row.quality.value, row.quality.low, row.quality.high])) },
    color: { legend: true, domain: rows.map(name), range: ["var(--text)", "var(--vermilion)", "var(--blue)", "var(--green)", "var(--orange)", "var(--purple)", "var(--sky)", "var(--grey)"] },
    symbol: { legend: false, domain: rows.map(name) },
    marks: [
      window.Plot.ruleX([0], { stroke: "currentColor", strokeOpacity: 0.6 }),
      window.Plot.ruleY(rows.filter((row) => row.bias.low !== null), { y: (row) => row.quality.value, x1: (row) => row.bias.low, x2: (row) => row.bias.high, stroke: name, strokeOpacity: 0.6 }),
      window.Plot.ruleX(rows.filter((row) => row.quality.low !== null), { x: (row) => row.bias.value, y1: (row) => row.quality.low, y2: (row) => row.quality.high, stroke: name, strokeOpacity: 0.6 }),
      window.Plot.dot(rows, { x: (row) => row.bias.value, y: (row) => row.quality.value, stroke: name, symbol: name, r: 6, strokeWidth: 2.5, tip: { fill: "var(--back)" },
        title: (row) => `${name(row)}\n${bias.title}: ${fixed(row.bias.value, 3)}\n${quality.title}: ${fixed(row.quality.value, 3)}` }),
    ],
  }));
}

// At least a tenth from end to end, so that a difference that does not matter does not look as if it did.
function span(values) {
  const known = values.filter((value) => value !== null && value !== undefined);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const pad = Math.max(0.02, (0.1 - (high - low)) / 2);
  return [low - pad, high + pad];
}

function everything(entry) {
  return h("details", {}, h("summary", {}, `Every measure of ${entry.title}`), table("Values; what is better stands in brackets", [
    { title: "Measure", cell: (row) => `${row.title} (${row.better})`, head: true },
    ...entry.versions.map((version) => ({ title: version.title, cell: (row) => fixed(row.values[version.key]?.value, 3), numeric: true })),
  ], entry.measures));
}

function numbers(entry, measure) {
  const rows = entry.versions.map((version) => ({ version, ...measure.values[version.key] }));
  return table(`${measure.title}: ${measure.about}`, [
    { title: "Version", cell: (row) => row.version.title, head: true },
    { title: "Value", cell: (row) => fixed(row.value, 3), numeric: true },
    { title: "95 % interval", cell: (row) => interval(row.low, row.high, 3), numeric: true },
    { title: "n", cell: (row) => count(row.n), numeric: true },
    { title: "Trainings", cell: (row) => count(row.seeds), numeric: true },
    { title: "Remark", cell: (row) => row.problem ?? "" },
  ], rows);
}
