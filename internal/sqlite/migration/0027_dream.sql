-- Facts that rose into MEMORY.md. The text is the fact's own.
CREATE TABLE promotion (
	scope_no    INTEGER NOT NULL REFERENCES scope (no),
	fact_id     TEXT NOT NULL,
	dream       TEXT NOT NULL,
	at          INTEGER NOT NULL,
	score       REAL NOT NULL,
	recalls     INTEGER NOT NULL,
	questions   INTEGER NOT NULL,
	days        INTEGER NOT NULL,
	archived_at INTEGER, -- null while it stands in MEMORY.md
	archived    TEXT NOT NULL DEFAULT '', -- why it gave way
	PRIMARY KEY (scope_no, fact_id)
) STRICT, WITHOUT ROWID;

-- Runs of consolidation. The newest of each scope are kept.
CREATE TABLE dream (
	number       INTEGER PRIMARY KEY,
	scope_no     INTEGER NOT NULL REFERENCES scope (no),
	id           TEXT NOT NULL,
	trigger      TEXT NOT NULL,
	started_at   INTEGER NOT NULL,
	finished_at  INTEGER NOT NULL,
	considered   INTEGER NOT NULL,
	promoted     INTEGER NOT NULL,
	archived     INTEGER NOT NULL,
	items        TEXT NOT NULL, -- JSON: what became of memories, by their ids
	projected_at INTEGER, -- null while files are outstanding
	CHECK (number >> 40 = scope_no)
) STRICT;
CREATE UNIQUE INDEX dream_id ON dream (scope_no, id);
CREATE INDEX dream_outstanding ON dream (scope_no) WHERE projected_at IS NULL;

-- Rights that one process has at a time.
CREATE TABLE lease (
	scope_no INTEGER NOT NULL REFERENCES scope (no),
	name     TEXT NOT NULL,
	owner    TEXT NOT NULL,
	until    INTEGER NOT NULL,
	PRIMARY KEY (scope_no, name)
) STRICT, WITHOUT ROWID;
