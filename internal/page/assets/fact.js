// One fact: what it says, since when, from where, and what it said before.
import { change, look } from "./api.js";
import { ask } from "./ask.js";
import { diff } from "./diff.js";
import { field, h, link, number, pairs, share, when } from "./dom.js";
import { changed, linked, turnLine, validity, where } from "./parts.js";
import { empty, offerUndo, outcome } from "./say.js";

export async function show({ args: [id], signal, again }) {
  const { versions, salience, turns } = await look("fact", { id }, signal);
  const newest = versions.at(-1), current = versions.find((v) => v.current);
  const { decisions } = await look("decisions", { fact_id: id, limit: 20 }, signal);
  const last = decisions.find((d) => changed(d) && !d.reverted_by && !d.reverts);
  return [
    h("p", {}, h("a", { href: link("facts") }, "Facts")),
    h("h1", {}, newest.text),
    h("div", { class: "row" },
      current && h("button", { type: "button", name: "correct", class: "main", onclick: () => correct(current, again) }, "Correct it"),
      last && h("button", { type: "button", name: "undo", onclick: async () => (await import("./undo.js")).undo(last.id, last.scope, again) }, "Undo the last change"),
      current && h("button", { type: "button", class: "grave", onclick: () => remove(current, again) }, "Stop believing it")),
    h("section", { class: "card", "aria-label": "About it" }, pairs([
      ["Believed", current ? "now" : h("span", {}, "no longer", newest.retired_at && [", since ", when(newest.retired_at)])],
      ["Holds", validity(newest)],
      ["Type", newest.type],
      ["Category", h("a", { href: link("categories", newest.category) }, newest.category)],
      ["Slot", newest.entity && `${newest.entity} · ${newest.attribute}`],
      ["Memory of", where(newest.scope)],
      ["Salience", h("span", {}, share(salience), h("span", { class: "bar", "aria-hidden": "true" }, h("i", { class: "c5", style: { width: 100 * salience + "%" } })))],
      ["Shown", newest.accesses > 0 && h("span", {}, number(newest.accesses), " times, last ", when(newest.last_access))],
      ["Confidence", share(newest.confidence)],
      ["Tags", newest.tags?.length && newest.tags.map((t) => [h("span", { class: "tag" }, t), " "])],
      ["Came from", newest.origin],
      ["Replaced by", newest.superseded_by && h("a", { href: link("facts", newest.superseded_by) }, newest.superseded_by)],
      ["Replaced", newest.supersedes && h("a", { href: link("facts", newest.supersedes) }, newest.supersedes)],
      ["Id", h("span", { class: "id" }, id)],
    ])),
    h("section", { class: "stack", "aria-labelledby": "sources" }, h("h2", { id: "sources" }, "Where it was said"),
      turns.length ? h("ul", { class: "card" }, turns.map((t) => turnLine(t, { session: t.session }))) : empty("No turn is kept as its source: somebody saved it as it is.")),
    h("section", { class: "stack", "aria-labelledby": "history" }, h("h2", { id: "history" }, "What became of it"), h("ol", { class: "history" }, versions.toReversed().map((v, i, all) =>
      h("li", { class: v.current ? "now" : "" }, all[i + 1] ? diff(all[i + 1].text, v.text) : h("p", { class: "said" }, v.text),
        h("p", { class: "about" }, h("span", {}, "version " + v.generation), h("span", {}, v.origin), when(v.recorded_at), v.retired_at && h("span", {}, "until ", when(v.retired_at))))))),
  ];
}

/** correct gives a fact another text: first it is written, then what would change is shown. */
async function correct(f, again) {
  const text = h("textarea", { rows: 4, required: true, value: f.text });
  const plan = await ask({
    title: "Correct this fact", yes: "Go on", body: [field("What is right", text)], first: text,
    work: async () => ({ text: text.value.trim(), ...(await change("save", update(f, text.value.trim(), true), f.scope)) }),
  });
  if (!plan) return;
  const done = await ask({
    title: "Change it so?", yes: "Change it", body: [diff(f.text, plan.text), h("p", { class: "soft" }, plan.decision, ": ", linked(plan.reason))],
    work: () => change("save", update(f, plan.text), f.scope),
  });
  if (!done) return;
  outcome(done, again);
  if (done.id && done.id !== f.id) location.hash = link("facts", done.id);
  else again();
}

const update = (f, content, dry_run = false) => ({ content, target: f.id, base_generation: f.generation, type: f.type, dry_run });

/** remove stops believing a fact. */
async function remove(f, again) {
  const done = await ask({
    title: "Stop believing this?", yes: "Stop believing it", grave: true,
    body: [h("p", { class: "said" }, f.text), h("p", { class: "soft" }, "It stays in the history, and can be undone.")],
    work: () => change("delete", { id: f.id, base_generation: f.generation, yes: true }, f.scope),
  });
  if (!done) return;
  offerUndo("It is no longer believed.", done.decision_id, done.scope, again);
  again();
}
