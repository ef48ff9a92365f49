-- Whether the full-text tables may hold words of passages that are gone is told
-- by their own setting.
DELETE FROM meta WHERE name = 'stale_words';
