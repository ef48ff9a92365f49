package markdown

import (
	"strings"

	"github.com/strata-memory/strata/internal/text/lazyregexp"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// Rule is one rule of HEARTBEAT.md: something to do unasked.
type Rule struct {
	Text string // on one line, without Every and At
	Line int    // number of its first line, from 1
	// Every is how often to do it, as written: "30m", "day", "Monday". At is the time of
	// day, as written: "09:00", "noon". If both are empty, it is done at every heartbeat.
	Every, At string
}

var (
	everyRule = lazyregexp.New(`(?i)^every\s+(.{1,40}?)(?:\s+at\s+(` + clockTime + `))?(?:\s*:\s+|\s*,\s+|\s+[-–—]\s+|$)(.*)$`)
	atRule    = lazyregexp.New(`(?i)^at\s+(` + clockTime + `)(?:\s*:\s+|\s*,\s+|\s+[-–—]\s+|$)(.*)$`)
	checkbox  = lazyregexp.New(`^\[([ xX])\]\s+`)
)

const clockTime = `\d{1,2}(?:[:.]\d{2})?(?:\s?[ap]m)?|noon|midnight`

// Rules returns the rules in HEARTBEAT.md, which are its list items. An item may begin
// with a time: "every 30m:", "at 09:00:" or "every day at 09:00:". For items that do not,
// the heading above may. Items that are ticked off, comments, code and other text are
// ignored.
func Rules(content string) []Rule {
	_, first := frontOf(content)
	lines := linesOf(strings.ToValidUTF8(content, "\uFFFD"))
	src := masked(lines, make([]class, len(lines)), true)
	for i := range first {
		src[i] = "\n"
	}
	source := []byte(strings.Join(src, ""))
	doc := blockParser().Parse(text.NewReader(source))
	var out []Rule
	every, at := "", ""
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Heading:
			every, at, _ = when(titleOf(n, source))
		case *ast.List:
			for it := n.FirstChild(); it != nil; it = it.NextSibling() {
				if r, ok := ruleOf(it, source); ok {
					if r.Every == "" && r.At == "" {
						r.Every, r.At = every, at
					}
					out = append(out, r)
				}
			}
		}
	}
	return out
}

// ruleOf parses a list item with everything in it.
func ruleOf(it ast.Node, source []byte) (Rule, bool) {
	var words []string
	_ = ast.Walk(it, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering && n.Type() == ast.TypeBlock {
			for i := range n.Lines().Len() {
				s := n.Lines().At(i)
				words = append(words, string(s.Value(source)))
			}
		}
		return ast.WalkContinue, nil
	})
	said := oneLine(strings.Join(words, " "))
	if m := checkbox.FindStringSubmatch(said); m != nil {
		if m[1] != " " {
			return Rule{}, false
		}
		said = said[len(m[0]):]
	}
	r := Rule{Line: strings.Count(string(source[:it.Pos()]), "\n") + 1}
	if r.Every, r.At, r.Text = when(said); r.Text == "" { // a time alone is the text of the rule
		r.Every, r.At, r.Text = "", "", said
	}
	return r, r.Text != ""
}

// when parses a text that may begin with a time. text is the rest, or all of s if there
// is no time.
func when(s string) (every, at, text string) {
	if m := everyRule.FindStringSubmatch(s); m != nil {
		return m[1], m[2], m[3]
	}
	if m := atRule.FindStringSubmatch(s); m != nil {
		return "", m[1], m[2]
	}
	return "", "", s
}
