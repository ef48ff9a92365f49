package sqlite

// KeepPostingsAtOnce has every scope searched in memory from the first search on.
func (db *DB) KeepPostingsAtOnce() {
	db.postings.limits = postingLimits{read: leastRead}
	db.KeepNoSmallScopes()
}

// KeepNoSmallScopes has small scopes searched as large ones are.
func (db *DB) KeepNoSmallScopes() { db.facts.small = -1 }

// CutFrom has texts of a scope put into the index of substrings when so many
// of them wait.
func (db *DB) CutFrom(texts int64) { db.cutFrom.texts = texts }

// CutFromBytes has them put there when so many bytes wait.
func (db *DB) CutFromBytes(n int64) { db.cutFrom.bytes = n }

// FileFrom has keys of near-duplicates, and hashes of texts, of a scope filed
// when so many facts wait.
func (db *DB) FileFrom(facts int64) { db.fileFrom = facts }

// Filter has a writer make a filter of what is filed in a scope after so many
// look-ups, of so many rows in each that follows.
func (db *DB) Filter(after, step int64) { db.filterAfter, db.filterStep = after, step }
