// Dreams: when memory consolidated itself, and what it made of each memory.
import { change, look } from "../api.js";
import { ask } from "../ask.js";
import { h, link, number, plural, share, when } from "../dom.js";
import { where } from "../parts.js";
import { empty, say } from "../say.js";

export async function show({ args: [id], signal, again }) {
  if (id) {
    const dream = await look("dream_show", { id }, signal);
    const { documents } = await look("note_list", { kind: "any", include_shadowed: true, scope: dream.scope, above: false }, signal);
    return one(dream, new Map(documents.map((d) => [d.id, d])));
  }
  const { scopes } = await look("dream_status", {}, signal);
  const { dreams } = await look("dream_list", {}, signal);
  return [
    h("div", { class: "head" }, h("h1", {}, "Dreams"), h("button", { type: "button", name: "dream", onclick: () => dream(again) }, "Dream now")),
    h("ul", { class: "stack" }, scopes.map((s) => h("li", { class: "card" }, h("p", { class: "about" }, where(s.scope),
      h("span", {}, plural(s.promotions, "fact") + " in MEMORY.md"), h("span", {}, s.dreaming ? "dreaming now" : s.reason || "dreams when it is time"))))),
    h("h2", {}, "Runs"),
    dreams.length ? h("ol", { class: "stack" }, dreams.map((d) => h("li", { class: "card" },
      h("p", { class: "said" }, h("a", { href: link("dreams", d.id) }, when(d.started_at))), counts(d),
      h("p", { class: "about" }, where(d.scope), h("span", {}, d.trigger), d.failure && h("span", { class: "tag bad" }, d.failure))))) : empty("Memory did not dream here yet."),
  ];
}

/** counts says what a dream did. */
function counts(d) {
  const all = [["rose", d.promoted], ["gave way", d.archived], ["merged", d.merged], ["settled", d.settled], ["asked about", d.asked], ["tagged", d.tagged], ["stayed", d.left]];
  return h("p", { class: "about" }, all.filter(([, n]) => n > 0).map(([name, n]) => h("span", {}, number(n), " ", name)), all.every(([, n]) => !n) && h("span", {}, "nothing to do"));
}

/** memory is what a dream looked at: a fact, a file, or a turn, which has no address of its own. */
function memory(id, text, files) {
  const [kind] = id.split("_"), file = files.get(id);
  if (kind === "fact") return text ? h("a", { href: link("facts", id) }, text) : "A fact that is gone";
  if (kind === "turn") return "Something that was said";
  return file ? h("a", { href: link("notes", file.path, { scope: file.scope }) }, file.name || file.path) : "A file that is gone";
}

/** one is a dream with what became of each memory. */
function one(d, files) {
  return [
    h("p", {}, h("a", { href: link("dreams") }, "Dreams")),
    h("h1", {}, "Dream of ", when(d.started_at)),
    counts(d),
    h("ul", { class: "stack" }, (d.items || []).map((i) => h("li", { class: "card" },
      h("p", { class: "said" }, memory(i.memory, i.text, files)), i.with && h("p", {}, "with ", memory(i.with, i.with_text, files)),
      i.reason && h("p", { class: "soft" }, i.reason),
      h("p", { class: "about" }, h("span", { class: "tag on" }, i.outcome), h("span", {}, "score " + share(i.score)), h("span", {}, plural(i.recalls, "recall")), h("span", {}, plural(i.questions, "question")), h("span", {}, plural(i.days, "day")))))),
  ];
}

async function dream(again) {
  const done = await ask({
    title: "Dream now?", yes: "Dream", body: [h("p", { class: "soft" }, "Facts that were asked for again and again rise into MEMORY.md, others sink, and those that say the same become one. Each step can be undone.")],
    work: () => change("dream_trigger", { force: true }),
  });
  if (!done) return;
  const run = done.dreams[0];
  say(run ? (run.dream ? "It dreamt." : run.reason || "Nothing was done.") : "This memory owns nothing yet.");
  again();
}
