// Search, with why each hit is where it is.
import { look } from "../api.js";
import { choice, h, link, plural, share, when } from "../dom.js";
import { explanation, where } from "../parts.js";
import { empty, failure } from "../say.js";

const kinds = [["", "Everything"], ["recall", "As an agent would recall"], ["fact", "Facts"], ["section", "Notes and files"], ["turn", "Conversations"]];

export async function show({ query, signal }) {
  const words = h("input", { type: "search", name: "q", value: query.q || "", placeholder: "A question, or words", "aria-label": "What to look for", autocomplete: "off", "data-first": true, maxlength: 2000 });
  const kind = choice(kinds, query.kind || "", { "aria-label": "What to look through" });
  const weak = h("input", { type: "checkbox", checked: query.weak === "1" });
  const found = h("section", { class: "stack", "aria-label": "Hits" });
  const said = h("p", { class: "soft", role: "status" });
  const state = () => ({ q: words.value.trim(), kind: kind.value, weak: weak.checked ? "1" : "" });
  let timer, asking;

  async function run(record) {
    clearTimeout(timer);
    asking?.abort();
    const s = state();
    history.replaceState(null, "", link("search", s));
    if (!s.q) return void (said.replaceChildren(), found.replaceChildren(hints()));
    asking = new AbortController();
    signal.addEventListener("abort", () => asking.abort());
    const input = { query: s.q, all: s.weak === "1", no_record: !record, max_results: 20 };
    if (s.kind && s.kind !== "recall") input.kinds = [s.kind];
    try {
      const { hits, notes = [] } = await look(s.kind === "recall" ? "recall" : "search", input, asking.signal);
      said.replaceChildren(hits.length ? plural(hits.length, "hit") : "", ...notes.map((n) => " · " + n));
      found.replaceChildren(hits.length ? h("ol", { class: "stack" }, hits.map(hitLine)) : empty("Memory has nothing on this. ", weak.checked ? "" : "Weak hits may help."));
    } catch (err) {
      if (err.name !== "AbortError") found.replaceChildren(h("div", { role: "alert" }, failure(err)));
    }
  }
  words.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(run, 220); });
  kind.addEventListener("change", () => run());
  weak.addEventListener("change", () => run());
  const form = h("form", { role: "search", class: "stack", onsubmit: (e) => { e.preventDefault(); run(true); } },
    h("div", { class: "ask" }, words, h("button", { class: "main" }, "Search")),
    h("div", { class: "row" }, kind, h("label", { class: "check" }, weak, "weak hits too")));
  await run();
  return [h("h1", {}, "Search"), form, said, found];
}

/** hints stand where nothing was asked yet. */
function hints() {
  return empty("Facts, notes and conversations are found by words, also misspelt ones, and by meaning. ",
    h("a", { href: link("changes") }, "What changed since yesterday?"));
}

/** hitLine is one hit with the parts of its score. */
function hitLine(hit) {
  return h("li", { class: "card" },
    h("p", { class: "said" }, h("a", { href: address(hit) }, hit.text.length > 600 ? hit.text.slice(0, 600) + "…" : hit.text)),
    h("p", { class: "about" }, h("span", { class: "tag on" }, { fact: "fact", turn: "said", section: "note" }[hit.kind]), hit.category, hit.where || hit.session, where(hit.scope), when(hit.at),
      h("span", {}, "evidence " + share(hit.evidence))),
    explanation(hit),
    (hit.notes || []).map((n) => h("p", { class: "soft" }, n)));
}

/** address is where a hit can be opened. */
function address(hit) {
  if (hit.kind === "fact") return link("facts", hit.id);
  if (hit.kind === "turn") return link("sessions", hit.session, { from: hit.seq });
  return link("notes", hit.section.path, { scope: hit.scope });
}
