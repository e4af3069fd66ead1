// A text with the words that carry a bias marked, and what was searched for.

import { h } from "./dom.js";

const WORD = /[\p{L}\p{N}]+(?:['’_-][\p{L}\p{N}]+)*/gu;

// What each word of a set is: 0 and 1 the targets, 2 and 3 the attributes.
export function rolesOf(set, lowercase) {
  const roles = new Map();
  set.roles.forEach((role, number) => role.words.forEach((word) => roles.set(lowercase ? word.toLowerCase() : word, number)));
  return roles;
}

function lookUp(word, roles, lowercase) {
  const form = lowercase ? word.toLowerCase() : word;
  if (roles.has(form)) return roles.get(form);
  return roles.get(form.split(/['’]/, 1)[0]);
}

// Pieces of the text: strings and <mark> elements. A context is marked where it stands within the window of a word of
// the set with which it makes a pair; `pairs` holds the set's words by context.
export function marked(text, roles, lowercase, pairs = new Map(), window = 8) {
  const pieces = [];
  let last = 0;
  const matches = [...text.matchAll(WORD)];
  const forms = matches.map((match) => (lowercase ? match[0].toLowerCase() : match[0]));
  for (const [place, match] of matches.entries()) {
    const role = lookUp(match[0], roles, lowercase);
    const partners = role === undefined && pairs.get(forms[place]);
    const context = partners && forms.slice(Math.max(0, place - window), place + window + 1).some((form) => partners.has(form));
    if (role === undefined && !context) continue;
    pieces.push(text.slice(last, match.index));
    pieces.push(h("mark", { class: context ? "context" : `role-${role}` }, match[0]));
    last = match.index + match[0].length;
  }
  pieces.push(text.slice(last));
  return pieces;
}

export function legend(set, withContexts) {
  const items = set.roles.map((role, number) => h("li", {}, h("mark", { class: `role-${number}` }, role.title)));
  if (withContexts) items.push(h("li", {}, h("mark", { class: "context" }, "words beside them that carry the effect")));
  return h("ul", { class: "legend", "aria-label": "What the marks mean" }, items);
}

// A part of the text around the first carrying or sought word.
export function snippet(text, roles, lowercase, sought) {
  const LENGTH = 130;
  let start = sought ? text.toLowerCase().indexOf(sought.toLowerCase()) : -1;
  if (start < 0) {
    for (const match of text.matchAll(WORD)) {
      if (lookUp(match[0], roles, lowercase) !== undefined) { start = match.index; break; }
    }
  }
  let from = Math.max(0, start - 40);
  if (from > 0) from = Math.min(start, text.indexOf(" ", from) + 1);
  const cut = text.slice(from, from + LENGTH).replace(/\s+/g, " ");
  return `${from > 0 ? "…" : ""}${cut}${from + LENGTH < text.length ? "…" : ""}`;
}
