package table

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
)

// On a screen of any width no line is longer, but for one word that is, and every word of
// every cell is there whole and in its order.
func TestTablesFitTheScreen(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		cell := rapid.StringMatching(`[a-zé]{1,12}( [a-zé]{1,12}){0,8}`)
		tb := Table{Elastic: rapid.IntRange(0, 2).Draw(rt, "elastic"), TextFirst: rapid.Bool().Draw(rt, "text first")}
		if rapid.Bool().Draw(rt, "with header") {
			tb.Header = []string{"ID", "TEXTS", "WHY"}
		}
		var words []string
		for range rapid.IntRange(1, 5).Draw(rt, "rows") {
			cells := []string{cell.Draw(rt, "id"), cell.Draw(rt, "text"), cell.Draw(rt, "why")}
			tb.Add(cells...)
			for _, c := range cells {
				words = append(words, strings.Fields(c)...)
			}
		}
		width := rapid.IntRange(10, 100).Draw(rt, "width")
		var out bytes.Buffer
		if err := tb.Write(&out, width, terminal.Style{}); err != nil {
			rt.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if got := terminal.Columns(strings.TrimRight(line, " \n")); got > width && len(strings.Fields(line)) > 1 {
				rt.Fatalf("%d columns on a screen of %d: %q", got, width, line)
			}
		}
		printed := strings.Fields(out.String())
		for _, w := range words {
			if !slices.Contains(printed, w) {
				rt.Fatalf("%q is cut:\n%s", w, out.String())
			}
		}
	})
}

func TestANarrowTableStandsBelowEachOther(t *testing.T) {
	tb := Table{Header: []string{"SCOPE", "FACTS", "SESSIONS", "CLOSED"}}
	tb.Add("global", "1", "0", "yesterday")
	var out bytes.Buffer
	if err := tb.Write(&out, 20, terminal.Style{}); err != nil {
		t.Fatal(err)
	}
	if want := "global\n  1 fact\n  closed yesterday\n"; out.String() != want {
		t.Errorf("got\n%s want\n%s", out.String(), want)
	}
}

func TestColumnsLineUpWithWideCharacters(t *testing.T) {
	tb := Table{Header: []string{"TEXT", "N"}}
	tb.Elastic = 5
	tb.Add("猫", "1")
	tb.Add("cats", "2")
	var out bytes.Buffer
	if err := tb.Write(&out, 0, terminal.Style{}); err != nil {
		t.Fatal(err)
	}
	if want := "TEXT  N\n猫    1\ncats  2\n"; out.String() != want {
		t.Errorf("got\n%s want\n%s", out.String(), want)
	}
}
