package reopen

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text/token"
	"github.com/strata-memory/strata/store"
)

// pageFiller fills one page of an expansion within its budget.
type pageFiller struct {
	out    *Page
	budget int // tokens
}

// left returns the tokens left in the budget.
func (p *pageFiller) left() int { return p.budget - p.out.Tokens }

// span fills the page with turns in order.
func (p *pageFiller) span(ctx context.Context, r store.Reader, x Request, after mark) error {
	next := max(x.From, after.seq, 1)
	for {
		turns, err := r.Turns(ctx, p.out.Session.Scope, x.Session, store.TurnFilter{After: next - 1, Limit: readBatch, NoImages: true})
		if err != nil {
			return err
		}
		for _, t := range turns {
			if t.Seq > x.To {
				return nil
			}
			offset := 0
			if t.Seq == after.seq {
				offset = after.offset
			}
			end := p.add(Turn{Turn: t, Offset: offset}, whole(t))
			if end < 0 || end < len(whole(t)) {
				p.out.Next = mark{seq: t.Seq, offset: max(end, offset)}.String()
				return nil
			}
			next = t.Seq + 1
		}
		if len(turns) < readBatch {
			return nil
		}
	}
}

// add puts a turn on the page. It takes the text from t.Offset to the end of text, or as
// far as the budget allows, and returns where that part ends in text. If the page is too
// full to begin the turn, it adds nothing and returns -1.
func (p *pageFiller) add(t Turn, text string) int {
	t.Length = len(whole(t.Turn))
	t.Offset = runeStart(text, t.Offset)
	n, cost := fit(text[t.Offset:], p.left()-turnTokens)
	full := p.left() < turnTokens
	if !full && len(p.out.Turns) > 0 && t.Offset+n < len(text) {
		// A few words at the foot of a page help nobody: the turn begins the
		// next page, unless much of this one is left.
		full = p.left() < p.budget/4
	}
	if full {
		return -1
	}
	if t.Turn.Pruned() {
		t.Notes = append(t.Notes, "what was said is gone: the session was pruned for its age")
	}
	if t.Turn.Archived() {
		t.Notes = append(t.Notes, "what was said is in the archive: strata sessions restore "+t.Turn.Session+" brings it back")
	}
	t.Turn.Text = text[t.Offset : t.Offset+n]
	p.out.Turns = append(p.out.Turns, t)
	p.out.Tokens += cost + turnTokens
	return t.Offset + n
}

// whole returns all of a turn that can be reopened: its text, followed by a line for each
// tool call and image. It returns "" for a forgotten turn.
func whole(t strata.Turn) string {
	if t.Forgotten {
		return ""
	}
	lines := make([]string, 0, 1+len(t.Calls)+len(t.Images))
	if t.Text != "" {
		lines = append(lines, t.Text)
	}
	for _, c := range t.Calls {
		lines = append(lines, strings.TrimSpace("[calls "+c.Name+" "+c.Arguments)+"]")
	}
	for _, i := range t.Images {
		lines = append(lines, fmt.Sprintf("[image %s, %d bytes]", i.MediaType, len(i.Data)))
	}
	return strings.Join(lines, "\n")
}

// mark is where the next page begins: at a turn and a byte of its text in a span, or
// after a number of matches to skip.
type mark struct {
	seq    int64
	offset int
	skip   int
}

// String returns "12:4000" or, for matches, "m8".
func (m mark) String() string {
	if m.skip > 0 {
		return "m" + strconv.Itoa(m.skip)
	}
	return fmt.Sprintf("%d:%d", m.seq, m.offset)
}

// parseMark parses a mark of a span or, if among is set, of matches. The empty string is
// the zero mark, which is the beginning.
func parseMark(s string, among bool) (mark, error) {
	if s == "" {
		return mark{}, nil
	}
	var m mark
	var err error
	rest, isMatch := strings.CutPrefix(s, "m")
	if isMatch {
		m.skip, err = strconv.Atoi(rest)
	} else {
		seq, offset, ok := strings.Cut(s, ":")
		m.seq, err = strconv.ParseInt(seq, 10, 64)
		if err == nil && ok {
			m.offset, err = strconv.Atoi(offset)
		}
	}
	const hint = "repeat the call with next from its answer, or leave after out"
	switch {
	case err != nil, isMatch && m.skip < 1, !isMatch && m.seq < 1, m.offset < 0:
		return mark{}, strata.Invalid("expand", "after is not a place to continue at", hint)
	case isMatch && !among:
		return mark{}, strata.Invalid("expand", "after belongs to a call with a query", hint)
	case !isMatch && among:
		return mark{}, strata.Invalid("expand", "after belongs to a call without a query", "leave the query out to go on reading there")
	}
	return m, nil
}

// runeStart returns the first index at or after i where a character of s begins, or the
// length of s.
func runeStart(s string, i int) int {
	for i < len(s) && !utf8.RuneStart(s[i]) {
		i++
	}
	return min(i, len(s))
}

const (
	// stepBytes is about how much text is counted at a time, and mostStepBytes how far to
	// look for the end of a word.
	stepBytes, mostStepBytes = 64, 256
)

// fit returns how many bytes of s fit into a budget, up to the end of a word if possible,
// and their cost in tokens.
func fit(s string, budget int) (n, cost int) {
	for n < len(s) {
		end := breakAfter(s, n+stepBytes, n+mostStepBytes)
		more := token.Count(s[n:end])
		if cost+more > budget {
			break
		}
		n, cost = end, cost+more
	}
	for n > 0 {
		// The parts were counted apart; together they cost about the same.
		if cost = token.Count(s[:n]); cost <= budget {
			return n, cost
		}
		n = runeStart(s, max(n-stepBytes, 0))
		if n == 0 {
			break
		}
	}
	// Not even one step fits. A token has at least one byte.
	for n < len(s) {
		_, size := utf8.DecodeRuneInString(s[n:])
		if n+size > budget {
			break
		}
		n += size
	}
	return n, token.Count(s[:n])
}

// breakAfter returns where to break s: before the first space or newline at or after
// least, or else at the first character from most on. It returns len(s) if s is not
// longer than least.
func breakAfter(s string, least, most int) int {
	if least >= len(s) {
		return len(s)
	}
	for i := least; i < min(most, len(s)); i++ {
		if s[i] == ' ' || s[i] == '\n' {
			return i
		}
	}
	return runeStart(s, most)
}
