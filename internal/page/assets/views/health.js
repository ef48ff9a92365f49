// Health and backups.
import { change, look } from "../api.js";
import { ask } from "../ask.js";
import { findings } from "../checkup.js";
import { bytes, h, link, number, pairs, when } from "../dom.js";
import { where } from "../parts.js";
import { empty, failure, say } from "../say.js";

/** settled are the views in which concerns can be settled, by their kind. */
const settled = { questions: "queue", given_up: "queue", dream_failed: "dreams", misplaced: "facts" };

export async function show({ signal, again }) {
  const stats = await look("stats", {}, signal);
  const { concerns } = await look("health", { scope: undefined, above: undefined }, signal); // those of the whole home
  const sum = (name) => stats.scopes.reduce((n, s) => n + s[name], 0);
  const numbers = [["facts", sum("facts")], ["no longer believed", sum("retired")], ["turns", sum("turns")], ["sessions", sum("sessions")], ["decisions", sum("decisions")], ["asked in 30 days", sum("asked")]];
  const waits = [["files", sum("pending_files")], ["vectors", sum("pending_vectors")], ["transcripts", sum("pending_transcripts")]].filter(([, n]) => n > 0);
  const found = h("div", { class: "stack", role: "status" });
  return [
    h("h1", {}, "Health"),
    h("dl", { class: "numbers" }, numbers.map(([name, n]) => h("div", {}, h("dd", {}, number(n)), h("dt", {}, name)))),
    h("section", { class: "card", "aria-label": "The home" }, pairs([
      ["Memory of", stats.scopes.map((s) => [where(s.scope), " "])], ["Database", bytes(stats.bytes)], ["Vectors by", stats.embedder], ["Next model", stats.next_embedder?.model],
      ["Waiting", waits.length ? waits.map(([name, n]) => `${number(n)} ${name}`).join(", ") : "nothing"],
    ])),
    h("section", { class: "stack", "aria-labelledby": "concerns" }, h("h2", { id: "concerns" }, "What needs attention"),
      concerns.length ? h("ul", { class: "stack" }, concerns.map(concern)) : empty("Nothing needs your attention.")),
    h("section", { class: "stack", "aria-labelledby": "backups" },
      h("div", { class: "head" }, h("h2", { id: "backups" }, "Backups"), h("button", { type: "button", name: "back-up", class: "main", onclick: () => backUp(again) }, "Back up now")), await backups(signal)),
    h("section", { class: "stack", "aria-labelledby": "damage" },
      h("div", { class: "head" }, h("h2", { id: "damage" }, "Damage"), h("button", { type: "button", onclick: (e) => check(e.currentTarget, found) }, "Look for damage")),
      h("p", { class: "soft" }, "Reads every page and row and compares checksums. It changes no memory."), found),
  ];
}

/** concern is something that needs attention, with where that is done. */
function concern(c) {
  return h("li", { class: "card" }, h("p", {}, c.detail),
    h("p", { class: "about" }, h("span", { class: "tag bad" }, c.kind.replaceAll("_", " ")), c.count > 1 && h("span", {}, number(c.count)), c.scope && where(c.scope),
      Object.hasOwn(settled, c.kind) && h("a", { href: link(settled[c.kind]) }, "open"), h("code", {}, c.command)));
}

/** backups lists those that the home keeps. */
async function backups(signal) {
  let list;
  try {
    list = (await look("backup_list", { scope: undefined, above: undefined }, signal)).backups;
  } catch (err) {
    if (err.code !== "unsupported") throw err;
    return empty(err.message + ".");
  }
  if (!list.length) return empty("The home keeps none yet.");
  return h("ul", { class: "card" }, list.map((b) => h("li", { class: "entry" }, h("p", { class: "about" }, h("strong", {}, when(b.time)), h("span", {}, bytes(b.size)), h("span", { class: "id" }, b.file.split(/[/\\]/).at(-1))))));
}

async function backUp(again) {
  const done = await ask({
    title: "Back the home up now?", yes: "Make a backup", body: [h("p", { class: "soft" }, "The whole home goes into one file in its directory backups, and is read back. Older ones may give way, as the settings say.")],
    work: () => change("backup_now", {}, ""),
  });
  if (!done) return;
  say(`A backup of ${bytes(done.size)} was made.`);
  again();
}

/** check runs doctor and shows what it found. The button keeps the focus meanwhile, by which
 * what others change does not take the place of what was found.
 */
async function check(button, found) {
  if (button.ariaDisabled === "true") return;
  button.ariaDisabled = "true";
  found.replaceChildren(h("p", { class: "busy" }, "Looking…"));
  let report;
  try {
    report = await look("doctor", { scope: undefined, above: undefined });
  } catch (err) {
    report = err.output;
    if (!report) found.replaceChildren(failure(err));
  }
  button.ariaDisabled = "false";
  if (!report) return;
  found.replaceChildren(...findings(report));
}
