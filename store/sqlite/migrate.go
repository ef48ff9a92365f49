package sqlite

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/strata-memory/strata"
)

//go:embed migration/*.sql
var migrationFiles embed.FS

// applicationID marks a database file as Strata's ("STRA" in ASCII).
const applicationID = 0x53545241

// migration is one step of the schema. Released ones never change.
type migration struct {
	version int
	name    string // of the file
	sum     string // SHA-256 of the file, in hex
	sql     string
}

// migrations returns all steps in order. The names of the files count from 0001
// without a gap.
func migrations() ([]migration, error) {
	names, err := fs.Glob(migrationFiles, "migration/*.sql") // in the order of their names
	if err != nil {
		return nil, err
	}
	var out []migration
	for i, path := range names {
		text, err := migrationFiles.ReadFile(path)
		if err != nil {
			return nil, err
		}
		name := strings.TrimPrefix(path, "migration/")
		version, err := strconv.Atoi(name[:4])
		if err != nil || version != i+1 {
			return nil, fmt.Errorf("migration %s is not number %d", name, i+1)
		}
		sum := sha256.Sum256(text)
		out = append(out, migration{version, name, hex.EncodeToString(sum[:]), string(text)})
	}
	return out, nil
}

// migrate brings the schema up to date. Several processes may do so at once.
func (db *DB) migrate(ctx context.Context) error {
	missing, err := missingMigrations(ctx, db.writing)
	for err == nil && len(missing) > 0 {
		missing, err = db.migrateOne(ctx)
	}
	return err
}

// migrateOne takes the next step in a transaction of its own and returns the
// steps that are left.
func (db *DB) migrateOne(ctx context.Context) ([]migration, error) {
	if err := db.writing.control("BEGIN IMMEDIATE"); err != nil {
		return nil, err
	}
	defer db.rollback()
	missing, err := missingMigrations(ctx, db.writing)
	if err != nil || len(missing) == 0 {
		return nil, err // another process was faster
	}
	m := missing[0]
	if m.version == 1 {
		err = db.createStore(ctx)
	}
	if err == nil {
		err = db.apply(ctx, m)
	}
	if err == nil {
		err = db.writing.control("COMMIT")
	}
	if err != nil {
		return nil, fmt.Errorf("apply migration %s: %w", m.name, err)
	}
	return missing[1:], nil
}

func (db *DB) createStore(ctx context.Context) error {
	_, err := db.writing.ExecContext(ctx, fmt.Sprintf(`
		PRAGMA application_id = %d;
		CREATE TABLE schema_migration (
			version    INTEGER PRIMARY KEY,
			name       TEXT NOT NULL,
			sha256     TEXT NOT NULL,
			applied_at INTEGER NOT NULL -- microseconds since 1970 in UTC
		) STRICT`, applicationID))
	return err
}

func (db *DB) apply(ctx context.Context, m migration) error {
	if _, err := db.writing.ExecContext(ctx, m.sql); err != nil {
		return err
	}
	if m.version == 1 {
		key := make([]byte, 32)
		rand.Read(key) // never fails
		_, err := db.writing.ExecContext(ctx, `INSERT INTO meta VALUES (?, ?)`, tombstoneKeyName, key)
		if err != nil {
			return err
		}
	}
	_, err := db.writing.ExecContext(ctx, `INSERT INTO schema_migration VALUES (?, ?, ?, ?)`,
		m.version, m.name, m.sum, micros(db.now()))
	return err
}

// missingMigrations returns the steps a database lacks, after checking those
// it has.
func missingMigrations(ctx context.Context, c *conn) ([]migration, error) {
	known, err := migrations()
	if err != nil {
		return nil, err
	}
	var tables, id int
	var tracked bool
	// One statement, so that it sees a database that another process creates
	// either empty or whole.
	err = c.QueryRowContext(ctx, `
		SELECT count(*), coalesce(max(name = 'schema_migration'), 0), (SELECT application_id FROM pragma_application_id)
		FROM sqlite_schema`).Scan(&tables, &tracked, &id)
	if err != nil {
		return nil, err
	}
	if tables == 0 && id == 0 {
		return known, nil
	}
	if id != applicationID || !tracked {
		return nil, strata.Invalid("open store", "the database belongs to another program",
			"choose another home directory")
	}
	rows, err := c.QueryContext(ctx, `SELECT version, name, sha256 FROM schema_migration ORDER BY version`)
	if err != nil {
		return nil, err
	}
	applied, err := collect(rows, func(scan scanner) (m migration, err error) {
		return m, scan(&m.version, &m.name, &m.sum)
	})
	if err != nil {
		return nil, err
	}
	for i, m := range applied {
		if i >= len(known) {
			return nil, &strata.Error{Code: strata.CodeNewerVersion, Op: "open store",
				Message: "the database was written by a newer Strata", Hint: "install the newest strata"}
		}
		if m.version != known[i].version || m.sum != known[i].sum {
			return nil, corruptError("open store",
				"the schema is not the one that migration "+known[i].name+" makes")
		}
	}
	return known[len(applied):], nil
}

// checkSchema reports whether a database that is opened for reading can be read.
func checkSchema(ctx context.Context, c *conn) error {
	missing, err := missingMigrations(ctx, c)
	if err != nil {
		return err
	}
	if len(missing) > 0 {
		return &strata.Error{Code: strata.CodeReadOnly, Op: "open store",
			Message: "the database has an older schema and cannot be brought up to date",
			Hint:    "open it once with permission to write"}
	}
	return nil
}
