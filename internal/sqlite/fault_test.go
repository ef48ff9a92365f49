package sqlite_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mattn/go-sqlite3"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/store"
)

// filled returns the path of a closed store with some facts.
func filled(t testing.TB, n int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "strata.db")
	db, err := sqlite.Open(context.Background(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(context.Background(), func(w store.Writer) error {
		for i := range n {
			f := newFact(fmt.Sprintf("fact_%06d", i), fmt.Sprintf("fact number %d about apples and pears", i))
			if err := saveIn(context.Background(), w, f); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// raw runs statements on a database file without Strata.
func raw(t testing.TB, path string, statements ...string) {
	t.Helper()
	c, err := (&sqlite3.SQLiteDriver{}).Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, s := range statements {
		if _, err := c.(*sqlite3.SQLiteConn).Exec(s, nil); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

// openCode fails the test unless opening the path fails with the code and a
// hint. It must leave the file as it is.
func openCode(t *testing.T, path string, opts *sqlite.Options, want strata.Code) {
	t.Helper()
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	db, err := sqlite.Open(context.Background(), path, opts)
	if err == nil {
		db.Close()
	}
	if strata.CodeOf(err) != want {
		t.Fatalf("open returned %v, want code %s", err, want)
	}
	if e := err.(*strata.Error); e.Hint == "" || e.Message == "" {
		t.Errorf("%#v lacks message or hint", e)
	}
	after, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(before, after) {
		t.Error("opening changed the file")
	}
}

func TestOpen_RefusesWhatIsNotItsDatabase(t *testing.T) {
	for name, c := range map[string]struct {
		content string
		code    strata.Code
	}{
		"text":              {strings.Repeat("Dear diary, ", 1000), strata.CodeCorrupt},
		"one byte":          {"x", strata.CodeCorrupt},
		"a header alone":    {"SQLite format 3\x00", strata.CodeCorrupt},
		"zeros":             {strings.Repeat("\x00", 8192), strata.CodeCorrupt},
		"a page of nothing": {"SQLite format 3\x00" + strings.Repeat("\xff", 4080), strata.CodeCorrupt},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "strata.db")
			if err := os.WriteFile(path, []byte(c.content), 0o600); err != nil {
				t.Fatal(err)
			}
			openCode(t, path, nil, c.code)
			openCode(t, path, &sqlite.Options{ReadOnly: true}, c.code)
		})
	}
	t.Run("another program's database", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "strata.db")
		raw(t, path, `CREATE TABLE theirs (x)`, `INSERT INTO theirs VALUES (1)`)
		openCode(t, path, nil, strata.CodeInvalid)
		openCode(t, path, &sqlite.Options{ReadOnly: true}, strata.CodeInvalid)
	})
}

func TestOpen_TruncatedDatabaseIsCorrupt(t *testing.T) {
	source := filled(t, 200)
	content, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{1, 50, 100, 512, 8191, 8192, 3 * 8192, len(content) / 2, len(content) - 8192, len(content) - 1} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "strata.db")
			if err := os.WriteFile(path, content[:size], 0o600); err != nil {
				t.Fatal(err)
			}
			openCode(t, path, nil, strata.CodeCorrupt)
			openCode(t, path, &sqlite.Options{ReadOnly: true}, strata.CodeCorrupt)
		})
	}
}

// Damage inside a page that opening does not read must be told by the check,
// and reading it must give an error rather than wrong rows or a crash.
func TestCheck_FindsOverwrittenPages(t *testing.T) {
	path := filled(t, 300)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const page = 8192
	damaged := 0
	for at := 0; at < len(content); at += page {
		if bytes.Contains(content[at:at+page], []byte("about apples")) {
			copy(content[at:], bytes.Repeat([]byte{0xa5}, page))
			damaged++
		}
	}
	if damaged == 0 {
		t.Fatal("the texts are not in the file")
	}
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	db := open(t, path, nil)
	problems, err := db.Check(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	lost := 0
	for _, p := range problems {
		if p.Kind == "lost_row" && strings.HasPrefix(p.Ref, "fact_") && p.Scope == "global" {
			lost++
		}
	}
	if len(problems) == 0 || problems[0].Kind != "damaged_page" || lost == 0 {
		t.Errorf("check found %+v, want damaged pages and the facts that are lost", problems)
	}
	err = db.View(context.Background(), func(r store.Reader) error {
		_, err := r.Facts(context.Background(), strata.Global(), strata.FactFilter{Limit: 10_000})
		return err
	})
	if strata.CodeOf(err) != strata.CodeCorrupt {
		t.Errorf("reading the damaged page returned %v, want corrupt", err)
	}
}

func TestOpen_NewerSchemaIsRefusedAndLeftAlone(t *testing.T) {
	path := filled(t, 1)
	raw(t, path, `INSERT INTO schema_migration SELECT max(version) + 1, '9999_future.sql', 'x', 0 FROM schema_migration`)
	openCode(t, path, nil, strata.CodeNewerVersion)
	openCode(t, path, &sqlite.Options{ReadOnly: true}, strata.CodeNewerVersion)
}

func TestOpen_ChangedMigrationIsCorrupt(t *testing.T) {
	path := filled(t, 1)
	raw(t, path, `UPDATE schema_migration SET sha256 = 'something else' WHERE version = 1`)
	openCode(t, path, nil, strata.CodeCorrupt)
}

func TestOpen_ReadOnlyReadsAndDoesNotWrite(t *testing.T) {
	ctx := context.Background()
	path := filled(t, 3)
	db := open(t, path, &sqlite.Options{ReadOnly: true})
	if n := len(facts(t, db)); n != 3 {
		t.Errorf("%d facts are read of 3", n)
	}
	for name, err := range map[string]error{"update": save(db, newFact("fact_x", "x")), "compact": db.Compact(ctx)} {
		if strata.CodeOf(err) != strata.CodeReadOnly {
			t.Errorf("%s returned %v, want read_only", name, err)
		}
	}
	sound(t, db)
	missing := filepath.Join(t.TempDir(), "none", "strata.db")
	if _, err := sqlite.Open(ctx, missing, &sqlite.Options{ReadOnly: true}); strata.CodeOf(err) != strata.CodeNotFound {
		t.Errorf("a missing database: %v, want not_found", err)
	}
	if _, err := os.Stat(filepath.Dir(missing)); !os.IsNotExist(err) {
		t.Error("opening for reading made a directory")
	}
}

func TestOpen_FilesAreTheirOwnersAlone(t *testing.T) {
	home := filepath.Join(t.TempDir(), "deep", "home")
	path := filepath.Join(home, "strata.db")
	db := open(t, path, nil)
	if err := save(db, newFact("fact_1", "private")); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]os.FileMode{home: 0o700, path: 0o600, path + "-wal": 0o600, path + "-shm": 0o600, path + "-lock": 0o600} {
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %o, want %o", file, got, want)
		}
	}
}

func TestOpen_AnyNameIsAPath(t *testing.T) {
	for _, name := range []string{"a b.db", "a?mode=memory", "a%20b", "a#b", "猫.db", "file:x", "'; DROP TABLE x; --"} {
		path := filepath.Join(t.TempDir(), name)
		db := open(t, path, nil)
		if err := save(db, newFact("fact_1", "x")); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if info, err := os.Stat(path); err != nil || info.Size() == 0 && !exists(path+"-wal") {
			t.Errorf("%s: the database is elsewhere (%v)", name, err)
		}
		db.Close()
	}
	if _, err := sqlite.Open(context.Background(), "", nil); strata.CodeOf(err) != strata.CodeInvalid {
		t.Errorf("the empty path: %v", err)
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func TestOpen_OptionsAreChecked(t *testing.T) {
	for _, o := range []sqlite.Options{{BusyTimeout: -1}, {Readers: -1}, {Readers: 1000}} {
		if _, err := sqlite.Open(context.Background(), filepath.Join(t.TempDir(), "x.db"), &o); strata.CodeOf(err) != strata.CodeInvalid {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// aSession and aTurn are statements that insert a session, and a turn of it.
func aSession(turns int) string {
	return fmt.Sprintf(`INSERT INTO session (scope_no, id, kind, parent, started_at, turns, transcript, export_aside, revision)
		VALUES (1, 's1', 'main', '', 0, %d, '', '', 0);`, turns)
}

func aTurn(images, forgotten int, calls, text string) string {
	return fmt.Sprintf(`INSERT INTO turn (number, scope_no, id, session, seq, role, speaker, said_at, recorded_at, redacted, forgotten, images,
		failed, call_id, tool, calls, text) VALUES ((1 << 40) + 900, 1, 'turn_1', 's1', 1, 'user', '', 0, 0, 0, %d, %d, 0, '', '', '%s', '%s');`,
		forgotten, images, calls, text)
}

// aDocument makes a document with a section of so many bytes.
func aDocument(size int) string {
	return fmt.Sprintf(`INSERT INTO document (number, scope_no, id, path, kind, type, slug, name, description, hash, size, modified_at,
		recorded_at, generation, redacted, problem, content) VALUES ((1 << 40) + 800, 1, 'doc_1', 'AGENTS.md', 'profile', '', '', '', '', '', 4, 0, 0, 1, '', '', 'text');
		INSERT INTO section VALUES ((1 << 40) + 801, 1, (1 << 40) + 800, 1, 1, 1, 0, %d, x'', '', '')`, size)
}

// Each kind of disagreement between tables that Check knows is made by hand
// and must be found.
func TestCheck_FindsDisagreement(t *testing.T) {
	for name, statement := range map[string]string{
		"missing_reference":     `PRAGMA foreign_keys = OFF; DELETE FROM scope`,
		"stale_version":         `INSERT INTO fact (number, scope_no, id, generation, type, recorded_at, retired_at, valid_from, confidence, origin, superseded_by, supersedes, category, entity, attribute, slot, text_hash, sources, tags, text, verbatim, valid_to) SELECT number + 100, scope_no, id, 2, type, recorded_at, 5, valid_from, confidence, origin, superseded_by, supersedes, category, entity, attribute, slot, text_hash, sources, tags, text, verbatim, valid_to FROM fact WHERE id = 'fact_000001'`,
		"decision_without_fact": `DELETE FROM fact WHERE id = 'fact_000002'`,
		"counter_behind":        `UPDATE scope SET next = 2`,
		"change_behind":         `UPDATE counter SET value = 1 WHERE name = 'change'`,
		"wrong_turn_count":      aSession(7),
		"wrong_image_count":     aSession(1) + aTurn(2, 0, "", "x"),
		"unreadable_calls":      aSession(1) + aTurn(0, 0, "[{", "x"),
		"forgotten_content":     aSession(1) + aTurn(0, 1, "", "still here"),
		"damaged_state":         aSession(0) + `INSERT INTO session_state VALUES (1, 's1', 0, X'00', X'7B7D')`,
		"wrong_section_place":   aDocument(50),
		"stray_access":          `INSERT INTO access (scope_no, memory_id, accesses, last_access) VALUES (1, 'fact_none', 1, 0)`,
	} {
		t.Run(name, func(t *testing.T) {
			kind, _, _ := strings.Cut(name, ",")
			path := filled(t, 5)
			raw(t, path, statement)
			problems, err := open(t, path, nil).Check(context.Background(), nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range problems {
				if p.Kind == kind {
					return
				}
			}
			t.Errorf("check found %+v, not %s", problems, kind)
		})
	}
}

func TestCheck_FindsForgottenTextThatCameBackByItself(t *testing.T) {
	ctx := context.Background()
	db := open(t, filepath.Join(t.TempDir(), "strata.db"), nil)
	f := newFact("fact_1", "I once lived in Oslo")
	if err := save(db, f); err != nil {
		t.Fatal(err)
	}
	err := db.Update(ctx, func(w store.Writer) error {
		_, err := w.Forget(ctx, strata.Global(), f.ID, nil)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	asked, extracted := f, f
	asked.ID, extracted.ID = "fact_2", "fact_3"
	extracted.Origin, extracted.Text = strata.OriginExtractor, "i once lived in  OSLO"
	for _, g := range []strata.Fact{asked, extracted} {
		if err := save(db, g); err != nil {
			t.Fatal(err)
		}
	}
	problems, err := db.Check(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(problems) != 1 || problems[0].Kind != "forgotten_text_returned" || problems[0].Ref != "fact_3" {
		t.Errorf("check found %+v, want fact_3 alone", problems)
	}
}
