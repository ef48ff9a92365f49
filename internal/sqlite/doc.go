// Package sqlite is a [store.Store] in one SQLite file, with full-text search
// by FTS5 and vectors that sqlite-vec measures, in SQL. It must be built with the
// tag sqlite_fts5.
//
// # Numbers
//
// Every row that a scope owns has a number: the scope's own number in the
// upper bits, a count from 1 in the lower 40. Numbers are the rowids of facts,
// turns and decisions and of all parts of the index made from them. So the
// rows of one scope are one contiguous range of every table, "number BETWEEN
// low AND high" confines any scan, b-tree or FTS5 alike, to a scope at no cost,
// and a small scope is as quick as if it had a database of its own. Numbers
// are not used again. A scope gets its number when it first owns something
// and keeps it for good.
//
// # Tables
//
// The schema is in the files of package migration, which are applied once,
// in order, and never changed after a release: 0001 holds the authority (facts
// by version, turns, decisions, tombstones), 0002 the index derived from it.
// Times are microseconds since 1970 in UTC.
//
// # Writing
//
// One connection writes; functions that wait for it share a durable commit
// (see commitgroup.go). Several processes take turns at a lock file beside the
// database (see [database.Lock]). Statements of a write cannot be interrupted,
// because SQLite would undo the whole transaction with what others put into
// it: a context that ends is noticed between statements.
//
// # Reading
//
// A pool of connections that cannot write reads, each View in a transaction of
// its own, while others write and without waiting for them. Statements of a read
// end with their context.
//
// # Files
//
// Beside the database "strata.db" lie "strata.db-wal" (the write-ahead log),
// "strata.db-shm" (its index, shared by the processes) and "strata.db-lock".
// All are readable by their owner only. Copy the first two together, or after
// Close, when the log is gone.
package sqlite
