-- The authority: what was said, believed, decided and forgotten.
--
-- Times are microseconds since 1970 in UTC. The number of a fact version,
-- turn, decision, trace or recall event is scope.no << 40 | n, so that the
-- rows of a scope are one range of rowids.

CREATE TABLE scope (
	no   INTEGER PRIMARY KEY CHECK (no BETWEEN 1 AND 8388607),
	key  TEXT NOT NULL UNIQUE,
	next INTEGER NOT NULL -- lower part of the next number of a fact, turn or decision
) STRICT;

-- Counters of the whole store.
CREATE TABLE counter (
	name  TEXT PRIMARY KEY,
	value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO counter VALUES ('change', 0);

-- Values made once for a store, such as the key of the tombstones.
CREATE TABLE meta (
	name  TEXT PRIMARY KEY,
	value ANY NOT NULL
) STRICT, WITHOUT ROWID;

-- One row for each version of a fact.
CREATE TABLE fact (
	number        INTEGER PRIMARY KEY,
	scope_no      INTEGER NOT NULL REFERENCES scope (no),
	id            TEXT NOT NULL,
	generation    INTEGER NOT NULL CHECK (generation >= 1),
	type          TEXT NOT NULL,
	recorded_at   INTEGER NOT NULL,
	retired_at    INTEGER,
	valid_from    INTEGER,
	confidence    REAL NOT NULL,
	origin        TEXT NOT NULL,
	superseded_by TEXT NOT NULL,
	supersedes    TEXT NOT NULL,
	category      TEXT NOT NULL,
	entity        TEXT NOT NULL, -- as written
	attribute     TEXT NOT NULL, -- as written
	slot          TEXT NOT NULL, -- entity and attribute normalized; empty for none
	norm          BLOB NOT NULL, -- hash of the normalized text
	sources       TEXT NOT NULL, -- JSON array of turn ids, or empty
	tags          TEXT NOT NULL, -- JSON array, or empty
	text          TEXT NOT NULL,
	CHECK (number >> 40 = scope_no)
) STRICT;
CREATE UNIQUE INDEX fact_version ON fact (scope_no, id, generation);
CREATE UNIQUE INDEX fact_current ON fact (scope_no, id) WHERE retired_at IS NULL;
CREATE INDEX fact_norm ON fact (scope_no, norm) WHERE retired_at IS NULL;
CREATE INDEX fact_slot ON fact (scope_no, slot) WHERE retired_at IS NULL AND slot <> '';
CREATE INDEX fact_category ON fact (scope_no, category, id) WHERE retired_at IS NULL;

-- How often a memory was of use. Kept by the id of the memory and apart from
-- it, so that neither an update nor a rebuilt index loses it.
CREATE TABLE access (
	scope_no    INTEGER NOT NULL REFERENCES scope (no),
	memory_id   TEXT NOT NULL,
	accesses    INTEGER NOT NULL,
	last_access INTEGER NOT NULL,
	PRIMARY KEY (scope_no, memory_id)
) STRICT, WITHOUT ROWID;

-- What became of each candidate, with what is needed to replay and revert it.
CREATE TABLE decision (
	number      INTEGER PRIMARY KEY,
	scope_no    INTEGER NOT NULL REFERENCES scope (no),
	id          TEXT NOT NULL,
	request_id  TEXT NOT NULL,
	op          TEXT NOT NULL,
	fact_id     TEXT NOT NULL,
	decided_at  INTEGER NOT NULL,
	applied_at  INTEGER,
	set_aside   TEXT NOT NULL,
	confidence  REAL NOT NULL,
	origin      TEXT NOT NULL,
	agent       TEXT NOT NULL,
	session     TEXT NOT NULL,
	reverts     TEXT NOT NULL,
	reverted_by TEXT NOT NULL,
	rules       TEXT NOT NULL, -- JSON array, or empty
	reason      TEXT NOT NULL,
	notes       TEXT NOT NULL, -- JSON array, or empty
	before      TEXT NOT NULL, -- JSON of a fact, or empty
	after       TEXT NOT NULL, -- JSON of a fact, or empty
	CHECK (number >> 40 = scope_no)
) STRICT;
CREATE UNIQUE INDEX decision_id ON decision (scope_no, id);
CREATE UNIQUE INDEX decision_request ON decision (scope_no, request_id) WHERE request_id <> '';
CREATE INDEX decision_fact ON decision (scope_no, fact_id, number) WHERE fact_id <> '';
CREATE INDEX decision_pending ON decision (number) WHERE applied_at IS NULL AND set_aside = '';

CREATE TABLE session (
	scope_no   INTEGER NOT NULL REFERENCES scope (no),
	id         TEXT NOT NULL,
	kind       TEXT NOT NULL,
	parent     TEXT NOT NULL, -- id of the session that started it, or empty
	started_at INTEGER NOT NULL,
	closed_at  INTEGER,
	turns      INTEGER NOT NULL,
	-- The transcript: where it stands (empty until chosen), when it was written
	-- (null while outstanding), why it was given up (empty if not), and how often
	-- turns were blanked after the close.
	transcript   TEXT NOT NULL,
	exported_at  INTEGER,
	export_aside TEXT NOT NULL,
	revision     INTEGER NOT NULL,
	PRIMARY KEY (scope_no, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX session_started ON session (scope_no, started_at);
CREATE INDEX session_parent ON session (scope_no, parent, started_at) WHERE parent <> '';
CREATE INDEX session_unexported ON session (scope_no, id)
	WHERE closed_at IS NOT NULL AND exported_at IS NULL AND export_aside = '';

CREATE TABLE turn (
	number      INTEGER PRIMARY KEY,
	scope_no    INTEGER NOT NULL REFERENCES scope (no),
	id          TEXT NOT NULL,
	session     TEXT NOT NULL,
	seq         INTEGER NOT NULL CHECK (seq >= 1),
	role        TEXT NOT NULL,
	speaker     TEXT NOT NULL,
	said_at     INTEGER NOT NULL,
	recorded_at INTEGER NOT NULL,
	redacted    INTEGER NOT NULL, -- how many secrets were removed
	forgotten   INTEGER NOT NULL, -- 1 when the content was blanked
	images      INTEGER NOT NULL, -- how many there are
	failed      INTEGER NOT NULL, -- 1 when the tool call did not succeed
	call_id     TEXT NOT NULL,    -- the call a tool's turn answers
	tool        TEXT NOT NULL,    -- its tool
	calls       TEXT NOT NULL,    -- JSON array of tool calls, or empty
	text        TEXT NOT NULL,
	CHECK (number >> 40 = scope_no),
	FOREIGN KEY (scope_no, session) REFERENCES session (scope_no, id)
) STRICT;
CREATE UNIQUE INDEX turn_id ON turn (id, scope_no);
CREATE UNIQUE INDEX turn_seq ON turn (scope_no, session, seq);

-- What was forgotten: a keyed hash of each normalized text, never the text.
CREATE TABLE tombstone (
	scope_no INTEGER NOT NULL REFERENCES scope (no),
	hash     BLOB NOT NULL,
	fact_id  TEXT NOT NULL,
	at       INTEGER NOT NULL,
	PRIMARY KEY (scope_no, hash)
) STRICT, WITHOUT ROWID;

-- Explanations of recalls. The newest of each scope are kept.
CREATE TABLE trace (
	number   INTEGER PRIMARY KEY,
	scope_no INTEGER NOT NULL REFERENCES scope (no),
	id       TEXT NOT NULL,
	session  TEXT NOT NULL,
	turn     INTEGER NOT NULL,
	at       INTEGER NOT NULL,
	took     INTEGER NOT NULL, -- nanoseconds
	query    TEXT NOT NULL,
	hits     TEXT NOT NULL, -- JSON
	CHECK (number >> 40 = scope_no)
) STRICT;
CREATE UNIQUE INDEX trace_id ON trace (scope_no, id);
CREATE INDEX trace_session ON trace (scope_no, session, number) WHERE session <> '';

-- A memory was shown to somebody. The newest of each scope are kept.
CREATE TABLE recall_event (
	number    INTEGER PRIMARY KEY,
	scope_no  INTEGER NOT NULL REFERENCES scope (no),
	memory_id TEXT NOT NULL,
	query     TEXT NOT NULL,
	score     REAL NOT NULL,
	session   TEXT NOT NULL,
	automatic INTEGER NOT NULL,
	at        INTEGER NOT NULL,
	CHECK (number >> 40 = scope_no)
) STRICT;
CREATE INDEX recall_memory ON recall_event (scope_no, memory_id, at);

-- The diary of the engine.
CREATE TABLE event (
	change   INTEGER PRIMARY KEY,
	scope_no INTEGER NOT NULL REFERENCES scope (no),
	kind     TEXT NOT NULL,
	ref      TEXT NOT NULL,
	detail   TEXT NOT NULL,
	at       INTEGER NOT NULL
) STRICT;
CREATE INDEX event_scope ON event (scope_no, change);

-- The id kept for each workspace key.
CREATE TABLE workspace (
	key TEXT PRIMARY KEY,
	id  TEXT NOT NULL,
	at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
