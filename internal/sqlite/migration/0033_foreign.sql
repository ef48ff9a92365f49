-- Whether a document came with a repository and nobody here has trusted it. What is
-- there now was told so far: it begins trusted.
ALTER TABLE document ADD COLUMN is_foreign INTEGER NOT NULL DEFAULT 0;
CREATE INDEX document_foreign ON document (scope_no, path) WHERE is_foreign;

-- A row that is damaged stays so.
UPDATE document SET sum = checksum(id, path, kind, type, slug, name, description, hash, generation, redacted, problem, content, is_foreign)
WHERE sum IS checksum(id, path, kind, type, slug, name, description, hash, generation, redacted, problem, content);

-- The versions of files of workspaces that this home wrote or trusts.
CREATE TABLE trusted_file (
	scope_no INTEGER NOT NULL REFERENCES scope (no), -- who owns the document
	path     TEXT NOT NULL,                          -- of the document
	hash     TEXT NOT NULL,                          -- SHA-256 of the file's bytes, in hex
	at       INTEGER NOT NULL,                       -- when it was written or trusted last
	PRIMARY KEY (scope_no, path, hash)
) STRICT, WITHOUT ROWID;
INSERT INTO trusted_file (scope_no, path, hash, at)
SELECT d.scope_no, d.path, d.hash, d.recorded_at FROM document AS d JOIN scope AS s ON s.no = d.scope_no WHERE s.key GLOB 'workspace/*';

-- The scopes of workspaces whose files this home has looked at. Where it made the
-- directory of the workspace, those of its agents are looked at as well.
CREATE TABLE seen_scope (
	key  TEXT PRIMARY KEY,
	made INTEGER NOT NULL,
	at   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO seen_scope (key, made, at)
SELECT 'workspace/' || substr(key, 11, iif(instr(substr(key, 11), '/') > 0, instr(substr(key, 11), '/') - 1, length(key))), 1, 0 FROM scope WHERE key GLOB 'workspace/*'
UNION SELECT 'workspace/' || id, 1, 0 FROM workspace;
