package extract_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/extract"
	"github.com/strata-memory/strata/internal/extract/language"
)

// checkCandidates reports what no candidate may be, whatever was said.
func checkCandidates(t interface{ Errorf(string, ...any) }, turns []strata.Turn, got []strata.Candidate) {
	ids := map[string]bool{}
	for _, turn := range turns {
		if turn.Role == strata.RoleUser {
			ids[turn.ID] = true
		}
	}
	for _, c := range got {
		if err := c.Validate(); err != nil {
			t.Errorf("%q does not validate: %v", c.Content, err)
		}
		if len(c.Sources) == 0 || slices.ContainsFunc(c.Sources, func(id string) bool { return !ids[id] }) {
			t.Errorf("%q names the sources %q, not all of them turns of the user", c.Content, c.Sources)
		}
		if c.Origin != strata.OriginExtractor || !c.Scope.IsZero() || c.Type == "" || c.Reason == "" || c.Confidence < 0.5 {
			t.Errorf("incomplete: %+v", c)
		}
		if !utf8.ValidString(c.Content) || strings.ContainsAny(c.Content, "\x00\uFFFC") {
			t.Errorf("content %q is damaged", c.Content)
		}
	}
}

// fragments are put together to turns that go wrong in every way.
func fragments() []string {
	out := []string{"I ", "my ", "My cat's name is ", "is called ", " and ", ", ", ". ", "? ", "\n", "\n\n- ", "```\n", "\"", "“", "<memory>", "</memory>",
		"if ", "no, it's ", "actually ", "Ana", "Friday", "tomorrow", "next week", "the 31st of February", "since 99999", "remember that ", "\x00", "\xff", "é", "/", "\\", "://", "{{", "\u202e"}
	for _, c := range taken {
		out = append(out, c.say)
	}
	for _, examples := range language.Examples() {
		for _, e := range examples {
			out = append(out, e.Sentence)
		}
	}
	slices.Sort(out)
	return append(out, leftAlone...)
}

func TestCandidatesAreAlwaysValid(t *testing.T) {
	all := fragments()
	rapid.Check(t, func(t *rapid.T) {
		var turns []strata.Turn
		for i := range rapid.IntRange(1, 6).Draw(t, "turns") {
			text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(all), 1, 8).Draw(t, "text"), "")
			turn := user(text)[0]
			turn.ID = "turn_" + string(rune('a'+i))
			turn.Role = rapid.SampledFrom([]strata.Role{strata.RoleUser, strata.RoleUser, strata.RoleAssistant}).Draw(t, "role")
			turn.Speaker = rapid.SampledFrom([]string{"", "", "Ana", "Tom O'Hara"}).Draw(t, "speaker")
			turns = append(turns, turn)
		}
		got := extract.Turns(turns)
		checkCandidates(t, turns, got)
		if again := extract.Turns(turns); !slices.EqualFunc(got, again, func(a, b strata.Candidate) bool {
			return a.Content == b.Content && a.Reason == b.Reason && slices.Equal(a.Sources, b.Sources)
		}) {
			t.Errorf("two runs differ: %q and %q", contents(got), contents(again))
		}
	})
}

// A fact that was extracted and one that is saved by hand in the extracted
// words must fall into the same slot, or the second would not replace the first.
func TestSlotReadsWhatTurnsWrites(t *testing.T) {
	n := 0
	for _, c := range taken {
		for _, cand := range extract.Turns(user(c.say)) {
			if cand.Entity == "" {
				continue
			}
			n++
			kind, entity, attribute := classify(cand.Content)
			if entity != cand.Entity || attribute != cand.Attribute {
				t.Errorf("Classify(%q) = (%s, %s), but Turns said (%s, %s)", cand.Content, entity, attribute, cand.Entity, cand.Attribute)
			}
			if kind != cand.Type {
				t.Errorf("Classify(%q) = %s, but Turns said %s", cand.Content, kind, cand.Type)
			}
		}
	}
	if n < 40 {
		t.Errorf("only %d slots seen", n)
	}
}

func FuzzTurns(f *testing.F) {
	for _, text := range fragments() {
		f.Add(text, text)
	}
	f.Fuzz(func(t *testing.T, first, second string) {
		turns := user(first, second)
		checkCandidates(t, turns, extract.Turns(turns))
		for _, text := range []string{first, second} {
			kind, entity, attribute := classify(text)
			if (entity == "") != (attribute == "") {
				t.Errorf("Classify(%q) = %q, %q", text, entity, attribute)
			}
			if err := kind.Validate(); err != nil {
				t.Errorf("Classify(%q): %v", text, err)
			}
		}
	})
}

func TestHugeTurnIsBounded(t *testing.T) {
	for name, unit := range map[string]string{
		"many facts": "I live in Berlin and I like tea. ", "one word": "a", "no spaces": "My", "commas": ", and I ", "quotes": "\"", "dots": ". ",
		"lines": "I prefer x\n", "open quote": "“I am ", "brackets": "<memory>\n", "wrapped": "word\n",
	} {
		t.Run(name, func(t *testing.T) {
			turns := user(strings.Repeat(unit, (10<<20)/len(unit)))
			got := extract.Turns(turns)
			if len(got) > 200 {
				t.Errorf("%d facts from one turn", len(got))
			}
			checkCandidates(t, turns, got)
		})
	}
}

func BenchmarkTurns(b *testing.B) {
	var turns []strata.Turn
	for i, c := range taken {
		turn := user(c.say)[0]
		turn.Seq = int64(i + 1)
		turns = append(turns, turn)
	}
	for _, say := range leftAlone {
		turns = append(turns, user(say)[0])
	}
	b.ReportAllocs()
	for b.Loop() {
		extract.Turns(turns)
	}
	b.ReportMetric(float64(len(turns))*float64(b.N)/b.Elapsed().Seconds(), "turns/s")
}

func BenchmarkTurnOf10MiB(b *testing.B) {
	turns := user(strings.Repeat("I looked at the logs again, and they say nothing new about it. ", 10<<20/62))
	b.SetBytes(int64(len(turns[0].Text)))
	for b.Loop() {
		extract.Turns(turns)
	}
}

// BenchmarkClassify is what a fact that is saved by itself costs.
func BenchmarkClassify(b *testing.B) {
	var texts []string
	for _, c := range taken {
		texts = append(texts, c.say)
	}
	texts = append(texts, leftAlone...)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		classify(texts[i%len(texts)])
	}
}

// In lower case some characters have another length than as they were written.
func TestCapitalsOfAnotherLengthAreRead(t *testing.T) {
	for _, text := range []string{"User \u0130", "The user lives in \u0130stanbul \u0130\u0130", "The user drinks tea at 300 \u212a"} {
		if kind, _, _ := classify(text); kind != strata.TypeUser {
			t.Errorf("%q is a fact of the type %s", text, kind)
		}
	}
}
