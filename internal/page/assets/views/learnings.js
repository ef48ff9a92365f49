// Learnings from failed tools and corrections.
import { change, look } from "../api.js";
import { ask } from "../ask.js";
import { field, h, link, plural, when } from "../dom.js";
import { where } from "../parts.js";
import { empty, say } from "../say.js";

export async function show({ signal, again }) {
  const { learnings } = await look("learnings", {}, signal);
  return [
    h("div", { class: "head" }, h("h1", {}, "Learnings"), h("button", { type: "button", name: "add", onclick: () => add(again) }, "Add a learning")),
    h("p", { class: "lead" }, "Every new session begins with the newest of these."),
    learnings.length ? h("ul", { class: "stack" }, learnings.map((l) => h("li", { class: "card" },
      h("p", { class: "said" }, l.text), l.context && h("p", { class: "soft" }, l.context),
      h("p", { class: "about" }, h("span", { class: l.kind === "error" ? "tag bad" : "tag on" }, l.kind), l.tool && h("code", {}, l.tool), h("span", {}, "learnt " + plural(l.count, "time")), where(l.scope),
        l.session && h("a", { href: link("sessions", l.session) }, l.session), when(l.last_at))))) : empty("Nothing was learnt yet: a failed tool or a correction teaches."),
  ];
}

async function add(again) {
  const text = h("textarea", { rows: 3, required: true }), tool = h("input", {}), context = h("input", {});
  const done = await ask({
    title: "Add a learning", yes: "Keep it", first: text, body: [field("What is to be learnt", text), field("Tool that failed, if it is about one", tool), field("What it was called for, or what is corrected", context)],
    work: () => change("learn", { text: text.value, tool: tool.value || undefined, context: context.value || undefined }),
  });
  if (!done) return;
  say("Kept.");
  again();
}
