// Categories as a map: the larger the field, the more facts. One of them opens.
import { change, look } from "../api.js";
import { ask } from "../ask.js";
import { choice, field, h, link, number, plural } from "../dom.js";
import { factLine, where } from "../parts.js";
import { empty, say } from "../say.js";

export async function show({ args: [name], query, signal, again }) {
  const { categories } = await look("categories_list", {}, signal);
  if (name) return one(name, query.scope, categories, signal, again);
  const most = Math.max(1, ...categories.map((c) => c.facts));
  return [
    h("h1", {}, "Categories"),
    h("p", { class: "lead" }, "Facts are grouped by meaning. A name that you give stays."),
    categories.length ? h("ul", { class: "map" }, categories.map((c) => {
      const size = Math.sqrt(c.facts / most);
      return h("li", { style: { flex: `${Math.max(1, c.facts)} 1 ${5 + 3.6 * size}rem` } },
        h("a", { href: link("categories", c.name, { scope: c.scope }), style: { minHeight: 4 + 2.4 * size + "rem" } },
          h("strong", {}, c.name), h("span", { class: "about" }, plural(c.facts, "fact"), where(c.scope), c.pinned && h("span", {}, "pinned"))));
    })) : empty("There is none yet: the first facts make them."),
  ];
}

/** one is a category with its facts. */
async function one(name, scope, categories, signal, again) {
  const c = categories.find((o) => o.name === name && (!scope || o.scope === scope));
  const { facts } = await look("facts", { category: name, limit: 100, ...(scope ? { scope, above: false } : {}) }, signal);
  const others = categories.filter((o) => o.name !== name && o.scope === c?.scope);
  const head = [h("p", {}, h("a", { href: link("categories") }, "Categories")), h("h1", {}, name)];
  if (!c) return [...head, empty("No current fact is in this category.")];
  return [
    ...head,
    h("div", { class: "row" },
      h("button", { type: "button", class: "main", onclick: () => rename(c) }, "Rename"),
      others.length > 0 && h("button", { type: "button", onclick: () => merge(c, others) }, "Merge into another"),
      h("button", { type: "button", name: "pin", onclick: () => pin(c, again) }, c.pinned ? "Leave it to the program" : "Pin")),
    h("p", { class: "about" }, h("span", {}, number(c.facts), c.facts === 1 ? " fact" : " facts"), where(c.scope), c.pinned ? h("span", { class: "tag on" }, "pinned") : ""),
    h("ul", { class: "stack" }, facts.map(factLine)),
  ];
}

async function rename(c) {
  const name = h("input", { required: true, value: c.name, maxlength: 80 });
  const done = await ask({
    title: `Rename “${c.name}”`, yes: "Rename it", first: name, body: [field("New name", name), h("p", { class: "soft" }, `${plural(c.facts, "fact")} keep their place; the category is pinned.`)],
    work: () => change("categories_rename", { old: c.name, new: name.value.trim() }, c.scope),
  });
  if (!done) return;
  say(`It is called “${done.name}” now.`);
  location.hash = link("categories", done.name, { scope: done.scope });
}

async function merge(c, others) {
  const into = choice(others.map((o) => [o.name, `${o.name} (${o.facts})`]), others[0].name);
  const done = await ask({
    title: `Merge “${c.name}” into another`, yes: "Merge them", grave: true, first: into,
    body: [field("Which takes its facts", into), h("p", { class: "soft" }, `${plural(c.facts, "fact")} go there. To part them again, unpin the other: the program then looks them through.`)],
    work: () => change("categories_merge", { from: c.name, into: into.value }, c.scope),
  });
  if (!done) return;
  say(`Its facts are in “${done.name}” now.`);
  location.hash = link("categories", done.name, { scope: done.scope });
}

async function pin(c, again) {
  const done = await ask({
    title: c.pinned ? `Leave “${c.name}” to the program?` : `Pin “${c.name}”?`, yes: c.pinned ? "Leave it" : "Pin it",
    body: [h("p", { class: "soft" }, c.pinned ? "What was decided by renaming or merging is given up with it." : "The program then never divides, merges or renames it.")],
    work: () => change(c.pinned ? "categories_unpin" : "categories_pin", { name: c.name }, c.scope),
  });
  if (done) again();
}
