package packed

import (
	"bytes"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sqlite/sqlfunc"
)

// openSQLite opens a database in memory whose connections have the functions.
func openSQLite(tb testing.TB) *sql.DB {
	tb.Helper()
	if err := sqlfunc.Register(); err != nil {
		tb.Fatal(err)
	}
	db, err := sql.Open("sqlite3", ":memory:")
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { db.Close() })
	return db
}

// columns names the first n columns of unpack.
func columns(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprint("c", i)
	}
	return strings.Join(list, ", ")
}

// collect reads all rows of a query.
func collect[T any](db *sql.DB, query string, data []byte, read func(scan func(...any) error) (T, error)) (out []T, err error) {
	rows, err := db.Query(query, data)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		v, err := read(rows.Scan)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, rows.Err()
}

// unpacked reads rows of n values back through SQLite.
func unpacked(db *sql.DB, n int, data []byte) ([][]any, error) {
	return collect(db, `SELECT `+columns(n)+` FROM unpack(?)`, data, func(scan func(...any) error) ([]any, error) {
		row, dest := make([]any, n), make([]any, n)
		for i := range row {
			dest[i] = &row[i]
		}
		return row, scan(dest...)
	})
}

func TestUnpack_YieldsWhatWasPacked(t *testing.T) {
	db := openSQLite(t)
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, MaxColumns).Draw(t, "columns")
		var want [][]any
		var data Rows
		for range rapid.IntRange(0, 20).Draw(t, "rows") {
			row := make([]any, n)
			for i := range row {
				switch rapid.IntRange(0, 4).Draw(t, "kind") {
				case 1:
					row[i] = rapid.Int64().Draw(t, "integer")
				case 2:
					row[i] = rapid.Float64Range(-1e300, 1e300).Draw(t, "float")
				case 3:
					row[i] = rapid.String().Draw(t, "text")
				case 4:
					row[i] = rapid.SliceOfN(rapid.Byte(), 1, 3000).Draw(t, "blob")
				}
			}
			want = append(want, row)
			if err := data.Add(row...); err != nil {
				t.Fatal(err)
			}
		}
		got, err := unpacked(db, n, data)
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("got %v, %v, want %v", got, err, want)
		}
	})
}

func TestUnpack_RefusesRowsThatAreCutShort(t *testing.T) {
	db := openSQLite(t)
	var data Rows
	if err := data.Add(int64(7), "text", []byte{1, 2}, 0.5, nil); err != nil {
		t.Fatal(err)
	}
	for size := 1; size < len(data); size++ {
		if rows, err := unpacked(db, 5, data[:size]); err == nil {
			t.Errorf("%d of %d bytes yield %v", size, len(data), rows)
		}
	}
	if err := data.Add(make([]any, MaxColumns+1)...); err == nil {
		t.Error("a row of too many values is packed")
	}
	if err := data.Add(struct{}{}); err == nil {
		t.Error("a value that SQLite does not have is packed")
	}
}

func FuzzUnpack(f *testing.F) {
	var data Rows
	if err := data.Add(int64(7), "text", []byte{1, 2}, 0.5, nil); err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(data))
	f.Add([]byte{1, text, 255, 255, 255, 255})
	db := openSQLite(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		unpacked(db, MaxColumns, data) // it returns
	})
}

// rowOfAll has a value of every type that rows of the store are read into.
type rowOfAll struct {
	Number int64
	Count  int
	Text   string
	Kind   strata.Kind // a text underneath
	Flag   bool
	Share  float64
	When   sql.NullInt64
	Blob   []byte
}

func (r rowOfAll) values() []any {
	flag, when := int64(0), any(nil)
	if r.Flag {
		flag = 1
	}
	if r.When.Valid {
		when = r.When.Int64
	}
	return []any{r.Number, int64(r.Count), r.Text, string(r.Kind), flag, r.Share, when, r.Blob}
}

func scanRowOfAll(scan func(...any) error) (r rowOfAll, err error) {
	err = scan(&r.Number, &r.Count, &r.Text, &r.Kind, &r.Flag, &r.Share, &r.When, &r.Blob)
	return r, err
}

func TestPackRows_AreReadAsRowsAre(t *testing.T) {
	db := openSQLite(t)
	rapid.Check(t, func(t *rapid.T) {
		var data Rows
		for range rapid.IntRange(0, 20).Draw(t, "rows") {
			row := rowOfAll{
				Number: rapid.Int64().Draw(t, "number"),
				Count:  rapid.Int().Draw(t, "count"),
				Text:   rapid.String().Draw(t, "text"),
				Kind:   strata.Kind(rapid.String().Draw(t, "kind")),
				Flag:   rapid.Bool().Draw(t, "flag"),
				Share:  rapid.Float64Range(-1e300, 1e300).Draw(t, "share"),
				Blob:   rapid.SliceOfN(rapid.Byte(), 1, 3000).Draw(t, "blob"),
			}
			if rapid.Bool().Draw(t, "dated") {
				row.When = sql.NullInt64{Int64: rapid.Int64().Draw(t, "when"), Valid: true}
			}
			if err := data.Add(row.values()...); err != nil {
				t.Fatal(err)
			}
		}
		want, err := collect(db, `SELECT `+columns(8)+` FROM unpack(?)`, data, scanRowOfAll)
		if err != nil {
			t.Fatal(err)
		}
		var packed []byte
		if err := db.QueryRow(`SELECT pack_rows(`+columns(8)+`) FROM unpack(?)`, []byte(data)).Scan(&packed); err != nil {
			t.Fatal(err)
		}
		var got []rowOfAll
		for r := Reader(packed); len(r) > 0; {
			row, err := scanRowOfAll(r.Scan)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, row)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("packed rows are read as %v, rows as %v", got, want)
		}
	})
}

func TestPackRows_ReadingRefusesWhatDoesNotFit(t *testing.T) {
	var data Rows
	if err := data.Add(int64(300), "text", nil, 0.5, []byte{1}); err != nil {
		t.Fatal(err)
	}
	var n, count int64
	var s string
	var small int8
	var f float64
	var b []byte
	var null sql.NullInt64
	read := func(data Rows, dest ...any) error {
		rows := Reader(data)
		return rows.Scan(dest...)
	}
	if err := read(data, &n, &s, &null, &f, &b); err != nil || n != 300 || s != "text" || null.Valid || f != 0.5 || !bytes.Equal(b, []byte{1}) {
		t.Fatalf("read %d %q %v %v %v, %v", n, s, null, f, b, err)
	}
	for name, dest := range map[string][]any{
		"fewer values":            {&n, &s, &null, &f},
		"a text for an integer":   {&n, &count, &null, &f, &b},
		"an integer for a text":   {&s, &s, &null, &f, &b},
		"null for a text":         {&n, &s, &s, &f, &b},
		"a number that overflows": {&small, &s, &null, &f, &b},
		"no pointer":              {n, &s, &null, &f, &b},
	} {
		if err := read(data, dest...); err == nil {
			t.Errorf("%s is read", name)
		}
	}
	for size := range len(data) {
		if err := read(data[:size], &n, &s, &null, &f, &b); err == nil {
			t.Errorf("%d of %d bytes are read", size, len(data))
		}
	}
}

// What was read must not change with the memory it was read from.
func TestPackRows_ReadingCopies(t *testing.T) {
	var data Rows
	if err := data.Add("text", []byte("blob")); err != nil {
		t.Fatal(err)
	}
	var s string
	var b []byte
	rows := Reader(data)
	if err := rows.Scan(&s, &b); err != nil {
		t.Fatal(err)
	}
	clear(data)
	if s != "text" || string(b) != "blob" {
		t.Errorf("read %q and %q, and then the memory was cleared", s, b)
	}
}

func FuzzPackedReader(f *testing.F) {
	var data Rows
	if err := data.Add(int64(1), "text", nil, 0.5, []byte{1}); err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(data))
	f.Add([]byte{1, text, 255, 255, 255, 255})
	f.Fuzz(func(t *testing.T, data []byte) {
		for rows := Reader(data); len(rows) > 0; {
			var n int64
			var s string
			var null sql.NullInt64
			var share float64
			var b []byte
			before := len(rows)
			if rows.Scan(&n, &s, &null, &share, &b) != nil {
				return
			}
			if len(rows) >= before {
				t.Fatal("reading a row takes nothing")
			}
		}
	})
}

func TestTexts_AreRowsOfOneTextEach(t *testing.T) {
	db := openSQLite(t)
	for _, list := range [][]string{nil, {""}, {"one", "", "δύο \x00"}} {
		got, err := collect(db, `SELECT c0 FROM unpack(?)`, Texts(list), func(scan func(...any) error) (s string, err error) { return s, scan(&s) })
		if err != nil || !slices.Equal(got, list) {
			t.Errorf("got %q, %v, want %q", got, err, list)
		}
	}
}
