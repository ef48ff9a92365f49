package forget

import (
	"slices"
	"testing"

	"github.com/strata-memory/strata"
)

func TestSayingsAreTheSentencesThatToldAFact(t *testing.T) {
	fact := func(s string) []strata.Fact { return []strata.Fact{{Text: s}} }
	for _, c := range []struct {
		fact, turn string
		want       []string
	}{
		{"The user's favourite marsupial is the zanzibarquokka of Perth", "Hello! My favourite marsupial is the zanzibarquokka of Perth. Is it rare?",
			[]string{"My favourite marsupial is the zanzibarquokka of Perth"}},
		{"The user's cat is named Tom", "My cat is named Tom!\nTom is nine.", []string{"My cat is named Tom"}},
		{"The user likes tea", "I like tea", []string{"I like tea"}},
		// Not what says less, and not what a short word of it is in.
		{"The user likes green tea", "I like tea. What is green?", nil},
		{"The user lives in Perth", "I was in Perth once.", nil},
		{"The user", "I am a user.", nil},
		{"猫の名前はトムです", "猫の名前はトムです。犬はいません。", []string{"猫の名前はトムです"}},
	} {
		if got := Sayings(fact(c.fact), []strata.Turn{{Text: c.turn}}); !slices.Equal(got, c.want) {
			t.Errorf("%q in %q: %q", c.fact, c.turn, got)
		}
	}
}
