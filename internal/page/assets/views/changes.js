// Decisions: what changed, word by word, why, and undoing it.
import { look } from "../api.js";
import { choice, field, h, link, number, when } from "../dom.js";
import { diff } from "../diff.js";
import { changed, linked, where } from "../parts.js";
import { empty } from "../say.js";
import { texts, undo } from "../undo.js";

const page = 40;
const kinds = [["", "every kind"], ...["add", "update", "supersede", "delete", "noop", "reject", "forget"].map((k) => [k, k])];
const spans = [["yesterday", "yesterday"], ["week", "a week ago"], ["month", "a month ago"], ["", "the beginning"]];
const days = { yesterday: 1, week: 7, month: 30 };

/** start is the first moment of a day that is so many days ago. */
function start(ago) {
  const at = new Date();
  at.setHours(0, 0, 0, 0);
  at.setDate(at.getDate() - ago);
  return at.toISOString().replace(/\.\d+Z$/, "Z");
}

export async function show({ args: [id], query, signal, again, refine }) {
  if (id) return one(await look("decision", { id }, signal), again);
  const since = query.since ?? "yesterday";
  const { decisions } = await look("decisions", {
    decision: query.kind, since: since ? start(days[since] ?? 1) : undefined, after: query.after, limit: page,
  }, signal);
  const go = (change) => refine("#/changes?" + new URLSearchParams({ since, kind: query.kind || "", ...change }));
  return [
    h("h1", {}, "What changed"),
    h("form", { class: "row", onsubmit: (e) => e.preventDefault() },
      field("Since", choice(spans, since, { name: "since", onchange: (e) => go({ since: e.target.value }) })),
      field("Kind", choice(kinds, query.kind || "", { name: "kind", onchange: (e) => go({ kind: e.target.value }) }))),
    decisions.length ? [h("p", { class: "soft" }, decisions.length === page ? `The newest ${number(page)}` : number(decisions.length) + (decisions.length === 1 ? " decision" : " decisions")),
      h("ol", { class: "stack" }, decisions.map((d) => line(d, again)))] : empty("Nothing changed in this time."),
    decisions.length === page && h("p", {}, h("button", { type: "button", onclick: () => go({ after: decisions.at(-1).id }) }, "Older")),
  ];
}

/** opened is where what a decision is about can be opened. */
const opened = (d) => (d.fact_id ? link("facts", d.fact_id) : d.path ? link("notes", d.path, { scope: d.scope }) : "");

/** line is a decision in the list. */
function line(d, again) {
  const [before, after] = texts(d);
  const about = opened(d);
  return h("li", { class: "card" },
    d.path && !before && !after ? h("p", { class: "said" }, h("a", { href: link("changes", d.id) }, d.path)) : (before || after) && diff(before, after),
    h("p", { class: "about" }, h("a", { class: "tag on", href: link("changes", d.id) }, d.decision), h("span", {}, linked(d.reason))),
    h("div", { class: "row apart" },
      h("p", { class: "about" }, where(d.scope), h("span", {}, d.origin), d.session && h("a", { href: link("sessions", d.session) }, d.session), when(d.decided_at), about && h("a", { href: about }, "open"),
        d.reverted_by && h("span", { class: "tag off" }, "undone"), d.reverts && h("span", { class: "tag" }, "undoes another")),
      changed(d) && !d.reverted_by && h("button", { type: "button", onclick: () => undo(d.id, d.scope, again) }, "Undo", h("span", { class: "unseen" }, ": " + (after || before || d.path).slice(0, 80)))));
}

/** one is a decision with the rules that led to it. */
function one(d, again) {
  const [before, after] = texts(d), about = opened(d);
  return [
    h("p", {}, h("a", { href: link("changes") }, "What changed")),
    h("h1", {}, d.decision, ": ", linked(d.reason)),
    (before || after) && h("div", { class: "card" }, diff(before, after)),
    h("p", { class: "about" }, where(d.scope), about && h("a", { href: about }, d.fact_id ? "open the fact" : d.path), d.fact_id && d.path, h("span", {}, d.origin), when(d.decided_at), h("span", { class: "id" }, d.id)),
    d.rules?.length > 0 && h("section", { class: "stack" }, h("h2", {}, "Rules that were tried"), h("ol", { class: "about" }, d.rules.map((r, i) => h("li", { class: i === d.rules.length - 1 ? "tag on" : "tag" }, r.replaceAll("_", " "))))),
    changed(d) && !d.reverted_by && h("p", {}, h("button", { type: "button", onclick: () => undo(d.id, d.scope, again) }, "Undo it")),
  ];
}
