-- The full-text tables merge what was written by the bytes it takes, when the
-- writer says so. By themselves they would go by the number of pages, and a
-- single save writes a page that is nearly empty: with the merges it led to,
-- sixteen of the 48 pages that it wrote were of these tables. What is left to
-- themselves is that no level has more than sixteen segments.
INSERT INTO word (word, rank) VALUES ('automerge', 0);
INSERT INTO piece (piece, rank) VALUES ('automerge', 0);
