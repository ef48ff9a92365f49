// What changed between two texts, word by word.
import { h } from "./dom.js";

const most = 4e6; // cells of the table; larger texts are shown as replaced

/** words divides a text into words and what is between them. */
const words = (text) => text.match(/\s+|[^\s]+/g) || [];

/** compare returns what is kept, gone and new, in order, as [kind, text]. */
export function compare(before, after) {
  const a = words(before), b = words(after);
  let head = 0, tail = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const gone = a.slice(head, a.length - tail), come = b.slice(head, b.length - tail);
  const parts = [];
  const put = (kind, list) => {
    const text = list.join("");
    if (!text) return;
    if (parts.at(-1)?.[0] === kind) parts.at(-1)[1] += text;
    else parts.push([kind, text]);
  };
  put("same", a.slice(0, head));
  if (gone.length * come.length > most) {
    put("gone", gone);
    put("new", come);
  } else {
    for (const [kind, word] of path(gone, come)) put(kind, [word]);
  }
  put("same", a.slice(a.length - tail));
  return parts;
}

/** path is the way from one list to the other that keeps the most (longest common subsequence). */
function path(a, b) {
  const width = b.length + 1, table = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      table[i * width + j] = a[i] === b[j] ? table[(i + 1) * width + j + 1] + 1 : Math.max(table[(i + 1) * width + j], table[i * width + j + 1]);
    }
  }
  const out = [];
  let i = 0, j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) out.push(["same", a[i++]]), j++;
    else if (j === b.length || (i < a.length && table[(i + 1) * width + j] >= table[i * width + j + 1])) out.push(["gone", a[i++]]);
    else out.push(["new", b[j++]]);
  }
  return out;
}

/** diff shows what changed. Who listens hears what is gone and what is new. What is new as a whole is shown as it is. */
export function diff(before, after) {
  if (!before) return h("div", { class: "diff said" }, after);
  const mark = { gone: ["del", "removed: "], new: ["ins", "added: "] };
  return h("div", { class: "diff said" }, compare(before, after).map(([kind, text]) =>
    kind === "same" ? text : h(mark[kind][0], {}, h("span", { class: "unseen" }, mark[kind][1]), text)));
}
