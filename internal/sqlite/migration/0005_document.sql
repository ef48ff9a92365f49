-- Markdown files of scopes, as they were last taken note of. The file is the
-- authority for its text; these rows are a projection of it. Numbers are
-- scope.no << 40 | n, from the same counter as those of facts and turns.

-- One row for each file that is there.
CREATE TABLE document (
	number      INTEGER PRIMARY KEY,                      -- scope_no << 40 | n
	scope_no    INTEGER NOT NULL REFERENCES scope (no),   -- who owns it
	id          TEXT NOT NULL,                            -- stays the same as long as the path does
	path        TEXT NOT NULL,                            -- below the scope's directory, with slashes
	kind        TEXT NOT NULL,                            -- note, skill, index, daily, profile, system, other
	type        TEXT NOT NULL,                            -- of a note; else empty
	slug        TEXT NOT NULL,                            -- of a note; else empty
	name        TEXT NOT NULL,                            -- from the front matter, or empty
	description TEXT NOT NULL,                            -- from the front matter, or empty
	hash        TEXT NOT NULL,                            -- SHA-256 of the file's bytes, in hex
	size        INTEGER NOT NULL,                         -- of the file, in bytes
	modified_at INTEGER NOT NULL,                         -- when the file was last written
	recorded_at INTEGER NOT NULL,                         -- when this version was taken note of
	generation  INTEGER NOT NULL CHECK (generation >= 1), -- counts the versions
	redacted    TEXT NOT NULL,                            -- JSON array of the rules that found secrets, or empty
	problem     TEXT NOT NULL,                            -- what is wrong with the file, or empty
	content     TEXT NOT NULL,                            -- the text without its secrets
	CHECK (number >> 40 = scope_no)
) STRICT;
CREATE UNIQUE INDEX document_id ON document (scope_no, id);
CREATE UNIQUE INDEX document_path ON document (scope_no, path);
-- A scan of 10,000 files compares these with the disk and reads no content.
CREATE INDEX document_stat ON document (scope_no, path, hash, size, modified_at);
CREATE INDEX document_note ON document (scope_no, type, slug) WHERE kind = 'note' AND slug <> '';

-- The parts of a document below its headings. A passage has the number of its
-- section.
CREATE TABLE section (
	number   INTEGER PRIMARY KEY,                        -- scope_no << 40 | n
	scope_no INTEGER NOT NULL REFERENCES scope (no),     -- who owns it
	document INTEGER NOT NULL REFERENCES document (number), -- it is part of
	seq      INTEGER NOT NULL CHECK (seq >= 1),          -- place among the sections
	line     INTEGER NOT NULL,                           -- its first line, from 1
	end_line INTEGER NOT NULL,                           -- its last line
	start    INTEGER NOT NULL CHECK (start >= 0),        -- where its text begins in the content, in bytes
	size     INTEGER NOT NULL CHECK (size >= 0),         -- of its text there, in bytes
	sum      BLOB NOT NULL,                              -- hash of headings and text, by which it is known again
	headings TEXT NOT NULL,                              -- JSON array, the outermost first, or empty
	text     TEXT NOT NULL,                              -- its text where the content does not hold it in one piece; else empty
	CHECK (number >> 40 = scope_no)
) STRICT;
CREATE INDEX section_place ON section (document, seq);

-- A decision about a file names its path; before and after are JSON of the
-- document then. Empty for a decision about a fact.
ALTER TABLE decision ADD COLUMN path TEXT NOT NULL DEFAULT '';
CREATE INDEX decision_path ON decision (scope_no, path, number) WHERE path <> '';
CREATE INDEX decision_pending_path ON decision (scope_no, path) WHERE path <> '' AND applied_at IS NULL AND set_aside = '';
