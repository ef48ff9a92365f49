// What is believed about the user, and the standing rules.
import { look } from "../api.js";
import { h, link, plural, when } from "../dom.js";
import { empty } from "../say.js";

const names = { you: "You", person: "People", pet: "Pets", home: "Home", work: "Work", health: "Health", tastes: "Tastes", things: "Things", plans: "Plans", more: "More" };

export async function show({ query, signal, refine }) {
  const all = query.all === "1";
  const profile = await look("profile", { all }, signal);
  return [
    h("div", { class: "head" }, h("h1", {}, profile.name || "Profile"),
      h("label", { class: "check" }, h("input", { type: "checkbox", name: "all", checked: all, onchange: (e) => refine(link("profile", { all: e.target.checked ? "1" : "" })) }), "with what was believed before")),
    h("p", { class: "lead" }, `What memory believes about you: ${plural(profile.facts, "fact")}. Each opens with the words it was learnt from.`),
    profile.groups.length + profile.rules.length === 0 && empty("Nothing is known yet. What you tell an agent about yourself comes here."),
    profile.rules.length > 0 && group("Standing rules", profile.rules),
    profile.groups.map((g) => group([g.name, g.subject && (g.name ? `, ${g.subject}` : g.subject)].filter(Boolean).join("") || names[g.kind] || g.kind, g.entries)),
  ];
}

/** group is what is about one subject. */
function group(title, entries) {
  return h("section", { class: "stack" }, h("h2", {}, title), h("ul", { class: "card" }, entries.map((e) => h("li", { class: "entry" },
    h("p", { class: "said" }, h("a", { href: link("facts", e.id) }, e.text)),
    h("p", { class: "about" }, e.attribute && h("span", { class: "tag" }, e.attribute), e.ended && h("span", { class: "tag off" }, "ended"),
      e.since && h("span", {}, "since ", when(e.since, { short: true })), e.until && h("span", {}, "until ", when(e.until, { short: true })),
      e.sources.filter((s) => s.session).slice(0, 1).map((s) => h("a", { href: link("sessions", s.session, { from: s.seq }) }, "where it was said"))),
    (e.earlier || []).map((b) => h("p", { class: "about" }, "before: ", h("a", { href: link("facts", b.id) }, b.text), b.until && h("span", {}, "until ", when(b.until, { short: true }))))))));
}
