// Package mcpserver serves operations of package ops as tools of the Model Context
// Protocol, documents as its resources, and what memory holds as its prompts.
//
// Names, schemas and texts come from the declarations in package ops; this
// package only carries them. A tool answers with a text for the model and with ids
// and figures by its output schema. What goes wrong is an answer that
// is marked as an error and holds {"code","message","hint"}, so that the model
// can correct its call.
//
// # Sessions
//
// Every connection is a session with an id of its own, under which what is asked
// and saved through it is recorded.
//
// # Ownership
//
// A server does not own the engine. [Serve] returns when the client is gone or
// its context ends; the caller then closes the engine. Subscriptions are watched in the
// background until the sessions that made them are gone, or the engine is closed.
package mcpserver
