package pages_test

import (
	"bytes"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	_ "github.com/mattn/go-sqlite3" // the database whose files are read

	"github.com/strata-memory/strata/internal/sqlite/pages"
)

// longest is the row that needs pages of its own.
const longest = 77

// made is a database that SQLite wrote, and what it holds.
type made struct {
	path string
	db   *sql.DB
	rows map[int64][]any // of table t, by rowid
	root map[string]int64
}

// newMade writes a database of some hundred rows of every type, one of which needs pages of
// its own, with an index, and unused pages.
func newMade(t *testing.T, journal string) *made {
	t.Helper()
	m := &made{path: filepath.Join(t.TempDir(), "x.db"), rows: make(map[int64][]any), root: make(map[string]int64)}
	db, err := sql.Open("sqlite3", m.path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	m.db = db
	m.exec(t, `PRAGMA page_size = 8192`)
	m.exec(t, `PRAGMA auto_vacuum = INCREMENTAL`)
	m.exec(t, `PRAGMA journal_mode = `+journal)
	m.exec(t, `PRAGMA wal_autocheckpoint = 0`)
	m.exec(t, `CREATE TABLE t (number INTEGER PRIMARY KEY, name TEXT, data BLOB, share REAL, small, large)`)
	m.exec(t, `CREATE INDEX by_name ON t (name)`)
	m.exec(t, `CREATE TABLE gone (x)`)
	m.exec(t, `INSERT INTO gone VALUES (?)`, bytes.Repeat([]byte("gone"), 20_000))
	for i := range int64(400) {
		name, data := fmt.Sprintf("row %03d %s", i, strings.Repeat("ä", int(i%90))), bytes.Repeat([]byte{byte(i)}, int(i*i%700))
		if i == longest {
			data = bytes.Repeat([]byte("far too long for a page "), 3000)
		}
		row := []any{name, data, float64(i) / 3, i%2 - 1, -i << 40}
		m.exec(t, `INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)`, append([]any{3*i - 200}, row...)...)
		m.rows[3*i-200] = row
	}
	m.exec(t, `DROP TABLE gone`)
	list, err := db.Query(`SELECT name, rootpage FROM sqlite_schema`)
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	for list.Next() {
		var name string
		var root int64
		if err := list.Scan(&name, &root); err != nil {
			t.Fatal(err)
		}
		m.root[name] = root
	}
	return m
}

func (m *made) exec(t *testing.T, query string, args ...any) {
	t.Helper()
	if _, err := m.db.Exec(query, args...); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}

// number asks SQLite for one number.
func (m *made) number(t *testing.T, query string) (n int64) {
	t.Helper()
	if err := m.db.QueryRow(query).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func open(t *testing.T, path string) *pages.File {
	t.Helper()
	f, err := pages.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// copied is a copy of a database and its log, which nobody has open.
func (m *made) copied(t *testing.T) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "copy.db")
	for _, end := range []string{"", "-wal"} {
		data, err := os.ReadFile(m.path + end)
		if err == nil {
			err = os.WriteFile(to+end, data, 0o600)
		} else if end != "" {
			err = nil // there is no log
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return to
}

// read reads table t.
func read(t *testing.T, f *pages.File, root int64) (map[int64][]any, []pages.Lost) {
	t.Helper()
	got := make(map[int64][]any)
	lost, err := f.Rows(root, true, make(map[int64]bool), func(r pages.Row) error {
		got[r.Number] = r.Values[1:] // the rowid itself is stored as NULL
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return got, lost
}

// What SQLite wrote is read as it was written: from the file, and where the pages are
// still in the log.
func TestRowsAreReadAsSQLiteWroteThem(t *testing.T) {
	for _, journal := range []string{"DELETE", "WAL"} {
		t.Run(journal, func(t *testing.T) {
			m := newMade(t, journal)
			f := open(t, m.copied(t))
			if err := f.HeaderSound(); err != nil {
				t.Error(err)
			}
			if f.Blank() {
				t.Error("a database with tables is taken for one without")
			}
			if n := m.number(t, `PRAGMA page_count`); f.Pages() != n {
				t.Errorf("%d pages, SQLite has %d", f.Pages(), n)
			}
			got, lost := read(t, f, m.root["t"])
			if len(lost) > 0 || !reflect.DeepEqual(got, m.rows) {
				t.Errorf("%d of %d rows are read, lost are %+v", len(got), len(m.rows), lost)
			}
			var names []string
			lost, err := f.Rows(m.root["by_name"], false, make(map[int64]bool), func(r pages.Row) error {
				names = append(names, r.Values[0].(string))
				return nil
			})
			if err != nil || len(lost) > 0 || len(names) != len(m.rows) || !slices.IsSorted(names) {
				t.Errorf("of the index %d entries are read, in order: %v, lost are %+v, %v", len(names), slices.IsSorted(names), lost, err)
			}
			free, lost := f.Free()
			if n := m.number(t, `PRAGMA freelist_count`); n == 0 || int64(len(free)) != n || len(lost) > 0 {
				t.Errorf("%d pages are in no use, SQLite says %d; lost are %+v", len(free), n, lost)
			}
		})
	}
}

// What was written to the log without being committed is not read.
func TestWhatWasNotCommittedIsNotRead(t *testing.T) {
	m := newMade(t, "WAL")
	path := m.copied(t)
	info, err := os.Stat(path + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	before := open(t, path).Pages()
	m.exec(t, `UPDATE t SET name = 'changed', data = zeroblob(9000)`)
	log, err := os.ReadFile(m.path + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	// All of the update but the last page, with which it is committed.
	if err := os.WriteFile(path+"-wal", log[:len(log)-pages.Size], 0o600); err != nil || int64(len(log)) < info.Size()+100*pages.Size {
		t.Fatalf("the log went from %d to %d bytes, %v", info.Size(), len(log), err)
	}
	same := func(what string) {
		t.Helper()
		f := open(t, path)
		got, lost := read(t, f, m.root["t"])
		if f.Pages() != before || len(lost) > 0 || !reflect.DeepEqual(got, m.rows) {
			t.Errorf("%s: %d pages, %d rows, lost are %+v", what, f.Pages(), len(got), lost)
		}
	}
	same("a log that ends before the commit")
	log[len(log)-1] ^= 1
	if err := os.WriteFile(path+"-wal", log, 0o600); err != nil {
		t.Fatal(err)
	}
	same("a commit of which a byte did not reach the disk")
}

// A page of a table that is overwritten loses the rows that it held, and no others: those
// between the rows around it, or the one row whose rest it is. The last page of a rest
// leads nowhere and has no checksum, so that its row is read with what stands there. The
// root holds no rows, and those below it are found without it.
func TestADamagedPageLosesItsOwnRowsAlone(t *testing.T) {
	m := newMade(t, "DELETE")
	path := m.copied(t)
	sound, held := open(t, path), make(map[int64]bool) // the pages of the table
	if _, err := sound.Rows(m.root["t"], true, held, nil); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rests, ends := 0, 0
	for page := range held {
		if root := sound.Root(page); root != m.root["t"] && root != 0 {
			t.Errorf("page %d is of the tree at %d, want %d", page, root, m.root["t"])
		}
		damaged := bytes.Clone(data)
		clear(damaged[(page-1)*pages.Size : page*pages.Size])
		broken := filepath.Join(t.TempDir(), "broken.db")
		if err := os.WriteFile(broken, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		got, lost := read(t, open(t, broken), m.root["t"])
		if len(lost) == 0 {
			ends++
			for number, row := range m.rows {
				if !reflect.DeepEqual(got[number], row) && (number != 3*longest-200 || len(got[number][1].([]byte)) != len(row[1].([]byte))) {
					t.Errorf("of page %d: row %d is another", page, number)
				}
			}
			continue
		}
		if len(lost) != 1 || (len(got) == len(m.rows)) != lost[0].NoRows || len(got) < len(m.rows)/2 {
			t.Fatalf("of page %d: %d of %d rows are read, lost are %+v", page, len(got), len(m.rows), lost)
		}
		l := lost[0]
		if l.NoRows != (page == m.root["t"]) {
			t.Errorf("page %d held rows: %v", page, !l.NoRows)
		}
		if l.OneRow {
			rests++
		}
		for number, row := range m.rows {
			gone := !l.NoRows && (l.OneRow && number == l.Number || !l.OneRow && (number > l.After || l.After == 0) && (number < l.Before || l.Before == 0))
			if values, there := got[number]; there == gone || there && !reflect.DeepEqual(values, row) {
				t.Errorf("of page %d: row %d is read: %v; lost are %+v", page, number, there, l)
			}
		}
	}
	if rests == 0 || ends != 1 || rests+ends == len(held)-1 {
		t.Errorf("of %d pages %d led on to the rest of a row, and %d ended one: the test says less than it should", len(held), rests, ends)
	}
}

// A head of which any byte that tells is another is not taken for that of a database.
func TestADamagedHeadIsTold(t *testing.T) {
	m := newMade(t, "DELETE")
	path := m.copied(t)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []int{0, 15, 16, 17, 18, 20, 21, 22, 23} {
		other := bytes.Clone(data)
		other[at] ^= 0xff
		if err := os.WriteFile(path, other, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := open(t, path).HeaderSound(); err == nil {
			t.Errorf("byte %d may be anything", at)
		}
	}
}

// A database whose creation was not finished holds no table.
func TestADatabaseWithoutTablesIsBlank(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, q := range []string{`PRAGMA page_size = 8192`, `PRAGMA auto_vacuum = INCREMENTAL`, `VACUUM`} {
		if _, err := db.Exec(q); err != nil {
			t.Fatal(err)
		}
	}
	if f := open(t, path); !f.Blank() {
		t.Error("it is not blank")
	}
}

// Of the map of pages there is one page for every 1,638 others, from the second on.
func TestPagesOfTheMap(t *testing.T) {
	for number, want := range map[int64]bool{1: false, 2: true, 3: false, 1640: false, 1641: true, 1642: false, 3280: true} {
		if pages.IsMap(number) != want {
			t.Errorf("page %d is of the map: %v", number, !want)
		}
	}
}
