-- One table holds what waits to be merged into an index. Keys of near-duplicates
-- and hashes of texts wait no longer: the keys that did are in table sketch by now.
DROP TABLE unfiled;
ALTER TABLE uncut RENAME TO pending;

DROP TRIGGER fact_gone;
DROP TABLE filed_norm;
ALTER TABLE scope DROP COLUMN norms_filed;
ALTER TABLE fact RENAME COLUMN norm TO text_hash;
CREATE INDEX fact_text_hash ON fact (scope_no, text_hash) WHERE retired_at IS NULL;
