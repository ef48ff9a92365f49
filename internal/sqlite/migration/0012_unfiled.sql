-- Keys of near-duplicates that are not in table sketch yet: all of a small
-- scope, the newest of a large one. Those of a scope go into sketch together.
-- What is in sketch already stays there.
CREATE TABLE unfiled (
	number INTEGER PRIMARY KEY, -- that of the fact version
	bits   INTEGER NOT NULL,    -- as in sketch
	keys   BLOB NOT NULL        -- 8 bytes each, little-endian
) STRICT;
