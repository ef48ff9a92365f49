-- The index: everything here is derived from facts and turns and can be rebuilt.
-- Numbers are scope_no << 40 | n, so that a scope is one range of every key.

-- What retrieval ranks. A passage has the number of its fact or turn.
CREATE TABLE passage (
    number      INTEGER PRIMARY KEY,
    kind        INTEGER NOT NULL,           -- 1 fact, 2 turn, 3 section
    parent      INTEGER NOT NULL,           -- number of the category or session
    seq         INTEGER NOT NULL DEFAULT 0, -- place inside a session; 0 for facts
    type        INTEGER NOT NULL DEFAULT 0, -- 1 user, 2 feedback, 3 project, 4 reference; 0 none
    words       INTEGER NOT NULL,           -- terms that are not stop words
    recorded_at INTEGER NOT NULL,           -- microseconds since 1970, UTC
    retired_at  INTEGER,                    -- null while current
    change      INTEGER NOT NULL            -- number of its last change
) STRICT;
CREATE INDEX passage_place ON passage (parent, seq);
CREATE INDEX passage_change ON passage (number >> 40, change);

-- Passages that are gone, for caches that must drop them.
CREATE TABLE removal (
    scope_no INTEGER NOT NULL,
    change   INTEGER NOT NULL,
    number   INTEGER NOT NULL,
    PRIMARY KEY (scope_no, change)
) STRICT, WITHOUT ROWID;

-- What BM25 needs of a scope, over its current passages.
CREATE TABLE scope_stat (
    scope_no INTEGER NOT NULL,
    kind     INTEGER NOT NULL,
    passages INTEGER NOT NULL,
    words    INTEGER NOT NULL,
    PRIMARY KEY (scope_no, kind)
) STRICT, WITHOUT ROWID;

-- Categories (kind 1) and sessions (kind 2). The counts are of current passages.
CREATE TABLE parent (
    number   INTEGER PRIMARY KEY,
    scope_no INTEGER NOT NULL,
    kind     INTEGER NOT NULL,
    name     TEXT NOT NULL,
    passages INTEGER NOT NULL DEFAULT 0,
    words    INTEGER NOT NULL DEFAULT 0,
    UNIQUE (scope_no, kind, name)
) STRICT;

-- Terms of package internal/text, joined by spaces. Lengths are kept in
-- passage.words, so FTS5 need not keep them too.
CREATE VIRTUAL TABLE word USING fts5 (
    terms,
    tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co Cn'",
    columnsize = 0
);
INSERT INTO word (word, rank) VALUES ('secure-delete', 1);

-- Normalized text by overlapping groups of three characters. Without
-- positions: what the groups find is checked against the text.
CREATE VIRTUAL TABLE piece USING fts5 (
    normal,
    tokenize = 'trigram case_sensitive 1',
    columnsize = 0,
    detail = none
);
INSERT INTO piece (piece, rank) VALUES ('secure-delete', 1);

-- Hashes of parts of the content terms of current facts, by which facts that
-- say nearly the same are found.
CREATE TABLE sketch (
    scope_no INTEGER NOT NULL,
    key      INTEGER NOT NULL,
    number   INTEGER NOT NULL,
    bits     INTEGER NOT NULL, -- one of 64 for each content term
    PRIMARY KEY (scope_no, key, number DESC)
) STRICT, WITHOUT ROWID;

-- Embedding models. number < 64, for it is part of every vector's place. What
-- is stale is wanted no more: its vectors are removed bit by bit, and its row
-- with the last of them.
CREATE TABLE model (
    number INTEGER PRIMARY KEY CHECK (number BETWEEN 1 AND 63),
    name   TEXT NOT NULL,
    dim    INTEGER NOT NULL,
    queue  INTEGER NOT NULL, -- its model in embedding_queue: 0 for the first there ever was, else number
    stale  INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX model_name ON model (name, dim) WHERE NOT stale;

-- Vectors of unit length, float32 little-endian. place is the passage's number
-- + (model << 34), so that scope and model are one range. The embedding is null
-- for a text without direction (a vector of zeros).
CREATE TABLE vector (
    place     INTEGER PRIMARY KEY,
    embedding BLOB
) STRICT;

-- Codes of one bit a dimension, by which a large scope is searched before the
-- best are measured exactly. A head holds those of one scope, model and kind.
CREATE TABLE code_head (
    id       INTEGER PRIMARY KEY,
    scope_no INTEGER NOT NULL,
    model    INTEGER NOT NULL,
    kind     INTEGER NOT NULL,
    coded    INTEGER NOT NULL DEFAULT 0, -- vectors in blocks
    uncoded  INTEGER NOT NULL DEFAULT 0, -- vectors that wait in table uncoded
    center   BLOB,                       -- what codes are taken relative to; null before the first
    change   INTEGER NOT NULL DEFAULT 0, -- number of the last change of its blocks
    removed  INTEGER NOT NULL DEFAULT 0, -- number of the change that last removed a block
    UNIQUE (scope_no, model, kind)
) STRICT;

-- Many codes in one row, so that a scan reads few rows.
CREATE TABLE code_block (
    id      INTEGER PRIMARY KEY,
    head    INTEGER NOT NULL,
    low     INTEGER NOT NULL, -- numbers lie between low and high
    high    INTEGER NOT NULL,
    live    INTEGER NOT NULL, -- codes of passages that are still there
    change  INTEGER NOT NULL, -- number of its last change
    numbers BLOB NOT NULL,    -- 8 bytes each, little-endian; 0 where one is gone
    codes   BLOB NOT NULL
) STRICT;
CREATE INDEX code_block_head ON code_block (head, high);
CREATE INDEX code_block_change ON code_block (head, change);

-- Vectors that are in no block yet: all of a small scope, the newest of a
-- large one.
CREATE TABLE uncoded (
    head   INTEGER NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (head, number)
) STRICT, WITHOUT ROWID;

-- The sum of the vectors of a parent's current passages. place as in vector,
-- made from the parent's number.
CREATE TABLE parent_vector (
    place INTEGER PRIMARY KEY,
    count INTEGER NOT NULL,
    sum   BLOB NOT NULL
) STRICT;

-- Passages that wait for a vector of a model; of model 0 before there is one.
CREATE TABLE embedding_queue (
    number   INTEGER NOT NULL,
    model    INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (number, model)
) STRICT, WITHOUT ROWID;
CREATE INDEX embedding_queue_attempts ON embedding_queue (model, attempts, number);
