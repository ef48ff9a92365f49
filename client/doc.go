// Package client gives Go programs memory without cgo or build flags. It calls the server
// of a home over the Unix socket in the home or over TCP; [Open] starts the server if
// none is running.
//
//	c, err := client.Open(ctx, client.Options{})   // the default home
//	if err != nil { ... }
//	defer c.Close()
//	if _, err := c.Save(ctx, "My cat's name is Whiskerino"); err != nil { ... }
//	hits, err := c.Recall(ctx, "what is my cat called?")
//
// To start a server, the command strata must be in PATH or named in Options.Command. A
// running server needs nothing.
//
// Save, Recall, Search and Forget are what most programs need. [Client.Call] runs any
// operation; docs/cli-json.md and GET /openapi.json of a server describe its inputs and
// outputs. Every input may have a scope. Without one, a call reads from and writes to the
// global scope.
//
// # Errors
//
// If a server refuses a call, the error is a [*strata.Error] with its code, message, hint
// and details. If a call gets no answer, [ErrNotTaken] and [ErrLost] tell whether it may
// have been done.
package client
