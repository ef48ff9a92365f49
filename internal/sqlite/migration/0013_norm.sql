-- Hashes of normalized texts, in their order, of fact versions that were current
-- when those of their scope were filed together. The versions after that wait in
-- table fact, in the order of their numbers: so a new one writes nothing here.
CREATE TABLE filed_norm (
	scope_no INTEGER NOT NULL,
	norm     BLOB NOT NULL,    -- as in fact
	number   INTEGER NOT NULL, -- that of the fact version
	PRIMARY KEY (scope_no, norm, number)
) STRICT, WITHOUT ROWID;

-- The index has them in this order.
INSERT INTO filed_norm (scope_no, norm, number)
SELECT scope_no, norm, number FROM fact INDEXED BY fact_norm WHERE retired_at IS NULL
ORDER BY scope_no, norm, number;
DROP INDEX fact_norm;

-- Lower part of the greatest number of a fact version whose hash is filed, or was
-- not current when it was its turn; 0 for none.
ALTER TABLE scope ADD COLUMN norms_filed INTEGER NOT NULL DEFAULT 0;
UPDATE scope SET norms_filed = coalesce((
	SELECT max(number) FROM fact WHERE number BETWEEN no << 40 AND (no + 1 << 40) - 1) & (1 << 40) - 1, 0);

CREATE TRIGGER fact_gone AFTER DELETE ON fact BEGIN
	DELETE FROM filed_norm WHERE scope_no = old.scope_no AND norm = old.norm AND number = old.number;
END;
