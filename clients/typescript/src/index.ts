export { Client, type CallOptions, type EventOptions, type MemoryEvent, type Options } from "./client.js";
export { StrataError } from "./error.js";
export type { Input, LinesIn, LinesOut, Operation, Operations, Output } from "./operations.js";
