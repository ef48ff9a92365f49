// The logs of days.
import { look } from "../api.js";
import { bytes, h, link, when } from "../dom.js";
import { where } from "../parts.js";
import { empty } from "../say.js";

// What is saved stands in a line of its own, with the decision that it came of.
const saved = /^- \[([^\]]+)\] (.*?)\s*<!-- (dec_\w+) -->$/;

/** log is the text of a day: what was saved as lines that lead to it, all else as it stands. */
function log(l) {
  return h("ul", { class: "card" }, l.content.split("\n").filter((line) => line.trim() && line.trim() !== "# " + l.day).map((line) => {
    const [, at, text, decision] = saved.exec(line) || [];
    return h("li", { class: "entry" }, text ? h("p", {}, h("span", { class: "soft number" }, at, " "), h("a", { class: "said", href: link("changes", decision) }, text)) : h("p", { class: "words" }, line));
  }));
}

export async function show({ args: [day], signal }) {
  if (day) {
    const { logs } = await look("daily_show", { day }, signal);
    return [h("p", {}, h("a", { href: link("days") }, "Days")), h("h1", {}, day),
      logs.map((l) => h("section", { class: "stack" }, h("p", { class: "about" }, where(l.scope), h("span", { class: "id" }, l.path)), log(l)))];
  }
  const { logs } = await look("daily_list", {}, signal);
  return [
    h("h1", {}, "Days"),
    h("p", { class: "lead" }, "What is saved also gets a line in the log of its day."),
    logs.length ? h("ul", { class: "stack" }, logs.map((l) => h("li", { class: "card" },
      h("p", { class: "said" }, h("a", { href: link("days", l.day) }, l.day)),
      h("p", { class: "about" }, where(l.scope), h("span", {}, bytes(l.bytes)), when(l.modified_at), l.archived && h("span", { class: "tag" }, "archived"))))) : empty("No day has a log here."),
  ];
}
