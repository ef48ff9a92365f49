-- Who reads the turns of a session for their facts and until when, what became of
-- earlier attempts, and what was given up. Times are microseconds since 1970 in UTC.
ALTER TABLE extraction ADD COLUMN queued_at INTEGER NOT NULL DEFAULT 0;   -- when it began to wait
ALTER TABLE extraction ADD COLUMN owner TEXT NOT NULL DEFAULT '';         -- token of whoever reads it; '' for nobody
ALTER TABLE extraction ADD COLUMN lease_until INTEGER NOT NULL DEFAULT 0; -- when another may
ALTER TABLE extraction ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;    -- that failed since it came on last
ALTER TABLE extraction ADD COLUMN retry_at INTEGER NOT NULL DEFAULT 0;    -- not to be read before
ALTER TABLE extraction ADD COLUMN last_error TEXT NOT NULL DEFAULT '';    -- why the last attempt failed
ALTER TABLE extraction ADD COLUMN dead_at INTEGER;                        -- when it was given up; NULL if it was not
