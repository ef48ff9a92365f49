package sqlite

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"embed"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/index/passage"
	"github.com/strata-memory/strata/store/sqlite/packed"
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

// migrate brings the schema up to date, in one transaction. Several processes may do
// so at once. A database that holds anything is copied first.
func (db *DB) migrate(ctx context.Context) error {
	missing, err := missingMigrations(ctx, db.writing)
	if err != nil || len(missing) == 0 {
		return err
	}
	if err := db.writing.control("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	defer db.rollback()
	missing, err = missingMigrations(ctx, db.writing)
	if err != nil || len(missing) == 0 {
		return err // another process was faster
	}
	if missing[0].version == 1 {
		err = db.createStore(ctx)
	} else if err = db.copyBefore(ctx, missing[len(missing)-1].version); err != nil {
		err = fmt.Errorf("copy the database before its schema changes: %w", err)
	}
	if err != nil {
		return err
	}
	for _, m := range missing {
		if err := db.apply(ctx, m); err != nil {
			return fmt.Errorf("apply migration %s: %w", m.name, err)
		}
	}
	if err := db.writing.control("COMMIT"); err != nil {
		return fmt.Errorf("apply migration %s: %w", missing[0].name, err)
	}
	return nil
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
	if m.version == 17 {
		if err := db.sketchUnfiled(ctx); err != nil {
			return err
		}
	}
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

// sketchUnfiled puts the keys of near-duplicates that waited in table unfiled, until
// version 17, into table sketch. In a home that is damaged some may be there already.
func (db *DB) sketchUnfiled(ctx context.Context) error {
	rows, err := db.writing.QueryContext(ctx, `SELECT number, bits, keys FROM unfiled`)
	if err != nil {
		return err
	}
	defer rows.Close()
	var keyed packed.Rows
	for rows.Next() {
		var number, bits int64
		var keys []byte
		if err := rows.Scan(&number, &bits, &keys); err != nil {
			return err
		}
		for ; len(keys) >= 8; keys = keys[8:] {
			if err := keyed.Add(passage.Scope(number), int64(binary.LittleEndian.Uint64(keys)), number, bits); err != nil {
				return err
			}
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	_, err = db.writing.ExecContext(ctx, `
		INSERT OR IGNORE INTO sketch (scope_no, key, number, bits)
		SELECT c0, c1, c2, c3 FROM unpack(?) ORDER BY 1, 2, 3`, []byte(keyed))
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
