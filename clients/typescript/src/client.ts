import { ReadableStream } from "node:stream/web";
import { type Failure, failureOf, StrataError } from "./error.js";
import { readEvents, readLines } from "./events.js";
import type { Input, LinesIn, LinesOut, Operation, Output } from "./operations.js";
import { fetchOverSocket, type Request, socketOf } from "./socket.js";

/** Says where the server is; without anything, at the socket of the default home. */
export interface Options {
  /** Directory of the home whose socket is called. */
  home?: string;
  /** Address of a server on TCP, such as http://127.0.0.1:7117; then `home` is not used. */
  url?: string;
  /** What a server on TCP asks for: the content of its file server.token, or a token of `strata token add`. */
  token?: string;
}

export interface CallOptions {
  signal?: AbortSignal;
  /** Makes a call repeatable that decides about memory: the same key returns the same decision. */
  idempotencyKey?: string;
}

export interface EventOptions {
  scope?: string;
  /** Kinds of events, such as write.committed, or families of kinds, such as write. */
  kinds?: string[];
  /** The change of the last event that was seen; without it, from now on. */
  after?: number;
  signal?: AbortSignal;
}

/** Something that happened to memory. It holds no text of any. */
export interface MemoryEvent {
  change: number;
  kind: string;
  scope: string;
  ref?: string;
  detail?: string;
  at: string;
}

const json = "application/json", lines = "application/x-ndjson", events = "text/event-stream";

/** Calls the operations of one server. Errors are of the class StrataError; a canceled call throws its signal's reason. */
export class Client {
  readonly #options: Options;

  constructor(options: Options = {}) {
    this.#options = options;
  }

  /** Runs an operation. */
  async call<Name extends Operation>(operation: Name, input: Input<Name>, options: CallOptions = {}): Promise<Output<Name>> {
    const response = await this.#post(operation, input, options);
    return JSON.parse(await response.text()) as Output<Name>;
  }

  /** Runs an operation that takes long, without a limit of time, and tells how far it is. The total is 0 while unknown. */
  async follow<Name extends Operation>(
    operation: Name, input: Input<Name>, progress: (done: number, total: number) => void, options: CallOptions = {},
  ): Promise<Output<Name>> {
    const response = await this.#post(operation, input, options, events);
    for await (const event of readEvents(response.body!)) {
      if (event.name === "result") return JSON.parse(event.data) as Output<Name>;
      if (event.name === "error") throw new StrataError(JSON.parse(event.data) as Failure);
      const { done, total = 0 } = JSON.parse(event.data) as { done: number; total?: number };
      progress(done, total);
    }
    throw new StrataError({ code: "unavailable", message: "the answer breaks off", hint: "the server's log says why" });
  }

  /** Runs an operation that reads lines, such as import and ingest. */
  async send<Name extends LinesIn>(operation: Name, input: Input<Name>, body: Iterable<string> | AsyncIterable<string>, options: CallOptions = {}): Promise<Output<Name>> {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(input)) {
      for (const one of Array.isArray(value) ? value : [value]) query.append(name, String(one));
    }
    const response = await this.#do(`/v1/${operation}?${query}`, {
      method: "POST", headers: this.#headers(options, { "Content-Type": lines }), body: bytesOf(body), signal: options.signal,
    });
    return JSON.parse(await response.text()) as Output<Name>;
  }

  /** Runs an operation that writes lines, such as export. If they break off it throws, and what came is not all. */
  async *receive<Name extends LinesOut>(operation: Name, input: Input<Name>, options: CallOptions = {}): AsyncGenerator<string> {
    yield* readLines((await this.#post(operation, input, options)).body!);
  }

  /** Yields what happens to memory, in whichever process, until the server ends. Called again with `after` it misses nothing. */
  async *events(options: EventOptions = {}): AsyncGenerator<MemoryEvent> {
    const query = new URLSearchParams();
    if (options.scope !== undefined) query.set("scope", options.scope);
    for (const kind of options.kinds ?? []) query.append("kind", kind);
    if (options.after !== undefined) query.set("after", String(options.after));
    const response = await this.#do(`/v1/events?${query}`, { method: "GET", headers: this.#headers({}, {}), signal: options.signal });
    for await (const event of readEvents(response.body!)) {
      if (event.name === "error") throw new StrataError(JSON.parse(event.data) as Failure);
      yield JSON.parse(event.data) as MemoryEvent;
    }
  }

  #post(operation: string, input: object, options: CallOptions, accept = json): Promise<Response> {
    return this.#do(`/v1/${operation}`, {
      method: "POST", headers: this.#headers(options, { "Content-Type": json, Accept: accept }), body: JSON.stringify(input), signal: options.signal,
    });
  }

  #headers(options: CallOptions, headers: Record<string, string>): Record<string, string> {
    if (options.idempotencyKey !== undefined) headers["Idempotency-Key"] = options.idempotencyKey;
    if (this.#options.token !== undefined) headers["Authorization"] = `Bearer ${this.#options.token}`;
    return headers;
  }

  /** Sends a request, and throws what the server refuses it with. */
  async #do(path: string, request: Request): Promise<Response> {
    const { url, home } = this.#options;
    let response: Response;
    try {
      response = url === undefined
        ? await fetchOverSocket(socketOf(home), path, request)
        // No redirection is followed: the token is for one server.
        : await fetch(url.replace(/\/$/, "") + path, { ...request, redirect: "manual", duplex: "half" } as RequestInit);
    } catch (cause) {
      request.signal?.throwIfAborted();
      throw new StrataError({ code: "unavailable", message: `no server answers at ${url ?? socketOf(home)}`, hint: "start one with strata serve" }, { cause });
    }
    if (response.status !== 200) throw failureOf(await response.text(), response.status);
    return response;
  }
}

/** The bytes of texts, as a body is sent. */
function bytesOf(texts: Iterable<string> | AsyncIterable<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  async function* encoded() {
    for await (const text of texts) yield encoder.encode(text);
  }
  return ReadableStream.from(encoded());
}
