package table

import (
	"strings"
	"testing"

	"github.com/rivo/uniseg"
	"pgregory.net/rapid"

	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
)

func TestMatchedWordsAreBoldOnATerminalOnly(t *testing.T) {
	m := NewMarker([]string{"deploys", "málaga", "日本"})
	tests := []struct{ name, text, want string }{
		{"inflected", "We deployed twice.", "We [deployed] twice."},
		{"another case", "DEPLOY it", "[DEPLOY] it"},
		{"without accents", "Off to Malaga", "Off to [Malaga]"},
		{"a script without spaces", "私は日本にいる", "私は[日][本]にいる"},
		{"part of a word", "redeployable", "redeployable"},
		{"nothing", "a ferry", "a ferry"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := strings.NewReplacer("\x1b[1m", "[", "\x1b[0m", "]").Replace(m.paint(tt.text, terminal.Style{Color: true}))
			if got != tt.want {
				t.Errorf("painted %q, want %q", got, tt.want)
			}
			if plain := m.paint(tt.text, terminal.Style{}); plain != tt.text {
				t.Errorf("without a terminal it is %q", plain)
			}
		})
	}
}

func TestThePassageHoldsTheWordsThatMatched(t *testing.T) {
	filler := strings.Repeat("nothing of interest stands here ", 20)
	m := NewMarker([]string{"rollback", "pelican"})
	text := filler + "a rollback alone " + filler + "the rollback runs the pelican script " + filler
	got := m.Passage(text, 60)
	if !strings.Contains(got, "rollback runs the pelican") || uniseg.StringWidth(got) > 60 {
		t.Errorf("the passage is %q, %d wide", got, uniseg.StringWidth(got))
	}
	if got := m.Passage("short, with a\nline break", 60); got != "short, with a line break" {
		t.Errorf("a short text becomes %q", got)
	}
	if got := (Marker{}).Passage(filler, 30); !strings.HasPrefix(got, "nothing of") || uniseg.StringWidth(got) > 30 {
		t.Errorf("without words it is %q", got)
	}
}

// Whatever the text and the words, marking changes nothing but the style, and a
// passage is a piece that fits.
func TestMarkingChangesNoText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		m := NewMarker(rapid.SliceOf(rapid.String()).Draw(t, "words"))
		plain := terminal.Clean(text)
		painted := strings.NewReplacer("\x1b[1m", "", "\x1b[0m", "").Replace(m.paint(plain, terminal.Style{Color: true}))
		if painted != plain {
			t.Fatalf("%q became %q", plain, painted)
		}
		columns := rapid.IntRange(16, 200).Draw(t, "columns")
		if got := m.Passage(text, columns); uniseg.StringWidth(got) > columns || strings.Contains(got, "\n") {
			t.Fatalf("%q is wider than %d", got, columns)
		}
	})
}

// What stands below a row is wrapped where the elastic column begins, and nothing is wider
// than the screen.
func TestTableMarksTheElasticColumnAndTheLineBelow(t *testing.T) {
	m := NewMarker([]string{"ferry"})
	tab := Table{Elastic: 1, Below: map[int]string{0: "take the ferry at six " + strings.Repeat("and wait ", 20)}, Marks: map[int]Marker{0: m, 1: m}}
	tab.Add("0.81", "notes/project_ferry.md:3", "tier 2")
	tab.Add("0.40", "the ferry leaves", "tier 3")
	var out strings.Builder
	if err := tab.Write(&out, 60, terminal.Style{Color: true}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimRight(out.String(), "\n"), "\n")
	if len(lines) != 6 || !strings.HasPrefix(lines[1], "      take the \x1b[1mferry\x1b[0m at six") || !strings.HasPrefix(lines[2], "      wait and") ||
		!strings.Contains(lines[5], "\x1b[1mferry\x1b[0m leaves") {
		t.Fatalf("written:\n%s", out.String())
	}
	for _, line := range lines {
		if w := uniseg.StringWidth(strings.NewReplacer("\x1b[1m", "", "\x1b[0m", "").Replace(line)); w > 60 {
			t.Errorf("%d columns: %q", w, line)
		}
	}
}
