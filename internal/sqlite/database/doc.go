// Package database opens one SQLite file for a store: the file itself, the
// connection that writes and those that read, each with its settings and with
// its statements prepared, the lock by which processes take turns, the
// checkpoints of the write-ahead log, and the codes of SQLite's errors. It knows
// no table.
package database

// A build that lacks the tag or the header says what to do.
import _ "github.com/strata-memory/strata/internal/base/buildcheck"
