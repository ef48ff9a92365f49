// What was proposed and waits for a person: notes, changes of notes, and skills.
import { change, look } from "./api.js";
import { ask } from "./ask.js";
import { diff } from "./diff.js";
import { choice, field, h, link, plural, when } from "./dom.js";
import { where } from "./parts.js";
import { empty, failure, offerUndo } from "./say.js";

/** section is a list under its title. */
const section = (id, title, items, none) => h("section", { class: "stack", "aria-labelledby": id }, h("h2", { id }, title),
  items.length ? h("ul", { class: "stack" }, items) : empty(none));

/** button names what it is about, for who does not see where it stands. */
const button = (text, about, onclick, props = {}) => h("button", { type: "button", onclick, ...props }, text, h("span", { class: "unseen" }, ": " + about));

/** notes are the proposed notes. */
export async function notes(signal, again) {
  const { documents } = await look("note_list", { kind: "system" }, signal);
  return section("notes-proposed", "Proposed notes", documents.filter((d) => d.path.startsWith("_inbox/")).map((d) => note(d, again)), "No note waits to be accepted.");
}

/** called is what a proposal is called, by its path: _inbox/TYPE_WORDS.md. */
const called = (path) => path.replace(/^_inbox\/[a-z]+_/, "").replace(/\.md$/, "").replaceAll("-", " ");

function note(d, again) {
  const name = called(d.path);
  return h("li", { class: "card" }, h("p", { class: "said" }, h("a", { href: link("notes", d.path, { scope: d.scope }) }, name)),
    d.description && h("p", { class: "soft" }, d.description), h("p", { class: "about" }, h("span", { class: "id" }, d.path), where(d.scope), when(d.modified_at)),
    h("div", { class: "row" }, button("Accept", name, () => accept(d, name, again)), button("Turn down", name, () => reject(d, name, again), { class: "grave" })));
}

/** accept shows what a proposal would change, asks, and takes it in. */
async function accept(d, name, again) {
  const input = { name: d.path };
  let body;
  try {
    const plan = await change("note_accept", { ...input, dry_run: true }, d.scope);
    const { content } = plan.after ? {} : await look("note_show", { ...input, scope: d.scope, above: false });
    body = [plan.after ? h("div", { class: "card" }, diff(plan.before || "", plan.after)) : h("pre", { tabindex: 0, "aria-label": "Text of the note" }, content)];
  } catch (err) {
    if (err.code !== "conflict") return ask({ title: "This cannot be accepted", body: [failure(err)], yes: "Close", work: async () => {} });
    input.take = "note"; // both changed the same: one of them stays
    body = [failure(err), field("What stays", choice([["note", "the note as it is"], ["proposal", "what is proposed"]], input.take, { onchange: (e) => { input.take = e.target.value; } }))];
  }
  const done = await ask({ title: `Accept “${name}”?`, yes: "Accept it", body, work: () => change("note_accept", { ...input, yes: true }, d.scope) });
  if (!done) return;
  offerUndo("Accepted.", done.decisions[0]?.decision_id, done.decisions[0]?.scope, again);
  again();
}

async function reject(d, name, again) {
  const done = await ask({
    title: `Turn “${name}” down?`, yes: "Turn it down", grave: true, body: [h("p", { class: "soft" }, "It stays in the history, and can be undone.")],
    work: () => change("note_reject", { name: d.path, yes: true }, d.scope),
  });
  if (!done) return;
  offerUndo("Turned down.", done.decision_id, done.scope, again);
  again();
}

/** skills are the proposed skills. */
export async function skills(signal, again) {
  const list = (await look("skill_list", { status: "proposed" }, signal)).skills;
  return section("skills-proposed", "Proposed skills", list.map((s) => skill(s, again)), "No skill waits to be made active.");
}

function skill(s, again) {
  return h("li", { class: "card" }, h("p", { class: "said" }, h("a", { href: link("notes", s.path, { scope: s.scope }) }, s.name)),
    s.description && h("p", { class: "soft" }, s.description),
    h("p", { class: "about" }, s.learnt > 0 && h("span", {}, "learnt in " + plural(s.learnt, "session")), where(s.scope), when(s.modified_at), s.problem && h("span", { class: "tag bad" }, s.problem)),
    h("div", { class: "row" },
      button("Make it active", s.name, () => set(s, "skill_promote", `Make “${s.name}” active?`, "Make it active", "Every new session is told of it by name.", again)),
      button("Archive it", s.name, () => set(s, "skill_archive", `Archive “${s.name}”?`, "Archive it", "It is offered no more, and not proposed again.", again), { class: "grave" })));
}

/** set gives a skill another status, after its text was shown. */
async function set(s, op, title, yes, effect, again) {
  const { content } = await look("skill_show", { name: s.path, scope: s.scope, above: false });
  const done = await ask({
    title, yes, body: [h("p", { class: "soft" }, effect), h("pre", { tabindex: 0, "aria-label": "Text of the skill" }, content)],
    work: () => change(op, { name: s.path }, s.scope),
  });
  if (!done) return;
  offerUndo("Done.", done.decisions[0]?.decision_id, done.decisions[0]?.scope, again);
  again();
}
