import { request } from "node:http";
import { homedir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";

/** What a request holds. */
export interface Request {
  method: "GET" | "POST";
  headers: Record<string, string>;
  body?: string | ReadableStream<Uint8Array>;
  signal?: AbortSignal;
}

/** The socket of a home: by default $STRATA_HOME, or .strata in the home directory of the user. */
export function socketOf(home?: string): string {
  return join(home ?? process.env.STRATA_HOME ?? join(homedir(), ".strata"), "strata.sock");
}

/** Does over a Unix socket what fetch does over TCP: fetch knows no sockets. */
export function fetchOverSocket(socketPath: string, path: string, { method, headers, body, signal }: Request): Promise<Response> {
  return new Promise((resolve, reject) => {
    const req = request({ socketPath, path, method, headers: { ...headers, host: "strata" }, signal }, (res) => {
      const answered = new Headers();
      for (const [name, value] of Object.entries(res.headers)) answered.set(name, String(value));
      resolve(new Response(Readable.toWeb(res) as ConstructorParameters<typeof Response>[0], { status: res.statusCode, headers: answered }));
    });
    req.on("error", reject);
    if (body === undefined || typeof body === "string") req.end(body);
    else Readable.fromWeb(body).on("error", (err) => req.destroy(err)).pipe(req);
  });
}
