// Calls every tool through the MCP Inspector and checks the JSON it prints.
// Usage: node check.mjs INSPECTOR STRATA HOME
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const [inspector, strata, home] = process.argv.slice(2);
const env = ["STRATA_HOME=" + home, "STRATA_SCOPE=global"];

// The Inspector takes every flag for its own, so the server with all tools is a script.
const all = join(home, "all-tools");
writeFileSync(all, `#!/bin/sh\nexec "${resolve(strata)}" mcp --tools all\n`, { mode: 0o700 });

// ask runs the Inspector once, with a server of its own that has all tools, and returns
// its answer.
function ask(...args) {
  return askServer([all], ...args);
}

function askServer(server, ...args) {
  const out = execFileSync(
    inspector,
    ["--cli", ...env.flatMap((e) => ["-e", e]), ...server, ...args],
    { encoding: "utf8", timeout: 60_000, stdio: ["ignore", "pipe", "inherit"] },
  );
  return JSON.parse(out);
}

function call(tool, input = {}) {
  const args = Object.entries(input).flatMap(([name, value]) => ["--tool-arg", `${name}=${value}`]);
  return ask("--method", "tools/call", "--tool-name", tool, ...args);
}

// refused checks that a call is answered with an error of the given code.
function refused(code, tool, input) {
  const answer = call(tool, input);
  assert.equal(answer.isError, true);
  assert.equal(answer.structuredContent, undefined);
  const error = JSON.parse(answer.content[0].text);
  assert.equal(error.code, code);
  assert.ok(error.message && error.hint, "an error has a message and a hint");
}

const steps = {
  "tools/list": () => {
    const core = [
      "memory_append", "memory_context", "memory_expand", "memory_forget", "memory_learn", "memory_list", "memory_recall", "memory_save",
      "memory_search", "memory_undo", "memory_update", "remember",
    ];
    const names = (list) => list.tools.map((t) => t.name).sort();
    assert.deepEqual(names(askServer([strata, "mcp"], "--method", "tools/list")), core);
    const { tools } = ask("--method", "tools/list");
    assert.deepEqual(
      names({ tools }),
      [
        ...core, "memory_checkpoint", "memory_decisions", "memory_events", "memory_history", "memory_learnings", "memory_questions_answer",
        "memory_questions_list", "memory_think",
      ].sort(),
    );
    for (const t of tools) {
      assert.equal(t.inputSchema.type, "object");
      if (t.annotations.readOnlyHint) assert.equal(t.outputSchema.type, "object");
      assert.equal(t.inputSchema.additionalProperties, false);
      assert.equal(t.annotations.destructiveHint === true, ["memory_forget", "memory_undo"].includes(t.name));
    }
  },
  "prompts and resources": () => {
    const { prompts } = ask("--method", "prompts/list");
    assert.deepEqual(prompts.map((p) => p.name).sort(), ["memory_context", "memory_guide"]);
    const prompt = ask("--method", "prompts/get", "--prompt-name", "memory_context", "--prompt-args", "budget=300");
    assert.equal(prompt.messages[0].role, "user");
    for (const r of ask("--method", "resources/list").resources) {
      assert.ok(ask("--method", "resources/read", "--uri", r.uri).contents[0].text, r.uri);
    }
  },
  memory_save: () => {
    const saved = call("memory_save", { content: "My cat's name is Whiskerino", type: "user" });
    assert.equal(saved.isError, undefined);
    assert.equal(saved.structuredContent.decision, "add");
    assert.match(saved.content[0].text, /^add fact_/);
    return saved.structuredContent.id;
  },
  memory_recall: (id) => {
    const { structuredContent, content } = call("memory_recall", { query: "what is my cat called?", max_results: 3 });
    assert.equal(structuredContent.hits[0].id, id);
    assert.equal(structuredContent.hits[0].text, undefined);
    assert.match(content[0].text, /My cat's name is Whiskerino/);
    return id;
  },
  "memory_list, memory_update and memory_undo": (id) => {
    assert.equal(call("memory_list", { subject: "me" }).structuredContent.total, 1);
    const updated = call("memory_update", { id, content: "My cat's name is Tom" }).structuredContent;
    assert.equal(updated.id, id);
    const undone = call("memory_undo", { what: updated.decision_id });
    assert.equal(undone.structuredContent.decisions[0].reverts, updated.decision_id);
    assert.match(call("memory_list", { subject: "cat" }).content[0].text, /Whiskerino/);
    return id;
  },
  "memory_search and memory_expand": (id) => {
    const turn = (seq, text) => ({
      kind: "turn",
      turn: { id: `turn_${seq}`, scope: { kind: "global" }, session: "monday", seq, role: "user", text, at: "2026-03-02T09:00:00Z" },
    });
    const file = join(home, "talk.jsonl");
    const lines = [
      { kind: "header", format: "strata-export", version: 1 },
      { kind: "session", session: { id: "monday", scope: { kind: "global" }, kind: "main", started_at: "2026-03-02T09:00:00Z" } },
      turn(1, "Shall we plan the renovation?"),
      turn(2, "The blue tiles are for the bath"),
      turn(3, "And cork for the hall"),
    ];
    writeFileSync(file, lines.map((l) => JSON.stringify(l) + "\n").join(""));
    execFileSync(strata, ["import", file, "--home", home, "--quiet"], { stdio: ["ignore", "ignore", "inherit"] });
    const hit = call("memory_search", { query: "blue tiles" }).structuredContent.hits[0];
    assert.equal(hit.session, "monday");
    assert.equal(hit.seq, 2);
    const around = call("memory_expand", { session: hit.session, from: 1, to: 3 });
    assert.deepEqual(around.structuredContent.turns.map((t) => t.seq), [1, 2, 3]);
    assert.match(around.content[0].text, /cork for the hall/);
    const found = call("memory_expand", { session: "monday", query: "cork" }).structuredContent;
    assert.deepEqual(found.turns.map((t) => t.seq), [3]);
    return id;
  },
  "remember, memory_checkpoint and memory_history": (id) => {
    const noted = call("remember", {
      content: "The spare key hangs behind the green door of the shed.", title: "Where the spare key is", type: "reference",
    });
    assert.equal(noted.isError, undefined, JSON.stringify(noted));
    const path = noted.structuredContent.path;
    const hit = call("memory_search", { query: "where is the spare key?" }).structuredContent.hits.find((h) => h.kind === "section");
    assert.ok(hit.where.startsWith(path + ":"), hit.where);
    const first = call("memory_checkpoint", { note: "the spare key" }).structuredContent;
    assert.equal(first.ok, true);
    const { commits } = call("memory_history", { limit: 5 }).structuredContent;
    assert.ok(commits.length > 0, "the history has commits");
    const newest = commits[0];
    assert.match(newest.short_oid, /^[0-9a-f]{7}$/);
    assert.ok(newest.subject && Date.parse(newest.timestamp), JSON.stringify(newest));
    return id;
  },
  "mistakes are tool errors": (id) => {
    refused("invalid", "memory_save", { text: "a name that is not declared" });
    refused("not_found", "memory_forget", { id: "fact_0" });
    return id;
  },
  memory_forget: (id) => {
    const dry = call("memory_forget", { id, dry_run: true });
    assert.equal(dry.structuredContent.dry_run, true);
    assert.equal(call("memory_forget", { id }).structuredContent.versions, 3); // saved, updated, undone
    assert.deepEqual(call("memory_recall", { query: "cat" }).structuredContent.hits, []);
  },
};

let state;
for (const [name, step] of Object.entries(steps)) {
  state = step(state);
  console.log(`ok  ${name}`);
}
