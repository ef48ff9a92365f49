-- A save writes fewer pages.

-- Segments of the full-text tables are merged eight at a time, not four. Each
-- text is merged with others less often; a search reads up to twice as many.
INSERT INTO word (word, rank) VALUES ('usermerge', 8);
INSERT INTO piece (piece, rank) VALUES ('usermerge', 8);

-- Where a current fact belongs stands in the index fact_category. A second one in
-- the order of categories took a page of a commit for each fact in it.
DROP INDEX passage_place;
CREATE INDEX passage_place ON passage (parent, seq) WHERE kind <> 1 OR retired_at IS NOT NULL;

-- Events by one number each: SQLite adds to the end of such a table without
-- moving what the last pages hold.
CREATE TABLE event_by_number (
	number   INTEGER PRIMARY KEY, -- scope_no << 40 | change
	scope_no INTEGER NOT NULL REFERENCES scope (no),
	kind     TEXT NOT NULL,
	ref      TEXT NOT NULL,
	detail   TEXT NOT NULL,
	at       INTEGER NOT NULL,
	CHECK (number >> 40 = scope_no)
) STRICT;
INSERT INTO event_by_number (number, scope_no, kind, ref, detail, at)
SELECT scope_no << 40 | change, scope_no, kind, ref, detail, at FROM event ORDER BY scope_no, change;
DROP TABLE event;
ALTER TABLE event_by_number RENAME TO event;
