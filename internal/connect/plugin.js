// Written by strata connect for opencode, and taken out by strata connect opencode --remove.
// It gives sessions what memory holds, and memory what was said in them. What fails here
// fails silently: an agent works without memory, too.
import { spawn } from "node:child_process";

const strata = ["strata"];

// patience is how long a prompt waits for memory, in milliseconds.
const patience = 500;

// run gives a text to strata and returns what it prints, or nothing where it is late.
function run(args, input, directory) {
  return new Promise((done) => {
    const child = spawn(strata[0], [...strata.slice(1), ...args], { cwd: directory, stdio: ["pipe", "pipe", "ignore"] });
    const late = setTimeout(() => (child.kill(), done("")), patience);
    let out = "";
    child.stdout.on("data", (data) => (out += data));
    child.on("error", () => done(""));
    child.on("close", () => (clearTimeout(late), done(out)));
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
}

// ask calls a hook and returns what it adds to the context.
async function ask(hook, event, input, directory) {
  const out = await run(["hook", hook], JSON.stringify({ hook_event_name: event, ...input }), directory);
  return out ? JSON.parse(out).hookSpecificOutput.additionalContext : "";
}

// keep hands a conversation to memory, which takes in each message once. Nobody waits.
function keep(info, messages, directory) {
  const child = spawn(strata[0], [...strata.slice(1), "--quiet", "ingest", "-"], { cwd: directory, stdio: ["pipe", "ignore", "ignore"], detached: true });
  child.on("error", () => {});
  child.stdin.on("error", () => {});
  child.stdin.end(JSON.stringify({ info, messages }));
  child.unref();
}

// quietly runs a hook that must not fail the agent.
const quietly = (hook) => async (...args) => {
  try {
    await hook(...args);
  } catch {}
};

// sessions holds what memory knows for each session of a directory.
function sessions(directory) {
  const known = new Map();
  return {
    async prompt(id, text) {
      const start = known.get(id)?.start ?? ask("session-start", "SessionStart", { session_id: id }, directory).catch(() => "");
      const hint = text.trim() ? ask("prompt", "UserPromptSubmit", { session_id: id, prompt: text }, directory).catch(() => "") : "";
      const texts = await Promise.all([start, hint]);
      known.set(id, { start: texts[0], texts: texts.filter(Boolean) });
    },
    texts: (id) => known.get(id)?.texts ?? [],
  };
}

// ended are the events after which an agent waits for its user.
const ended = ["session.idle", "session.execution.succeeded", "session.execution.failed", "session.execution.interrupted"];

// exported is a message of opencode 2 as opencode 1 exports it.
function exported(m) {
  const content = m.type === "user" ? [{ type: "text", text: m.text }] : (m.content ?? []);
  const parts = content.map((p) => (p.type === "tool" ? { type: "tool", callID: p.id, tool: p.name, state: p.state } : p));
  return { info: { id: m.id, role: m.type, time: m.time }, parts };
}

export default {
  id: "strata",

  // opencode 1 calls server.
  async server({ client, directory }) {
    const memory = sessions(directory);
    return {
      "chat.message": quietly(async ({ sessionID }, { parts }) => {
        const written = parts.filter((p) => p.type === "text" && !p.synthetic);
        await memory.prompt(sessionID, written.map((p) => p.text).join("\n"));
      }),
      "experimental.chat.system.transform": quietly(async ({ sessionID }, { system }) => {
        system.push(...memory.texts(sessionID));
      }),
      event: quietly(async ({ event }) => {
        if (!ended.includes(event.type)) return;
        const path = { id: event.properties.sessionID };
        const [info, messages] = await Promise.all([client.session.get({ path }), client.session.messages({ path })]);
        keep(info.data, messages.data, directory);
      }),
    };
  },

  // opencode 2 calls setup.
  async setup(ctx) {
    const directory = ctx.location.directory;
    const memory = sessions(directory);
    await ctx.session.hook("prompt", quietly((e) => memory.prompt(e.sessionID, e.prompt.text ?? "")));
    await ctx.session.hook("context", quietly((e) => {
      for (const text of memory.texts(e.sessionID)) e.system.push({ type: "text", text });
    }));
    const end = new AbortController();
    const follow = async () => {
      for await (const event of ctx.event.subscribe({ signal: end.signal })) {
        const id = event.data?.sessionID;
        if (!id || !ended.includes(event.type)) continue;
        await quietly(async () => {
          const said = await ctx.session.context({ sessionID: id });
          const messages = said.filter((m) => m.type === "user" || m.type === "assistant").map(exported);
          keep({ id, directory }, messages, directory);
        })();
      }
    };
    follow().catch(() => {});
    return () => end.abort();
  },
};
