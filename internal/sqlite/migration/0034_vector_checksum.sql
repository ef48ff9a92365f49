-- CRC-32C of vectors, of the sums of parents and of the centers of codes, so that a bit
-- that changed by itself is noticed. Blocks of codes have their own.
ALTER TABLE vector ADD COLUMN sum INTEGER;
UPDATE vector SET sum = checksum(embedding);

ALTER TABLE parent_vector ADD COLUMN crc INTEGER;
UPDATE parent_vector SET crc = checksum(sum);

ALTER TABLE code_head ADD COLUMN center_crc INTEGER;
UPDATE code_head SET center_crc = checksum(center) WHERE center IS NOT NULL;
