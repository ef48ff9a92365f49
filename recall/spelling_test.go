package recall

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

func TestEditDistance(t *testing.T) {
	tests := []struct {
		a, b       string
		most, want int
	}{
		{"whiskrino", "whiskerino", 2, 1},
		{"deployemnt", "deployment", 2, 1}, // an exchange is one slip
		{"figuereido", "figueiredo", 2, 2},
		{"lisbno", "lisbon", 1, 1},
		{"ilsbon", "lisbon", 1, 1},
		{"same", "same", 1, 0},
		{"house", "mouse", 1, 2}, // it begins otherwise
		{"short", "shortening", 2, 3},
		{"кошак", "кошка", 1, 1},
		{"", "word", 2, 3},
	}
	for _, tt := range tests {
		if got := editDistance([]rune(tt.a), tt.b, tt.most); got != tt.want {
			t.Errorf("slips from %q to %q, at most %d: %d, want %d", tt.a, tt.b, tt.most, got, tt.want)
		}
	}
}

func TestWordsThatAreNeverCorrected(t *testing.T) {
	for _, w := range []string{"lisb", "v12345678", "2024001", "日本語日本語日本語"} {
		if n := maxEdits(w); n != 0 {
			t.Errorf("%q may have %d slips", w, n)
		}
	}
}

// counting counts the lookups of substrings.
type counting struct {
	*memory
	substrings int
}

func (c *counting) MatchSubstring(ctx context.Context, scope strata.Scope, s string, f store.Filter, limit int) ([]store.Meta, error) {
	c.substrings++
	return c.memory.MatchSubstring(ctx, scope, s, f, limit)
}

func TestUnknownWordsCostABoundedNumberOfLookups(t *testing.T) {
	m := &counting{memory: &memory{}}
	for i := range 40 {
		m.fact(strata.Fact{ID: fmt.Sprint(i), Scope: global, Text: fmt.Sprintf("the boat number %d", i), RecordedAt: noon}, nil)
	}
	question := "xylograph quixotism zymurgical flummoxed jabberwocky boat"
	if _, err := Find(t.Context(), m, Request{Query: strata.Query{View: global.View(), Text: question}, Analysis: Analyze(question, noon), Now: noon}); err != nil {
		t.Fatal(err)
	}
	if most := maxUnknown * (maxFragments + 2); m.substrings > most {
		t.Errorf("%d lookups of substrings, want %d at most", m.substrings, most)
	}
}

func TestWordsOfIdentifiers(t *testing.T) {
	tests := []struct {
		in   string
		want []string
	}{
		{"call parseHTTPHeader twice", []string{"parse", "HTTP", "Header"}},
		{"the user_id column", []string{"user", "id"}},
		{"internal/limits/quota_test.go", []string{"quota", "test", "go"}},
		{"tag v2.4.7", []string{"2.4.7"}},
		{"OPS4711", []string{"OPS", "4711"}},
		{"I don't. He can't. O'Brien's U.S. e.g. 3.50 x2", nil},
		{"Plain Words in A Row.", nil},
		{"", nil},
	}
	for _, tt := range tests {
		if got := identifierWords(tt.in); !slices.Equal(got, tt.want) {
			t.Errorf("words of the identifiers in %q = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func FuzzIdentifierWords(f *testing.F) {
	for _, s := range []string{"parseHTTPHeader_v2.4.7", "._'a'._", "Éa.B1111c", "1a\xff_"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, w := range identifierWords(s) {
			if w == "" {
				t.Fatalf("an empty word of %q", s)
			}
		}
	})
}

func TestAcronymsAreNoStopWords(t *testing.T) {
	for question, want := range map[string]bool{"Who studied at MIT?": true, "who comes mit": false, "WHO CAME WITH THEM": false, "IT": true} {
		found := false
		for _, term := range Analyze(question, noon).Terms {
			found = found || (term.Word == "mit" || term.Word == "it") && !term.Stop
		}
		if found != want {
			t.Errorf("%q: an acronym is looked up: %v, want %v", question, found, want)
		}
	}
}
