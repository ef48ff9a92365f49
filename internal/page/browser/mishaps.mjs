// What goes otherwise than planned: people change their minds in the middle of something,
// addresses lead nowhere, and nothing comes of what was asked for.
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** mishaps are tasks for a page. */
export function mishaps({ page, home, origin, call, sees, text, hands: { held, use, view, tabTo, writing, type, press, settled } }) {
  const count = async (what) => (await page.$$(what)).length;
  /** closed waits until no dialog is open and the view behind it has come again, as it does after a change. */
  const closed = () => page.waitForFunction(() => !document.querySelector("dialog, main[aria-busy]"));
  const hash = () => page.evaluate(() => location.hash);
  /** back goes back, and waits until the page has had its say. */
  const back = () => page.evaluate(() => new Promise((ok) => {
    addEventListener("hashchange", () => setTimeout(ok, 100), { once: true });
    history.back();
  }));
  /** hold lets calls of an operation wait until what it returns is called. */
  async function hold(op) {
    let go;
    const gate = new Promise((ok) => { go = ok; });
    await page.route("**/v1/" + op, async (route) => { await gate; await route.continue(); }, { times: 1 });
    return go;
  }
  /** stays sees that nothing closes the dialog while a write is under way. */
  async function stays() {
    await sees(/Under way/);
    assert.equal(await page.evaluate(() => document.activeElement.closest("dialog") !== null), true, "the focus is in the dialog");
    for (let i = 0; i < 3; i++) await press("Escape");
    await page.evaluate(() => [...document.querySelectorAll("dialog button")].find((b) => b.innerText === "Cancel").click());
    const at = await hash();
    await back();
    assert.equal(await count("dialog[open]"), 1, "the dialog is still there");
    assert.equal(await hash(), at, "and the view below it");
  }
  /** edit begins to edit a note. */
  async function edit() {
    await view(/^Notes$/);
    await use(/^How we deploy$/);
    await use(/^Edit$/);
    await writing();
    await press("ControlOrMeta+End");
    await type("Not before noon.");
  }
  const written = () => page.evaluate(() => document.querySelector("main textarea")?.value.includes("Not before noon."));

  return {
    "a backup that is under way is waited for": async () => {
      const before = (await call("backup_list")).backups.length;
      await view(/^Health$/);
      await use(/^Back up now$/);
      const go = await hold("backup_now");
      await use(/^Make a backup$/);
      try {
        await stays();
      } finally {
        go();
      }
      await sees(/A backup of .* was made/);
      await closed();
      assert.equal((await call("backup_list")).backups.length, before + 1);
    },
    "what fails says so, and can be left": async () => {
      await page.route("**/v1/backup_now", (route) => route.fulfill({ status: 409, json: { code: "busy", message: "another backup is made", request_id: "req_1" } }), { times: 1 });
      await use(/^Back up now$/);
      await use(/^Make a backup$/);
      await sees(/busy another backup is made/);
      assert.equal(await held(), "Make a backup", "it can be tried again at once");
      await press("Escape");
      await closed();
    },
    "so is a dream": async () => {
      for (const [query, kind] of [["keeper oiled lamp of the lighthouse", "turn"], ["go to all regions after the canary", "section"]]) {
        const { hits } = await call("search", { query, kinds: [kind], scope: "workspace" });
        assert.notEqual(hits.length, 0, query);
      }
      await view(/^Dreams$/);
      await use(/^Dream now$/);
      const go = await hold("dream_trigger");
      await tabTo(/^Dream$/);
      await press("Enter");
      try {
        await stays();
      } finally {
        go();
      }
      await sees(/It dreamt/);
      await closed();
    },
    "a dream says what it looked at": async () => {
      const { dreams } = await call("dream_list", { scope: "workspace" });
      await page.goto(`${origin}/#/dreams/${dreams[0].id}`);
      await sees(/Dream of .*a file: it speaks for itself/);
      assert.match(await text(), /Something that was said/);
      assert.doesNotMatch(await text(), /(doc|turn|fact)_[0-9A-Z]/);
      await use(/^How we deploy$/);
      await sees(/watch the canary for/);
    },
    "an edit is not lost unasked": async () => {
      await edit();
      const at = await hash();
      await tabTo(/^Menu$/, "Shift+Tab");
      await press("Enter");
      await tabTo(/^Facts$/);
      await press("Enter");
      await sees(/Leave what you wrote\?/);
      assert.equal(await held(), "Cancel", "what loses nothing is at hand");
      await press("Enter");
      await closed();
      assert.equal(await written(), true, "by a link");
      assert.equal(await hash(), at);
      await back();
      await sees(/Leave what you wrote\?/);
      await press("Escape");
      await closed();
      assert.equal(await written(), true, "by going back");
      assert.equal(await hash(), at);
      await page.selectOption("#scope", "global");
      await sees(/Leave what you wrote\?/);
      await press("Escape");
      await closed();
      assert.equal(await written(), true, "by another scope");
      const asked = page.waitForEvent("dialog", { timeout: 5000 });
      await page.evaluate(() => setTimeout(() => location.reload()));
      assert.equal((await asked).type(), "beforeunload");
      assert.equal(await written(), true, "by loading the page again");
      await page.evaluate(() => { location.hash = "#/facts"; });
      await sees(/Leave what you wrote\?/);
      await use(/^Leave it$/);
      await page.waitForFunction(() => document.querySelector("h1").innerText === "Facts");
    },
    "an edit that is given up or saved is not asked about": async () => {
      await edit();
      await use(/^Leave it as it was$/);
      await page.waitForFunction(() => document.querySelector("main pre"));
      await edit();
      await use(/^Save$/);
      await use(/^Save it$/);
      await page.waitForFunction(() => document.querySelector("main pre")?.innerText.includes("Not before noon."));
      await view(/^Facts$/);
      assert.equal(await count("dialog"), 0);
    },
    "going back closes a question": async () => {
      await view(/^Health$/);
      await use(/^Back up now$/);
      await sees(/Back the home up now\?/);
      await back();
      await closed();
      await settled();
      assert.equal(await page.evaluate(() => document.querySelector("h1").innerText), "Facts");
    },
    "an address that leads nowhere says so": async () => {
      for (const address of ["%zz", "constructor", "toString", "__proto__", "facts/%zz", "sermons"]) {
        await page.goto(`${origin}/#/${address}`);
        await page.waitForFunction(() => document.querySelector("main h1")?.innerText === "Not found", null, { timeout: 5000 });
        await use(/^Search memory$/);
        await page.waitForFunction(() => document.querySelector("main h1")?.innerText === "Search");
      }
    },
    "advice names nothing that a command line alone has": async () => {
      await page.goto(`${origin}/#/search?q=` + encodeURIComponent("bicycle insurance premium percentage for opera singers abroad"));
      await sees(/Memory has nothing on this/);
      assert.match(await text(), /evidence enough/);
      assert.doesNotMatch(await text(), /--/);
      await page.goto(`${origin}/#/notes/nothing-of-the-kind`);
      await sees(/not_found.*every file/);
      assert.doesNotMatch(await text(), /--/);
    },
    "undo is offered for changes alone": async () => {
      await view(/^Facts$/);
      await use(/^Add a fact$/);
      await type("Invoices are rendered with Typst");
      await use(/^Save it$/);
      await sees(/noop: already known as fact_/);
      assert.doesNotMatch(await page.evaluate(() => document.getElementById("status").innerText), /Undo/);
      const { decisions: [noop] } = await call("decisions", { scope: "workspace", decision: "noop" });
      await page.goto(`${origin}/#/changes/${noop.id}`);
      await sees(/noop: already known/);
      assert.equal(await count("main .diff:empty"), 0, "no box is empty");
      await use(/^fact_/);
      await page.waitForFunction(() => document.querySelector("h1").innerText === "Invoices are rendered with Typst");
    },
    "see what needs attention": async () => {
      await call("save", { content: "This repository is built with Bazel", type: "project", scope: "global" });
      mkdirSync(join(home, ".gemini"));
      writeFileSync(join(home, ".gemini", "settings.json"), JSON.stringify({ mcpServers: { strata: { command: "/nowhere/strata", args: ["mcp"] } } }));
      chmodSync(join(home, ".gemini", "settings.json"), 0o600);
      writeFileSync(join(home, "loose.txt"), "");
      chmodSync(join(home, "loose.txt"), 0o644);
      await view(/^Health$/);
      await sees(/What needs attention.*about one project, but every project sees it: This repository is built with Bazel.*strata fact list .* --move workspace/);
      await use(/^Look for damage$/);
      await sees(/No damage, but see below/);
      const found = await text();
      for (const line of [/Bazel is about a project and lies in global; strata fact list .* moves it/, /loose\.txt can be used by others: 0644 should be 0600/, /Gemini.* does not get at this memory: \/nowhere\/strata, which it starts, is not there/]) assert.match(found, line);
    },
  };
}
