// Questions before anything is written.
import { h } from "./dom.js";
import { failure } from "./say.js";

const questions = []; // those that are open, each on top of the one before

/** ask opens a dialog and returns what work returned, or undefined if the answer was no.
 * work runs while the dialog is open, so that an error can be read and the answer given again.
 * Nothing closes it while work runs: who asked for something sees what became of it.
 */
export function ask({ title, body = [], yes, grave = false, work, first }) {
  return new Promise((done) => {
    let result;
    const wrong = h("div", { role: "alert" });
    const wait = h("p", { class: "soft", tabindex: -1, hidden: true }, "Under way. This closes when it is done.");
    const go = h("button", { type: "submit", class: grave ? "main grave" : "main" }, yes);
    const no = h("button", { type: "button", onclick: () => box.close() }, "Cancel");
    const form = h("form", { onsubmit: run }, h("h2", {}, title), body, wrong, wait, h("div", { class: "row" }, no, go));
    const box = h("dialog", { "aria-label": title, onclose: closed }, form);
    const question = { box, running: false };
    /** busy holds the dialog open, with the focus on what says so, or lets go of it. */
    function busy(running) {
      question.running = go.disabled = no.disabled = running;
      wait.hidden = !running;
      if (running) box.setAttribute("closedby", "none");
      else box.removeAttribute("closedby");
      (running ? wait : go).focus();
    }
    async function run(e) {
      e.preventDefault();
      if (question.running) return;
      busy(true);
      wrong.replaceChildren();
      try {
        result = await work();
        busy(false);
        box.close();
      } catch (err) {
        busy(false);
        wrong.append(failure(err));
      }
    }
    function closed() {
      if (question.running) return box.showModal(); // a browser that does not know closedby
      questions.splice(questions.indexOf(question), 1);
      box.remove();
      done(result);
    }
    questions.push(question);
    document.body.append(box);
    box.showModal();
    (first || (grave ? no : go)).focus();
  });
}

/** running reports whether something is being written that was asked about. */
export const running = () => questions.some((q) => q.running);

/** dismiss answers every open question with no. */
export const dismiss = () => questions.toReversed().forEach((q) => q.box.close());
