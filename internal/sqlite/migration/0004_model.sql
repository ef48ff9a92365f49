-- Which embedding model's vectors answer queries, and which is to follow it.
-- One row.
CREATE TABLE embedding (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    serving INTEGER NOT NULL, -- number of the model; 0 while there is none
    target  INTEGER NOT NULL, -- model whose vectors are made for all passages; 0 for none
    walked  INTEGER NOT NULL, -- passages up to this number were looked through for it
    done    INTEGER NOT NULL, -- how many those were
    total   INTEGER NOT NULL, -- passages there were when the target was named
    since   INTEGER NOT NULL, -- when that was
    holder  TEXT NOT NULL,    -- who makes the vectors
    lease   INTEGER NOT NULL  -- until when nobody else should
) STRICT;
INSERT INTO embedding VALUES (1, 0, 0, 0, 0, 0, 0, '', 0);
