package token

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"hash/fnv"
	"io/fs"
	"math/bits"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// The promise about estimates: with either tokenizer as the truth that the
// model reports, the estimate of a whole conversation is never more than a
// tenth low once two turns were observed, and little too high on average.
func TestEstimateOfAGrowingConversationIsNeverLow(t *testing.T) {
	conversations := map[string][][]string{
		"example":   {exampleConversation(t)},
		"source":    sourceConversations(t),
		"languages": languageConversations(t),
	}
	for _, hidden := range []struct {
		name  string
		truth Counter
	}{{"cl100k", cl100k}, {"o200k", o200k}} {
		for name, set := range conversations {
			t.Run(hidden.name+"/"+name, func(t *testing.T) {
				truth := remember(hidden.truth)
				// The frame of a message costs tokens that no counter of texts sees.
				for _, frame := range []int{0, 4} {
					var all errors
					for _, messages := range set {
						all.add(observe(messages, truth, frame))
					}
					t.Logf("frame %d: %d requests in %d conversations, estimate / truth: least %.3f, mean %.3f, most %.3f",
						frame, all.n, len(set), all.least, all.mean(), all.most)
					if all.least < 0.9 {
						t.Errorf("the estimate was %.1f %% low", 100*(1-all.least))
					}
					if all.mean() > 1.1 {
						t.Errorf("the estimate was %.1f %% high on average", 100*(all.mean()-1))
					}
				}
			})
		}
	}
}

// Models like no tokenizer of ours: whole factors more or fewer tokens, in
// short turns and in long ones.
func TestEstimateLearnsOtherTokenizers(t *testing.T) {
	short := exampleConversation(t)
	var long []string
	for i := 0; i+12 <= len(short); i += 12 {
		long = append(long, strings.Join(short[i:i+12], "\n"))
	}
	truth := remember(cl100k)
	for name, messages := range map[string][]string{"short": short, "long": long} {
		for _, factor := range []float64{0.7, 1.3, 1.6, 2.2} {
			got := observe(messages, func(s string) int { return int(factor * float64(truth(s))) }, 4)
			t.Logf("factor %.1f, %s turns: estimate / truth: least %.3f, mean %.3f, most %.3f", factor, name, got.least, got.mean(), got.most)
			if got.least < 0.9 || got.mean() > 1.1 {
				t.Errorf("factor %.1f, %s turns: least %.3f, mean %.3f", factor, name, got.least, got.mean())
			}
		}
	}
}

// remember counts each text once.
func remember(c Counter) func(string) int {
	known := make(map[string]int)
	return func(s string) int {
		n, ok := known[s]
		if !ok {
			n = c.Count(s)
			known[s] = n
		}
		return n
	}
}

// errors sums up estimate / truth.
type errors struct {
	n                int
	least, most, sum float64
}

func (e *errors) add(o errors) {
	if o.n == 0 {
		return
	}
	if e.n == 0 {
		e.least, e.most = o.least, o.most
	}
	e.least, e.most = min(e.least, o.least), max(e.most, o.most)
	e.n, e.sum = e.n+o.n, e.sum+o.sum
}

func (e errors) mean() float64 { return e.sum / float64(max(1, e.n)) }

// observe sends a growing conversation and reports its tokens after every
// request. The errors are those of the requests after the second report.
func observe(messages []string, truth func(string) int, frame int) errors {
	var cal Calibration
	var out errors
	raw, tokens := 0, 0
	for i, m := range messages {
		raw += Estimate{}.Count(m)
		tokens += truth(m) + frame
		if i >= 2 {
			r := float64(cal.Scale(raw)) / float64(tokens)
			out.add(errors{n: 1, least: r, most: r, sum: r})
		}
		cal.Observe(raw, tokens)
	}
	return out
}

const root = "../../.."

// exampleConversation is the example of the project, without the frame of JSON.
func exampleConversation(t *testing.T) []string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, "cmd/strata/internal/demo/conversation.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for sc := bufio.NewScanner(bytes.NewReader(b)); sc.Scan(); {
		var turn struct{ Text string }
		if err := json.Unmarshal(sc.Bytes(), &turn); err != nil {
			t.Fatal(err)
		}
		out = append(out, turn.Text)
	}
	if len(out) < 50 {
		t.Fatalf("the example has %d turns", len(out))
	}
	return out
}

// sourceConversations are the project's own files as messages, cut into pieces
// of any size, in several orders.
func sourceConversations(t *testing.T) [][]string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "bin" || d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".") && d.Name() != "..") {
			return filepath.SkipDir
		}
		switch filepath.Ext(path) {
		case ".go", ".md", ".sql":
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			files = append(files, string(b))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 100 {
		t.Fatalf("found %d files", len(files))
	}
	return shuffled(files, 20_000)
}

// languageConversations speak English, Spanish, German and Japanese, one after
// the other in every order.
func languageConversations(t *testing.T) [][]string {
	t.Helper()
	var texts []string
	for _, name := range []string{"english", "spanish", "german", "japanese"} {
		b, err := os.ReadFile(filepath.Join("testdata/text", name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(b))
	}
	var out [][]string
	for first := range texts {
		for second := range texts {
			var messages []string
			for _, s := range []string{texts[first], texts[second]} {
				messages = append(messages, strings.SplitAfter(strings.TrimSpace(s), "\n")...)
			}
			out = append(out, messages)
		}
	}
	return append(out, shuffled(texts, 600)...)
}

// shuffled cuts texts into pieces and makes conversations of them: each text
// one conversation, and all pieces in two random orders, twenty to forty at a time.
// Where a text is cut depends on nothing but the text, and where a piece is said
// on nothing but the piece, so that a change of one text leaves the conversations
// of others as they were.
func shuffled(texts []string, longest int) [][]string {
	hash := func(s string, seed uint64) uint64 {
		h := fnv.New64a()
		h.Write([]byte(s))
		return rand.NewPCG(h.Sum64(), seed).Uint64()
	}
	var out [][]string
	var all []string
	for _, s := range texts {
		r := rand.New(rand.NewPCG(hash(s, 0), 2))
		var pieces []string
		for s != "" {
			n := min(len(s), 1+r.IntN(1+r.IntN(longest)))
			for n < len(s) && !utf8.RuneStart(s[n]) {
				n++
			}
			pieces, s = append(pieces, s[:n]), s[n:]
		}
		out, all = append(out, pieces), append(all, pieces...)
	}
	groups := uint64(1) << bits.Len(uint(len(all)/40)) // the same for a few pieces more
	for order := range uint64(2) {
		said := make([][]string, groups)
		place := func(s string) uint64 { return hash(s, 1+order) }
		slices.SortFunc(all, func(a, b string) int { return cmp.Compare(place(a), place(b)) })
		for _, s := range all {
			said[place(s)%groups] = append(said[place(s)%groups], s)
		}
		out = append(out, said...)
	}
	return out
}
