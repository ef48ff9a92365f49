// Drives mem0's memory for bench/lab/peers: one JSON request a line on standard
// input, one JSON answer a line on standard output. No model is asked; vectors
// come from the embedding server whose address is the first argument.
import { createInterface } from "node:readline";
import { Memory } from "mem0ai/oss";

const [embedder, dimensions] = process.argv.slice(2);
const memory = new Memory({
  embedder: {
    provider: "openai",
    config: { apiKey: "none", baseURL: embedder, model: "builtin", embeddingDims: Number(dimensions) },
  },
  vectorStore: {
    provider: "memory",
    config: { collectionName: "peers", dimension: Number(dimensions), dbPath: ":memory:" },
  },
  // Named because the library asks for one; with infer false it is not called.
  llm: { provider: "openai", config: { apiKey: "none", baseURL: embedder, model: "none" } },
  disableHistory: true,
});
const userId = "bench";

// The library logs to standard output, which is for answers here.
console.log = console.info = console.error;

async function answer({ add, search, limit }) {
  if (add) {
    for (const text of add) await memory.add(text, { userId, infer: false });
    return { added: add.length };
  }
  // A threshold of 0 leaves nothing out that is among the first.
  const found = await memory.search(search, { filters: { user_id: userId }, topK: limit, threshold: 0 });
  return { found: found.results.map((r) => r.memory) };
}

for await (const line of createInterface({ input: process.stdin })) {
  let out;
  try {
    out = await answer(JSON.parse(line));
  } catch (e) {
    out = { error: String(e) };
  }
  process.stdout.write(JSON.stringify(out) + "\n");
}
