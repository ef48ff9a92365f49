package table

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rivo/uniseg"
	"pgregory.net/rapid"

	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
)

func TestTablesFitTheTerminal(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		cell := rapid.StringMatching(`[a-z猫é ]{0,30}`)
		tb := Table{Elastic: 1}
		for range rapid.IntRange(1, 5).Draw(rt, "rows") {
			tb.Add(rapid.StringMatching(`[a-z]{1,6}`).Draw(rt, "id"), cell.Draw(rt, "text"), rapid.StringMatching(`[a-z]{1,8}`).Draw(rt, "why"))
		}
		width := rapid.IntRange(40, 60).Draw(rt, "width")
		var out bytes.Buffer
		if err := tb.Write(&out, width, terminal.Style{}); err != nil {
			rt.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		if len(lines) != len(tb.Rows) {
			rt.Fatalf("%d lines for %d rows", len(lines), len(tb.Rows))
		}
		for _, line := range lines {
			if got := uniseg.StringWidth(line); got > width {
				rt.Fatalf("%d columns in a terminal of %d: %q", got, width, line)
			}
		}
	})
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
