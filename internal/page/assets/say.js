// What the page says: of errors, of what was done, and that it is busy.
import { h } from "./dom.js";
import { changed, linked } from "./parts.js";

let timer;

/** say tells what was done, for a while, also to who listens. An action may follow. */
export function say(text, label, action) {
  const line = document.getElementById("status");
  clearTimeout(timer);
  line.replaceChildren(text);
  if (label) line.append(h("a", { href: "#", onclick: (e) => { e.preventDefault(); line.replaceChildren(); action(); } }, label));
  timer = setTimeout(() => line.replaceChildren(), label ? 15000 : 6000);
}

/** failure shows an error with its code and what can be done. */
export function failure(err) {
  return h("section", { class: "card failure" },
    h("p", {}, h("code", {}, err.code || "internal"), " ", err.message || String(err)),
    err.hint && h("p", { class: "soft" }, err.hint),
    err.details && h("p", { class: "soft" }, Object.entries(err.details).map(([k, v]) => `${k}: ${v}`).join(" · ")),
    err.request && h("p", { class: "soft" }, h("small", {}, "request ", h("code", {}, err.request))));
}

/** empty says that there is nothing, and what would bring something. */
export const empty = (text, ...more) => h("p", { class: "empty" }, text, more);

/** outcome says what was decided, and offers to undo it if anything changed. */
export const outcome = (d, after) => offerUndo(h("span", {}, d.decision, ": ", linked(d.reason), "."), changed(d) && d.decision_id, d.scope, after);

/** offerUndo offers to undo a decision from where it was made. */
export async function offerUndo(text, decision, scope, after) {
  if (!decision) return say(text);
  const { undo } = await import("./undo.js");
  say(text, "Undo", () => undo(decision, scope, after));
}
