// Parts that several views show: facts, turns, decisions.
import { memory } from "./api.js";
import { h, link, plural, scopeName, share, when } from "./dom.js";

/** where is the scope of a memory as people read it. */
export const where = (scope) => h("span", { class: "tag" }, scopeName(scope, memory.names));

/** factLine is a fact in a list. */
export function factLine(f) {
  return h("li", { class: "card" },
    h("p", { class: "said" }, h("a", { href: link("facts", f.id) }, f.text)),
    h("p", { class: "about" },
      h("span", {}, f.type), f.category && h("a", { href: link("categories", f.category) }, f.category), where(f.scope), validity(f),
      !f.current && h("span", { class: "tag off" }, "no longer believed"), f.accesses > 0 && h("span", {}, "shown " + plural(f.accesses, "time")), when(f.recorded_at)));
}

/** changed reports whether a decision changed memory, so that it can be undone. */
export const changed = (d) => ["add", "update", "supersede", "delete"].includes(d.decision);

/** linked is a text in which the ids of facts are short, as commands show them, and lead to the facts. */
export const linked = (text) => text.split(/\b(fact_[0-9A-Z]{26})\b/).map((part, i) => (i % 2 ? h("a", { href: link("facts", part) }, "fact_" + part.slice(-7)) : part));

/** validity says since and until when a fact holds, where it says so. */
export function validity(f) {
  if (!f.valid_from && !f.valid_to) return null;
  return h("span", {}, f.valid_from && ["since ", when(f.valid_from, { short: true })], f.valid_from && f.valid_to && ", ", f.valid_to && ["until ", when(f.valid_to, { short: true })]);
}

/** turnLine is what was said in a conversation. */
export function turnLine(t, { here = false, session } = {}) {
  return h("li", { class: here ? "turn here" : "turn" },
    h("p", { class: "about" }, h("strong", {}, t.speaker || t.role), t.tool && h("span", {}, t.tool),
      session ? h("a", { href: link("sessions", session, { from: t.seq }) }, `turn ${t.seq} of ${session}`) : h("span", {}, "turn " + t.seq), when(t.at),
      t.failed && h("span", { class: "tag bad" }, "failed")),
    h("p", { class: "words" }, t.forgotten ? h("em", {}, "forgotten") : t.text),
    (t.notes || []).map((n) => h("p", { class: "soft" }, n)));
}

const colors = { words: "c1", vector: "c6", around: "c3", parent: "c2", recency: "c4", salience: "c5", order: "c7" };
const meanings = {
  words: "its own words", vector: "closeness of meaning", around: "the turns around it", parent: "its session, category or file",
  recency: "how new it is", salience: "how often it was of use", order: "against another value of the same statement",
};

/** explanation says why a hit ranks where it does: parts that add up to its score. */
export function explanation(hit) {
  const parts = Object.keys(meanings).map((name) => [name, hit.why[name] || 0]).filter(([, n]) => n !== 0);
  const near = ["", "near a category", "inside the nearest categories", "by flat search or words"][hit.tier];
  return [
    h("div", { class: "bar", "aria-hidden": "true" }, parts.filter(([, n]) => n > 0).map(([name, n]) => h("i", { class: colors[name], style: { width: 100 * n + "%" } }))),
    h("details", {}, h("summary", {}, `Why it ranks here: ${hit.score.toFixed(2)}`),
      h("table", {}, h("caption", { class: "unseen" }, "The parts of the score"),
        h("tbody", {}, parts.map(([name, n]) => h("tr", {},
          h("th", { scope: "row" }, h("span", { class: "dot " + colors[name], "aria-hidden": "true" }), meanings[name]), h("td", { class: "number" }, n.toFixed(3)))),
        h("tr", {}, h("th", { scope: "row" }, "together"), h("td", { class: "number" }, hit.score.toFixed(3))))),
      h("p", { class: "soft" }, "Holds ", share(hit.evidence), " of what is asked for; found ", near,
        hit.why.terms?.length ? ["; words that matched: ", hit.why.terms.map((t, i) => [i ? ", " : "", h("mark", {}, t)])] : "", ".")),
  ];
}
