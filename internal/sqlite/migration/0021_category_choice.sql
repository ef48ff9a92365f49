-- What was decided about categories by name: facts that would go into the category
-- called topic go into the one called name, which the program leaves as it is.
CREATE TABLE category_choice (
	scope_no INTEGER NOT NULL REFERENCES scope (no),
	topic    TEXT NOT NULL,
	name     TEXT NOT NULL,
	PRIMARY KEY (scope_no, topic)
) STRICT, WITHOUT ROWID;
