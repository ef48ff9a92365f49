package sqlite

import (
	"encoding/json"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestListOfTextsIsTheInverseOfEncodeList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-z ",\\\[\]<>&\x1f\x7f]{0,12}`))
		want := rapid.SliceOfN(text, 0, 6).Draw(t, "list")
		stored, err := encodeList(want)
		if err != nil {
			t.Fatal(err)
		}
		if asJSON, err := json.Marshal(want); err != nil || len(want) > 0 && stored != string(asJSON) {
			t.Fatalf("%q is stored as %s, not as %s (%v)", want, stored, asJSON, err)
		}
		if got, err := listOfTexts(stored); err != nil || !slices.Equal(got, want) {
			t.Fatalf("%s is read as %q, %v, not as %q", stored, got, err, want)
		}
	})
}

// What is read without package json must be what package json reads.
func FuzzPlainList(f *testing.F) {
	for _, s := range []string{`["a","b"]`, `[""]`, `["a\"","b"]`, `["a", "b"]`, `["a"b"]`, `["]`, "[\"\n\"]", "[\"\xff\"]", `[]`, `null`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, ok := plainList(s)
		if !ok {
			return
		}
		var want []string
		if err := json.Unmarshal([]byte(s), &want); err != nil || !slices.Equal(got, want) {
			t.Fatalf("%q is read as %q; json reads %q, %v", s, got, want, err)
		}
	})
}
