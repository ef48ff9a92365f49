// The page: who comes in, whose memory is shown, and which view.
import { Failure, enter, leave, look, memory } from "./api.js";
import { ask, dismiss, running } from "./ask.js";
import { choice, h, link, scopeName } from "./dom.js";
import { live, stop } from "./live.js";
import { failure } from "./say.js";

/** views are the names of modules in views/, with their names in the menu. */
const views = {
  search: "Search", profile: "Profile", facts: "Facts", notes: "Notes", changes: "Changes", sessions: "Sessions",
  categories: "Categories", learnings: "Learnings", days: "Days", dreams: "Dreams", queue: "Queue", health: "Health",
};

const main = document.getElementById("main"), nav = document.getElementById("nav"), menu = document.getElementById("menu");
const fresh = document.getElementById("fresh"); // says that what is shown is no longer what memory holds
let showing; // cancels what the view before still waits for

/** route reads the address: a view, its arguments and its query. What leads to no view leads nowhere. */
function route() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  try {
    const [view, ...args] = (path || "search").split("/").map(decodeURIComponent);
    if (Object.hasOwn(views, view)) return { view, args, query: Object.fromEntries(new URLSearchParams(query)) };
  } catch (err) {
    if (!(err instanceof URIError)) throw err; // a % that begins nothing
  }
  return { view: "nowhere", args: [], query: {} };
}

/** show shows the view of the address; unasked, only if nobody is in the middle of something. */
async function show({ focus = true, unasked = false } = {}) {
  showing?.abort();
  const { signal } = (showing = new AbortController());
  fresh.replaceChildren();
  const { view, args, query } = route();
  for (const a of nav.querySelectorAll("a")) {
    if (a.dataset.view === view) a.setAttribute("aria-current", "page");
    else a.removeAttribute("aria-current");
  }
  if (focus) fold(); // else somebody may be choosing in it
  main.setAttribute("aria-busy", "true");
  let content;
  try {
    const module = await import(`./views/${view}.js`);
    content = await module.show({ args, query, signal, again, refine });
  } catch (err) {
    if (signal.aborted) return;
    if (err instanceof Failure && err.status === 401) return door();
    content = [h("h1", {}, views[view]), h("div", { role: "alert" }, failure(err))];
  }
  if (signal.aborted) return;
  if (unasked && inUse()) {
    main.removeAttribute("aria-busy");
    return offer();
  }
  const held = main.contains(document.activeElement) && document.activeElement.name;
  main.replaceChildren(...[content].flat(Infinity).filter(Boolean));
  main.removeAttribute("aria-busy");
  const title = main.querySelector("h1");
  document.title = `${title?.textContent || views[view]} · Strata`;
  title?.setAttribute("tabindex", "-1");
  if (!focus) {
    // What had the focus is another element now, of the same name.
    if (document.activeElement === document.body) (main.querySelector(`[name="${held}"]`) || title)?.focus({ preventScroll: true });
    return;
  }
  scrollTo(0, 0);
  (main.querySelector("[data-first]") || title)?.focus({ preventScroll: true });
  main.querySelector(".here")?.scrollIntoView({ block: "center" });
}

/** again shows the same view with what memory holds now; what somebody writes meanwhile stays. */
const again = () => (unsaved() ? offer() : show({ focus: false }));

/** unsaved reports whether somebody wrote what is saved nowhere. */
const unsaved = () => [...document.querySelectorAll("textarea")].some((t) => t.value !== t.defaultValue);

let asking = false; // whether it is being asked if what is unsaved may be lost

/** leaving reports whether what is shown may go. It asks where something would be lost. */
async function leaving() {
  if (running() || asking) return false;
  if (unsaved()) {
    asking = true;
    const yes = await ask({ title: "Leave what you wrote?", yes: "Leave it", grave: true, body: [h("p", {}, "It is not saved, and would be lost.")], work: async () => true });
    asking = false;
    if (!yes) return false;
  }
  dismiss();
  return true;
}

/** follow goes where the address leads, or has it lead to what is shown if that stays. */
async function follow(e) {
  if (location.hash.startsWith("#code=")) return;
  if (await leaving()) show();
  else if (!asking) history.pushState(null, "", e.oldURL);
}

/** inUse reports whether somebody is in the middle of something, which a new view would end. */
function inUse() {
  const held = document.activeElement;
  return (main.contains(held) && held !== main && held.tagName !== "H1") || document.querySelector("dialog, main details[open], main textarea") !== null;
}

/** offer says that memory holds something else by now, and shows that when it is asked for. */
const offer = () => fresh.replaceChildren("Memory has changed. ", h("button", { type: "button", onclick: async () => await leaving() && show({ focus: false }) }, "Show it"));

/** renew shows what changed, or offers to. */
function renew() {
  if (main.hasAttribute("aria-busy")) return setTimeout(renew, 200);
  if (inUse()) return offer();
  show({ focus: false, unasked: true });
}

/** refine shows the same view by another address; the focus stays where it is. */
function refine(address) {
  history.pushState(null, "", address);
  show({ focus: false });
}

/** fold folds the menu, as it is on narrow screens. */
function fold(open = false) {
  nav.classList.toggle("folded", !open);
  menu.setAttribute("aria-expanded", String(open));
}

/** door lets somebody in who has a code or the token. */
function door(wrong) {
  stop();
  fresh.replaceChildren();
  nav.hidden = document.getElementById("tools").hidden = true;
  main.removeAttribute("aria-busy");
  const secret = h("input", { id: "secret", type: "password", autocomplete: "off", required: true });
  const alert = h("div", { role: "alert" }, wrong && failure(wrong));
  main.replaceChildren(h("form", { class: "door stack", onsubmit: async (e) => {
    e.preventDefault();
    try {
      await enter(secret.value.trim());
      await begin();
    } catch (err) {
      alert.replaceChildren(failure(err));
      secret.select();
    }
  } },
  h("h1", {}, "Come in"),
  h("p", { class: "lead" }, "Run ", h("code", {}, "strata ui"), ": it opens this page with a code. Or give a code, or the token in the file server.token of the home."),
  h("label", { for: "secret" }, "Code or token"), secret, alert, h("div", {}, h("button", { class: "main" }, "Enter"))));
  document.title = "Strata";
  secret.focus();
}

/** scopes fills the list of whose memory can be looked at, and chooses the project at hand. */
async function scopes() {
  const own = await look("scope_show", { scope: undefined, above: undefined });
  const names = {};
  memory.names = names;
  const list = document.getElementById("scope");
  if (own.scopes.length !== 1 || own.scopes[0].scope !== "global") {
    memory.scope = ""; // the server is confined to one
    return list.replaceChildren(...choice([["", scopeName(own.scopes[0].scope)]]).children);
  }
  let here = "global";
  try {
    const project = await look("scope_show", { scope: "workspace" });
    here = "workspace/" + project.workspace;
    if (project.root) names[project.workspace] = project.root.split(/[/\\]/).filter(Boolean).at(-1);
  } catch (err) {
    if (err.code !== "scope_required") throw err;
  }
  const all = (await look("scopes", { scope: undefined, above: undefined })).scopes.map((s) => s.scope);
  const keys = [...new Set(["global", here, ...all])].sort((a, b) => a.localeCompare(b));
  const kept = sessionStorage.getItem("scope");
  memory.scope = keys.includes(kept) ? kept : here;
  list.replaceChildren(...choice(keys.map((k) => [k, scopeName(k, names)]), memory.scope).children);
  list.value = memory.scope;
  list.onchange = async () => {
    const chosen = list.value;
    list.value = memory.scope;
    if (!await leaving()) return;
    memory.scope = list.value = chosen;
    sessionStorage.setItem("scope", chosen);
    live(renew);
    show({ focus: false });
  };
}

/** begin shows what there is once somebody is in. */
async function begin() {
  memory.scope = "";
  try {
    await scopes();
  } catch (err) {
    if (err.status === 401) return door();
    return main.replaceChildren(h("div", { role: "alert" }, failure(err)));
  }
  nav.replaceChildren(h("ul", {}, Object.entries(views).map(([view, label]) =>
    h("li", {}, h("a", { href: link(view), "data-view": view }, label))),
  h("li", {}, h("a", { href: "#", onclick: async (e) => { e.preventDefault(); if (await leaving()) { await leave(); door(); } } }, "Leave"))));
  nav.hidden = document.getElementById("tools").hidden = false;
  await show();
  live(renew);
}

menu.addEventListener("click", () => fold(nav.classList.contains("folded")));
// The address stays the same where somebody chooses the view that is shown: it is shown anew.
nav.addEventListener("click", async (e) => {
  if (e.target.closest("a")?.hash === location.hash && await leaving()) show();
});
document.querySelector(".skip").addEventListener("click", (e) => { e.preventDefault(); main.focus(); });
addEventListener("hashchange", follow);
addEventListener("beforeunload", (e) => { if (running() || unsaved()) e.preventDefault(); });

// The code of the address is used and removed from it before anything else.
const code = /^#code=(.+)/.exec(location.hash)?.[1];
if (code) {
  history.replaceState(null, "", location.pathname + "#/search");
  try {
    await enter(code);
    await begin();
  } catch (err) {
    // It was used before, perhaps by this very browser.
    try {
      await look("scopes");
      await begin();
    } catch {
      door(err);
    }
  }
} else {
  await begin();
}
