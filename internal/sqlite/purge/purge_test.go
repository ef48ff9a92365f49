package purge

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mattn/go-sqlite3"
)

// bed is a database with full-text tables like those of a home, and a table of
// plain rows.
type bed struct {
	testing.TB
	Purger
	c *sql.Conn
}

func newBed(tb testing.TB, before ...string) *bed {
	tb.Helper()
	if err := Register(); err != nil {
		tb.Fatal(err)
	}
	path := filepath.Join(tb.TempDir(), "test.db")
	c := connect(tb, path)
	b := &bed{tb, Purger{Path: path, Tables: []string{"term_index", "trigram_index"}, Touch: `UPDATE plain SET body = body WHERE id = 0`}, c}
	b.exec(append(before,
		`PRAGMA page_size = 1024`, `PRAGMA auto_vacuum = INCREMENTAL`, `PRAGMA journal_mode = WAL`, `PRAGMA secure_delete = ON`,
		`PRAGMA temp_store = MEMORY`, `PRAGMA synchronous = OFF`, `PRAGMA wal_autocheckpoint = 0`,
		`CREATE VIRTUAL TABLE term_index USING fts5 (terms, tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co Cn'", columnsize = 0)`,
		`CREATE VIRTUAL TABLE trigram_index USING fts5 (normal, tokenize = 'trigram case_sensitive 1', columnsize = 0, detail = none)`,
		`CREATE TABLE plain (id INTEGER PRIMARY KEY, body TEXT)`, `INSERT INTO plain VALUES (0, 'first')`)...)
	b.ok(b.Overwrite(context.Background(), b.c, true))
	return b
}

// connect opens a connection of the database at a path.
func connect(tb testing.TB, path string) *sql.Conn {
	tb.Helper()
	db, err := sql.Open("sqlite3", "file:"+path)
	if err != nil {
		tb.Fatal(err)
	}
	c, err := db.Conn(context.Background())
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { c.Close(); db.Close() })
	return c
}

func (b *bed) ok(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

func (b *bed) exec(statements ...string) {
	b.Helper()
	for _, s := range statements {
		if _, err := b.c.ExecContext(context.Background(), s); err != nil {
			b.Fatalf("%s: %v", s, err)
		}
	}
}

// put indexes a text in both full-text tables; remove takes it out.
func (b *bed) put(id int, text string) {
	b.Helper()
	for _, table := range b.Tables {
		_, err := b.c.ExecContext(context.Background(), `INSERT INTO `+table+` (rowid, `+columnOf[table]+`) VALUES (?, ?)`, id, text)
		b.ok(err)
	}
}

func (b *bed) remove(id int) {
	b.Helper()
	for _, table := range b.Tables {
		_, err := b.c.ExecContext(context.Background(), `DELETE FROM `+table+` WHERE rowid = ?`, id)
		b.ok(err)
	}
}

var columnOf = map[string]string{"term_index": "terms", "trigram_index": "normal"}

func (b *bed) integer(query string, args ...any) (n int) {
	b.Helper()
	b.ok(b.c.QueryRowContext(context.Background(), query, args...).Scan(&n))
	return n
}

// compact does what a store does with a Purger, and says whether it took VACUUM.
func (b *bed) compact() (vacuum bool) {
	b.Helper()
	ctx := context.Background()
	b.ok(b.SplitKeys(ctx, b.c))
	b.exec(`PRAGMA incremental_vacuum`, `PRAGMA wal_checkpoint(TRUNCATE)`)
	for first := int64(1); first != 0; {
		var err error
		first, err = b.Gaps(ctx, b.c, first)
		if errors.Is(err, ErrUnknown) {
			b.ok(b.Vacuum(ctx, b.c))
			first, vacuum, err = 0, true, nil
		}
		b.ok(err)
		b.exec(`PRAGMA wal_checkpoint(TRUNCATE)`)
	}
	return vacuum
}

// file is every byte of the database and its log.
func (b *bed) file() []byte {
	b.Helper()
	all, err := os.ReadFile(b.Path)
	b.ok(err)
	log, err := os.ReadFile(b.Path + "-wal")
	b.ok(err)
	return append(all, log...)
}

// sound has SQLite and FTS5 check everything.
func (b *bed) sound() {
	b.Helper()
	var said string
	b.ok(b.c.QueryRowContext(context.Background(), `PRAGMA integrity_check`).Scan(&said))
	if said != "ok" {
		b.Error(said)
	}
	for _, table := range b.Tables {
		b.exec(`INSERT INTO ` + table + ` (` + table + `) VALUES ('integrity-check')`)
	}
}

// splitKeys are the split keys of a table, without what FTS5 writes before each.
func (b *bed) splitKeys(table string) (keys []string) {
	b.Helper()
	rows, err := b.c.QueryContext(context.Background(), `SELECT CAST(term AS TEXT) FROM `+table+`_idx WHERE length(term) > 0`)
	b.ok(err)
	defer rows.Close()
	for rows.Next() {
		var key string
		b.ok(rows.Scan(&key))
		keys = append(keys, strings.TrimPrefix(key, "0"))
	}
	b.ok(rows.Err())
	return keys
}

// similarWords are words that differ at their end alone, so that a split key of
// them is a whole word.
func similarWords(n int) (list []string) {
	for i := range n {
		list = append(list, fmt.Sprintf("warehouseparcel%04d", i))
	}
	return list
}

// putSimilar indexes similar words and removes those that are split keys.
func (b *bed) putSimilar() (left, gone []string) {
	b.Helper()
	words := similarWords(2_000)
	b.exec(`BEGIN`)
	for i, w := range words {
		b.put(i+1, w)
	}
	b.exec(`COMMIT`)
	keys := b.splitKeys("term_index")
	b.exec(`BEGIN`)
	for i, w := range words {
		if !slices.ContainsFunc(keys, func(key string) bool { return strings.HasPrefix(w, key) }) {
			left = append(left, w)
			continue
		}
		b.remove(i + 1)
		gone = append(gone, w)
	}
	b.exec(`COMMIT`)
	if len(gone) == 0 {
		b.Fatalf("of %d words none is a split key of %q", len(words), keys)
	}
	return left, gone
}

// missing looks for words in the file and in the index.
func (b *bed) missing(left, gone []string) {
	b.Helper()
	all := b.file()
	for _, w := range gone {
		if bytes.Contains(all, []byte(w)) {
			b.Errorf("%q is left", w)
		}
	}
	for _, w := range left {
		if n := b.integer(`SELECT count(*) FROM term_index WHERE term_index MATCH ?`, w); n != 1 {
			b.Errorf("%q is found %d times", w, n)
		}
	}
}

// An assumption: FTS5 keeps the version of its format, and its tables have the
// columns that are read here.
func TestFormatIsKnown(t *testing.T) {
	b := newBed(t)
	b.putSimilar()
	for _, table := range b.Tables {
		known, err := b.knows(context.Background(), b.c, table)
		if b.ok(err); !known {
			t.Errorf("%s is in an unknown format", table)
		}
		if v := b.integer(`SELECT v FROM ` + table + `_config WHERE k = 'version'`); v != formatSecureDelete {
			t.Errorf("%s has version %d", table, v)
		}
		b.exec(`INSERT INTO ` + table + ` (` + table + `) VALUES ('rebuild')`)
		if v := b.integer(`SELECT v FROM ` + table + `_config WHERE k = 'version'`); v != format {
			t.Errorf("%s has version %d when it is new", table, v)
		}
	}
}

// An assumption: the first term of a leaf stands where firstTerm looks, and begins
// with the leaf's split key.
func TestLeafBeginsWithItsFirstTerm(t *testing.T) {
	b := newBed(t)
	b.exec(`BEGIN`)
	for i, w := range similarWords(3_000) {
		b.put(i+1, w+fmt.Sprintf("東京%d ", i*7919%1000)+strings.Repeat("long ", i%9))
	}
	b.exec(`COMMIT`, `CREATE VIRTUAL TABLE vocabulary USING fts5vocab (term_index, row)`)
	for _, table := range b.Tables {
		rows, err := b.c.QueryContext(context.Background(), `
			SELECT term, block FROM `+table+`_idx JOIN `+table+`_data ON id = (segid << 37) + (pgno >> 1) WHERE length(term) > 0`)
		b.ok(err)
		var terms []string
		for rows.Next() {
			var key, leaf []byte
			b.ok(rows.Scan(&key, &leaf))
			first, err := firstTerm(leaf)
			b.ok(err)
			if !bytes.HasPrefix(first, key) || first[0] != '0' {
				t.Errorf("the leaf of %q begins with %q", key, first)
			}
			terms = append(terms, string(first[1:]))
		}
		b.ok(errors.Join(rows.Err(), rows.Close()))
		if len(terms) < 3 {
			t.Fatalf("%s has leaves of %d terms only", table, len(terms))
		}
		for _, term := range terms {
			if table == "term_index" && b.integer(`SELECT count(*) FROM vocabulary WHERE term = ?`, term) != 1 {
				t.Errorf("%q is no term of the index", term)
			}
		}
	}
}

// What the room is for: a word that is removed stays a split key. Afterwards it
// does not, and what is left is found.
func TestSplitKeys(t *testing.T) {
	for _, c := range []struct {
		name   string
		damage func(*bed)
	}{
		{"as known", func(*bed) {}},
		{"the plain way", func(b *bed) { b.Plain = true }},
		{"another version", func(b *bed) { b.exec(`UPDATE term_index_config SET v = 6 WHERE k = 'version'`) }},
		{"leaves that do not begin with a term", func(b *bed) {
			b.exec(`UPDATE term_index_data SET block = CAST(x'00000004' || substr(block, 5) AS BLOB)
				WHERE id IN (SELECT (segid << 37) + (pgno >> 1) FROM term_index_idx WHERE length(term) > 0)`)
		}},
		{"leaves that begin before their keys", func(b *bed) {
			b.exec(`UPDATE term_index_idx SET term = CAST('0z' || pgno AS BLOB) WHERE length(term) > 0`)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBed(t)
			left, gone := b.putSimilar()
			if all := b.file(); !slices.ContainsFunc(gone, func(w string) bool { return bytes.Contains(all, []byte(w)) }) {
				t.Error("no removed word is left before")
			}
			c.damage(b)
			b.compact()
			b.missing(left, gone)
			b.sound()
		})
	}
}

// An assumption: at a savepoint FTS5 writes what it holds in memory.
func TestFlush_WritesWhatIsInMemory(t *testing.T) {
	b := newBed(t)
	b.exec(`BEGIN`)
	b.put(1, "held in memory")
	size := func() (n int) {
		for _, table := range b.Tables {
			n += b.integer(`SELECT sum(length(block)) FROM ` + table + `_data`)
		}
		return n
	}
	before := size()
	b.ok(b.Flush(context.Background(), b.c))
	if size() == before {
		t.Error("nothing was written")
	}
	b.exec(`COMMIT`)
	b.sound()
}

// An assumption: "optimize" writes two segments and more anew, and leaves one as it
// is. However many there are, nothing of what was marked is left.
func TestOverwriteMarked(t *testing.T) {
	ctx := context.Background()
	for _, plain := range []bool{false, true} {
		for _, parts := range []int{1, 2, 5} {
			t.Run(fmt.Sprint(parts, " segments, plain ", plain), func(t *testing.T) {
				b := newBed(t)
				b.Plain = plain
				b.ok(b.Overwrite(ctx, b.c, false))
				for i := range parts {
					b.exec(`BEGIN`)
					b.put(2*i+1, fmt.Sprintf("kept%d", i))
					b.put(2*i+2, fmt.Sprintf("zqvorbliq%d", i))
					b.ok(b.Flush(ctx, b.c))
					b.remove(2*i + 2)
					b.exec(`COMMIT`)
				}
				if !bytes.Contains(b.file(), []byte("zqvorbliq")) {
					t.Error("nothing is left before")
				}
				b.ok(b.Overwrite(ctx, b.c, true))
				b.ok(b.OverwriteMarked(ctx, b.c))
				b.compact()
				if bytes.Contains(b.file(), []byte("zqvorbliq")) {
					t.Error("a word is left")
				}
				for i := range parts {
					if b.integer(`SELECT count(*) FROM term_index WHERE term_index MATCH ?`, fmt.Sprintf("kept%d", i)) != 1 {
						t.Errorf("kept%d is not found", i)
					}
				}
				b.sound()
			})
		}
	}
	b := newBed(t)
	for i := range 3 {
		b.put(i+1, fmt.Sprint("text ", i))
	}
	before, err := segments(ctx, b.c, "term_index")
	b.ok(err)
	b.exec(`INSERT INTO term_index (term_index) VALUES ('optimize')`)
	after, err := segments(ctx, b.c, "term_index")
	b.ok(err)
	if len(before) != 3 || len(after) != 1 || slices.Contains(before, after[0]) {
		t.Errorf("of segments %v were made %v", before, after)
	}
	b.exec(`INSERT INTO term_index (term_index) VALUES ('optimize')`)
	if again, err := segments(ctx, b.c, "term_index"); err != nil || !slices.Equal(again, after) {
		t.Errorf("of segments %v were made %v, %v", after, again, err)
	}
}

// putMoved saves and removes rows of very different lengths, so that SQLite moves
// cells from page to page.
func (b *bed) putMoved(rng *rand.Rand) (gone []string) {
	b.Helper()
	ctx := context.Background()
	var ids []int
	words := make(map[int]string)
	for i := range 8_000 {
		if i%10 == 0 {
			b.exec(`COMMIT`, `BEGIN`)
		}
		word := make([]byte, 12)
		for at := range word {
			word[at] = byte('a' + rng.IntN(26))
		}
		// Three runs of numbers, so that pages fill in the midst of the table.
		id := (1+rng.IntN(3))<<40 | i
		words[id] = string(word)
		_, err := b.c.ExecContext(ctx, `INSERT INTO plain VALUES (?, ?)`, id, strings.Repeat(string(word)+" ", 1+rng.IntN(1+rng.IntN(25))))
		b.ok(err)
		ids = append(ids, id)
		if rng.IntN(3) == 0 {
			at := rng.IntN(len(ids))
			_, err := b.c.ExecContext(ctx, `DELETE FROM plain WHERE id = ?`, ids[at])
			b.ok(err)
			gone = append(gone, words[ids[at]])
			ids = slices.Delete(ids, at, at+1)
		}
	}
	return gone
}

// What the room is for: SQLite leaves copies of cells that it moved. Afterwards
// there are none, whichever way is taken, and the way is the one it should be.
func TestGaps(t *testing.T) {
	for _, c := range []struct {
		name   string
		before []string
		damage func(*bed)
		vacuum bool
	}{
		{name: "as known", damage: func(*bed) {}},
		{name: "the plain way", damage: func(b *bed) { b.Plain = true }, vacuum: true},
		{name: "no pointer map", before: []string{`PRAGMA auto_vacuum = NONE`, `CREATE TABLE first (x)`}, damage: func(*bed) {}, vacuum: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBed(t, c.before...)
			b.exec(`BEGIN`)
			gone := b.putMoved(rand.New(rand.NewPCG(1, 7)))
			b.exec(`COMMIT`, `PRAGMA wal_checkpoint(TRUNCATE)`)
			left := func() (n int) {
				all := b.file()
				for _, word := range gone {
					if bytes.Contains(all, []byte(word[:8])) {
						n++
					}
				}
				return n
			}
			if left() == 0 {
				t.Error("nothing is left before")
			}
			rows := b.integer(`SELECT sum(length(body)) FROM plain`)
			c.damage(b)
			if vacuum := b.compact(); vacuum != c.vacuum {
				t.Errorf("VACUUM was taken: %v", vacuum)
			}
			if n := left(); n > 0 {
				t.Errorf("%d of %d words are left", n, len(gone))
			}
			if b.integer(`SELECT sum(length(body)) FROM plain`) != rows {
				t.Error("rows are gone")
			}
			b.sound()
		})
	}
}

// A page that does not add up is no place to write to.
func TestGaps_UnknownPages(t *testing.T) {
	for _, c := range []struct {
		name string
		at   int64
		byte byte
	}{
		{"the header's fractions", 21, 63}, {"the version for reading", 19, 3}, {"the name", 3, 'x'},
		{"the kind of a page", 2 * 1024, 99}, {"the beginning of the cells", 2*1024 + 5, 255},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBed(t)
			b.exec(`PRAGMA wal_checkpoint(TRUNCATE)`)
			f, err := os.OpenFile(b.Path, os.O_RDWR, 0)
			b.ok(err)
			_, err = f.WriteAt([]byte{c.byte}, c.at)
			b.ok(errors.Join(err, f.Close()))
			before := b.file()
			var next int64
			err = unknown(b.c.QueryRowContext(context.Background(), `SELECT zero_gaps(1, 1000)`).Scan(&next))
			if !errors.Is(err, ErrUnknown) {
				t.Errorf("got %v", err)
			}
			if c.at < 100 && !bytes.Equal(before, b.file()) {
				t.Error("it wrote to the file")
			}
		})
	}
}

// What was written since the log was emptied is in pages that would change.
func TestGaps_WaitsForTheLog(t *testing.T) {
	b := newBed(t)
	b.exec(`INSERT INTO plain VALUES (1, 'x')`)
	_, err := b.Gaps(context.Background(), b.c, 1)
	var e sqlite3.Error
	if !errors.As(err, &e) || e.Code != sqlite3.ErrBusy {
		t.Errorf("got %v", err)
	}
	b.exec(`INSERT INTO plain VALUES (2, 'no transaction is open')`)
}

// A leaf that a removal emptied is sound for every connection, also where another one
// rebuilt the index, for which FTS5 forgets that anything was ever removed.
func TestAnEmptiedLeafIsSoundAfterARebuild(t *testing.T) {
	b := newBed(t)
	there := *b // on another connection
	there.c = connect(t, b.Path)
	b.put(1, "a cat")
	there.remove(1)
	b.put(2, "a hen")
	b.remove(2)
	for _, table := range b.Tables {
		b.ok(Rebuild(context.Background(), b.c, table))
	}
	b.put(3, "a dog")
	there.remove(3)
	for _, c := range []*sql.Conn{b.c, there.c, connect(t, b.Path)} {
		var said string
		b.ok(c.QueryRowContext(context.Background(), `PRAGMA integrity_check`).Scan(&said))
		if said != "ok" {
			t.Error(said)
		}
	}
}
