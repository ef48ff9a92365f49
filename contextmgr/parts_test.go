package contextmgr

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text/token"
	"github.com/strata-memory/strata/llm"
)

func testMeter() meter { return meter{counter: bytesCounter{}, countable: 1 << 20} }

func TestImagesCostByTheirSize(t *testing.T) {
	encode := func(w, h int) []byte {
		var b bytes.Buffer
		if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, w, h))); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	m := testMeter()
	for _, c := range []struct {
		data []byte
		want int
	}{
		{encode(100, 100), minImage}, {encode(1024, 1024), 1398}, {encode(4000, 4000), maxImage}, {[]byte("?"), maxImage}, {nil, maxImage},
	} {
		if got := m.picture(strata.Image{Data: c.data}); got != c.want {
			t.Errorf("an image of %d bytes costs %d, want %d", len(c.data), got, c.want)
		}
	}
	m.image = 256
	if got := m.picture(strata.Image{}); got != 256 {
		t.Errorf("a fixed cost of 256 gives %d", got)
	}
}

func TestHugeTextsAreNotCounted(t *testing.T) {
	m := newMeter(Options{Window: 1000, Counter: never{t}})
	if got := m.text(strings.Repeat("x", 1<<20)); got < 1000 {
		t.Errorf("a MiB costs %d", got)
	}
}

// never is a counter that must not be asked.
type never struct{ t *testing.T }

func (n never) Count(string) int { n.t.Error("counted"); return 0 }

func TestExcerptKeepsBothEnds(t *testing.T) {
	text := "BEGIN " + strings.Repeat("middle words ", 500) + "END"
	got := cut{100, bytesCounter{}.Count, 7, "see it there", 2, ""}.excerpt(text)
	for _, want := range []string{"BEGIN", "END", "turn 7", "2 image(s)", "see it there", fmt.Sprintf("of %d characters", utf8.RuneCountInString(text))} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in %q", want, got)
		}
	}
	if n := (bytesCounter{}).Count(got); n > 100 {
		t.Errorf("it costs %d", n)
	}
}

func TestExcerptOfAnyText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text") + strings.Repeat(rapid.StringN(1, 20, -1).Draw(t, "part"), rapid.IntRange(0, 200).Draw(t, "times"))
		keep := rapid.IntRange(minLimit, 400).Draw(t, "keep")
		got := cut{keep, bytesCounter{}.Count, 1, "reopen it", 0, ""}.excerpt(text)
		if n := (bytesCounter{}).Count(got); n > keep || !utf8.ValidString(got) {
			t.Fatalf("%d tokens of %d: %q", n, keep, got)
		}
	})
}

// A cut ends with a word where one ends near it, and in any case keeps three quarters of
// what there is room for.
func TestACutKeepsMostOfItsRoom(t *testing.T) {
	const said = "The ferry leaves at nine."
	if got := cutAfter(said, 22); got != "The ferry leaves at" {
		t.Errorf("the first words are %q", got)
	}
	if got := cutBefore(said, 22); got != "ferry leaves at nine." {
		t.Errorf("the last words are %q", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		var words []string
		for range rapid.IntRange(1, 5).Draw(t, "words") {
			letter := rapid.SampledFrom([]string{"a", "é", "日"}).Draw(t, "letter")
			words = append(words, strings.Repeat(letter, rapid.IntRange(1, 60).Draw(t, "length")))
		}
		s := strings.Join(words, rapid.SampledFrom([]string{" ", "\n"}).Draw(t, "between"))
		for n := range len(s) + 1 {
			least := n*3/4 - utf8.UTFMax
			if got := cutAfter(s, n); len(got) > n || len(got) < least || !strings.HasPrefix(s, got) || !utf8.ValidString(got) {
				t.Fatalf("the first %d bytes of %q are %q", n, s, got)
			}
			if got := cutBefore(s, n); len(got) > n || len(got) < least || !strings.HasSuffix(s, got) || !utf8.ValidString(got) {
				t.Fatalf("the last %d bytes of %q are %q", n, s, got)
			}
		}
	})
}

// What fits exactly is not cut, and turns that fill a batch exactly are sent as one.
func TestWhatFitsExactlyIsNotCut(t *testing.T) {
	count := bytesCounter{}.Count
	s := "The ferry leaves at nine. The harbor master is Ines."
	if got := trimTo(s, count(s), count); got != s {
		t.Errorf("%q is trimmed to %q", s, got)
	}
	turns := []strata.Turn{{Seq: 1, Role: strata.RoleUser, Text: "When does the ferry leave?"}, {Seq: 2, Role: strata.RoleAssistant, Text: "At nine."}}
	limit := count(transcript(turns[0])) + count(transcript(turns[1]))
	if got := batches(turns, limit, count); len(got) != 1 {
		t.Errorf("%d batches of turns that cost %d in all", len(got), limit)
	}
	if got := batches(turns, limit-1, count); len(got) != 2 {
		t.Errorf("%d batches where %d is too much", len(got), limit)
	}
}

func TestPiecesHoldEveryWord(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var turns []strata.Turn
		for i := range rapid.IntRange(1, 8).Draw(t, "turns") {
			words := rapid.SliceOfN(rapid.StringMatching(`[a-zé日]{1,12}`), 0, 200).Draw(t, "words")
			turns = append(turns, strata.Turn{Seq: int64(i + 1), Role: strata.RoleUser, Text: strings.Join(words, " ")})
		}
		limit := rapid.IntRange(32, 300).Draw(t, "limit")
		var read []strata.Turn
		for _, b := range batches(turns, limit, bytesCounter{}.Count) {
			joined := ""
			for _, p := range b.chunks {
				if n := (bytesCounter{}).Count(p); n > limit {
					t.Fatalf("a piece of %d tokens, %d is the most", n, limit)
				}
				joined += strings.TrimSuffix(strings.TrimPrefix(p, heading(b.turns[0])), "\n")
			}
			for _, turn := range b.turns {
				if len(b.chunks) > 1 && strings.ReplaceAll(joined, " ", "") != strings.ReplaceAll(turn.Text, " ", "") {
					t.Fatalf("pieces read %q of %q", joined, turn.Text)
				}
				if len(b.chunks) == 1 && !strings.Contains(b.chunks[0], strings.TrimSpace(turn.Text)) {
					t.Fatalf("turn %d is not in its piece", turn.Seq)
				}
			}
			read = append(read, b.turns...)
		}
		if len(read) != len(turns) {
			t.Fatalf("%d turns of %d", len(read), len(turns))
		}
	})
}

func TestRenderedItemsCostNoMoreThanTheirSum(t *testing.T) {
	count := cl100k{}
	m := meter{counter: count, countable: 1 << 20}
	rapid.Check(t, func(t *rapid.T) {
		w := window{meter: m, reopen: Options{}.reopen}
		for i := range rapid.IntRange(1, 30).Draw(t, "turns") {
			turn := strata.Turn{Seq: int64(i + 1), Role: rapid.SampledFrom([]strata.Role{"user", "assistant", "tool", "system"}).Draw(t, "role")}
			turn.Text = rapid.StringMatching(`[a-z ,.\n]{0,60}`).Draw(t, "text")
			if turn.Role == strata.RoleAssistant && rapid.Bool().Draw(t, "calls") {
				turn.Calls = []strata.ToolCall{{ID: rapid.SampledFrom([]string{"", "1", "2"}).Draw(t, "id"), Name: "f"}, {Name: "g", Arguments: "{}"}}
			}
			turn.CallID = rapid.SampledFrom([]string{"", "1", "2"}).Draw(t, "answers")
			w.append(turn, rapid.SampledFrom([]int{0, 0, minLimit}).Draw(t, "keep"), "")
		}
		messages := render(w.items)
		if err := checkRoles(messages); err != nil {
			t.Fatal(err)
		}
		if real, sum := m.request(llm.Request{Messages: messages}), perRequest+bridgeCost(m)+w.cost; real > sum {
			t.Fatalf("the request costs %d, counted were %d", real, sum)
		}
	})
}

func TestDigestKeepsWhatTellsMost(t *testing.T) {
	turns := []strata.Turn{
		{Seq: 1, Role: strata.RoleUser, Text: "Ok. The server db17 in Oslo listens on port 5433 with TLS 1.3. Fine."},
		{Seq: 2, Role: strata.RoleAssistant, Text: "Sure."},
		{Seq: 3, Role: strata.RoleUser, Text: "Sure."},
	}
	got := digest("An older line about the migration of billing.", turns, nil, 60, bytesCounter{}.Count)
	for _, want := range []string{"An older line about the migration", "[1] user: The server db17 in Oslo listens on port 5433 with TLS 1.3."} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in:\n%s", want, got)
		}
	}
	if n := (bytesCounter{}).Count(got); n > 60 {
		t.Errorf("it costs %d", n)
	}
}

func TestDigestFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var turns []strata.Turn
		for i := range rapid.IntRange(0, 20).Draw(t, "turns") {
			turns = append(turns, strata.Turn{Seq: int64(i), Role: strata.RoleUser, Text: rapid.String().Draw(t, "text")})
		}
		limit := rapid.IntRange(0, 200).Draw(t, "limit")
		if n := token.Count(digest(rapid.String().Draw(t, "previous"), turns, nil, limit, token.Count)); n > limit {
			t.Fatalf("%d tokens of %d", n, limit)
		}
	})
}

func TestOneRepairAttempt(t *testing.T) {
	h := open(t, nil)
	answers := []string{"Here you are: facts!",
		`{"operations":[{"op":"add","fact":0,"text":"The user has owned the cat Whiskerino for years","type":"user","turn":1,"quote":"my cat Whiskerino for years"}]}`}
	h.model.extract = func(_ context.Context, _ string) (string, error) {
		a := answers[0]
		answers = answers[1:]
		return a, nil
	}
	h.add(say(strata.RoleUser, "Owned by my cat Whiskerino for years, me."))
	if err := h.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	byModel := func(c strata.Candidate) bool {
		return c.Content == "The user has owned the cat Whiskerino for years" && c.RequestID != ""
	}
	if got := h.memory.saved; !slices.ContainsFunc(got, byModel) {
		t.Errorf("saved %+v", got)
	}
	if len(h.fallbacks("extraction")) != 0 {
		t.Error("rules were used")
	}
	if r := h.model.requests; len(r) != 2 || len(r[1].Messages) != 4 || r[0].Schema == nil {
		t.Errorf("%d requests", len(r))
	}
}
