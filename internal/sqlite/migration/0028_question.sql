-- Questions to the user: two facts that contradict each other where time does not
-- tell which holds. One is open while it has no answer and both versions are current.
CREATE TABLE question (
	scope_no    INTEGER NOT NULL REFERENCES scope (no),
	id          TEXT NOT NULL,
	first_fact  TEXT NOT NULL, -- recorded before the second
	first_generation  INTEGER NOT NULL,
	second_fact TEXT NOT NULL,
	second_generation INTEGER NOT NULL,
	reason      TEXT NOT NULL, -- why time does not tell
	dream       TEXT NOT NULL,
	asked_at    INTEGER NOT NULL,
	answer      TEXT NOT NULL DEFAULT '', -- the id of the fact that holds, or both
	answered_at INTEGER, -- null before
	PRIMARY KEY (scope_no, id),
	UNIQUE (scope_no, first_fact, first_generation, second_fact, second_generation)
) STRICT, WITHOUT ROWID;

-- How far the concept tags of a scope's facts are those of a version of what makes them.
CREATE TABLE tagging (
	scope_no INTEGER PRIMARY KEY REFERENCES scope (no),
	version  INTEGER NOT NULL,
	through  INTEGER NOT NULL -- number of the last fact
) STRICT;

ALTER TABLE dream ADD COLUMN merged INTEGER NOT NULL DEFAULT 0;
ALTER TABLE dream ADD COLUMN settled INTEGER NOT NULL DEFAULT 0;
ALTER TABLE dream ADD COLUMN asked INTEGER NOT NULL DEFAULT 0;
ALTER TABLE dream ADD COLUMN tagged INTEGER NOT NULL DEFAULT 0;
ALTER TABLE dream ADD COLUMN failure TEXT NOT NULL DEFAULT ''; -- why it did nothing
