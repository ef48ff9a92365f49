package sqlfunc

import (
	"bytes"
	"database/sql"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata/vector"
)

// SQLite's functions and package vector agree on every bit, whichever way the
// processor at hand converts.
func TestScaled_IsTheSameInSQLAndInGo(t *testing.T) {
	if err := Register(); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite3", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SliceOfN(rapid.Float32(), 1, 50).Draw(t, "v")
		for i, x := range v {
			if math.IsNaN(float64(x)) || math.Abs(float64(x)) > 1e30 {
				v[i] = 0
			}
		}
		var narrow, wide []byte
		err := db.QueryRow(`SELECT narrow(?1), widen(narrow(?1))`, vector.Encode(v)).Scan(&narrow, &wide)
		if err != nil {
			t.Fatal(err)
		}
		rounded := slices.Clone(v)
		if scaled := vector.AppendScaled(nil, rounded); !bytes.Equal(narrow, scaled) || !bytes.Equal(wide, vector.Encode(rounded)) {
			t.Errorf("%v: SQL has %x and %x, Go %x and %x", v, narrow, wide, scaled, vector.Encode(rounded))
		}
	})
	var a, b []byte
	if err := db.QueryRow(`SELECT narrow(NULL), widen(NULL)`).Scan(&a, &b); err != nil || a != nil || b != nil {
		t.Errorf("null becomes %v and %v, %v", a, b, err)
	}
}
