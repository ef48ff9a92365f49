package contextmgr

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/strata-memory/strata"
)

// batch is a run of turns that a model or rules read together. Its chunks hold all their
// text, and each is small enough for the small model. A turn too long for one chunk is a
// batch of its own with several, so that a batch always ends at the end of a turn.
type batch struct {
	turns  []strata.Turn
	chunks []string
}

// last returns the Seq of the last turn.
func (b batch) last() int64 { return b.turns[len(b.turns)-1].Seq }

// batches divides turns into batches whose chunks cost at most limit tokens, counted on
// the text that is actually sent.
func batches(turns []strata.Turn, limit int, count func(string) int) []batch {
	var out []batch
	room := 0 // left in the last batch
	for _, t := range turns {
		text := transcript(t)
		cost := count(text)
		switch {
		case cost > limit:
			out = append(out, batch{turns: []strata.Turn{t}, chunks: chunks(text, t, limit, count)})
			room = 0
		case cost > room:
			out = append(out, batch{turns: []strata.Turn{t}, chunks: []string{text}})
			room = limit - cost
		default:
			b := &out[len(out)-1]
			b.turns = append(b.turns, t)
			b.chunks[0] += text
			room -= cost
		}
	}
	return out
}

// chunks divides one long turn; each chunk says which turn it belongs to.
func chunks(text string, t strata.Turn, limit int, count func(string) int) []string {
	var out []string
	rest := strings.TrimPrefix(text, heading(t))
	for rest != "" {
		size := limit * 4
		part := cutAfter(rest, size)
		for count(chunk(t, part)) > limit && size > 16 {
			size = size * 3 / 4
			part = cutAfter(rest, size)
		}
		if part == "" {
			_, size := utf8.DecodeRuneInString(rest)
			part = rest[:size]
		}
		out = append(out, chunk(t, part))
		rest = rest[len(part):]
	}
	return out
}

// chunk returns a part of a turn as the small model reads it.
func chunk(t strata.Turn, part string) string {
	return heading(t) + strings.TrimRight(part, "\n") + "\n"
}

// transcript returns a turn as the small model reads it.
func transcript(t strata.Turn) string {
	var b strings.Builder
	b.WriteString(heading(t))
	b.WriteString(strings.TrimSpace(whole(t)))
	for _, c := range t.Calls {
		fmt.Fprintf(&b, " (calls %s %s)", c.Name, c.Arguments)
	}
	if n := len(t.Images); n > 0 {
		fmt.Fprintf(&b, " (%d image(s))", n)
	}
	b.WriteString("\n")
	return b.String()
}

// heading says who speaks in a turn, so that summaries keep roles apart.
func heading(t strata.Turn) string {
	who := string(t.Role)
	if t.Role == strata.RoleTool && t.Tool != "" {
		who += " " + t.Tool
	}
	if t.Speaker != "" {
		who += " " + t.Speaker
	}
	return fmt.Sprintf("[%d] %s: ", t.Seq, who)
}
