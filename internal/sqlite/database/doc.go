// Package database opens one SQLite file for a store. It provides the file itself,
// the connections that write and read, each with its settings and its prepared
// statements, the lock by which processes take turns, the checkpoints of the
// write-ahead log, and the codes of SQLite's errors. It knows nothing of the tables.
package database

// This makes a build that lacks the tag or the header say what to do.
import _ "github.com/strata-memory/strata/internal/base/buildcheck"
