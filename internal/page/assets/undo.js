// Undoing a decision, after it was shown what that would do.
import { change } from "./api.js";
import { ask } from "./ask.js";
import { diff } from "./diff.js";
import { h } from "./dom.js";
import { say } from "./say.js";

/** texts are what a decision found and what it left. */
export function texts(d) {
  const text = (fact, file) => fact?.text ?? file?.content ?? "";
  return [text(d.before, d.file_before), text(d.after, d.file_after)];
}

/** undo asks, undoes, and calls after. */
export async function undo(id, scope, after) {
  let plan;
  try {
    plan = await change("revert", { id, dry_run: true }, scope);
  } catch (err) {
    const { failure } = await import("./say.js");
    return ask({ title: "This cannot be undone", body: [failure(err)], yes: "Close", work: async () => {} });
  }
  const [before, now] = texts(plan);
  const done = await ask({
    title: "Undo this?", yes: "Undo it", grave: true,
    body: [h("p", { class: "soft" }, plan.reason), before || now ? diff(before, now) : null],
    work: () => change("revert", { id, yes: true }, scope),
  });
  if (done) {
    say("Undone.");
    after?.();
  }
}
