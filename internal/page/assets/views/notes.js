// Notes and files: the list with what hides what, one of them, and the editor.
import { change, look, memory } from "../api.js";
import { ask } from "../ask.js";
import { diff } from "../diff.js";
import { bytes, choice, field, h, link, pairs, scopeName, when } from "../dom.js";
import { where } from "../parts.js";
import { empty, offerUndo, outcome } from "../say.js";
import { revoke } from "../trust.js";

const kinds = [["note", "notes"], ["skill", "skills"], ["profile", "profile files"], ["index", "the index"], ["system", "proposals and what was set aside"], ["any", "every file"]];

export async function show({ args: [name], query, signal, again, refine }) {
  if (name) return one(name, query, signal, again);
  const kind = query.kind || "note";
  const { documents } = await look("note_list", { kind, include_shadowed: true }, signal);
  return [
    h("div", { class: "head" }, h("h1", {}, "Notes"), h("button", { type: "button", name: "write", onclick: () => write(again) }, "Write a note")),
    h("form", { onsubmit: (e) => e.preventDefault() }, field("Show", choice(kinds, kind, { name: "kind", onchange: (e) => refine(link("notes", { kind: e.target.value })) }))),
    documents.length ? h("ul", { class: "stack" }, documents.map(line)) : empty("There is none."),
  ];
}

/** line is a document in the list. */
function line(d) {
  return h("li", { class: "card" },
    h("p", { class: "said" }, h("a", { href: link("notes", d.path, { scope: d.scope }) }, d.name || d.path)),
    d.description && h("p", { class: "soft" }, d.description),
    h("p", { class: "about" }, d.type, h("span", { class: "id" }, d.path), where(d.scope), when(d.modified_at),
      d.shadowed_by && h("span", { class: "tag off" }, "hidden by that of " + scopeName(d.shadowed_by, memory.names)), d.foreign && h("span", { class: "tag bad" }, "not trusted"), d.same_as && h("span", { class: "tag" }, "says the same as " + d.same_as), d.problem && h("span", { class: "tag bad" }, d.problem)));
}

/** one is a document with its text. */
async function one(name, query, signal, again) {
  const scope = query.scope || memory.scope;
  const d = await look("note_show", { name, ...(scope ? { scope, above: !query.scope } : {}) }, signal);
  const { documents } = await look("note_list", { kind: "note", include_shadowed: true }, signal);
  const twins = d.slug ? documents.filter((o) => o.slug === d.slug && o.type === d.type && o.scope !== d.scope) : [];
  const row = documents.find((o) => o.id === d.id);
  const text = h("pre", { tabindex: 0, "aria-label": "Text of the file" }, d.content);
  const body = h("section", { class: "stack", "aria-label": "Text" }, h("div", { class: "row" },
    h("button", { type: "button", class: "main", onclick: () => body.replaceWith(editor(d, again)) }, "Edit"),
    h("button", { type: "button", class: "grave", onclick: () => remove(d) }, "Delete"),
    d.scope.startsWith("workspace/") && !d.foreign && h("button", { type: "button", onclick: () => revoke(d, again) }, "Trust it no longer")), text);
  return [
    h("p", {}, h("a", { href: link("notes") }, "Notes")),
    h("h1", {}, d.name || d.path),
    d.foreign && h("p", { class: "card" }, h("span", { class: "tag bad" }, "not trusted"), " It came with a repository. ", h("a", { href: link("queue") }, "Look at it and trust it")),
    (row?.shadowed_by || twins.length > 0) && h("section", { class: "card" }, h("h2", {}, "Notes of this name"),
      row?.shadowed_by && h("p", {}, `An agent here sees that of ${scopeName(row.shadowed_by, memory.names)} instead of this one.`),
      h("ul", {}, twins.map((t) => h("li", {}, h("a", { href: link("notes", t.path, { scope: t.scope }) }, scopeName(t.scope, memory.names)), t.shadowed_by ? " (hidden)" : " (seen)")))),
    body,
    h("section", { class: "card", "aria-label": "About it" }, pairs([
      ["Path", h("span", { class: "id" }, d.path)], ["Type", d.type], ["Memory of", where(d.scope)], ["Version", String(d.generation)], ["Size", bytes(d.size)], ["Written", when(d.modified_at)],
      ["Redacted", d.redacted?.join(", ")], ["Problem", d.problem],
    ])),
  ];
}

/** editor edits the whole text of a document. */
function editor(d, again) {
  const text = h("textarea", { class: "text", value: d.content, spellcheck: true });
  const form = h("form", { class: "stack", onsubmit: save }, field("Text of the file, in Markdown", text),
    h("div", { class: "row" }, h("button", { class: "main" }, "Save"), h("button", { type: "button", onclick: () => { form.reset(); again(); } }, "Leave it as it was")));
  async function save(e) {
    e.preventDefault();
    const input = { name: d.path, content: text.value, base: d.hash };
    const done = await ask({
      title: "Save this?", yes: "Save it", body: [h("div", { class: "card" }, diff(d.content, text.value))], work: () => change("note_write", input, d.scope),
    });
    if (!done) return;
    outcome(done, again);
    if (done.decision === "reject") return; // what was written stays, to be mended
    text.defaultValue = text.value;
    again();
  }
  requestAnimationFrame(() => text.focus());
  return form;
}

/** write makes a note. */
async function write(again) {
  const title = h("input", { required: true, maxlength: 200 }), text = h("textarea", { rows: 8, required: true });
  const type = choice(["project", "user", "feedback", "reference"].map((t) => [t, t]), "project");
  const done = await ask({
    title: "Write a note", yes: "Save it", first: title, body: [field("Title", title), field("Type", type), field("Text, in Markdown", text)],
    work: () => change("remember", { title: title.value, type: type.value, content: text.value }),
  });
  if (!done) return;
  outcome(done, again);
  again();
}

/** remove deletes a document. */
async function remove(d) {
  const done = await ask({
    title: "Delete this file?", yes: "Delete it", grave: true,
    body: [h("p", { class: "id" }, d.path), h("p", { class: "soft" }, "It stays in the history, and can be undone.")],
    work: () => change("note_delete", { name: d.path, base: d.hash, yes: true }, d.scope),
  });
  if (!done) return;
  location.hash = link("notes");
  offerUndo("Deleted.", done.decision_id, done.scope, () => { location.hash = link("notes", d.path, { scope: d.scope }); });
}
