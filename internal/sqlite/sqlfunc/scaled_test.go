package sqlfunc

import (
	"bytes"
	"database/sql"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata/vector"
)

// Vectors in the form of an earlier version are read as those that they become.
func TestStoredForms_AreReadAsOne(t *testing.T) {
	if err := Register(); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite3", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SliceOfN(rapid.Float32Range(-1, 1), 2, 50).Draw(t, "v")
		v[0] = 1
		vector.Normalize(v)
		var old, oldFloat, steps, again, float []byte
		err := db.QueryRow(`
			SELECT narrow(?1), as_float(narrow(?1), ?2), as_int8(narrow(?1), ?2), as_int8(as_int8(narrow(?1), ?2), ?2),
				as_float(as_int8(narrow(?1), ?2), ?2)`, vector.Encode(v), len(v)).Scan(&old, &oldFloat, &steps, &again, &float)
		if err != nil {
			t.Fatal(err)
		}
		if len(old) != 4+2*len(v) || len(steps) != len(v) || !bytes.Equal(steps, again) {
			t.Fatalf("%d values take %d bytes, then %d, and again %x of %x", len(v), len(old), len(steps), again, steps)
		}
		exact, err := vector.Decode(oldFloat, len(v))
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range vector.EncodeInt8(v) {
			// What was rounded to 16 bits may lie on the other side of a half.
			if d := int(int8(steps[i])) - int(int8(want)); d < -1 || d > 1 || max(exact[i]-v[i], v[i]-exact[i]) > 2e-5 {
				t.Fatalf("value %d, %v: %v in 16 bits and %d in 8, want %d", i, v[i], exact[i], int8(steps[i]), int8(want))
			}
		}
		unit := make([]float32, len(v))
		for i, x := range steps {
			unit[i] = float32(int8(x))
		}
		if got, err := vector.Decode(float, len(v)); err != nil || vector.Dot(got, vector.Normalize(slices.Clone(unit))) < 0.99999 {
			t.Fatalf("steps %x are the vector %v, %v", steps, got, err)
		}
	})
	var a, b []byte
	if err := db.QueryRow(`SELECT as_int8(NULL, 3), as_float(NULL, 3)`).Scan(&a, &b); err != nil || a != nil || b != nil {
		t.Errorf("null becomes %v and %v, %v", a, b, err)
	}
	for bad, want := range map[string]int{
		`as_int8(x'0102', 3)`: 3, `as_float(x'01020304', 3)`: 0, `as_int8(x'', 0)`: 0, `as_float(x'0000807f010002000300', 3)`: 0,
	} {
		if err := db.QueryRow(`SELECT ` + bad).Scan(&a); err != nil || !bytes.Equal(a, make([]byte, want)) {
			t.Errorf("%s is %x, want %d zeros", bad, a, want)
		}
	}
}
