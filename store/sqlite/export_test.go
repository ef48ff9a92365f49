package sqlite

// KeepPostingsAtOnce has every scope searched in memory from the first search on.
func (db *DB) KeepPostingsAtOnce() { db.postings.limits = postingLimits{read: leastRead} }
