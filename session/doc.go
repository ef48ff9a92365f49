// Package session keeps what a conversation was and what it began with.
//
// # Ledger
//
// The ledger is the record of a session as JSON lines: a line about the
// session, then one for each turn, in order, with tool calls, images and the
// answers of tools. [LedgerWriter] makes it when a session is closed. The same
// session always gives the same bytes. [ReadLedger] accepts a whole ledger or
// says which line is wrong; [NewLedgerReader] does the same turn by turn, so
// that a long session need not fit into memory. The format is described in
// docs/formats/ledger.md.
//
// # Snapshot
//
// The snapshot is the part of memory that is in the prompt of a session from its
// first turn on: how to use memory, the files of the workspace, the user's
// standing rules, an index of each scope, the facts that are used most, the skills by
// their names, learnings and a summary. [Compose]
// makes it from values that the caller has read, within [Limits]. It is frozen:
// the text stays the same, byte for byte, until the next generation
// ([Snapshot.Next]), so that a model's cache of the prompt holds. A session that
// works for another inherits its snapshot ([Inherit]) and cannot change it.
// The text is described in docs/formats/snapshot.md.
//
// Everything here is pure: no files, no clock, no state.
package session
