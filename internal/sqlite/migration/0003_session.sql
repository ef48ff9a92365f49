-- What sessions keep beside their turns, and what was learnt in them. Numbers
-- are scope.no << 40 | n, as everywhere.

-- Images of turns, apart from them, so that reading turns does not read images.
CREATE TABLE turn_image (
	number     INTEGER NOT NULL REFERENCES turn (number), -- of the turn
	place      INTEGER NOT NULL CHECK (place >= 0),       -- in the turn, from 0
	media_type TEXT NOT NULL,
	data       BLOB NOT NULL,
	PRIMARY KEY (number, place)
) STRICT;

-- What a session goes on from after a restart.
CREATE TABLE session_state (
	scope_no INTEGER NOT NULL,
	session  TEXT NOT NULL,
	at       INTEGER NOT NULL,
	sum      BLOB NOT NULL, -- SHA-256 of data
	data     BLOB NOT NULL,
	PRIMARY KEY (scope_no, session),
	FOREIGN KEY (scope_no, session) REFERENCES session (scope_no, id)
) STRICT;

-- States that could not be used. The newest of each session are kept.
CREATE TABLE session_state_aside (
	number   INTEGER PRIMARY KEY,
	scope_no INTEGER NOT NULL,
	session  TEXT NOT NULL,
	at       INTEGER NOT NULL, -- when it was saved
	reason   TEXT NOT NULL,
	data     BLOB NOT NULL,
	CHECK (number >> 40 = scope_no),
	FOREIGN KEY (scope_no, session) REFERENCES session (scope_no, id)
) STRICT;
CREATE INDEX session_state_aside_session ON session_state_aside (scope_no, session, number);

-- What sessions were given about memory. The newest of each session are kept.
CREATE TABLE snapshot (
	scope_no   INTEGER NOT NULL,
	session    TEXT NOT NULL,
	generation INTEGER NOT NULL CHECK (generation >= 1),
	created_at INTEGER NOT NULL,
	text       TEXT NOT NULL,
	PRIMARY KEY (scope_no, session, generation),
	FOREIGN KEY (scope_no, session) REFERENCES session (scope_no, id)
) STRICT;

-- Lessons: failures of tools and corrections by the user.
CREATE TABLE learning (
	number    INTEGER PRIMARY KEY,
	scope_no  INTEGER NOT NULL REFERENCES scope (no),
	id        TEXT NOT NULL,
	kind      TEXT NOT NULL,
	key       TEXT NOT NULL, -- equal for equal lessons
	tool      TEXT NOT NULL,
	session   TEXT NOT NULL, -- where it was learnt last
	count     INTEGER NOT NULL CHECK (count >= 1),
	first_at  INTEGER NOT NULL,
	last_at   INTEGER NOT NULL,
	forgotten INTEGER NOT NULL, -- 1 when the texts were blanked
	text      TEXT NOT NULL,
	context   TEXT NOT NULL,
	CHECK (number >> 40 = scope_no)
) STRICT;
CREATE UNIQUE INDEX learning_id ON learning (scope_no, id);
CREATE UNIQUE INDEX learning_key ON learning (scope_no, kind, key);
CREATE INDEX learning_last ON learning (scope_no, last_at, number);

-- Runs of tools. The newest of each tool are kept.
CREATE TABLE tool_outcome (
	number   INTEGER PRIMARY KEY,
	scope_no INTEGER NOT NULL REFERENCES scope (no),
	session  TEXT NOT NULL,
	tool     TEXT NOT NULL,
	params   TEXT NOT NULL, -- hash of the arguments, in hex
	ok       INTEGER NOT NULL,
	at       INTEGER NOT NULL,
	error    TEXT NOT NULL,
	CHECK (number >> 40 = scope_no)
) STRICT;
CREATE INDEX tool_outcome_tool ON tool_outcome (scope_no, tool, number);
