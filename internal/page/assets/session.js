// One conversation: how its tokens add up, where facts were saved and turns compacted, and
// every span word for word.
import { look } from "./api.js";
import { h, link, number, plural, when } from "./dom.js";
import { turnLine, where } from "./parts.js";
import { empty, failure } from "./say.js";

const colors = { user: "c1", assistant: "c2", tool: "c3", system: "c7" };
const most = 240; // marks of the track; a longer conversation has several turns in one

export async function show({ args: [id], query, signal }) {
  const line = await look("timeline", { session: id }, signal);
  const from = Number(query.from) || 0;
  return [
    h("p", {}, h("a", { href: link("sessions") }, "Sessions")),
    h("h1", {}, id),
    h("p", { class: "about" }, h("span", {}, plural(line.turns, "turn")), h("span", {}, plural(line.tokens, "token")), where(line.scope), when(line.started_at), line.closed_at && h("span", {}, "closed ", when(line.closed_at))),
    (line.notes || []).map((n) => h("p", { class: "soft" }, n)),
    line.marks.length > 0 && track(line),
    h("section", { class: "stack", "aria-labelledby": "spans" }, h("h2", { id: "spans" }, "What left the window"),
      line.spans.length ? h("ul", { class: "stack" }, line.spans.map((s) => span(id, s))) : empty("Nothing: the window holds all of it, or no window was kept of it.")),
    h("section", { class: "stack", "aria-labelledby": "turns" }, h("h2", { id: "turns" }, from > 1 ? `From turn ${Math.max(1, from - 3)}` : "What was said"),
      from > 4 && h("p", {}, h("a", { href: link("sessions", id) }, "from the start")), await reading(id, { from: Math.max(1, from - 3) }, from, signal)),
  ];
}

/** track draws the tokens of the turns, in order. */
function track(line) {
  const per = Math.ceil(line.marks.length / most), marks = [];
  for (let i = 0; i < line.marks.length; i += per) {
    const list = line.marks.slice(i, i + per);
    marks.push({ role: list[0].role, tokens: list.reduce((n, t) => n + t.tokens, 0) });
  }
  const total = Math.max(1, line.tokens);
  const before = (seq) => (100 * line.marks.filter((m) => m.seq < seq).reduce((n, m) => n + m.tokens, 0)) / total;
  const roles = [...new Set(marks.map((m) => m.role))];
  return h("figure", { class: "card", style: { margin: 0 } },
    h("div", { "aria-hidden": "true" },
      h("div", { class: "track" }, marks.map((m) => h("i", { class: colors[m.role], style: { flexGrow: m.tokens, flexBasis: 0 } }))),
      h("div", { class: "brackets" }, line.spans.map((s) => h("i", { class: s.kind, style: { left: before(s.from) + "%", width: before(s.to + 1) - before(s.from) + "%" } })),
        line.flushed > 0 && h("b", { style: { left: `calc(${before(line.flushed + 1)}% - 2px)` } }))),
    h("figcaption", { class: "about" },
      roles.map((r) => h("span", {}, h("span", { class: "dot " + colors[r], "aria-hidden": "true" }), r)),
      line.flushed > 0 && h("span", {}, `facts saved up to turn ${number(line.flushed)} (line)`),
      line.spans.length > 0 && h("span", {}, "left the window (brackets)")));
}

/** span is what left the window, opened on demand. */
function span(id, s) {
  const body = h("div", { class: "stack" });
  const box = h("details", { ontoggle: async () => {
    if (!box.open || body.childElementCount) return;
    body.replaceChildren(
      h("h3", {}, "What the model reads instead"), h("pre", {}, s.text),
      h("h3", {}, "What was said"), await reading(id, { from: s.from, to: s.to }).catch((err) => h("div", { role: "alert" }, failure(err))));
  } }, h("summary", {}, `Turns ${s.from} to ${s.to}: ${s.kind === "summary" ? "compacted" : "left out"}, ${plural(s.tokens, "token")}`), body);
  return h("li", { class: "card" }, box);
}

/** reading is turns word for word, a page at a time. */
async function reading(id, range, here, signal) {
  const list = h("ol", { class: "card" });
  const more = h("button", { type: "button" }, "Read on");
  let after;
  async function page() {
    const out = await look("expand", { session: id, ...range, after, max_tokens: 3000 }, signal);
    const lines = out.turns.map((t) => turnLine(t, { here: t.seq === here }));
    list.append(...lines);
    after = out.next;
    more.hidden = !after;
    return lines[0];
  }
  more.addEventListener("click", async () => {
    const first = await page();
    first?.setAttribute("tabindex", "-1");
    first?.focus();
  });
  await page();
  return h("div", { class: "stack" }, list, h("p", {}, more));
}
