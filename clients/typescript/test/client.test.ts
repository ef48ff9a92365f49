// Runs the client against a server of its own: STRATA is the program, SCRIPTEDMODEL a model that answers by rules.
import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Client, StrataError } from "../src/index.js";

const home = mkdtempSync(join(tmpdir(), "strata-ts-"));
const running: ChildProcess[] = [];
let memory: Client, tcp: Client, url: string, model: string;

/** Starts a program, and returns the first line that it prints. */
function begin(program: string, ...args: string[]): Promise<string> {
  const child = spawn(program, args, { env: { ...process.env, STRATA_HOME: home, STRATA_LOG_LEVEL: "error" }, stdio: ["ignore", "pipe", "inherit"] });
  running.push(child);
  return new Promise((ok, no) => {
    child.once("exit", (code) => no(new Error(`${program} ended with ${code}`)));
    createInterface(child.stdout!).once("line", ok);
  });
}

before(async () => {
  const serving = JSON.parse(await begin(process.env.STRATA!, "serve", "--listen", "127.0.0.1:0", "-o", "jsonl"));
  model = await begin(process.env.SCRIPTEDMODEL!);
  url = `http://${serving.address}`;
  memory = new Client({ home });
  tcp = new Client({ url, token: readFileSync(serving.token_file, "utf8").trim() });
});

after(async () => {
  await Promise.all(running.map((child) => new Promise((ok) => { child.removeAllListeners("exit").once("exit", ok); child.kill("SIGINT"); })));
  rmSync(home, { recursive: true });
});

/** The error that a call is refused with. */
async function refused(call: Promise<unknown>): Promise<StrataError> {
  const err = await call.then(() => undefined, (err: unknown) => err);
  assert.ok(err instanceof StrataError, String(err));
  return err;
}

test("what is saved over the socket is found over TCP", async () => {
  const saved = await memory.call("save", { content: "The ferry to Ghent leaves at six", type: "user" });
  const { hits } = await tcp.call("recall", { query: "when does the ferry to Ghent leave?" });
  assert.equal(hits[0]?.id, saved.id);
});

test("errors have the code, hint and details of the server", async () => {
  const unknown = await refused(memory.call("fact", { id: "fact_01JD5ZQ9V7M3T8XKQ2R4W6Y0AB" }));
  assert.equal(unknown.code, "not_found");
  assert.match(unknown.request_id!, /^req_/);
  const invalid = await refused(memory.call("recall", { query: "x", max_results: -1 }));
  assert.equal(invalid.code, "invalid");
  assert.ok(invalid.hint);
  assert.equal((await refused(new Client({ url, token: "wrong" }).call("recall", { query: "x" }))).code, "denied");
  assert.equal((await refused(new Client({ home: join(home, "nowhere") }).call("recall", { query: "x" }))).code, "unavailable");
});

test("a call with the same key decides once", async () => {
  const once = await memory.call("save", { content: "The spare key hangs in the shed" }, { idempotencyKey: "key-1" });
  const again = await memory.call("save", { content: "The spare key hangs in the shed" }, { idempotencyKey: "key-1" });
  assert.equal(again.decision_id, once.decision_id);
  assert.equal(again.replayed, true);
});

test("lines go out and come in", async () => {
  for (const client of [memory, tcp]) {
    const written: string[] = [];
    for await (const line of client.receive("export", {})) written.push(line + "\n");
    assert.equal(JSON.parse(written[0]!).kind, "header");
    const read = await client.send("import", { dry_run: true }, written);
    assert.ok(read.known > 0 && read.facts === 0, JSON.stringify(read));
  }
});

test("long work tells how it ends", async () => {
  assert.ok(await memory.follow("reindex", {}, (done, total) => assert.ok(done <= total || total === 0)));
  assert.equal((await refused(memory.follow("extractor_replay", { session: "none" }, () => {}))).code, "not_found");
});

test("events tell what happens", async () => {
  for (const client of [memory, tcp]) {
    const { events: [last] } = await client.call("events", { limit: 1 });
    const saved = await client.call("save", { content: `The choir sings on Friday ${client === tcp}` });
    const stop = new AbortController();
    for await (const event of client.events({ kinds: ["write"], after: last!.change, signal: stop.signal })) {
      assert.equal(event.ref, saved.decision_id);
      break;
    }
  }
});

test("a call can be canceled", async () => {
  for (const client of [memory, tcp]) {
    await assert.rejects(client.call("recall", { query: "x" }, { signal: AbortSignal.abort() }), { name: "AbortError" });
  }
});

test("the agent remembers across sessions", () => {
  const agent = fileURLToPath(new URL("../examples/agent.js", import.meta.url));
  const say = (session: string, text: string) => execFileSync(process.execPath, [agent, session, "scripted", model],
    { env: { ...process.env, STRATA_HOME: home }, input: text + "\n", encoding: "utf8", timeout: 60_000 });
  say("monday", "My cat's name is Whiskerino");
  assert.match(say("tuesday", "What is my cat's name?"), /Whiskerino/);
});
