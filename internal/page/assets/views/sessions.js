// Conversations: the list, and one as a time line of tokens.
import { look } from "../api.js";
import { h, link, plural, when } from "../dom.js";
import { where } from "../parts.js";
import { empty } from "../say.js";

export async function show(at) {
  if (at.args[0]) return (await import("../session.js")).show(at);
  const { sessions } = await look("sessions", {}, at.signal);
  return [
    h("h1", {}, "Sessions"),
    sessions.length ? h("ul", { class: "stack" }, sessions.map((s) => h("li", { class: "card" },
      h("p", { class: "said" }, h("a", { href: link("sessions", s.id) }, s.id)),
      h("p", { class: "about" }, h("span", {}, plural(s.turns, "turn")), s.kind !== "main" && h("span", { class: "tag" }, s.kind), where(s.scope), when(s.started_at),
        s.closed_at ? h("span", {}, "closed ", when(s.closed_at)) : h("span", { class: "tag on" }, "open"))))) : empty("No conversation is kept here."),
  ];
}
