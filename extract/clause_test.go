package extract

import (
	"slices"
	"testing"
)

func TestCutCarried(t *testing.T) {
	for _, test := range []struct {
		sentence string
		want     []string
	}{
		{"I live in Berlin and work at Acme", []string{"I live in Berlin", "I work at Acme"}},
		{"My cat is old and likes fish and hates rain", []string{"My cat is old", "My cat likes fish", "My cat hates rain"}},
		// The verb stands behind the "and" alone: a cut would yield the whole again.
		{"My sister Ana and works at Acme", []string{"My sister Ana and works at Acme"}},
		{"my sister Ana and is here and is there", []string{"my sister Ana and is here and is there"}},
	} {
		if got := appendCarried(nil, test.sentence); !slices.Equal(got, test.want) {
			t.Errorf("%q was cut into %q, want %q", test.sentence, got, test.want)
		}
	}
}
