package text

import (
	"slices"
	"testing"
)

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
		if got := IdentifierWords(tt.in); !slices.Equal(got, tt.want) {
			t.Errorf("words of the identifiers in %q = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func FuzzIdentifierWords(f *testing.F) {
	for _, s := range []string{"parseHTTPHeader_v2.4.7", "._'a'._", "Éa.B1111c", "1a\xff_"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, w := range IdentifierWords(s) {
			if w == "" {
				t.Fatalf("an empty word of %q", s)
			}
		}
	})
}
