/** What a server says of an error. The codes never change; docs/server.md lists them. */
export interface Failure {
  code: string;
  message: string;
  hint?: string;
  details?: Record<string, string>;
  /** The id under which the server's log has more. */
  request_id?: string;
  /** What the operation did nevertheless, where it did its work and that amounts to a failure. */
  output?: unknown;
}

/** An error of the server, or `unavailable` where none answers. */
export class StrataError extends Error implements Failure {
  override readonly name = "StrataError";
  readonly code: string;
  readonly hint?: string;
  readonly details?: Record<string, string>;
  readonly request_id?: string;
  readonly output?: unknown;

  constructor(failure: Failure, options?: ErrorOptions) {
    super(failure.message, options);
    this.code = failure.code;
    this.hint = failure.hint;
    this.details = failure.details;
    this.request_id = failure.request_id;
    this.output = failure.output;
  }
}

/** The error that a text holds; one of `unavailable` where it holds none. */
export function failureOf(text: string, status: number): StrataError {
  try {
    const failure = JSON.parse(text) as Failure;
    if (typeof failure.code === "string") return new StrataError(failure);
  } catch {
    // It is no JSON, so it is not Strata that answers.
  }
  return new StrataError({ code: "unavailable", message: `the server answers with status ${status}`, hint: "see whether it is a server of Strata" });
}
