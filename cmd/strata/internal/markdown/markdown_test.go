package markdown

import (
	"regexp"
	"strings"
	"testing"

	"github.com/rivo/uniseg"
	"pgregory.net/rapid"
)

func render(width int, color bool, parts ...string) string {
	w := NewWriter(width, color)
	var out strings.Builder
	for _, p := range parts {
		out.WriteString(w.Write(p))
	}
	rest, _ := w.Close()
	return out.String() + rest
}

func TestShows(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"words", "one two three four five", "one two three four\nfive"},
		{"heading", "## A plan\nfirst", "\x1b[1mA\x1b[0m \x1b[1mplan\x1b[0m\nfirst"},
		{"bold", "so **very good** it", "so \x1b[1mvery\x1b[0m \x1b[1mgood\x1b[0m it"},
		{"code", "run `go test` now", "run \x1b[36mgo\x1b[0m \x1b[36mtest\x1b[0m now"},
		{"list", "- one two three four five\n- six", "• one two three four\n  five\n• six"},
		{"numbers", "1. one two three four", "1. one two three\n   four"},
		{"nested", "  - one two three four", "  • one two three\n    four"},
		{"quotation", "> one two three four five", "│ one two three four\n│ five"},
		{"block", "```go\nfunc main() { a longer line than fits }\n```\nend", "    func main() { a longer line than fits }\nend"},
		{"marks in a block", "```\n# no heading **bold**\n  - x\n```", "    # no heading **bold**\n      - x\n"},
		{"no spaces", strings.Repeat("日", 12), strings.Repeat("日", 10) + "\n" + strings.Repeat("日", 2)},
		{"a long word", "x " + strings.Repeat("y", 30), "x\n" + strings.Repeat("y", 30)},
		{"a product", "2 * 3 = 6", "2 * 3 = 6"},
		{"not closed", "**bold\nplain", "\x1b[1mbold\x1b[0m\nplain"},
	} {
		if got := render(20, true, c.in); got != c.want {
			t.Errorf("%s:\n%q, want\n%q", c.name, got, c.want)
		}
	}
	if got := render(20, false, "# A **bold** plan"); got != "# A **bold** plan" {
		t.Errorf("without color: %q", got)
	}
	if got := render(8, false, "one two three"); got != "one two\nthree" {
		t.Errorf("wrapped: %q", got)
	}
	if got := render(0, true, strings.Repeat("word ", 100)+"end"); strings.Contains(got, "\n") {
		t.Error("a line was wrapped at no width")
	}
}

var escapes = regexp.MustCompile("\x1b\\[[0-9]+m")

// However a text is cut into parts, the same is shown; nothing that was said is lost, and
// no line of words is too wide.
func TestPartsDoNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOf(rapid.SampledFrom([]string{"one", "two-three", "**bold**", "`code`", "日本", "- ", "\n", "\n\n", "## ", "1. ", "> ", "end."})).Draw(t, "words")
		in := strings.Join(words, " ")
		color := rapid.Bool().Draw(t, "color")
		whole := render(30, color, in)
		cut := rapid.IntRange(0, len(in)).Draw(t, "cut")
		if strings.ToValidUTF8(in[:cut], "") == in[:cut] && render(30, color, in[:cut], in[cut:]) != whole {
			t.Fatalf("%q cut at %d is shown differently", in, cut)
		}
		plain := escapes.ReplaceAllString(whole, "")
		for _, said := range []string{"one", "two-three", "bold", "code", "end."} {
			if strings.Count(plain, said) != strings.Count(in, said) {
				t.Fatalf("%q of %q is not shown as often: %q", said, in, plain)
			}
		}
		for line := range strings.Lines(plain) {
			if n := uniseg.StringWidth(strings.TrimRight(line, "\n ")); n > 30 {
				t.Fatalf("a line of %d columns: %q", n, line)
			}
		}
	})
}
