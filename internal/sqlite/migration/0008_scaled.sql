-- Vectors take two bytes a value and four for all, see scaled.c. The sums of
-- parents follow: they are those of the stored vectors.
CREATE TRIGGER narrowed AFTER UPDATE OF embedding ON vector BEGIN
    UPDATE parent_vector SET sum = vec_add(sum, vec_sub(widen(new.embedding), old.embedding))
    WHERE place = (
        SELECT p.parent + (new.place & (63 << 34)) FROM passage AS p
        WHERE p.number = (new.place & ~(63 << 34)) AND p.retired_at IS NULL);
END;
UPDATE vector SET embedding = narrow(embedding) WHERE embedding IS NOT NULL;
DROP TRIGGER narrowed;
