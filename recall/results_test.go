package recall

import "testing"

func TestDedupKeyComparesWords(t *testing.T) {
	for _, same := range [][2]string{
		{"Straße, 7", "straße 7"}, {"A b-C", "a B c!"}, {" deploy-v2.4.7 \t x", "Deploy v2 4 7 (x)"},
	} {
		if a, b := dedupKey(same[0]), dedupKey(same[1]); a != b {
			t.Errorf("%q and %q have the keys %q and %q", same[0], same[1], a, b)
		}
	}
	for _, other := range [][2]string{{"!?", "?!"}, {"a b", "ab"}, {"", "a"}} {
		if dedupKey(other[0]) == dedupKey(other[1]) {
			t.Errorf("%q and %q have the same key", other[0], other[1])
		}
	}
}
