// Files that came with a repository, which nobody is told until a person trusts them.
import { change } from "./api.js";
import { ask } from "./ask.js";
import { diff } from "./diff.js";
import { h, link, plural, when } from "./dom.js";
import { where } from "./parts.js";
import { empty, say } from "./say.js";

/** brought are the files of the project at hand that are not trusted. Where there is no project, there are none. */
async function brought() {
  try {
    return (await change("trust", { dry_run: true })).files;
  } catch (err) {
    if (err.code === "scope_required" || err.code === "denied") return [];
    throw err;
  }
}

/** files is the list of those, each with what it says or what changed in it. */
export async function files(again) {
  const list = await brought();
  return h("section", { class: "stack", "aria-labelledby": "brought" }, h("h2", { id: "brought" }, "Files that came with a repository"),
    list.length > 1 && h("div", { class: "row" }, h("button", { type: "button", onclick: () => accept(list, again) }, `Trust all ${list.length}`)),
    list.length ? h("ul", { class: "stack" }, list.map((f) => file(f, again))) : empty("There is none that you have not trusted."));
}

function file(f, again) {
  return h("li", { class: "card" }, h("p", { class: "said" }, h("a", { href: link("notes", f.path, { scope: f.scope }) }, f.path)),
    h("p", { class: "about" }, h("span", { class: "tag" }, f.changed ? "changed" : "new"), where(f.scope),
      f.brought && h("span", {}, [f.brought.how, f.brought.commit?.slice(0, 7), f.brought.author].filter(Boolean).join(" · ")), f.brought?.at && when(f.brought.at),
      f.threats?.map((t) => h("span", { class: "tag bad" }, "reads like instructions: " + t))),
    text(f),
    h("div", { class: "row" }, h("button", { type: "button", onclick: () => accept([f], again) }, "Trust it", h("span", { class: "unseen" }, ": " + f.path))));
}

/** text is what a file says, or what changed in it. */
const text = (f) => h("details", {}, h("summary", {}, f.changed ? "What changed" : "What it says", h("span", { class: "unseen" }, ": " + f.path)),
  f.changed ? h("div", { class: "card" }, diff(f.before || "", f.text)) : h("pre", { tabindex: 0, "aria-label": "Text of " + f.path }, f.text),
  f.cut && h("p", { class: "soft" }, "The file goes on."));

/** accept trusts the versions that are shown. */
async function accept(list, again) {
  const input = list.length === 1 ? { files: [list[0].id] } : {};
  const done = await ask({
    title: list.length === 1 ? `Trust “${list[0].path}”?` : `Trust ${plural(list.length, "file")}?`, yes: "Trust it",
    body: [h("p", { class: "soft" }, "Agents are told what it says as your own word."), list.map((f) => [h("p", { class: "id" }, f.path), text(f)])],
    work: () => change("trust", { ...input, versions: list.map((f) => f.hash), yes: true }),
  });
  if (!done) return;
  say("Trusted.");
  again();
}

/** revoke makes the version of a file that is shown foreign again. */
export async function revoke(d, again) {
  const done = await ask({
    title: "Trust this file no longer?", yes: "Trust it no longer", grave: true,
    body: [h("p", { class: "id" }, d.path), h("p", { class: "soft" }, "Agents are no longer told what it says as your word. The file stays as it is.")],
    work: () => change("trust", { files: [d.id], versions: [d.hash], revoke: true, yes: true }, d.scope),
  });
  if (!done) return;
  say("No longer trusted.");
  again();
}
