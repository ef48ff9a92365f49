// What waits: questions to the user, files that came with a repository, proposed notes and skills, and sessions for their facts.
import { change, look } from "../api.js";
import { ask } from "../ask.js";
import { h, link, plural, when } from "../dom.js";
import { where } from "../parts.js";
import { notes, skills } from "../proposals.js";
import { empty, offerUndo, say } from "../say.js";
import { files } from "../trust.js";

export async function show({ signal, again }) {
  const { questions } = await look("questions_list", {}, signal);
  // What waits is of the whole home, or of the scope that was chosen.
  const status = await look("extractor_status", {}, signal);
  const { sessions } = await look("extractor_pending", {}, signal);
  const proposed = [await files(again), await notes(signal, again), await skills(signal, again)];
  return [
    h("h1", {}, "Queue"),
    h("section", { class: "stack", "aria-labelledby": "asked" }, h("h2", { id: "asked" }, "Questions to you"),
      questions.length ? h("ul", { class: "stack" }, questions.map((q) => question(q, again))) : empty("Memory asks you nothing.")),
    proposed,
    h("section", { class: "stack", "aria-labelledby": "waits" }, h("h2", { id: "waits" }, "Sessions that wait for their facts"),
      h("ul", { class: "card" }, status.extractors.map((x) => h("li", { class: "about" }, h("strong", {}, x.extractor), h("span", {}, `${x.waiting} waiting`), h("span", {}, `${x.reading} being read`), h("span", {}, `${x.retrying} to be tried again`), h("span", {}, `${x.given_up} given up`),
        x.error && h("span", { class: "tag bad" }, x.error)))),
      sessions.length ? h("ul", { class: "stack" }, sessions.map((s) => waiting(s, again))) : empty("Nothing waits.")),
  ];
}

/** question is two facts that cannot both hold. */
function question(q, again) {
  const answer = async (keep, text) => {
    const done = await ask({ title: "Is this right?", yes: "Yes", body: [h("p", { class: "said" }, text)], work: () => change("questions_answer", { id: q.id, keep }, q.scope) });
    if (!done) return;
    offerUndo("Answered.", done.retired && done.decision, q.scope, again);
    again();
  };
  return h("li", { class: "card" }, h("p", { class: "soft" }, q.reason),
    q.facts.map((f) => h("div", { class: "row apart" }, h("p", { class: "said" }, h("a", { href: link("facts", f.id) }, f.text)),
      h("button", { type: "button", onclick: () => answer(f.id, f.text) }, "This holds", h("span", { class: "unseen" }, ": " + f.text)))),
    h("p", { class: "row apart" }, h("span", { class: "about" }, where(q.scope), when(q.asked_at)), h("button", { type: "button", onclick: () => answer("both", "Both hold.") }, "Both hold")));
}

/** waiting is a session whose turns are not read yet. */
function waiting(s, again) {
  const act = (title, yes, grave, op, input) => async () => {
    const done = await ask({ title, yes, grave, work: () => change(op, input, s.scope) });
    if (!done) return;
    say("Done.");
    again();
  };
  return h("li", { class: "card" }, h("p", { class: "said" }, h("a", { href: link("sessions", s.session) }, s.session)),
    h("p", { class: "about" }, h("span", { class: s.state === "given up" ? "tag bad" : "tag" }, s.state), s.turns !== undefined && h("span", {}, plural(s.turns, "turn")), where(s.scope), when(s.since || s.queued_at), s.error && h("span", {}, s.error)),
    s.state === "given up" && h("div", { class: "row" },
      h("button", { type: "button", onclick: act("Have it read again?", "Read it again", false, "extractor_retry", { session: s.session }) }, "Read it again"),
      h("button", { type: "button", class: "grave", onclick: act("Leave the rest of it unread?", "Leave it", true, "extractor_drop", { session: s.session, yes: true }) }, "Leave it unread")));
}
