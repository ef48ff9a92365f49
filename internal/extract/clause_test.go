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

// What a statement only excludes stays with it; what says something of its own does not.
func TestCutSplices(t *testing.T) {
	for _, test := range []struct {
		sentence string
		want     []string
	}{
		{"We use pnpm here, never npm", []string{"We use pnpm here, never npm"}},
		{"We use pgx now, never use gorm", []string{"We use pgx now", "never use gorm"}},
		{"I work at Acme, never been to Asia", []string{"I work at Acme", "never been to Asia"}},
		{"We deploy on Tuesdays, never on a Friday, always run the smoke tests first",
			[]string{"We deploy on Tuesdays, never on a Friday", "always run the smoke tests first"}},
	} {
		if got := cutSplices([]string{test.sentence}); !slices.Equal(got, test.want) {
			t.Errorf("%q was cut into %q, want %q", test.sentence, got, test.want)
		}
	}
}
