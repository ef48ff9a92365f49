-- Files that hold the turns of old sessions. A file is written while its row says begun,
-- and the rows of its turns are blank once it says kept.
CREATE TABLE session_archive (
	scope_no INTEGER NOT NULL,
	session  TEXT NOT NULL,
	place    TEXT NOT NULL, -- where the file is; no two attempts share one
	state    TEXT NOT NULL CHECK (state IN ('begun', 'kept', 'dropped')), -- dropped: the file is to be removed
	turns    INTEGER NOT NULL,
	bytes    INTEGER NOT NULL, -- of the file
	sum      TEXT NOT NULL,    -- SHA-256 of the file, in hex
	at       INTEGER NOT NULL, -- when it came into its state
	PRIMARY KEY (scope_no, place),
	FOREIGN KEY (scope_no, session) REFERENCES session (scope_no, id)
) STRICT, WITHOUT ROWID;

-- What models were asked of for memory's own work, by day in UTC.
CREATE TABLE model_use (
	day     TEXT PRIMARY KEY, -- 2026-03-02
	calls   INTEGER NOT NULL,
	tokens  INTEGER NOT NULL, -- of requests and answers
	refused INTEGER NOT NULL -- calls that were not made, for the limits
) STRICT, WITHOUT ROWID;
