// The documents of one attributed embedding: columns and texts on demand, orders kept.

import { jsonOf, numbersOf } from "./blocks.js";

export const ORDERS = [
  ["raising", "raises the bias most"],
  ["lowering", "lowers the bias most"],
  ["size", "largest effect either way"],
  ["long", "longest first"],
  ["corpus", "order of the corpus"],
];

const orders = new Map();

export function effectsOf(entry, key) {
  return numbersOf(entry.sets.find((set) => set.key === key).column, "float");
}

export function lengthsOf(entry) {
  return numbersOf(entry.words, "int");
}

export async function idsOf(entry) {
  return jsonOf(entry.ids);
}

export async function facetOf(entry, name) {
  const facet = entry.facets.find((one) => one.name === name);
  return { values: facet.values, codes: await numbersOf(facet.block, "byte") };
}

// All documents in the chosen order; ties stay in the order of the corpus.
export async function orderOf(entry, key, by) {
  const name = `${entry.embedding}/${["raising", "lowering", "size"].includes(by) ? key : ""}/${by}`;
  if (!orders.has(name)) {
    const order = Uint32Array.from({ length: entry.documents }, (_, place) => place);
    if (by === "long") {
      const lengths = await lengthsOf(entry);
      order.sort((a, b) => lengths[b] - lengths[a] || a - b);
    } else if (by !== "corpus") {
      const effects = await effectsOf(entry, key);
      const sign = { raising: () => effects, lowering: () => effects.map((value) => -value), size: () => effects.map(Math.abs) };
      const score = sign[by]();
      order.sort((a, b) => score[b] - score[a] || a - b);
    }
    orders.set(name, order);
  }
  return orders.get(name);
}

function textBlock(entry, document) {
  let low = 0;
  let high = entry.texts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (entry.texts[middle].first <= document) low = middle;
    else high = middle - 1;
  }
  return entry.texts[low];
}

// {text, more}: more holds the values of the metadata that are too many to filter by.
export async function textOf(entry, document) {
  const block = textBlock(entry, document);
  const content = await jsonOf(block.block);
  const place = document - block.first;
  return { text: content.texts[place], more: entry.more.map((name, column) => [name, content.more[column][place]]) };
}

// Which documents contain the words, one after the other through all texts. `told` hears how far it is; `over` stops it.
export async function searchTexts(entry, query, told, over) {
  const wanted = query.toLowerCase();
  const found = new Uint8Array(entry.documents);
  for (const [number, block] of entry.texts.entries()) {
    if (over()) return null;
    const content = await jsonOf(block.block);
    content.texts.forEach((text, place) => {
      if (text.toLowerCase().includes(wanted)) found[block.first + place] = 1;
    });
    if (number % 16 === 15) told((number + 1) / entry.texts.length);
  }
  return found;
}
