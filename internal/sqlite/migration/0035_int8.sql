-- Vectors take a byte a value, see scaled.c. Those there are keep their form, which is
-- read as well, and are brought over by and by, from this place on; null when they are.
ALTER TABLE embedding ADD COLUMN wide_from INTEGER;
UPDATE embedding SET wide_from = (SELECT min(place) FROM vector);

-- Nothing reads the finer codes any more. They go by and by, and at once where a code
-- of their block does: they, too, say something of a text.
CREATE TRIGGER code_block_changed AFTER UPDATE OF codes ON code_block BEGIN
    DELETE FROM code_fine WHERE block = old.id;
END;
