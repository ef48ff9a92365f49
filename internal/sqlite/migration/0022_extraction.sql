-- Sessions with turns that facts are still to be extracted from.
CREATE TABLE extraction (
	scope_no INTEGER NOT NULL,
	session  TEXT NOT NULL,
	after    INTEGER NOT NULL, -- sequence number of the last turn that was read
	PRIMARY KEY (scope_no, session),
	FOREIGN KEY (scope_no, session) REFERENCES session (scope_no, id)
) STRICT, WITHOUT ROWID;
