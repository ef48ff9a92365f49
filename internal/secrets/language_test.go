package secrets

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/strata-memory/strata/internal/text/grammar"
)

// seed is that of the values in tests, which no rule can know.
const seed = 20261129

// draws makes values for tests.
type draws struct{ *rand.Rand }

func newDraws() draws { return draws{rand.New(rand.NewPCG(seed, 0))} }

// from returns n characters of a set.
func (d draws) from(set string, n int) string {
	var b strings.Builder
	for range n {
		b.WriteByte(set[d.IntN(len(set))])
	}
	return b.String()
}

const (
	lowerLetters = "abcdefghijklmnopqrstuvwxyz"
	upperLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	decimals     = "0123456789"
	letters      = lowerLetters + upperLetters
	alnum        = letters + decimals
)

// word returns two words of the wallet list in one, as people make passwords.
func (d draws) word() string {
	list := strings.Fields(seedList)
	return list[d.IntN(len(list))] + list[d.IntN(len(list))]
}

// passwords returns one password of each kind.
func (d draws) passwords() map[string]string {
	return map[string]string{
		"letters":  d.from(letters, 12),
		"mixed":    d.from(letters, 5) + d.from(decimals, 3) + d.from(letters, 4),
		"symbols":  d.from(letters, 4) + "!" + d.from(alnum, 3) + "#" + d.from(decimals, 2),
		"word":     capitalized(d.word()) + d.from("23456789", 3),
		"sentence": d.from(upperLetters, 1) + d.from(lowerLetters, 5) + d.from(decimals, 4) + "!",
	}
}

// Every language finds the values of its examples, whatever they are, and leaves the
// rest of the sentence as it is.
func TestEveryLanguageFindsItsExamples(t *testing.T) {
	t.Logf("seed %d", seed)
	d := newDraws()
	for _, l := range grammar.Languages {
		t.Run(l.Name, func(t *testing.T) {
			for _, e := range l.Examples {
				for kind, secret := range d.passwords() {
					wantRedacted(t, kind, strings.Replace(e, "{X}", secret, 1))
				}
			}
		})
	}
}

// wantRedacted fails the test unless the part of a text between « and » is found, and
// nothing else.
func wantRedacted(t *testing.T, kind, marked string) {
	t.Helper()
	text, secret := unmark(marked)
	found := Scan(text)
	if len(found) == 1 && text[found[0].Start:found[0].End] == secret {
		return
	}
	var got []string
	for _, f := range found {
		got = append(got, fmt.Sprintf("%s %q", f.Rule, text[f.Start:f.End]))
	}
	t.Errorf("%s: %q: found %v, want %q", kind, text, got, secret)
}

func TestEveryLanguageLeavesItsHarmless(t *testing.T) {
	for _, l := range grammar.Languages {
		if len(l.Examples) == 0 || len(l.Harmless) == 0 {
			t.Errorf("%s has no examples", l.Name)
		}
		for _, h := range l.Harmless {
			for _, f := range Scan(h) {
				t.Errorf("%s: %q: %s finds %q", l.Name, h, f.Rule, h[f.Start:f.End])
			}
		}
	}
}

// capitalized returns an ASCII word with its first letter in upper case.
func capitalized(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
