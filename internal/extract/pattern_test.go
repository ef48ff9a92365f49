package extract

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// everyPattern returns the patterns of all rules and of the reading before them.
func everyPattern() []*pattern {
	all := []*pattern{
		blockTag, blockTitle, material, materialInline, fiction, takeover, strongCut, weakCut, carried, owner, opensSub, asks, contracted, joining,
		greeting, opening, asked, askedBare, correcting, hence, closing, unsure, joking, reported, iSaid, vague, others, knownOne, calendarThis, because,
		ours, notAFact, relationStart, heShe, rightValue, women, men, animals, emptyObject, phraseEnd, software, noPlace, badDetail,
		sinceWhen, dated, isFeedback, isReference, isUser, isOurWork, giveUp, once, notLabel, thingAttr, daily, failing,
	}
	for _, list := range rules().byHead {
		for _, c := range list {
			all = append(all, c.re)
		}
	}
	for _, c := range rules().any {
		all = append(all, c.re)
	}
	for _, d := range dateRules {
		all = append(all, d.re)
	}
	return all
}

// The cheap test may let a text through that does not match, and must never
// hold one back that does.
func TestAutomatonHoldsBackNoMatch(t *testing.T) {
	all := everyPattern()
	if len(all) < 150 {
		t.Fatalf("only %d patterns", len(all))
	}
	words := strings.Fields(`I I'm I've My my The user's we We're our cat cat's sister Clara is called named Ana lives live in Berlin at Acme and , ; : — .
		because if maybe always never don't please answer use emojis remember that note: No, Actually sorry it's Friday on tomorrow next week 14 May 2026 the
		API runs port 8080 https://a.test/b docs/x.md decided to prefer tea over coffee allergic hate love this it there mi gato se llama ich wohne je m'appelle
		said "quoted" jk /s too by the way two years ago since in case you ask when how what? favourite colour teal have a an appointment`)
	matched := 0
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 14).Draw(t, "words"), " ")
		for _, p := range all {
			if p.Plain().MatchString(text) {
				if matched++; p.Excludes(text) {
					t.Errorf("%q matches %s, but is held back", text, p.Plain())
				}
			}
		}
	})
	if matched == 0 {
		t.Error("no pattern ever matched")
	}
}

// Whatever is left out before the expression is tried, a pattern finds what the
// expression finds.
func TestPatternsFindWhatTheirExpressionsFind(t *testing.T) {
	all := everyPattern()
	pieces := strings.Fields(`I My cat's sister Clara is named Ana lives in Berlin , ; : — - -- . and but while although so which who that plus or
		also now currently then work likes have too either as well though by the way obviously please case you ask need just so despite what
		jk /s kidding said he she it we they there Grüße señor mi y et und vivo no yes AND BUT x-ray a.b`)
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for _, piece := range rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 16).Draw(t, "pieces") {
			if b.Len() > 0 && rapid.IntRange(0, 9).Draw(t, "gap") > 1 {
				b.WriteString(" ")
			}
			b.WriteString(piece)
		}
		s := b.String()
		for _, p := range all {
			if got, want := p.FindStringSubmatchIndex(s), p.Plain().FindStringSubmatchIndex(s); !slices.Equal(got, want) {
				t.Errorf("%s in %q: found at %v, want %v", p.Plain(), s, got, want)
			}
		}
	})
}

// A text is split where the expression itself would split it.
func TestSplitIsThatOfTheExpression(t *testing.T) {
	split := 0
	parts := rapid.SampledFrom([]string{"I", "my cat", ", so ", "; ", " - ", " — ", ", which ", " who", ", that isn't ", "-", ";", ",", " and", " in case you ask", "", "\n", "é"})
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOf(parts).Draw(t, "text"), "")
		for _, p := range []*pattern{strongCut, weakCut, carried, phraseEnd, closing} {
			want := p.Plain().Split(s, -1)
			split += len(want) - 1
			if got := p.Split(s); !slices.Equal(got, want) {
				t.Fatalf("%s splits %q into %q, want %q", p.Plain(), s, got, want)
			}
		}
	})
	if split == 0 {
		t.Error("no text was ever split")
	}
}
