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

// minLimit is the fewest tokens to which a turn is shortened: what the marker
// takes, and a few words of either end.
const minLimit = 64

// maxAsk is how much of a question is kept to choose passages by, in bytes.
const maxAsk = 300

// cut says how a turn is shortened.
type cut struct {
	limit  int // tokens
	count  func(string) int
	seq    int64
	reopen string // says how to see the whole
	images int    // that are left out
	ask    string // what the text is to answer; empty: unknown
}

// excerpt returns as much of a text as costs at most limit tokens, unless that is less
// than the marker alone takes: its beginning and its end and, where the question is
// known, the passages between them that hold most of its words. A marker says what is
// left out and how to see it.
func (c cut) excerpt(s string) string {
	head, tail := c.ends(s, 3, 5)
	out := c.render(s, head, nil, tail)
	if c.limit < 4*minLimit || tail <= head || c.ask == "" {
		return out
	}
	ends := c
	ends.limit = c.limit * 3 / 5 // the rest is for what is asked for
	head, tail = ends.ends(s, 3, 5)
	between := c.between(s, head, tail)
	if len(between) == 0 {
		return out
	}
	// What the passages do not take, the ends do.
	ends.limit += c.limit - c.count(c.render(s, head, between, tail))
	head, tail = ends.ends(s, 3, 5)
	between = slices.DeleteFunc(between, func(p text.Span) bool { return p.Start < head || p.End > tail })
	if with := c.render(s, head, between, tail); len(between) > 0 && c.count(with) <= c.limit {
		return with
	}
	return out
}

// between returns the passages of s from head to tail that hold most of what is asked
// for, in order, as many as fit beside the ends.
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

// ends returns how far the beginning of s goes, and where its end starts, if both are
// shown within the limit; part of whole goes to the beginning, which is where a text
// says what it is.
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

// render writes the beginning of s up to head, some parts, and its end from tail on. The
// marker stands where the beginning ends.
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

// maxScanned is how much of a text is searched for what a question asks for, in bytes.
const maxScanned = 1 << 20

// relevant returns the passages of a text that hold words of a question, those first
// that hold most of it. A word counts the more the fewer passages hold it.
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

// cutMarker says in the text what is not shown.
func cutMarker(seq int64, left, whole, images int, reopen string) string {
	var what []string
	if left > 0 {
		what = append(what, fmt.Sprintf("%d of %d characters", left, whole))
	}
	if images > 0 {
		what = append(what, fmt.Sprintf("%d image(s)", images))
	}
	if len(what) == 0 { // of an assistant's turn: the arguments of its calls
		what = []string{"arguments"}
	}
	return fmt.Sprintf("\n[… turn %d is shortened, %s left out; %s …]\n", seq, strings.Join(what, " and "), reopen)
}

// cutAfter returns at most n bytes from the beginning of s, up to the end of a
// line or word where one is near.
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

// cutBefore returns at most n bytes from the end of s, from the beginning of a
// line or word where one is near.
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

// Outline is what a saved state tells of a conversation's window. The turns are those of
// the ledger, by their places in it.
type Outline struct {
	Last    int64  // turn that the window knows
	Flushed int64  // last turn whose facts are saved
	Blocks  []Span // what stands for turns that are not shown, in order, without overlap
}

// Span is a block of turns that the window shows a text in place of.
type Span struct {
	From, To int64
	Summary  bool   // the text tells what they said; otherwise it only says that they were left out
	Text     string // as the model reads it
}

// ReadOutline reads what a [Ledger] saved of a conversation.
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
