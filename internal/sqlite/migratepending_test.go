package sqlite

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

// before0035 makes the schema what it was before that step.
const before0035 = `
	ALTER TABLE embedding DROP COLUMN wide_from;
	DROP TRIGGER code_block_changed;
	DELETE FROM schema_migration WHERE version >= 35;`

// before0034 makes the schema what it was before that step.
const before0034 = before0035 + `
	ALTER TABLE vector DROP COLUMN sum;
	ALTER TABLE parent_vector DROP COLUMN crc;
	ALTER TABLE code_head DROP COLUMN center_crc;
	DELETE FROM schema_migration WHERE version >= 34;`

// before0033 makes the schema what it was before that step.
const before0033 = before0034 + `
	DROP TABLE trusted_file;
	DROP TABLE seen_scope;
	DROP INDEX document_foreign;
	ALTER TABLE document DROP COLUMN is_foreign;
	UPDATE document SET sum = checksum(id, path, kind, type, slug, name, description, hash, generation, redacted, problem, content);
	DELETE FROM schema_migration WHERE version >= 33;`

// before0030 makes the schema what it was before that step.
const before0030 = before0033 + `
	DROP TABLE session_archive;
	DROP TABLE model_use;
	DROP TABLE model_outage;
	ALTER TABLE access DROP COLUMN confirmed_at;
	ALTER TABLE access DROP COLUMN opened_at;
	DELETE FROM schema_migration WHERE version >= 30;`

// before0028 makes the schema what it was before that step.
const before0028 = before0030 + `
	DROP TABLE question;
	DROP TABLE tagging;
	ALTER TABLE dream DROP COLUMN merged;
	ALTER TABLE dream DROP COLUMN settled;
	ALTER TABLE dream DROP COLUMN asked;
	ALTER TABLE dream DROP COLUMN tagged;
	ALTER TABLE dream DROP COLUMN failure;
	DELETE FROM schema_migration WHERE version >= 28;`

// before0027 makes the schema what it was before that step.
const before0027 = before0028 + `
	DROP TABLE promotion;
	DROP TABLE dream;
	DROP TABLE lease;
	DELETE FROM schema_migration WHERE version >= 27;`

// before0026 makes the schema what it was before that step.
const before0026 = before0027 + `
	ALTER TABLE extraction DROP COLUMN queued_at;
	ALTER TABLE extraction DROP COLUMN owner;
	ALTER TABLE extraction DROP COLUMN lease_until;
	ALTER TABLE extraction DROP COLUMN attempts;
	ALTER TABLE extraction DROP COLUMN retry_at;
	ALTER TABLE extraction DROP COLUMN last_error;
	ALTER TABLE extraction DROP COLUMN dead_at;
	DELETE FROM schema_migration WHERE version >= 26;`

// before0025 makes the schema what it was before that step.
const before0025 = before0026 + `
	ALTER TABLE fact DROP COLUMN sum;
	ALTER TABLE turn DROP COLUMN sum;
	ALTER TABLE decision DROP COLUMN sum;
	ALTER TABLE document DROP COLUMN sum;
	ALTER TABLE learning DROP COLUMN sum;
	DELETE FROM schema_migration WHERE version >= 25;`

// before0021 makes the schema what it was before that step.
const before0021 = before0025 + `
	DROP TABLE category_choice;
	DROP TABLE extraction;
	ALTER TABLE fact DROP COLUMN verbatim;
	ALTER TABLE fact DROP COLUMN valid_to;
	DELETE FROM schema_migration WHERE version >= 21;`

// before0020 makes the schema what it was before that step.
const before0020 = before0021 + `
	DROP TABLE turn_passage;
	DROP TABLE undivided;
	DELETE FROM schema_migration WHERE version >= 20;`

// before0019 makes the schema what it was before that step.
const before0019 = before0020 + `
	UPDATE passage SET type = 0 WHERE kind = 2;
	DELETE FROM schema_migration WHERE version >= 19;`

// before0018 makes the schema what it was before that step.
const before0018 = before0019 + `
	ALTER TABLE term_index RENAME TO word;
	ALTER TABLE trigram_index RENAME TO piece;
	ALTER TABLE passage_block RENAME TO posted;
	ALTER TABLE pending_code RENAME TO uncoded;
	ALTER TABLE code_head RENAME COLUMN pending TO uncoded;
	ALTER TABLE embedding RENAME COLUMN backfilled_through TO walked;
	DELETE FROM schema_migration WHERE version >= 18;`

// before0017 makes the schema what it was before that step, save that no keys of
// near-duplicates and no hashes wait.
const before0017 = before0018 + `
	ALTER TABLE pending RENAME TO uncut;
	CREATE TABLE unfiled (number INTEGER PRIMARY KEY, bits INTEGER NOT NULL, keys BLOB NOT NULL) STRICT;
	DROP INDEX fact_text_hash;
	ALTER TABLE fact RENAME COLUMN text_hash TO norm;
	CREATE TABLE filed_norm (scope_no INTEGER NOT NULL, norm BLOB NOT NULL, number INTEGER NOT NULL,
		PRIMARY KEY (scope_no, norm, number)) STRICT, WITHOUT ROWID;
	INSERT INTO filed_norm SELECT scope_no, norm, number FROM fact WHERE retired_at IS NULL;
	ALTER TABLE scope ADD COLUMN norms_filed INTEGER NOT NULL DEFAULT 0;
	UPDATE scope SET norms_filed = next - 1;
	CREATE TRIGGER fact_gone AFTER DELETE ON fact BEGIN
		DELETE FROM filed_norm WHERE scope_no = old.scope_no AND norm = old.norm AND number = old.number;
	END;
	DELETE FROM schema_migration WHERE version >= 17;`

// keysWait moves keys of some facts from table sketch to where they waited before
// version 17.
func keysWait(b *turnsBed, db *DB) {
	b.Helper()
	ctx := context.Background()
	rows, err := db.writing.QueryContext(ctx, `SELECT key, number, bits FROM sketch WHERE number % 3 > 0 ORDER BY number`)
	b.ok(err)
	keys, bits := make(map[int64][]byte), make(map[int64]int64)
	for rows.Next() {
		var key, number, bit int64
		b.ok(rows.Scan(&key, &number, &bit))
		for shift := 0; shift < 64; shift += 8 {
			keys[number] = append(keys[number], byte(uint64(key)>>shift))
		}
		bits[number] = bit
	}
	b.ok(rows.Close())
	for number := range keys {
		_, err := db.writing.ExecContext(ctx, `INSERT INTO unfiled VALUES (?, ?, ?)`, number, bits[number], keys[number])
		b.ok(err)
	}
	_, err = db.writing.ExecContext(ctx, `DELETE FROM sketch WHERE number % 3 > 0`)
	b.ok(err)
}

// Facts of a home from before are found by their texts and by what is nearly the
// same, and so are those that follow.
func TestMigrate_TakesInKeysAndHashesThatWaited(t *testing.T) {
	for name, bed := range map[string]func(seed uint64) *turnsBed{
		"hashes": func(seed uint64) *turnsBed { return newTextBed(t, seed).turnsBed },
		"keys":   func(seed uint64) *turnsBed { return newLikeBed(t, seed).turnsBed },
	} {
		t.Run(name, func(t *testing.T) {
			b := bed(rand.Uint64())
			for range 20 {
				b.update(b.dbs[0])
			}
			b.ok(b.dbs[1].Close())
			_, err := b.dbs[0].writing.ExecContext(context.Background(), before0017)
			b.ok(err)
			keysWait(b, b.dbs[0])
			b.reopen(0)
			db, err := Open(context.Background(), b.path, nil)
			b.ok(err)
			b.dbs[1] = db
			b.ok(db.View(context.Background(), func(r store.Reader) error {
				for range 20 {
					b.asking(context.Background(), r.(*tx))
				}
				return nil
			}))
			b.run()
		})
	}
}

// oldHome is a database of an earlier schema with a fact, closed.
func oldHome(t *testing.T) (path string) {
	t.Helper()
	b := newBed(t)
	b.save(strata.Global(), "c", "the moon is far away", nil)
	_, err := b.db.writing.ExecContext(context.Background(), before0017)
	b.ok(err)
	b.ok(b.db.Close())
	return b.path
}

func opened(t *testing.T, path string) *DB {
	t.Helper()
	db, err := Open(context.Background(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// copyPath is where a copy of a database lies that was made before its schema
// became the newest.
func copyPath(t *testing.T, path string) string {
	t.Helper()
	list, err := filepath.Glob("migration/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(path, ".before-", len(list))
}

// copiesOf are the names of the copies of a database.
func copiesOf(t *testing.T, db *DB) string {
	t.Helper()
	list, err := db.Copies()
	if err != nil {
		t.Fatal(err)
	}
	for i, path := range list {
		list[i] = filepath.Base(path)
	}
	return strings.Join(list, " ")
}

// A new database is not copied, and an old one once, as it was: readable by its owner
// only, in the place of older copies. It can be opened, as the database itself can.
func TestMigrate_CopiesTheDatabaseFirst(t *testing.T) {
	if got := copiesOf(t, newBed(t).db); got != "" {
		t.Errorf("of a new database there is %s", got)
	}
	path := oldHome(t)
	for _, older := range []string{path + ".before-16", copyPath(t, path) + ".tmp"} {
		if err := os.WriteFile(older, []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	db := opened(t, path)
	copied := copyPath(t, path)
	want := filepath.Base(copied)
	if got := copiesOf(t, db); got != want {
		t.Fatalf("the copies are %s, want %s", got, want)
	}
	info, err := os.Stat(copied)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the copy has mode %v, %v", info.Mode(), err)
	}
	before := info.ModTime()
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	opened(t, path)
	if info, err = os.Stat(copied); err != nil || !info.ModTime().Equal(before) {
		t.Errorf("it was copied again, or is gone: %v", err)
	}
	restored := filepath.Join(t.TempDir(), "strata.db")
	if err := os.Rename(copied, restored); err != nil {
		t.Fatal(err)
	}
	err = opened(t, restored).View(context.Background(), func(r store.Reader) error {
		list, err := r.FactsByText(context.Background(), strata.Global(), text.Analyze("The moon is far away"))
		if len(list) != 1 {
			t.Errorf("in the copy %d facts are found", len(list))
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// Where no copy can be made nothing is changed, and the error says so.
func TestMigrate_ChangesNothingWithoutACopy(t *testing.T) {
	path := oldHome(t)
	if err := os.Mkdir(copyPath(t, path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(copyPath(t, path), "in the way"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	db, err := Open(context.Background(), path, nil)
	if err == nil {
		db.Close()
		t.Fatal("it was opened without a copy")
	}
	if !strings.Contains(fmt.Sprint(errors.Unwrap(err)), "copy the database") {
		t.Errorf("the error: %v", err)
	}
	after, err := os.ReadFile(path)
	if err != nil || string(after) != string(before) {
		t.Errorf("the database was changed, %v", err)
	}
	if _, err := os.Stat(copyPath(t, path) + ".tmp"); err == nil {
		t.Error("a part of a copy was left")
	}
}

// What is forgotten is in no copy any more; what was only tried leaves it.
func TestForget_RemovesTheCopy(t *testing.T) {
	db := opened(t, oldHome(t))
	forget := func(result error) {
		t.Helper()
		err := db.Update(context.Background(), func(w store.Writer) error {
			if _, err := w.Forget(context.Background(), strata.Global(), fmt.Sprintf("fact_%026d", 1), nil); err != nil {
				t.Error(err)
			}
			return result
		})
		if err != result {
			t.Fatal(err)
		}
	}
	dir := filepath.Join(filepath.Dir(db.file.Path), "backups")
	unfinished := filepath.Join(dir, ".strata-backup-1")
	if err := os.MkdirAll(unfinished, 0o700); err != nil {
		t.Fatal(err)
	}
	mine := filepath.Join(dir, "mine.txt")
	for _, path := range []string{filepath.Join(unfinished, "archive"), filepath.Join(dir, "strata-20261125T120000Z.tar.zst"), mine} {
		if err := os.WriteFile(path, []byte("held"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	forget(errUndone)
	if got := strings.Count(copiesOf(t, db), " "); got != 2 {
		t.Errorf("%d copies are gone though nothing was forgotten", 2-got)
	}
	forget(nil)
	if got := copiesOf(t, db); got != "" {
		t.Errorf("%s is left", got)
	}
	if _, err := os.Stat(mine); err != nil {
		t.Errorf("a file of somebody is gone: %v", err)
	}
}
