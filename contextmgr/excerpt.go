package contextmgr

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/strata-memory/strata/internal/text"
)

// minLimit is the fewest tokens to which a turn is shortened: room for the marker and a
// few words from each end.
const minLimit = 64

// maxAsk is how many bytes of a question are kept for choosing passages.
const maxAsk = 300

// cut says how a turn is shortened.
type cut struct {
	limit  int // tokens
	count  func(string) int
	seq    int64
	reopen string // says how to see the whole
	images int    // number of images left out
	ask    string // the question that the text should answer; empty if unknown
}

// excerpt shortens a text to at most limit tokens, or to little more than the marker if
// that alone costs more. It keeps the beginning, the end and, if the question is known,
// the passages in between that contain most of its words. A marker says what is left out
// and how to see it.
func (c cut) excerpt(s string) string {
	head, tail := c.ends(s, 3, 5)
	out := c.render(s, head, nil, tail)
	if c.limit < 4*minLimit || tail <= head || c.ask == "" {
		return out
	}
	ends := c
	ends.limit = c.limit * 3 / 5 // the rest is for the passages
	head, tail = ends.ends(s, 3, 5)
	between := c.between(s, head, tail)
	if len(between) == 0 {
		return out
	}
	// The ends take the room that the passages leave.
	ends.limit += c.limit - c.count(c.render(s, head, between, tail))
	head, tail = ends.ends(s, 3, 5)
	between = slices.DeleteFunc(between, func(p text.Span) bool { return p.Start < head || p.End > tail })
	if with := c.render(s, head, between, tail); len(between) > 0 && c.count(with) <= c.limit {
		return with
	}
	return out
}

// between returns the passages of s between head and tail that match the question best,
// in order, as many as fit beside the ends.
func (c cut) between(s string, head, tail int) []text.Span {
	var out []text.Span
	for _, p := range relevant(s[head:tail], c.ask) {
		p.Start, p.End = p.Start+head, p.End+head
		with := append(slices.Clone(out), p)
		slices.SortFunc(with, func(a, b text.Span) int { return a.Start - b.Start })
		if c.count(c.render(s, head, with, tail)) > c.limit {
			break
		}
		out = with
	}
	return out
}

// ends returns where the beginning of s stops and where its end starts if both are shown
// within the limit. The beginning, which usually says what a text is, gets part/whole of
// the room.
func (c cut) ends(s string, part, whole int) (head, tail int) {
	for budget := min(c.limit*4, len(s)); ; {
		head, tail = len(s), len(s)
		if budget < len(s) {
			first := budget * part / whole
			head = len(cutAfter(s, first))
			tail = max(len(s)-len(cutBefore(s, budget-first)), head)
		}
		cost := c.count(c.render(s, head, nil, tail))
		if budget == 0 || cost <= c.limit {
			return head, tail
		}
		budget = min(budget*c.limit/cost, budget*19/20)
		if budget < 8 {
			budget = 0
		}
	}
}

// render returns the beginning of s up to head, the passages between, and the end of s
// from tail. The marker follows the beginning.
func (c cut) render(s string, head int, between []text.Span, tail int) string {
	left := utf8.RuneCountInString(s[head:tail])
	for _, p := range between {
		left -= utf8.RuneCountInString(s[p.Start:p.End])
	}
	var b strings.Builder
	b.WriteString(s[:head])
	b.WriteString(cutMarker(c.seq, left, utf8.RuneCountInString(s), c.images, c.reopen))
	for _, p := range between {
		b.WriteString(strings.TrimSpace(s[p.Start:p.End]))
		b.WriteString("\n[…]\n")
	}
	b.WriteString(s[tail:])
	return b.String()
}

// maxScanned is how many bytes of a text are searched for passages.
const maxScanned = 1 << 20

// relevant returns the passages of a text that contain words of a question, best matches
// first. A word found in fewer passages counts more.
func relevant(s, ask string) []text.Span {
	wanted := text.Vocabulary(ask)
	s = text.Head(s, maxScanned)
	passages := text.Passages(s)
	held := make([]map[string]bool, len(passages))
	holds := make(map[string]int, len(wanted)) // passages that hold each word
	for i, p := range passages {
		held[i] = make(map[string]bool)
		for _, t := range text.Terms(s[p.Start:p.End]) {
			if wanted[t] && !held[i][t] {
				held[i][t] = true
				holds[t]++
			}
		}
	}
	scores := make(map[text.Span]float64)
	var out []text.Span
	for i, p := range passages {
		for t := range held[i] {
			scores[p] += math.Log1p(float64(len(passages)) / float64(holds[t]))
		}
		if len(held[i]) > 0 {
			out = append(out, p)
		}
	}
	slices.SortStableFunc(out, func(a, b text.Span) int { return cmp.Compare(scores[b], scores[a]) })
	return out
}

// cutMarker returns the text that says what is not shown.
func cutMarker(seq int64, left, whole, images int, reopen string) string {
	var what []string
	if left > 0 {
		what = append(what, fmt.Sprintf("%d of %d characters", left, whole))
	}
	if images > 0 {
		what = append(what, fmt.Sprintf("%d image(s)", images))
	}
	if len(what) == 0 { // an assistant's turn: the arguments of its calls
		what = []string{"arguments"}
	}
	return fmt.Sprintf("\n[… turn %d is shortened, %s left out; %s …]\n", seq, strings.Join(what, " and "), reopen)
}

// cutAfter returns at most n bytes from the beginning of s, up to the end of a nearby
// line or word if there is one.
func cutAfter(s string, n int) string {
	if n >= len(s) {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	for _, end := range []byte{'\n', ' '} {
		if at := strings.LastIndexByte(s[:n], end); at > n*3/4 {
			return s[:at]
		}
	}
	return s[:n]
}

// cutBefore returns at most n bytes from the end of s, from the beginning of a nearby
// line or word if there is one.
func cutBefore(s string, n int) string {
	if n >= len(s) {
		return s
	}
	start := len(s) - n
	for start < len(s) && !utf8.RuneStart(s[start]) {
		start++
	}
	if at := strings.IndexAny(s[start:], " \n"); at >= 0 && at < n/4 {
		start += at + 1
	}
	return s[start:]
}

// Outline describes the window of a conversation as its saved state has it. Turns are
// identified by their Seq in the ledger.
type Outline struct {
	Last    int64  // last turn in the window
	Flushed int64  // last turn whose facts are saved
	Blocks  []Span // texts that replace turns, in order, without overlap
}

// Span is a range of turns that the window replaces by a text.
type Span struct {
	From, To int64
	Summary  bool   // the text summarizes them; otherwise it only says that they were left out
	Text     string // as the model reads it
}

// ReadOutline decodes the state that a [Ledger] saved.
func ReadOutline(raw []byte) (Outline, error) {
	s, err := decodeState(raw)
	if err != nil {
		return Outline{}, err
	}
	out := Outline{Last: s.Last, Flushed: s.Cursor}
	for _, b := range s.Blocks {
		out.Blocks = append(out.Blocks, Span(b))
	}
	return out, nil
}
