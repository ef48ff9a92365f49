// Facts: the list, and one with its validity, sources and history.
import { look } from "../api.js";
import { choice, field, h, link } from "../dom.js";
import { factLine } from "../parts.js";
import { empty } from "../say.js";

const page = 50;
const types = [["", "every type"], ...["user", "feedback", "project", "reference"].map((t) => [t, t])];

export async function show(at) {
  if (at.args[0]) return (await import("../fact.js")).show(at);
  const { query, signal, refine } = at;
  const { facts } = await look("facts", { type: query.type, retired: query.retired === "1", as_of: query.as_of, after: query.after, limit: page }, signal);
  const go = (change) => refine(link("facts", { ...query, after: "", ...change }));
  const filter = h("form", { class: "row", onsubmit: (e) => e.preventDefault() },
    field("Type", choice(types, query.type || "", { name: "type", onchange: (e) => go({ type: e.target.value }) })),
    field("As known on", h("input", { type: "date", name: "as_of", value: query.as_of || "", onchange: (e) => go({ as_of: e.target.value }) })),
    h("label", { class: "check" }, h("input", { type: "checkbox", name: "retired", checked: query.retired === "1", onchange: (e) => go({ retired: e.target.checked ? "1" : "" }) }), "with what is no longer believed"));
  return [
    h("div", { class: "head" }, h("h1", {}, "Facts"), h("button", { type: "button", name: "add", onclick: () => add(at) }, "Add a fact")),
    filter,
    facts.length ? h("ul", { class: "stack" }, facts.map(factLine)) : empty("There is no such fact."),
    facts.length === page && h("p", {}, h("a", { class: "button", href: link("facts", { ...query, after: facts.at(-1).id }) }, "Older facts")),
  ];
}

/** add saves a statement. */
async function add({ again }) {
  const { change } = await import("../api.js");
  const { ask } = await import("../ask.js");
  const { outcome } = await import("../say.js");
  const text = h("textarea", { rows: 3, required: true });
  const saved = await ask({ title: "Add a fact", body: [field("One short statement", text)], yes: "Save it", first: text, work: () => change("save", { content: text.value }) });
  if (!saved) return;
  outcome(saved, again);
  again();
}
