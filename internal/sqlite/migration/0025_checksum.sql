-- CRC-32C of what a row says, so that a bit that changed by itself is noticed. The
-- columns are those of package check, in its order. Sections and saved states have
-- sums of their own.
ALTER TABLE fact ADD COLUMN sum INTEGER;
UPDATE fact SET sum = checksum(id, generation, type, recorded_at, valid_from, valid_to, confidence, origin, supersedes, entity,
	attribute, slot, text_hash, sources, tags, text, verbatim);

ALTER TABLE turn ADD COLUMN sum INTEGER;
UPDATE turn SET sum = checksum(id, session, seq, role, speaker, said_at, recorded_at, redacted, forgotten, images, failed, call_id,
	tool, calls, text);

ALTER TABLE decision ADD COLUMN sum INTEGER;
UPDATE decision SET sum = checksum(id, request_id, op, fact_id, decided_at, confidence, origin, agent, session, reverts, rules,
	reason, notes, before_fact, after_fact, before, after, path);

ALTER TABLE document ADD COLUMN sum INTEGER;
UPDATE document SET sum = checksum(id, path, kind, type, slug, name, description, hash, generation, redacted, problem, content);

ALTER TABLE learning ADD COLUMN sum INTEGER;
UPDATE learning SET sum = checksum(id, kind, key, tool, session, count, first_at, last_at, forgotten, text, context);
