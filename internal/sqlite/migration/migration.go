// Package migration brings the schema of a database up to date by applying the SQL
// files in this directory. A database that is not empty is copied first.
package migration

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"strconv"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sqlite/database"
)

//go:embed *.sql
var files embed.FS

// applicationID marks a database file as Strata's ("STRA" in ASCII).
const applicationID = 0x53545241

// TombstoneKey is the name of the row of table meta that holds the key of the
// tombstones. The key is random and made with the store, so that tombstones of two
// stores cannot be compared and a list of likely texts is useless without the store.
const TombstoneKey = "tombstone_key"

// step is one step of the schema. Released steps never change.
type step struct {
	version int
	name    string // of the file
	sum     string // SHA-256 of the file, in hex
	sql     string
}

// steps returns all steps in order. The file names count from 0001 without a gap.
func steps() ([]step, error) {
	names, err := fs.Glob(files, "*.sql") // in the order of their names
	if err != nil {
		return nil, err
	}
	var out []step
	for i, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		version, err := strconv.Atoi(name[:4])
		if err != nil || version != i+1 {
			return nil, fmt.Errorf("migration %s is not number %d", name, i+1)
		}
		sum := sha256.Sum256(text)
		out = append(out, step{version, name, hex.EncodeToString(sum[:]), string(text)})
	}
	return out, nil
}

// Run brings the schema of the database that c writes up to date, in one transaction
// with time now. Several processes may call it at once.
func Run(ctx context.Context, f database.File, c *database.Conn, now time.Time) error {
	missing, err := missingSteps(ctx, c)
	if err != nil || len(missing) == 0 {
		return err
	}
	if err := c.Control("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	defer func() {
		if c.InTransaction() {
			c.Control("ROLLBACK") // fails only when SQLite has rolled back already
		}
	}()
	missing, err = missingSteps(ctx, c)
	if err != nil || len(missing) == 0 {
		return err // another process was faster
	}
	if missing[0].version == 1 {
		err = create(ctx, c)
	} else if err = copyBefore(ctx, f, missing[len(missing)-1].version); err != nil {
		err = fmt.Errorf("copy the database before its schema changes: %w", err)
	}
	if err != nil {
		return err
	}
	for _, s := range missing {
		if err := apply(ctx, c, s, now); err != nil {
			return fmt.Errorf("apply migration %s: %w", s.name, err)
		}
	}
	if err := c.Control("COMMIT"); err != nil {
		return fmt.Errorf("apply migration %s: %w", missing[0].name, err)
	}
	return nil
}

// create marks a new database as Strata's and creates the table of applied steps.
func create(ctx context.Context, c *database.Conn) error {
	_, err := c.ExecContext(ctx, fmt.Sprintf(`
		PRAGMA application_id = %d;
		CREATE TABLE schema_migration (
			version    INTEGER PRIMARY KEY,
			name       TEXT NOT NULL,
			sha256     TEXT NOT NULL,
			applied_at INTEGER NOT NULL -- microseconds since 1970 in UTC
		) STRICT`, applicationID))
	return err
}

// apply applies one step: code that must run before its SQL, the SQL, and code that
// must run after.
func apply(ctx context.Context, c *database.Conn, s step, now time.Time) error {
	if s.version == 17 {
		if err := sketchUnfiled(ctx, c); err != nil {
			return err
		}
	}
	if _, err := c.ExecContext(ctx, s.sql); err != nil {
		return err
	}
	if s.version == 1 {
		key := make([]byte, 32)
		rand.Read(key) // never fails
		if _, err := c.ExecContext(ctx, `INSERT INTO meta VALUES (?, ?)`, TombstoneKey, key); err != nil {
			return err
		}
	}
	_, err := c.ExecContext(ctx, `INSERT INTO schema_migration VALUES (?, ?, ?, ?)`, s.version, s.name, s.sum, now.UnixMicro())
	return err
}

// IsNew reports whether a database is empty. It fails if the database belongs to
// another program, is damaged, or is of a newer version.
func IsNew(ctx context.Context, c *database.Conn) (bool, error) {
	missing, err := missingSteps(ctx, c)
	return len(missing) > 0 && missing[0].version == 1, err
}

// Check returns an error if a database that is opened for reading only cannot be
// used.
func Check(ctx context.Context, c *database.Conn) error {
	missing, err := missingSteps(ctx, c)
	if err != nil {
		return err
	}
	if len(missing) > 0 && missing[0].version == 1 {
		return &strata.Error{Code: strata.CodeReadOnly, Op: "open store",
			Message: "creation of the database was not finished, and nothing was stored in it yet",
			Hint:    "open it once with permission to write"}
	}
	if len(missing) > 0 {
		return &strata.Error{Code: strata.CodeReadOnly, Op: "open store",
			Message: "the database has an older schema and cannot be brought up to date",
			Hint:    "open it once with permission to write"}
	}
	return nil
}

// missingSteps returns the steps that a database lacks, after verifying those it
// has.
func missingSteps(ctx context.Context, c *database.Conn) ([]step, error) {
	known, err := steps()
	if err != nil {
		return nil, err
	}
	var tables, id int
	var tracked bool
	// This is one statement, so that it sees a database that another process is
	// creating either empty or complete.
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
	applied, err := appliedSteps(ctx, c)
	if err != nil {
		return nil, err
	}
	for i, s := range applied {
		if i >= len(known) {
			return nil, &strata.Error{Code: strata.CodeNewerVersion, Op: "open store",
				Message: "the database was written by a newer Strata", Hint: "install the newest strata"}
		}
		if s.version != known[i].version || s.sum != known[i].sum {
			return nil, database.Corrupt("open store",
				"the schema is not the one that migration "+known[i].name+" makes")
		}
	}
	return known[len(applied):], nil
}

// appliedSteps returns the steps that a database has, without their SQL.
func appliedSteps(ctx context.Context, c *database.Conn) ([]step, error) {
	rows, err := c.QueryContext(ctx, `SELECT version, name, sha256 FROM schema_migration ORDER BY version`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []step
	for rows.Next() {
		var s step
		if err := rows.Scan(&s.version, &s.name, &s.sum); err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, rows.Err()
}

// Make gives a new database the schema of a version, or the newest if version is 0,
// in one transaction. It returns the version.
func Make(ctx context.Context, c *database.Conn, version int, now time.Time) (int, error) {
	known, err := steps()
	if err != nil {
		return 0, err
	}
	if version == 0 {
		version = len(known)
	}
	if version > len(known) {
		return 0, &strata.Error{Code: strata.CodeNewerVersion, Op: "make schema",
			Message: "the database was written by a newer Strata", Hint: "install the newest strata"}
	}
	if err := c.Control("BEGIN IMMEDIATE"); err != nil {
		return 0, err
	}
	defer func() {
		if c.InTransaction() {
			c.Control("ROLLBACK")
		}
	}()
	if err := create(ctx, c); err != nil {
		return 0, err
	}
	for _, s := range known[:version] {
		if err := apply(ctx, c, s, now); err != nil {
			return 0, fmt.Errorf("apply migration %s: %w", s.name, err)
		}
	}
	return version, c.Control("COMMIT")
}

// Newest returns the newest schema version that this program knows.
func Newest() (int, error) {
	known, err := steps()
	return len(known), err
}
