// Elements, made without markup: no text that memory returns is ever read as HTML.

/** h makes an element. Of props, on… are listeners, true and false set or leave out, style is an object.
 * The value of a text area is also its default, so that it can be told whether somebody wrote in it.
 */
export function h(tag, props = {}, ...children) {
  const el = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) el.addEventListener(name.slice(2), value);
    else if (name === "style") Object.assign(el.style, value);
    else if (name === "value") {
      el.value = value;
      if (tag === "textarea") el.defaultValue = el.value;
    }
    else el.setAttribute(name, value === true ? "" : value);
  }
  el.append(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false));
  return el;
}

let ids = 0;

/** field is a control under its label. */
export function field(label, control) {
  control.id ||= "field-" + ++ids;
  return h("div", { class: "field" }, h("label", { for: control.id }, label), control);
}

/** options fills a select: pairs of value and label. */
export function choice(pairs, chosen, props = {}) {
  return h("select", props, pairs.map(([value, label]) => h("option", { value, selected: value === chosen }, label)));
}

/** pairs is a list of names and values, without those that are empty. */
export function pairs(list) {
  return h("dl", { class: "pairs" }, list.filter(([, v]) => v !== undefined && v !== null && v !== "" && v !== false)
    .map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
}

const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const count = new Intl.NumberFormat();

/** when is a time as people read it, with the exact one behind. */
export function when(text, { short = false } = {}) {
  if (!text) return "";
  const at = new Date(text);
  return h("time", { datetime: text, title: at.toISOString() }, (short ? day : moment).format(at));
}

export const number = (n) => count.format(n);
export const share = (n) => Math.round(n * 100) + " %";
export const plural = (n, one, many = one + "s") => `${number(n)} ${n === 1 ? one : many}`;

/** bytes is a size as people read it. */
export function bytes(n) {
  for (const unit of ["B", "KB", "MB"]) {
    if (n < 1000) return `${n < 10 && unit !== "B" ? n.toFixed(1) : Math.round(n)} ${unit}`;
    n /= 1000;
  }
  return n.toFixed(1) + " GB";
}

/** scopeName is a scope as people read it. */
export function scopeName(key, here = {}) {
  if (key === "global") return "global";
  const parts = key.split("/");
  const name = (i) => (parts[i] === "workspace" ? here[parts[i + 1]] || "project " + parts[i + 1].slice(-6) : "agent " + parts[i + 1]);
  return parts.length > 2 ? `${name(2)} in ${name(0)}` : name(0);
}

/** link is the address of a view in this page. */
export function link(...parts) {
  const query = typeof parts.at(-1) === "object" ? parts.pop() : {};
  const search = new URLSearchParams(Object.entries(query).filter(([, v]) => v !== "" && v !== undefined && v !== null && v !== false));
  return "#/" + parts.map(encodeURIComponent).join("/") + (search.size ? "?" + search : "");
}
