package sqlite

import "math"

// KeepPostingsAtOnce has every scope searched in memory from the first search on.
func (db *DB) KeepPostingsAtOnce() {
	db.lexical.Limits.Passages, db.lexical.Limits.Asked, db.lexical.Limits.Background = 0, 0, math.MaxInt64
}

// MergePendingFrom has texts of a scope put into the index of substrings when so many
// of them wait.
func (db *DB) MergePendingFrom(texts int64) { db.mergePendingFrom.texts = texts }

// MergePendingFromBytes has them put there when so many bytes wait.
func (db *DB) MergePendingFromBytes(n int64) { db.mergePendingFrom.bytes = n }

// PurgePlainly has the plain ways taken to overwrite what removed rows leave.
func (db *DB) PurgePlainly() { db.purger.Plain = true }
