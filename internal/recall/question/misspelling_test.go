package question

import "testing"

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
		if _, ok := MisspellingOf(w); ok {
			t.Errorf("%q may be misspelt", w)
		}
	}
}
