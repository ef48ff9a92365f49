// Runs the memory tool of Anthropic's SDK over Strata, by the command and over HTTP, and
// compares every answer with that of the SDK's own tool over a directory.
// Usage: node check.mjs STRATA HOME
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { request } from "node:http";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import Anthropic from "@anthropic-ai/sdk";
import { betaMemoryTool } from "@anthropic-ai/sdk/helpers/beta/memory";
import { BetaLocalFilesystemMemoryTool } from "@anthropic-ai/sdk/tools/memory/node";

const [strata, home] = process.argv.slice(2);
const commands = ["view", "create", "str_replace", "insert", "delete", "rename"];

// handlers makes the handlers of the helper of a function that answers a call.
function handlers(answer) {
  const handle = async (call) => {
    const { content, is_error } = await answer(call);
    if (is_error) throw new Error(content);
    return content;
  };
  return Object.fromEntries(commands.map((c) => [c, handle]));
}

// byCommand answers by strata memory-tool, a line for each call.
function byCommand(dir) {
  const args = ["--home", dir, "--scope", "global", "-o", "jsonl", "memory-tool"];
  const child = spawn(resolve(strata), args, { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    answer: async (call) => {
      child.stdin.write(JSON.stringify(call) + "\n");
      return JSON.parse((await lines.next()).value);
    },
    close: () => new Promise((done) => (child.on("exit", done), child.stdin.end())),
  };
}

// byServer answers over the socket of strata serve.
async function byServer(dir) {
  const socket = join(dir, "strata.sock");
  const child = spawn(resolve(strata), ["--home", dir, "--scope", "global", "serve"], { stdio: ["ignore", "pipe", "ignore"] });
  const post = (path, body) =>
    new Promise((done, fail) => {
      const headers = { "Content-Type": "application/json" };
      const r = request({ socketPath: socket, path, method: "POST", headers }, (res) => {
        let text = "";
        res.on("data", (d) => (text += d)).on("end", () => done({ status: res.statusCode, body: JSON.parse(text) }));
      });
      r.on("error", fail).end(JSON.stringify(body));
    });
  await new Promise((done) => child.stdout.once("data", done));
  return {
    answer: async (call) => {
      const { status, body } = await post("/v1/memory_tool", call);
      assert.equal(status, 200, JSON.stringify(body));
      return body;
    },
    close: () => new Promise((done) => (child.on("exit", done), child.kill("SIGTERM"))),
  };
}

const calls = [
  { command: "view", path: "/memories" },
  { command: "view", path: "/memories/notes.txt" },
  { command: "create", path: "/memories/notes.txt", file_text: "Meeting notes:\n- Discussed project timeline\n- Next steps defined\n" },
  { command: "create", path: "/memories/notes.txt", file_text: "again" },
  { command: "create", path: "/memories/projects/shop/deploys.md", file_text: "# Deploys\n\nTuesdays" },
  { command: "create", path: "/memories/preferences.xml", file_text: "<a>\n  <b>$& \\n</b>\n</a>" },
  { command: "view", path: "/memories" },
  { command: "view", path: "/memories/projects" },
  { command: "view", path: "/memories/notes.txt" },
  { command: "view", path: "/memories/notes.txt", view_range: [2, 3] },
  { command: "view", path: "/memories/notes.txt", view_range: [2, -1] },
  { command: "str_replace", path: "/memories/notes.txt", old_str: "timeline", new_str: "budget $1" },
  { command: "str_replace", path: "/memories/notes.txt", old_str: "timeline", new_str: "x" },
  { command: "str_replace", path: "/memories/notes.txt", old_str: "- ", new_str: "x" },
  { command: "str_replace", path: "/memories/projects", old_str: "- ", new_str: "x" },
  { command: "str_replace", path: "/memories/none.md", old_str: "- ", new_str: "x" },
  { command: "insert", path: "/memories/notes.txt", insert_line: 0, insert_text: "Top\n" },
  { command: "insert", path: "/memories/notes.txt", insert_line: 5, insert_text: "Bottom" },
  { command: "insert", path: "/memories/notes.txt", insert_line: 99, insert_text: "x" },
  { command: "insert", path: "/memories/none.md", insert_line: 0, insert_text: "x" },
  { command: "view", path: "/memories/notes.txt" },
  { command: "rename", old_path: "/memories/notes.txt", new_path: "/memories/preferences.xml" },
  { command: "rename", old_path: "/memories/notes.txt", new_path: "/memories/archive/2026/notes.txt" },
  { command: "rename", old_path: "/memories/notes.txt", new_path: "/memories/other.txt" },
  { command: "rename", old_path: "/memories/projects", new_path: "/memories/office" },
  { command: "view", path: "/memories" },
  { command: "view", path: "/memories/office/shop/deploys.md" },
  { command: "view", path: "/memories/preferences.xml" },
  { command: "delete", path: "/memories/office" },
  { command: "delete", path: "/memories/office" },
  { command: "delete", path: "/memories" },
  { command: "view", path: "/memories/../../etc/passwd" },
  { command: "view", path: "/etc/passwd" },
  { command: "view", path: "/memories" },
];

// answered is what the helper gives for a call: its text, or the error. The sizes of
// directories are those of a disk, so they are left out.
async function answered(tool, call) {
  const text = await Promise.resolve(tool.run(tool.parse(call))).catch((err) => "Error: " + err.message);
  return text.replace(/^[\d.]+[BKM]\t(.*)$/gm, (line, path) => (path.endsWith("/") || path === call.path ? "DIR\t" + path : line));
}

// defused is a text as memory shows it: what begins a tag only looks like one.
const defused = (text) => text.replace(/<+(?=[\p{L}/!?|])/gu, (signs) => "‹".repeat(signs.length));

async function compare(name, answer) {
  const dir = join(home, name + "-disk");
  mkdirSync(dir);
  const theirs = betaMemoryTool(await BetaLocalFilesystemMemoryTool.init(dir));
  const ours = betaMemoryTool(handlers(answer));
  for (const call of calls) {
    const want = defused(await answered(theirs, call));
    assert.equal(await answered(ours, call), want, JSON.stringify(call));
  }
  console.log(`ok  ${name}: ${calls.length} calls answered as the SDK's own files answer them`);
}

// converse runs the SDK's loop over tools with a model that plays back what it says.
async function converse(answer) {
  const use = (id, input) => ({ type: "tool_use", id, name: "memory", input });
  const turns = [
    [use("t1", { command: "view", path: "/memories" })],
    [use("t2", { command: "create", path: "/memories/languages.md", file_text: "Prefers TypeScript.\n" }), use("t3", { command: "view", path: "/memories/none" })],
    [{ type: "text", text: "I will remember it." }],
  ];
  const sent = [];
  const fetch = async (_, init) => {
    sent.push(JSON.parse(init.body));
    const content = turns[sent.length - 1];
    const stop_reason = content[0].type === "text" ? "end_turn" : "tool_use";
    const message = { id: "m" + sent.length, type: "message", role: "assistant", model: "none", content, stop_reason, usage: { input_tokens: 1, output_tokens: 1 } };
    return new Response(JSON.stringify(message), { headers: { "Content-Type": "application/json" } });
  };
  const client = new Anthropic({ apiKey: "none", fetch });
  const runner = client.beta.messages.toolRunner({
    model: "none", max_tokens: 100, messages: [{ role: "user", content: "Remember that I like TypeScript" }], tools: [betaMemoryTool(handlers(answer))],
  });
  await runner.runUntilDone();
  assert.deepEqual(sent[0].tools, [{ type: "memory_20250818", name: "memory" }]);
  const results = sent.slice(1).flatMap((body) => body.messages.at(-1).content).filter((c) => c.type === "tool_result");
  assert.deepEqual(results.map((r) => r.tool_use_id), ["t1", "t2", "t3"]);
  assert.match(JSON.stringify(results[0].content), /Here're the files and directories/);
  assert.match(JSON.stringify(results[1].content), /File created successfully at: \/memories\/languages.md/);
  assert.equal(results[2].is_error, true);
  assert.match(JSON.stringify(results[2].content), /The path \/memories\/none does not exist/);
  console.log("ok  the SDK's loop over tools: 3 calls");
}

for (const [name, start] of Object.entries({ command: byCommand, server: byServer })) {
  const dir = join(home, name);
  mkdirSync(dir);
  const face = await start(dir);
  try {
    await compare(name, face.answer);
    await converse(face.answer);
  } finally {
    await face.close();
  }
}
