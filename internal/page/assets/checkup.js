// What doctor found: damage first, then what is none and needs somebody nevertheless, in
// the words of strata doctor.
import { h, link, plural } from "./dom.js";
import { where } from "./parts.js";

/** findings are what a checkup found. */
export function findings(c) {
  const looked = `${plural(c.scopes, "scope")}, ${plural(c.facts, "fact")}, ${plural(c.turns, "turn")}`;
  const list = concerns(c), more = beside(c);
  return [
    h("p", {}, c.problems.length ? plural(c.problems.length, "problem") + ": " : list.length ? "No damage, but see below: " : "All is well: ", looked + " were looked at."),
    h("ul", { class: "stack" },
      c.problems.map((p) => h("li", { class: "card failure" }, h("p", {}, h("code", {}, p.kind), " ", p.detail),
        h("p", { class: "about" }, p.scope && where(p.scope), p.ref && h("span", { class: "id" }, p.ref), p.repair && h("code", {}, p.repair)))),
      list.map((line) => h("li", { class: "card" }, h("p", {}, line)))),
    more.length > 0 && h("ul", { class: "card" }, more.map((line) => h("li", { class: "entry soft" }, line))),
  ].filter(Boolean);
}

const code = (text) => h("code", {}, text);

/** concerns are what is no damage and needs somebody. */
function concerns({ misplaced = [], given_up = [], loose = [], unfinished = [], agents = [] }) {
  return [
    ...misplaced.map((f) => [h("a", { href: link("facts", f.id) }, f.text), ` is about a project and lies in ${f.scope}; `, code(f.move), ", in its directory, moves it"]),
    ...given_up.map((w) => ["facts could not be extracted from session ", h("a", { href: link("sessions", w.session) }, w.session), `: ${w.error}; `, h("a", { href: link("queue") }, "the queue"), " has it read again"]),
    ...loose.map((f) => [code(f.path), ` can be used by others: ${f.mode} should be ${f.want}; `, code("strata doctor --repair"), " mends it"]),
    ...unfinished.map((dir) => [code(dir), " was left by a killed restore; ", code("strata doctor --repair"), " or the next restore removes it"]),
    ...agents.filter((a) => a.fault).map((a) => [`${a.name} does not get at this memory: ${a.fault} (`, code(a.file), ")", a.repair && ["; ", code(a.repair), " mends it"]]),
  ];
}

/** beside is what is as it should be, and worth knowing. */
function beside({ agents = [], copies = [], next_embedder: next, waiting }) {
  return [
    ...agents.filter((a) => !a.fault).map((a) => `${a.name} is connected (${a.file})`),
    ...copies.map((path) => path + (/[/\\]backups[/\\][^/\\]+$/.test(path) ? " is a backup that was made by itself" : " holds the memory as it was before this version of Strata changed its database; remove it when all is well")),
    ...(next ? [`embedder ${next.model} is to follow: ${next.done} of ${next.total} memories are done${next.ready ? "" : ", but it is not at hand here"}`] : []),
    ...(waiting ? [`vectors, files and transcripts that are outstanding: ${waiting}; that is work under way`] : []),
  ];
}
