// Drives the server with the TypeScript SDK of the protocol, as hard as clients may: many
// calls at once, calls given up, messages that are too long, a server that is started anew.
// Usage: node sdk.mjs STRATA HOME ADDRESS
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [strata, home, address] = process.argv.slice(2);
// Modules are installed where the script is started.
const require = createRequire(join(process.cwd(), "bin/conformance/"));
const load = (path) => import(pathToFileURL(require.resolve(`@modelcontextprotocol/sdk/client/${path}.js`)));
const { Client } = await load("index");
const { StdioClientTransport } = await load("stdio");
const { StreamableHTTPClientTransport } = await load("streamableHttp");

const transports = {
  stdio: () => new StdioClientTransport({ command: strata, args: ["mcp"], env: { ...process.env, STRATA_HOME: home, STRATA_SCOPE: "global" }, stderr: "inherit" }),
  HTTP: () => new StreamableHTTPClientTransport(new URL(address)),
};

async function connect(transport) {
  const client = new Client({ name: "stress", version: "1" });
  await client.connect(transports[transport]());
  return client;
}

const call = (client, name, args, options) => client.callTool({ name, arguments: args }, undefined, options);
/** name is one that no other of them holds. */
const name = (i) => "Bdfgk"[i % 5] + "aeiou"[Math.floor(i / 5) % 5] + "lmnrt"[Math.floor(i / 25)] + "orvik";
const text = (answer) => answer.content[0].text;

const checks = {
  /** Every call gets its own answer. */
  async "50 calls at once"(client) {
    const saved = await Promise.all(Array.from({ length: 50 }, (_, i) => call(client, "memory_save", { content: `${name(i)} keeps a telescope in locker ${i}`, type: "user" })));
    assert.equal(new Set(saved.map((a) => a.structuredContent.id)).size, 50);
    const found = await Promise.all(Array.from({ length: 50 }, (_, i) => call(client, "memory_recall", { query: `what does ${name(i)} keep?`, max_results: 3 })));
    for (const [i, answer] of found.entries()) assert.match(text(answer), new RegExp(`${name(i)} keeps a telescope`));
  },
  /** What is given up keeps nobody from going on. */
  async "calls that are given up"(client) {
    const given = await Promise.allSettled(Array.from({ length: 20 }, (_, i) => {
      const stop = new AbortController();
      const answer = call(client, "memory_recall", { query: `what does ${name(i)} keep?` }, { signal: stop.signal });
      stop.abort("enough");
      return answer;
    }));
    assert.ok(given.every((g) => g.status === "rejected"));
    assert.match(text(await call(client, "memory_recall", { query: `what does ${name(3)} keep?` })), /in locker 3/);
  },
  /** A message that is too long is answered under its id, and the session goes on. */
  async "arguments of 9 MiB"(client) {
    await assert.rejects(call(client, "memory_save", { content: "x".repeat(9 << 20) }, { timeout: 60_000 }), (err) => /8 MiB|too long|longer/.test(err.message) || assert.fail(err.message));
    const large = await call(client, "memory_save", { content: "y".repeat(4 << 20) }, { timeout: 60_000 });
    assert.equal(large.isError, true);
    assert.equal(JSON.parse(text(large)).code, "too_large");
    assert.equal((await client.listTools()).tools.some((t) => t.name === "memory_save"), true);
  },
};

for (const transport of Object.keys(transports)) {
  let client = await connect(transport);
  for (const [name, check] of Object.entries(checks)) {
    await check(client);
    console.log(`ok  ${name}, over ${transport}`);
  }
  await client.close();
  client = await connect(transport);
  assert.match(text(await call(client, "memory_recall", { query: `what does ${name(8)} keep?` })), /in locker 8/);
  console.log(`ok  it goes on in a new session, over ${transport}`);
  await client.close();
}
