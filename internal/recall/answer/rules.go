package answer

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/secrets/fence"
)

// byRules answers without a model. It lists the evidence, oldest first, each piece on a
// line with its date, scope and address, and as much of its text as fits.
func (b basis) byRules() Answer {
	out := Answer{Citations: b.evidence, Missing: b.missing}
	last := missingLine(b.missing)
	if len(b.evidence) == 0 {
		out.Text = "Memory holds nothing on this.\n" + last
		return out
	}
	var lines []string
	texts := make([][]string, len(b.evidence))
	room := MaxWords - countWords(last)
	for i, c := range b.evidence {
		line := fmt.Sprintf("[%d] %s, %s, %s:", c.Number, day(c.At), c.Scope.Key(), fence.Line(Address(c.Hit)))
		lines = append(lines, line)
		texts[i] = strings.Fields(fence.Line(bestPart(c.Hit)))
		room -= countWords(line)
	}
	shared := share(room, texts)
	for i, words := range texts {
		lines[i] += " " + clip(words, shared[i])
	}
	out.Text = strings.Join(append(lines, last), "\n")
	return out
}

// share divides room among texts, in words. Short texts get all of their words; long ones
// get equal shares of the rest.
func share(room int, texts [][]string) []int {
	order := make([]int, len(texts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(texts[a]) - len(texts[b]) })
	out := make([]int, len(texts))
	for k, i := range order {
		out[i] = max(min(len(texts[i]), room/(len(order)-k)), 0)
		room -= out[i]
	}
	return out
}

// clip returns the first n words, followed by an ellipsis if there are more.
func clip(words []string, n int) string {
	if n >= len(words) {
		return strings.Join(words, " ")
	}
	return strings.Join(words[:n], " ") + "…"
}

// bestPart returns the text of a hit from its best passage on.
func bestPart(h strata.Hit) string {
	if h.Match == nil {
		return h.Text
	}
	start := h.Match.Start - h.Offset
	if start <= 0 || start >= len(h.Text) {
		return h.Text
	}
	return "…" + h.Text[start:]
}

// Address returns where to open a hit: the id of a fact, the session and number of a
// turn, the file and line of a section.
func Address(h strata.Hit) string {
	switch {
	case h.Section != nil:
		return fmt.Sprintf("%s:%d", h.Section.Path, h.Section.Line)
	case h.Kind == strata.KindTurn:
		return fmt.Sprintf("%s#%d", h.Session, h.Seq)
	}
	return h.ID
}

func day(at time.Time) string { return at.UTC().Format(time.DateOnly) }

func countWords(s string) int { return len(strings.Fields(s)) }
