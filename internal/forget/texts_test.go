package forget

import (
	"testing"

	"github.com/strata-memory/strata/internal/text"
)

func TestTexts_WholeWords(t *testing.T) {
	for _, c := range []struct {
		text, in string
		want     bool
	}{
		{"cat", "The CAT sat", true}, {"cat", "concatenate", false}, {"cat", "cat", true}, {"cat", "cats and a cat", true},
		{"cat", "x-cat_", true}, {"a cat", "a  cat", true}, {"a cat", "extra catalog", false}, {"猫の", "私の猫の名前", true},
		{"!", "a!b", true}, {"cat!", "cat!s", true}, {"é", "caf\u00e9", false},
	} {
		w := newTexts([]string{text.Normalize(c.text)})
		if got := w.Whole(c.in); got != c.want {
			t.Errorf("%q whole in %q: %v, want %v", c.text, c.in, got, c.want)
		}
	}
}
