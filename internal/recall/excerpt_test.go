package recall

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/text/token"
)

// longAnswer is what an assistant says at length, with one paragraph about
// something else in its middle.
func longAnswer(about string) string {
	var b strings.Builder
	b.WriteString("Here is what I would do about the garden this year.\n")
	for i := range 10 {
		if i == 6 {
			b.WriteString("\n" + about + "\n")
		}
		fmt.Fprintf(&b, "\nIn week %d the beds want compost, water in the morning, and a look at the leaves: ", i)
		b.WriteString(strings.Repeat("snails hide below the boards by day and come out when it rains. ", 4))
	}
	return b.String()
}

func askLong(t *testing.T, said, question string, tokens int) strata.Hit {
	t.Helper()
	m := &memory{}
	m.turn(strata.Turn{ID: "long", Scope: global, Session: "s", Seq: 1, Role: strata.RoleAssistant, Text: said, At: noon}, nil)
	m.turn(strata.Turn{ID: "short", Scope: global, Session: "s", Seq: 2, Role: strata.RoleUser, Text: "Thanks, the compost is on its way.", At: noon}, nil)
	q := strata.Query{View: global.View(), Text: question, Tokens: tokens, All: true}
	r, err := Find(t.Context(), m, Request{Query: q, Analysis: analyze(question), Now: noon})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Hits) == 0 || r.Hits[0].ID != "long" {
		t.Fatalf("hits %+v, want the long turn first", r.Hits)
	}
	return r.Hits[0]
}

func TestTheMatchIsThePassageThatAnswers(t *testing.T) {
	for name, x := range map[string]struct{ said, question, want string }{
		"a paragraph": {"For the greenhouse, order the polycarbonate panels at Hollmann and fix them with aluminum profiles.",
			"Who sells polycarbonate panels for the greenhouse?", "Hollmann"},
		"an item":               {"1. Sow radishes.\n2. Cover the strawberries with fleece against late frost.\n3. Prune.", "When do strawberries need fleece?", "fleece"},
		"code, by identifier":   {"```go\nfunc parseMoistureReading(raw []byte) (Reading, error) {\n\treturn decode(raw)\n}\n```", "parse moisture reading", "parseMoistureReading"},
		"by meaning alone":      {"The puppy barked at the kitten until both animals fell asleep.", "dogs and cats", "puppy"},
		"without spaces":        {strings.Repeat("温室のパネルはホルマンで注文してください。", 3), "温室のパネル", "温室"},
		"one line of a million": {strings.Repeat("mulch and more mulch ", 50_000) + "the hydrangea turns blue in acid soil " + strings.Repeat("mulch and more mulch ", 100), "What turns a hydrangea blue?", "hydrangea"},
	} {
		t.Run(name, func(t *testing.T) {
			h := askLong(t, longAnswer(x.said), x.question, 0)
			if h.Match == nil || h.Offset != 0 || h.Length != 0 {
				t.Fatalf("match %v, offset %d, length %d", h.Match, h.Offset, h.Length)
			}
			if got := h.Text[h.Match.Start:h.Match.End]; !strings.Contains(got, x.want) || text.CountWords(got) > 2*text.MaxPassageWords {
				t.Errorf("the match is %q, want the passage with %q", got, x.want)
			}
			whole := h.Text
			cut := askLong(t, whole, x.question, 600)
			if !strings.Contains(cut.Text, x.want) || cut.Text != whole[cut.Offset:cut.Offset+len(cut.Text)] || cut.Length != len(whole) {
				t.Errorf("within 600 tokens: offset %d of %d, %q", cut.Offset, cut.Length, cut.Text)
			}
			if n := token.Count(cut.Text); n > 600 {
				t.Errorf("%d tokens", n)
			}
		})
	}
}

// A part grows on both sides of the passage that matches, as long as the next one fits.
func TestAPartTakesAllNeighborsThatFit(t *testing.T) {
	whole := longAnswer("The gate is locked at nine.")
	passages := text.Passages(whole)
	if len(passages) < 5 {
		t.Fatalf("%d passages", len(passages))
	}
	costs := func(first, end int) (sum int) {
		for _, p := range passages[first:end] {
			sum += token.Count(whole[p.Start:p.End])
		}
		return sum
	}
	for _, x := range []struct{ best, first, end int }{{0, 0, 4}, {len(passages) - 1, len(passages) - 4, len(passages)}, {2, 1, 4}} {
		h := strata.Hit{Text: whole}
		shorten(&h, passages, x.best, costs(x.first, x.end))
		if want := whole[passages[x.first].Start:passages[x.end-1].End]; h.Text != want || h.Offset != passages[x.first].Start {
			t.Errorf("around passage %d: %d bytes from %d, want %d from %d", x.best, len(h.Text), h.Offset, len(want), passages[x.first].Start)
		}
	}
}

func TestShortTextsAreWhole(t *testing.T) {
	h := askLong(t, "The garden fence is painted in Swedish red.", "What color is the garden fence?", 200)
	if h.Match != nil || h.Offset != 0 || h.Length != 0 {
		t.Errorf("%+v", h)
	}
}

// Whatever the texts and the budget, a part is a part of the whole that holds the
// match, and the budget holds.
func TestPartsLieInTheirWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &memory{}
		wholes := make(map[string]string)
		for i := range rapid.IntRange(1, 6).Draw(t, "turns") {
			var lines []string
			for range rapid.IntRange(1, 12).Draw(t, "lines") {
				lines = append(lines, strings.Repeat(sentence(t, "line")+rapid.SampledFrom([]string{" ", ". ", "\n- ", "\n\n", "\n```\n"}).Draw(t, "break"), rapid.IntRange(1, 30).Draw(t, "times")))
			}
			id := fmt.Sprint("t", i)
			wholes[id] = strings.Join(lines, "\n") + id
			m.turn(strata.Turn{ID: id, Scope: global, Session: "s", Seq: int64(i + 1), Role: strata.RoleUser, Text: wholes[id], At: noon}, nil)
		}
		q := strata.Query{View: global.View(), Text: sentence(t, "question"), Tokens: rapid.IntRange(0, 3000).Draw(t, "tokens"), All: true}
		r := findBy(t, m, q, nil)
		tokens := 0
		for _, h := range r.Hits {
			whole, end := wholes[h.ID], h.Offset+len(h.Text)
			if h.Text != whole[h.Offset:end] || h.Length != 0 && h.Length != len(whole) || h.Length == 0 && h.Text != whole {
				t.Fatalf("%s: bytes %d to %d of %d, length %d", h.ID, h.Offset, end, len(whole), h.Length)
			}
			if h.Match != nil && (h.Match.Start < h.Offset || h.Match.End > end || h.Match.Start >= h.Match.End) {
				t.Fatalf("%s: match %v in %d to %d", h.ID, *h.Match, h.Offset, end)
			}
			tokens += token.Count(h.Text)
		}
		if q.Tokens > 0 && (tokens > q.Tokens || tokens != r.Tokens) {
			t.Fatalf("%d tokens, reported %d, budget %d", tokens, r.Tokens, q.Tokens)
		}
	})
}
