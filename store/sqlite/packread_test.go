package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
)

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

func scanRowOfAll(scan scanner) (r rowOfAll, err error) {
	err = scan(&r.Number, &r.Count, &r.Text, &r.Kind, &r.Flag, &r.Share, &r.When, &r.Blob)
	return r, err
}

func TestPackRows_AreReadAsRowsAre(t *testing.T) {
	db := openTest(t)
	rapid.Check(t, func(t *rapid.T) {
		var data packedRows
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
			if err := data.add(row.values()...); err != nil {
				t.Fatal(err)
			}
		}
		err := db.view(context.Background(), func(x *tx) error {
			const columns = `c0, c1, c2, c3, c4, c5, c6, c7`
			rows, err := x.query(context.Background(), `SELECT `+columns+` FROM unpack(?)`, []byte(data))
			if err != nil {
				return err
			}
			want, err := collect(rows, scanRowOfAll)
			if err != nil {
				return err
			}
			got, err := readPacked(context.Background(), x, `SELECT pack_rows(`+columns+`) FROM unpack(?)`, []any{[]byte(data)}, scanRowOfAll)
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("packed rows are read as %v, rows as %v", got, want)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

func TestPackRows_ReadingRefusesWhatDoesNotFit(t *testing.T) {
	var data packedRows
	if err := data.add(int64(300), "text", nil, 0.5, []byte{1}); err != nil {
		t.Fatal(err)
	}
	var n, count int64
	var s string
	var small int8
	var f float64
	var b []byte
	var null sql.NullInt64
	read := func(data packedRows, dest ...any) error {
		rows := packedReader(data)
		return rows.scan(dest...)
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
	var data packedRows
	if err := data.add("text", []byte("blob")); err != nil {
		t.Fatal(err)
	}
	var s string
	var b []byte
	rows := packedReader(data)
	if err := rows.scan(&s, &b); err != nil {
		t.Fatal(err)
	}
	clear(data)
	if s != "text" || string(b) != "blob" {
		t.Errorf("read %q and %q, and then the memory was cleared", s, b)
	}
}

func FuzzPackedReader(f *testing.F) {
	var data packedRows
	if err := data.add(int64(1), "text", nil, 0.5, []byte{1}); err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(data))
	f.Add([]byte{1, packedText, 255, 255, 255, 255})
	f.Fuzz(func(t *testing.T, data []byte) {
		for rows := packedReader(data); len(rows) > 0; {
			var n int64
			var s string
			var null sql.NullInt64
			var share float64
			var b []byte
			before := len(rows)
			if rows.scan(&n, &s, &null, &share, &b) != nil {
				return
			}
			if len(rows) >= before {
				t.Fatal("reading a row takes nothing")
			}
		}
	})
}
