-- Finer codes, four bits a dimension and a factor, of the codes in a block. They
-- are looked at for the few vectors that the codes of one bit leave. A block
-- that an older version wrote has none: its own are made from the vectors.
CREATE TABLE code_fine (
    block INTEGER PRIMARY KEY, -- the code_block whose vectors these are, in its order
    sum   INTEGER NOT NULL,    -- CRC-32C of codes
    codes BLOB NOT NULL
) STRICT;

-- CRC-32C of numbers and codes; null in a block that an older version wrote.
ALTER TABLE code_block ADD COLUMN sum INTEGER;

CREATE TRIGGER code_block_gone AFTER DELETE ON code_block BEGIN
    DELETE FROM code_fine WHERE block = old.id;
END;
