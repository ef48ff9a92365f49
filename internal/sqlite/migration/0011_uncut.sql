-- Normalized texts that are not in table piece yet: all of a small scope, the
-- newest of a large one. Those of a scope go into piece together. What is in
-- piece already stays there.
CREATE TABLE uncut (
	number INTEGER PRIMARY KEY, -- that of the passage
	normal TEXT NOT NULL
) STRICT;
