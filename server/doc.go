// Package server serves the operations of package ops over HTTP, on a Unix socket in the
// home and, if asked for, on a TCP address.
//
// POST /v1/NAME runs the operation of that name, as in ops, with underscores. Its input
// is a JSON object with the operation's fields, and two more: scope, which names the one
// scope that the call sees and writes, and yes, without which nothing is removed or
// undone that a command line would ask about. The answer is the operation's output as
// JSON, or an error with a permanent code; docs/server.md has the details.
//
// # Trust
//
// Whoever can open the socket can read the files of the home, so it asks for nothing.
// Over TCP every request shows the token of the home, and is refused if its Host could be
// that of another site or its Origin is one. See [Server.Open] and [Server.Guarded].
//
// # Commands
//
// Runs of the command strata have paths of their own, over the socket alone, at which the
// server works in their place: see [Attachment] and package internal/attach.
//
// # Ownership
//
// A server owns neither the engine nor the handler of MCP. [Server.Serve] returns when
// its context ends and the requests under way are answered or given up; the caller then
// closes the engine.
package server
