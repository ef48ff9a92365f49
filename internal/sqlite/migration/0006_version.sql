-- A decision names the stored versions of its fact by their numbers. The JSON
-- in before and after is left for versions that are not stored, and for
-- documents.
ALTER TABLE decision ADD COLUMN before_fact INTEGER;
ALTER TABLE decision ADD COLUMN after_fact INTEGER;
UPDATE decision SET
	before_fact = (
		SELECT f.number FROM fact f
		WHERE f.scope_no = decision.scope_no AND f.id = nullif(before, '') ->> '$.id'
			AND f.generation = nullif(before, '') ->> '$.generation' AND f.text = nullif(before, '') ->> '$.text'),
	after_fact = (
		SELECT f.number FROM fact f
		WHERE f.scope_no = decision.scope_no AND f.id = nullif(after, '') ->> '$.id'
			AND f.generation = nullif(after, '') ->> '$.generation' AND f.text = nullif(after, '') ->> '$.text')
WHERE path = '';
UPDATE decision SET before = '' WHERE before_fact IS NOT NULL;
UPDATE decision SET after = '' WHERE after_fact IS NOT NULL;

-- That a fact has one current version is seen to when a version is put, which
-- looks at the others anyway.
DROP INDEX fact_current;

-- The diary is read by scope only: one tree instead of a table and an index.
CREATE TABLE diary (
	scope_no INTEGER NOT NULL REFERENCES scope (no),
	change   INTEGER NOT NULL,
	kind     TEXT NOT NULL,
	ref      TEXT NOT NULL,
	detail   TEXT NOT NULL,
	at       INTEGER NOT NULL,
	PRIMARY KEY (scope_no, change)
) STRICT, WITHOUT ROWID;
INSERT INTO diary SELECT scope_no, change, kind, ref, detail, at FROM event;
DROP TABLE event;
ALTER TABLE diary RENAME TO event;
