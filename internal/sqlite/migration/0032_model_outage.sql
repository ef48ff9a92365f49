-- Models that do not answer, until they do.
CREATE TABLE model_outage (
	model TEXT PRIMARY KEY,
	since INTEGER NOT NULL, -- the first call that failed
	last  INTEGER NOT NULL, -- the last one that is known of
	code  TEXT NOT NULL     -- of its error
) STRICT, WITHOUT ROWID;
