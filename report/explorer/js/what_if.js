// What if: the bias that is left when the documents that raise it most are removed, estimated and retrained.

import { chart } from "./charts.js";
import { freshId, h, missing, select } from "./dom.js";
import { count, fixed, interval, percent, signed } from "./format.js";
import { address, go } from "./state.js";

const KINDS = [["raising", "that raise the bias most"], ["lowering", "that lower the bias most"], ["random", "at random"]];

export function whatIfView(study, values) {
  const data = study.whatIf;
  const head = h("h1", {}, "What if these documents had not been there?");
  if (data.missing) return [head, missing(data.missing)];
  const entry = data.entries.find((one) => one.embedding === values.embedding) ?? data.entries[0];
  const set = entry.sets.find((one) => one.key === values.set) ?? entry.sets[0];
  const kinds = KINDS.filter(([kind]) => set.curves[kind]);
  const kind = set.curves[values.kind] ? values.kind : kinds[0][0];
  const curve = set.curves[kind];
  const now = { ...values, embedding: entry.embedding, set: set.key, kind };
  const change = (more) => go("what-if", { ...now, ...more });
  const wish = Number.parseInt(values.n ?? "", 10);
  return [
    head,
    h("p", {}, "Move the handle to remove documents. The line is the estimate ", entry.method, "; the band runs from the lowest to the highest of ", `${entry.seeds} trainings`,
      ". Crosses are embeddings that were really trained again without the documents: they say how far the estimate can be trusted."),
    h("form", { class: "controls", "aria-label": "What if", onsubmit: (event) => event.preventDefault() },
      select("Embedding and its corpus", data.entries.map((one) => [one.embedding, one.title]), entry.embedding, (value) => change({ embedding: value })),
      select("Bias (WEAT set)", entry.sets.map((one) => [one.key, `${one.key}: ${one.title}`]), set.key, (value) => change({ set: value })),
      select("Remove the documents", kinds, kind, (value) => change({ kind: value }))),
    ...explore(entry, set, kind, curve, wish, now),
    entry.agreement && agreement(entry.agreement),
  ];
}

// The places of the handle: evenly over the logarithm, and every number that was computed.
function places(curve) {
  const most = curve[curve.length - 1].n;
  const spread = Array.from({ length: 61 }, (_, step) => Math.round(Math.expm1((step / 60) * Math.log1p(most))));
  return [...new Set([...spread, ...curve.map((row) => row.n)])].sort((a, b) => a - b);
}

// Between computed numbers the line is straight, as it is drawn.
function between(curve, n) {
  const right = Math.max(1, curve.findIndex((row) => row.n >= n));
  const [a, b] = [curve[right - 1], curve[right]];
  if (!b) return a;
  const share = (Math.log1p(n) - Math.log1p(a.n)) / (Math.log1p(b.n) - Math.log1p(a.n));
  const mix = (name) => a[name] + share * (b[name] - a[name]);
  return { n, value: mix("value"), low: mix("low"), high: mix("high") };
}

function explore(entry, set, kind, curve, wish, now) {
  const id = freshId("removed");
  const answer = h("p", { class: "lead", id: `${id}-answer`, "aria-live": "polite" });
  const plot = h("div", {});
  const points = set.points.filter((point) => point.kind === kind);
  const stops = places(curve);
  const slider = h("input", { id, type: "range", min: 0, max: stops.length - 1, step: 1, "aria-describedby": `${id}-answer` });
  const start = stops.findIndex((n) => n >= wish);
  slider.value = String(start < 0 ? Math.floor(stops.length / 2) : start);
  const draw = () => {
    const at = between(curve, stops[Number(slider.value)]);
    slider.setAttribute("aria-valuetext", `${at.n} documents`);
    answer.replaceChildren(h("strong", {}, `Without ${count(at.n)} of ${count(entry.documents)} documents (${percent(at.n / entry.documents, 2)})`),
      ` the bias ${set.key} would be ${signed(at.value)} instead of ${signed(curve[0].value)} (estimate; ${interval(at.low, at.high)} over the trainings).`);
    plot.replaceChildren(picture(set, curve, points, at, kind));
  };
  slider.addEventListener("input", draw);
  slider.addEventListener("change", () => history.replaceState(null, "", address("what-if", { ...now, n: stops[Number(slider.value)] })));
  draw();
  return [
    h("div", { class: "field full" }, h("label", { for: id }, "How many documents are removed"), slider),
    answer, plot,
    !points.length && h("p", { class: "faint" }, "No embedding was trained again for this choice: the estimate stands unchecked here."),
    kind === "raising" && h("p", {}, h("a", { href: address("documents", { embedding: entry.embedding, set: set.key }) }, "Read these documents")),
  ];
}

function picture(set, curve, points, at, kind) {
  const most = Math.max(curve[curve.length - 1].n, ...points.map((point) => point.n));
  const ticks = [0, 1, 10, 100, 1000, 10000, 100000].filter((tick) => tick <= most);
  const apart = points.filter((point) => point.together);
  const tip = { fill: "var(--back)" };
  return chart(`Bias ${set.key} without the documents`, `Estimated effect size against the number of documents removed (${kind}), with ${points.length} retrained embeddings.`, () => ({
    height: 400, marginLeft: 56, marginRight: 30,
    x: { type: "symlog", label: "documents removed →", domain: [0, most * 1.1], ticks, tickFormat: count, grid: true },
    y: { label: "↑ effect size d", grid: true, nice: true },
    marks: [
      window.Plot.ruleY([0], { stroke: "currentColor" }),
      window.Plot.areaY(curve, { x: "n", y1: "low", y2: "high", fill: "var(--blue)", fillOpacity: 0.2 }),
      window.Plot.lineY(curve, { x: "n", y: "value", stroke: "var(--blue)", strokeWidth: 2.5 }),
      window.Plot.ruleX(apart, { x: "n", y1: "estimate", y2: "value", stroke: "var(--grey)", strokeDasharray: "2 3" }),
      window.Plot.dot(apart, { x: "n", y: "estimate", stroke: "var(--blue)", r: 5, strokeWidth: 2, tip, title: (point) => `estimated for these ${count(point.n)} documents: ${fixed(point.estimate, 3)}` }),
      window.Plot.dot(points, { x: "n", y: "value", symbol: "times", stroke: "var(--vermilion)", r: 4, strokeWidth: 2.5, tip, title: (point) => `trained again without ${count(point.n)} documents${point.together ? ", chosen for all sets together" : ""} (seed ${point.seed}): ${fixed(point.value, 3)}` }),
      window.Plot.ruleX([at], { x: "n", stroke: "var(--text)", strokeDasharray: "4 3" }),
      window.Plot.dot([at], { x: "n", y: "value", fill: "var(--text)", r: 6 }),
    ],
  }), ["Line and band: estimate. Crosses: trained again. Dashed: what the handle says. Zero is no association.",
    apart.length > 0 && " A ring joined to a cross: the estimate for documents that were chosen for all reported sets together, which need not be those of the line."].filter(Boolean));
}

function agreement(data) {
  return [h("h2", {}, "Can the estimate be trusted?"), h("p", {}, data.text)];
}
