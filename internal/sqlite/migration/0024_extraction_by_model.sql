-- A session may wait for the rules, for a model, or for both.
CREATE TABLE extraction_by (
	scope_no  INTEGER NOT NULL,
	session   TEXT NOT NULL,
	extractor TEXT NOT NULL CHECK (extractor IN ('rules', 'model')),
	after     INTEGER NOT NULL, -- sequence number of the last turn that was read
	PRIMARY KEY (scope_no, session, extractor),
	FOREIGN KEY (scope_no, session) REFERENCES session (scope_no, id)
) STRICT, WITHOUT ROWID;
INSERT INTO extraction_by SELECT scope_no, session, 'rules', after FROM extraction;
DROP TABLE extraction;
ALTER TABLE extraction_by RENAME TO extraction;
