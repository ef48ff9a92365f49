// Package sqlite implements [store.Store] in one SQLite file. Full-text search uses
// FTS5; sqlite-vec measures vectors, in SQL. The package must be built with the tag
// sqlite_fts5.
//
// # Numbers
//
// Every row that a scope owns has a number: the scope's own number in the upper
// bits, a count from 1 in the lower 40. Numbers are the rowids of facts, turns and
// decisions and of all parts of the index made from them. The rows of a scope are
// thus one contiguous range of every table, "number BETWEEN low AND high" confines
// any scan, of a b-tree or of FTS5, to a scope at no cost, and a small scope is as
// fast as if it had a database of its own. Numbers are never reused. A scope gets
// its number when it first owns something and keeps it for good.
//
// # Tables
//
// The schema is in the files of package migration, which are applied once, in order,
// and never changed after a release: 0001 holds the authoritative data (facts by version,
// turns, decisions, tombstones), 0002 the index derived from it. Times are
// microseconds since 1970 in UTC.
//
// # Writing
//
// One connection writes. Functions that wait for it share a durable commit (see
// commitgroup.go). Several processes take turns by a lock file beside the database
// (see [database.Lock]). Statements of a write cannot be interrupted, because SQLite
// would roll back the whole transaction, including what others put into it; a
// context that ends is noticed between statements.
//
// # Reading
//
// A pool of read-only connections serves reads. Each View has a transaction of its
// own and does not wait for writers. Statements of a read end with their context.
//
// # Files
//
// Beside the database "strata.db" lie "strata.db-wal" (the write-ahead log),
// "strata.db-shm" (its index, shared by the processes) and "strata.db-lock". All are
// readable by their owner only. To copy a store, copy the first two together, or
// copy the database after Close, when the log is gone.
package sqlite
