/** One server-sent event. */
export interface ServerEvent {
  name: string;
  data: string;
}

/** Reads server-sent events, as the server writes them: the data of each is on one line. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  let name = "", data = "";
  for await (const line of readLines(body)) {
    if (line.startsWith("event:")) name = line.slice(6).trim();
    else if (line.startsWith("data:")) data = line.slice(5).trim();
    else if (line === "" && name !== "") {
      yield { name, data };
      name = data = "";
    }
  }
}

/** Reads lines, without their ends. Who stops early closes the connection. */
export async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const part of body) {
    const lines = (rest + decoder.decode(part, { stream: true })).split("\n");
    rest = lines.pop()!;
    yield* lines;
  }
  if (rest !== "") yield rest;
}
