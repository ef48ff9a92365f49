-- What happened to a memory besides being found. Times are microseconds since 1970 in
-- UTC. Where it was never found, accesses and last_access are 0.
ALTER TABLE access ADD COLUMN confirmed_at INTEGER; -- when a fact was said again last, or agreed to
ALTER TABLE access ADD COLUMN opened_at INTEGER;    -- when a skill was opened last by its address
