// Does what people do on the page, in a real browser, with the keyboard alone, 320 pixels
// wide, and looks for what would keep somebody out.
// Usage: node check.mjs CHROMIUM STRATA SCRIPTEDMODEL DIR [SHOTS]
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fill } from "./home.mjs";
import { hands } from "./keyboard.mjs";
import { mishaps } from "./mishaps.mjs";

const [chromiumPath, strata, model, dir, shots] = process.argv.slice(2);
// Modules are installed where the script is started.
const require = createRequire(join(process.cwd(), "bin/page/"));
const { chromium } = require("playwright-core");
const axe = require("axe-core").source;

const home = join(dir, "home"), project = join(dir, "billing");
for (const d of [home, project]) mkdirSync(d, { recursive: true });
await fill(strata, model, home, project);

const ui = spawn(strata, ["ui", "--no-open", "-o", "jsonl"], { env: { ...process.env, HOME: home, STRATA_HOME: home }, cwd: project, stdio: ["ignore", "pipe", "inherit"] });
const address = JSON.parse(await new Promise((ok, no) => {
  ui.once("exit", (code) => no(new Error(`strata ui ended with ${code}`)));
  createInterface(ui.stdout).once("line", ok);
})).page;
const origin = new URL(address).origin;

const browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox", "--disable-gpu"] });
const context = await browser.newContext({ viewport: { width: 320, height: 640 } });
const page = await context.newPage();
const wrong = []; // what the browser complained of
page.on("console", (m) => { if (["error", "warning"].includes(m.type()) && !/status of 4\d\d/.test(m.text())) wrong.push(m.text()); });
page.on("pageerror", (e) => wrong.push(e.message));
page.on("dialog", (d) => { if (d.type() !== "beforeunload") wrong.push("a text ran as script"); d.dismiss(); });
page.on("request", (r) => { if (new URL(r.url()).origin !== origin) wrong.push("asked " + r.url()); });

const keyboard = hands(page);
const { held, use, view, tabTo, type, writing, press, replace, settled } = keyboard;
const text = () => page.evaluate(() => document.querySelector("main").innerText);
const sees = (pattern) => page.waitForFunction((p) => new RegExp(p, "s").test(document.body.innerText), pattern.source, { timeout: 10_000 });
/** call asks the server as the page does. */
const call = (op, input = {}) => page.evaluate(async ([op, input]) => {
  const answer = await fetch("/v1/" + op, { method: "POST", headers: { "Content-Type": "application/json", "Strata-Page": "1" }, body: JSON.stringify(input) });
  return answer.json();
}, [op, input]);
/** others changes memory by another program. */
const others = (fact) => execFileSync(strata, ["save", fact, "-t", "project"], { env: { ...process.env, HOME: home, STRATA_HOME: home, STRATA_WORKSPACE: project }, cwd: project, stdio: "pipe" });
const decisions = async () => (await call("decisions", { scope: "workspace", above: true, limit: 1000 })).decisions.length;

const tasks = {
  "come in by the code": async () => {
    await page.goto(address);
    await sees(/Search/);
    assert.equal(await page.evaluate(() => location.hash), "#/search", "the code is out of the address");
    assert.equal(await page.evaluate(() => document.cookie), "", "no script sees the cookie");
  },
  "find a fact by a misspelt word": async () => {
    await tabTo(/What to look for/);
    await type("whiskerno");
    await sees(/cat is named Whiskerino/);
  },
  "see why it ranks": async () => {
    await use(/^Why it ranks here/);
    await sees(/its own words.*together/);
    await sees(/words that matched/);
  },
  "see its source turn": async () => {
    await tabTo(/cat is named Whiskerino/, "Shift+Tab");
    await press("Enter");
    await sees(/Where it was said.*My cat's name is Whiskerino/);
    assert.match(await page.evaluate(() => document.activeElement.tagName), /H1/, "the focus is on the title of the new view");
  },
  "correct it": async () => {
    const before = await decisions();
    await use(/^Correct it$/);
    await replace("The user's cat is named Whiskerella.");
    await use(/^Go on$/);
    await sees(/Change it so\?/);
    assert.equal(await decisions(), before, "nothing was changed before the answer");
    assert.match(await page.evaluate(() => document.querySelector("dialog del").innerText), /Whiskerino/);
    await use(/^Change it$/);
    await sees(/version 2/);
    assert.equal(await decisions(), before + 1);
  },
  "undo that": async () => {
    await use(/^Undo the last change$/);
    await sees(/Undo this\?/);
    await use(/^Undo it$/);
    await page.waitForFunction(() => document.querySelector("h1").innerText.includes("Whiskerino"));
  },
  "say no, and nothing is changed": async () => {
    const before = await decisions();
    await use(/^Stop believing it$/);
    await sees(/Stop believing this\?/);
    await press("Escape");
    await page.waitForFunction(() => !document.querySelector("dialog"));
    assert.equal(await decisions(), before);
  },
  "edit a note": async () => {
    await view(/^Notes$/);
    await use(/^How we deploy$/);
    await use(/^Edit$/);
    await writing();
    await press("ControlOrMeta+End");
    await type("Never on Fridays.");
    await tabTo(/^Save$/);
    await press("Enter");
    await sees(/Save this\?/);
    await use(/^Save it$/);
    await page.waitForFunction(() => document.querySelector("pre")?.innerText.includes("Never on Fridays."));
  },
  "see which note hides which": async () => {
    await view(/^Notes$/);
    await sees(/hidden by that of billing/);
  },
  "trust a file that came with a repository": async () => {
    await view(/^Queue$/);
    await sees(/Files that came with a repository.*SOUL.md.*(new|changed)/);
    await use(/^Trust it : SOUL.md$/);
    await sees(/Trust .SOUL.md.\?/);
    assert.equal((await call("trust", { dry_run: true, scope: "workspace", above: true })).files.length, 1, "nothing is trusted before the answer");
    await use(/^Trust it$/);
    await sees(/There is none that you have not trusted/);
    assert.equal((await call("trust", { dry_run: true, scope: "workspace", above: true })).files.length, 0);
  },
  "accept a proposed note": async () => {
    const before = await decisions();
    await view(/^Queue$/);
    await use(/^Accept : staging database$/);
    await sees(/Accept .staging database.\?.*reset every Sunday/);
    assert.equal(await decisions(), before, "nothing was changed before the answer");
    await use(/^Accept it$/);
    await page.waitForFunction(() => !/staging database/.test(document.querySelector("main").innerText));
    assert.equal((await call("note_show", { name: "Staging database", scope: "workspace" })).path, "notes/reference_staging-database.md");
  },
  "choose where a note and its proposal both changed": async () => {
    await use(/^Accept : how we deploy$/);
    await sees(/conflict.*What stays/);
    await tabTo(/^What stays$/);
    await press("ArrowDown");
    await use(/^Accept it$/);
    await page.waitForFunction(() => !document.querySelector("dialog") && !/how we deploy/.test(document.querySelector("main").innerText));
    assert.match((await call("note_show", { name: "How we deploy", scope: "workspace" })).content, /for two hours/);
  },
  "make a skill active": async () => {
    const before = await decisions();
    await use(/^Make it active : release$/);
    await sees(/Make .release. active\?.*wait for the canary/);
    assert.equal(await decisions(), before, "nothing was changed before the answer");
    await use(/^Make it active$/);
    await sees(/No skill waits/);
    assert.equal((await call("skill_show", { name: "release", scope: "workspace" })).status, "active");
  },
  "what others change is shown by itself": async () => {
    await view(/^Facts$/);
    others("The tandem has a red bell");
    await sees(/The tandem has a red bell/);
  },
  "what others change waits while somebody is busy": async () => {
    await tabTo(/^Type$/);
    others("The tandem has a blue bell");
    await sees(/Memory has changed/);
    assert.doesNotMatch(await text(), /blue bell/);
    assert.equal(await held(), "Type", "the focus stays where it was");
    await tabTo(/^Show it$/, "Shift+Tab");
    await press("Enter");
    await sees(/The tandem has a blue bell/);
    await page.waitForFunction(() => !/Memory has changed/.test(document.body.innerText));
  },
  "rename a category": async () => {
    await view(/^Categories$/);
    await use(/^pets/);
    await use(/^Rename$/);
    await replace("our animals");
    await press("Enter");
    await page.waitForFunction(() => document.querySelector("h1").innerText === "our animals");
    await sees(/Whiskerino/);
  },
  "open a compacted span": async () => {
    await view(/^Sessions$/);
    await use(/^lighthouse$/);
    await use(/^Turns 1 to \d+: compacted/);
    await sees(/What the model reads instead.*Part 1 of the story of the lighthouse/);
  },
  "see what changed since yesterday": async () => {
    await view(/^Changes$/);
    await sees(/undoes another/);
    await sees(/notes\/project_how-we-deploy\.md/);
    await tabTo(/^Since$/, "Shift+Tab");
    await press("ArrowDown");
    await page.waitForFunction(() => location.hash.includes("week"));
    await settled();
    assert.equal(await held(), "Since", "the focus stays on what was changed");
  },
  "make a backup": async () => {
    await view(/^Health$/);
    await use(/^Back up now$/);
    await sees(/Back the home up now\?/);
    await use(/^Make a backup$/);
    await sees(/A backup of .* was made/);
    await settled();
    assert.equal(await held(), "Back up now", "the focus stays on what was used");
    assert.equal((await call("backup_list")).backups.length, 1);
  },
  "read an error with its code and hint": async () => {
    await page.goto(origin + "/#/facts/fact_01JD5ZQ9V7M3T8XKQ2R4W6Y0AB");
    await sees(/not_found/);
    assert.equal(await page.evaluate(() => document.querySelector("main [role=alert]").innerText.length > 20), true);
  },
  "text is never markup": async () => {
    const evil = `<img src=x onerror=alert(1)><script>alert(2)</script>`;
    await call("save", { content: `The sign says ${evil}`, type: "user", scope: "global" });
    await page.goto(origin + "/#/facts");
    await sees(/The sign says <img src=x onerror=alert\(1\)>/);
    assert.equal(await page.evaluate(() => document.querySelectorAll("main img, main script").length), 0);
  },
  "nobody comes in twice by one code": async () => {
    const other = await (await browser.newContext()).newPage();
    await other.goto(address);
    await other.waitForFunction(() => /Come in.*denied/s.test(document.body.innerText));
    assert.equal(await other.evaluate(() => document.querySelectorAll("nav a").length), 0);
  },
  ...mishaps({ page, home, origin, call, sees, text, hands: keyboard }),
};

/** addresses are those of every view and of one of each kind of thing. */
async function addresses() {
  const { facts } = await call("facts", { scope: "workspace", above: true });
  const { decisions } = await call("decisions", { scope: "workspace", above: true });
  const { dreams } = await call("dream_list", { scope: "workspace" });
  return {
    search: "search?q=whiskerino", profile: "profile", facts: "facts", fact: "facts/" + facts.find((f) => f.sources?.length).id, notes: "notes",
    note: "notes/" + encodeURIComponent("notes/reference_how-to-report-numbers.md"), changes: "changes", decision: "changes/" + decisions[0].id,
    sessions: "sessions", session: "sessions/lighthouse", categories: "categories", category: "categories/deployment", learnings: "learnings", days: "days", dreams: "dreams", dream: "dreams/" + dreams[0].id, nowhere: "%zz", queue: "queue", health: "health",
  };
}

/** look opens every view in every size and color scheme, for axe-core and for what is too wide. */
async function look() {
  let looked = 0;
  const found = new Set();
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const width of [320, 800, 1400]) {
      await page.setViewportSize({ width, height: 900 });
      for (const [name, hash] of Object.entries(await addresses())) {
        await page.goto("about:blank");
        await page.goto(`${origin}/#/${hash}`);
        await page.waitForSelector("main h1");
        await settled();
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (over > 0) found.add(`${name} is ${over} pixels too wide at ${width}`);
        looked++;
        if (shots) await page.screenshot({ path: join(shots, `${name}-${width}-${colorScheme}.png`) });
        if (width === 800) continue; // the parts are those of the other widths
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
        const serious = violations.filter((v) => ["serious", "critical"].includes(v.impact));
        for (const v of serious) found.add(`${name}, ${width} pixels, ${colorScheme}: ${v.id}: ${v.help}: ${v.nodes[0].html}`);
      }
    }
  }
  assert.deepEqual([...found], []);
  return looked;
}

let failed = 0;
try {
  for (const [name, task] of Object.entries(tasks)) {
    try {
      await task();
      console.log("ok    ", name);
    } catch (err) {
      failed++;
      console.log("FAILED", name, "\n", err.message, "\n", (await text()).slice(0, 600));
    }
  }
  const paint = await page.evaluate(() => Math.round(performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? -1));
  console.log(`first paint after ${paint} ms`);
  if (!failed) console.log(`ok     ${await look()} views without serious findings of axe-core`);
  if (wrong.length) {
    failed++;
    console.log("FAILED the browser complained:\n", [...new Set(wrong)].join("\n "));
  }
} catch (err) {
  failed++;
  console.log("FAILED", err.message);
} finally {
  await browser.close();
  ui.removeAllListeners("exit");
  ui.kill("SIGINT");
  await new Promise((ok) => ui.once("exit", ok));
}
process.exit(failed ? 1 : 0);
