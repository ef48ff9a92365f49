-- Facts that were kept in the speaker's own words, and until when a fact holds.
ALTER TABLE fact ADD COLUMN verbatim INTEGER NOT NULL DEFAULT 0;
ALTER TABLE fact ADD COLUMN valid_to INTEGER;
