package recall

import (
	"slices"
	"strconv"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
)

// TurnText is what is indexed for a turn: the day it was said in words, the
// speaker and the text, so that "May 2023" and "Caroline" match it.
func TurnText(t strata.Turn) string {
	var b strings.Builder
	if !t.At.IsZero() {
		b.WriteString(strconv.Itoa(t.At.Day()))
		b.WriteByte(' ')
		b.WriteString(t.At.Month().String())
		b.WriteByte(' ')
		b.WriteString(strconv.Itoa(t.At.Year()))
		b.WriteByte(' ')
	}
	if t.Speaker != "" {
		b.WriteString(t.Speaker)
		b.WriteString(": ")
	}
	b.WriteString(t.Text)
	return b.String()
}

// FactText is what is indexed for a fact: its text and those words of its
// entity, attribute and tags that the text does not hold already.
func FactText(f strata.Fact) string {
	out := f.Text
	have := text.Terms(f.Text)
	for _, extra := range append([]string{f.Entity, f.Attribute}, f.Tags...) {
		missing := false
		for _, t := range text.Analyze(extra) {
			missing = missing || !t.Stop && !slices.Contains(have, t.Term)
		}
		if missing {
			out += "\n" + extra
			have = append(have, text.Terms(extra)...)
		}
	}
	return out
}
