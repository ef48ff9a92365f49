// Package client is memory for a program in Go without cgo and without build flags: it calls
// the server of a home, which [Open] starts where none runs, over the Unix socket in the home
// or over TCP.
//
//	c, err := client.Open(ctx, client.Options{})   // the default home
//	if err != nil { ... }
//	defer c.Close()
//	if _, err := c.Save(ctx, "My cat's name is Whiskerino"); err != nil { ... }
//	hits, err := c.Recall(ctx, "what is my cat called?")
//
// The command strata must be in PATH, or named in Options.Command, where a server is to be
// started; a server that runs needs nothing.
//
// Save, Recall, Search and Forget are what most programs need. [Client.Call] runs any
// operation: inputs and outputs are those of docs/cli-json.md, and GET /openapi.json of a
// server describes them, too. Every input may have a scope; without one a call sees the
// global scope and writes to it.
//
// # Errors
//
// What a server refuses is a [*strata.Error] with its code, message, hint and details. Where
// a call has no answer, [ErrNotTaken] and [ErrLost] tell whether it may have been done.
package client
