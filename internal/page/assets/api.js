// The operations of the server, as /v1/NAME has them.

/** Failure is an error that the server answered with. */
export class Failure extends Error {
  constructor({ code, message, hint, details, request_id, output }, status) {
    super(message);
    Object.assign(this, { code, hint, details, request: request_id, output, status });
  }
}

const headers = { "Content-Type": "application/json", "Strata-Page": "1" };

/** send asks the server and reads its answer. */
async function send(method, path, body, more = {}, signal) {
  let answer;
  try {
    answer = await fetch(path, { method, body: body && JSON.stringify(body), headers: { ...headers, ...more }, credentials: "same-origin", signal });
  } catch (err) {
    if (err.name === "AbortError") throw err;
    throw new Failure({ code: "unavailable", message: "The server does not answer", hint: "see whether strata ui or strata serve still runs, then load this page again" }, 0);
  }
  let out;
  try {
    out = await answer.json();
  } catch {
    throw new Failure({ code: "internal", message: "The answer cannot be read", hint: "load this page again" }, answer.status);
  }
  if (!answer.ok) throw new Failure(out, answer.status);
  return out;
}

/** memory says whose memory is looked at. An empty scope is the server's own. */
export const memory = { scope: "" };

/** look calls an operation that reads, in the chosen scope and those above it. */
export function look(op, input = {}, signal) {
  const where = memory.scope ? { scope: memory.scope, above: true } : {};
  return send("POST", "/v1/" + op, { ...where, ...input }, {}, signal);
}

/** own are the decisions that this page has made: it shows what became of them already. */
export const own = new Set();

/** change calls an operation that writes, in one scope. The page has asked before. */
export async function change(op, input = {}, scope = memory.scope) {
  const out = await send("POST", "/v1/" + op, scope ? { scope, ...input } : input);
  for (const d of [out, ...(out.decisions || [])]) {
    for (const id of [d.decision_id, d.id, d.decision]) if (id) own.add(id);
  }
  return out;
}

/** follow yields what happens to memory, in the chosen scope and those above it, until the server ends. */
export async function* follow(scope, after, signal) {
  const query = new URLSearchParams(scope ? { scope, above: true } : {});
  if (after) query.set("after", after);
  const answer = await fetch("/v1/events?" + query, { headers, credentials: "same-origin", signal });
  if (!answer.ok) throw new Failure(await answer.json(), answer.status);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ""; ;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) if (line.startsWith("data:")) yield JSON.parse(line.slice(5));
  }
}

/** enter shows a code of the server; failing that, its token. */
export async function enter(secret) {
  try {
    await send("POST", "/visit", { code: secret });
  } catch (err) {
    if (err.status !== 401) throw err;
    await send("POST", "/visit", { code: "" }, { Authorization: "Bearer " + secret });
  }
}

export const leave = () => send("DELETE", "/visit");
