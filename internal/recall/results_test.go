package recall

import (
	"strings"
	"testing"
	"testing/quick"

	"github.com/strata-memory/strata/internal/text"
)

// The keys of ASCII texts are those that other texts get.
func TestDedupKeyComparesWords(t *testing.T) {
	general := func(s string) string {
		s = text.Normalize(s)
		if words := strings.Join(strings.FieldsFunc(s, notWord), " "); words != "" {
			return words
		}
		return s
	}
	check := func(data []byte) bool {
		for i := range data {
			data[i] %= 0x80
		}
		s := string(data)
		if got, want := dedupKey(s), general(s); got != want {
			t.Errorf("%q: got %q, want %q", s, got, want)
			return false
		}
		return true
	}
	for _, s := range []string{"", " ", "!?", "A b-C", " deploy-v2.4.7 \t x", "x\x00Y\x7fz9"} {
		check([]byte(s))
	}
	if err := quick.Check(check, &quick.Config{MaxCount: 2000}); err != nil {
		t.Error(err)
	}
	if dedupKey("Straße, 7") != dedupKey("straße 7") {
		t.Error("texts beyond ASCII that say the same are told apart")
	}
}
