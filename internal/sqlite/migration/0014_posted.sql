-- Passages of large scopes as searches keep them in memory, thousands to a row,
-- so that a process has a scope in memory at once. A row holds all passages with
-- numbers from low to high as they were when change was the last of the scope;
-- what changed since is read from table passage, and so is what no row covers.
CREATE TABLE posted (
	low      INTEGER PRIMARY KEY,
	high     INTEGER NOT NULL,
	change   INTEGER NOT NULL,
	sum      INTEGER NOT NULL, -- CRC-32C of the other columns
	passages BLOB NOT NULL     -- 16 bytes each, by rising number
) STRICT;
