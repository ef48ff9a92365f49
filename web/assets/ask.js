// Questions before anything is written.
import { h } from "./dom.js";
import { failure } from "./say.js";

/**
 * ask opens a dialog and returns what work returned, or undefined if the answer was no.
 * work runs while the dialog is open, so that an error can be read and the answer given again.
 */
export function ask({ title, body = [], yes, grave = false, work, first }) {
  return new Promise((done) => {
    let result;
    const wrong = h("div", { role: "alert" });
    const go = h("button", { type: "submit", class: grave ? "main grave" : "main" }, yes);
    const no = h("button", { type: "button", onclick: () => box.close() }, "Cancel");
    const form = h("form", { onsubmit: run }, h("h2", { id: "ask-title" }, title), body, wrong, h("div", { class: "row" }, no, go));
    const box = h("dialog", { "aria-labelledby": "ask-title", onclose: () => { box.remove(); done(result); } }, form);
    async function run(e) {
      e.preventDefault();
      go.disabled = true;
      wrong.replaceChildren();
      try {
        result = await work();
        box.close();
      } catch (err) {
        wrong.append(failure(err));
        go.disabled = false;
      }
    }
    document.body.append(box);
    box.showModal();
    (first || (grave ? no : go)).focus();
  });
}
