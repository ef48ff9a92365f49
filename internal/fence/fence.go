// Package fence makes text from memory safe to be inside a prompt: as data
// between two marker lines that the text itself cannot imitate.
//
// Memory holds what users, tools and web pages said. Put into a prompt as it
// is, a remembered text could close the block it is in, open a heading or a
// code block that swallows what follows, or hold the control tokens by which a
// chat template separates speakers. [Line] and [Lines] take these powers away
// and leave the words. Nothing is judged here: whether a text reads like an
// instruction is a question for package secretscan.
package fence

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/strata-memory/strata/internal/lazyregexp"
)

// quoteMark begins every line of a quoted document. In Markdown a quotation
// ends headings, lists and code blocks that were begun inside it.
const quoteMark = "> "

// QuoteCost is what [Quote] adds to a line, in characters: the mark and the end
// of the line.
const QuoteCost = len(quoteMark) + 1

// Open returns the line that begins a block of data. The id is repeated by
// [Close]; a hash of the content makes a good one, because a text cannot hold
// the hash of itself.
func Open(name, id string) string { return "<" + name + ` id="` + id + `">` }

// Close returns the line that ends the block begun by [Open].
func Close(name, id string) string { return "</" + name + ` id="` + id + `">` }

// Line returns s as one line of plain words: white space collapsed, characters
// that cannot be seen removed, markup that could end a block defused. Invalid
// UTF-8 becomes U+FFFD. Line of its own result is that result.
func Line(s string) string {
	return defuse(strings.Join(strings.Fields(visible(s)), " "))
}

// Neutral returns s as harmless text on one line of at most limit characters:
// white space collapsed, control and format characters (also those that hide
// text or turn its direction) removed, and the marks of HTML, code and
// strike-through replaced by look-alikes, so that it can neither break
// a Markdown file nor pose as something else in a prompt. What is cut ends in an
// ellipsis.
func Neutral(s string, limit int) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case r == '<':
			return '‹'
		case r == '>':
			return '›'
		case r == '`':
			return '\''
		case r == '~':
			return '∼'
		case unicode.In(r, unicode.C), unicode.Is(unicode.Variation_Selector, r), unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return Cut(strings.Join(strings.Fields(s), " "), limit)
}

// Lines returns the lines of a document, each defused as by [Line] but with
// its indentation, at most one empty line in a row and none at the ends. Lines
// that hold nothing but a comment are left out: they are marks for programs.
func Lines(doc string) []string {
	var out []string
	for line := range strings.SplitSeq(lineEnds.Replace(strings.ToValidUTF8(doc, "\uFFFD")), "\n") {
		line = strings.TrimRightFunc(visible(line), unicode.IsSpace)
		if isComment(line) {
			continue
		}
		if line == "" && (len(out) == 0 || out[len(out)-1] == "") {
			continue
		}
		out = append(out, defuse(line))
	}
	if n := len(out); n > 0 && out[n-1] == "" {
		out = out[:n-1]
	}
	return out
}

// Quote returns the lines as a quotation, each with its mark and a line end.
// The lines come from [Lines].
func Quote(lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(strings.TrimRight(quoteMark+line, " "))
		b.WriteByte('\n')
	}
	return b.String()
}

// Cut returns s, or as much of its beginning as leaves room for "…", so that
// the result has at most limit characters. It never divides a character.
func Cut(s string, limit int) string {
	if limit <= 0 {
		return ""
	}
	if len(s) <= limit || utf8.RuneCountInString(s) <= limit {
		return s
	}
	kept, n := 0, 0
	for i := range s {
		if n == limit-1 {
			kept = i
			break
		}
		n++
	}
	return strings.TrimRightFunc(s[:kept], unicode.IsSpace) + "…"
}

// lineEnds turns everything that an editor or a model may take for the end of a
// line into one.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\v", "\n", "\f", "\n",
	"\u0085", "\n", "\u2028", "\n", "\u2029", "\n")

// isComment reports whether a line is nothing but one HTML comment.
func isComment(line string) bool {
	rest, ok := strings.CutPrefix(strings.TrimSpace(line), "<!--")
	end := strings.Index(rest, "-->")
	return ok && end >= 0 && end == len(rest)-len("-->")
}

// visible replaces tabs by two spaces and removes what shows nothing and can
// carry a hidden message or turn a line around: control characters, zero-width
// spaces, bidirectional controls and tag characters. Joiners and variation
// selectors stay, because scripts and emoji are spelled with them.
func visible(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	plain := true
	for i := 0; i < len(s) && plain; i++ {
		plain = s[i] >= 0x20 && s[i] < 0x7f
	}
	if plain {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s {
		switch {
		case r == '\t':
			b.WriteString("  ")
		case unicode.IsSpace(r):
			b.WriteRune(' ')
		case unicode.IsControl(r), hidden(r):
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Unseen reports whether a character shows nothing and can carry a hidden message, turn a
// line around or command a terminal: control characters other than tab and line feed,
// zero-width spaces, bidirectional controls and tag characters.
func Unseen(r rune) bool {
	return r != '\t' && r != '\n' && unicode.IsControl(r) || hidden(r)
}

func hidden(r rune) bool {
	switch {
	case r == 0xad, r == 0x200b, r == 0x200e, r == 0x200f, r == 0x061c, r == 0x180e, r == 0xfeff:
		return true
	}
	return 0x202a <= r && r <= 0x202e || 0x2060 <= r && r <= 0x206f ||
		0xfff9 <= r && r <= 0xfffb || 0xe0000 <= r && r <= 0xe007f
}

var (
	// tag matches the sign with which a tag, a comment or a control token of a
	// chat template begins. "a < b", "<3", "<-" and "<=" are none of these.
	tag = lazyregexp.New(`<+[\pL/!?|｜]`)
	// bracket matches control tokens written in brackets, such as [INST], [/INST] and
	// [AVAILABLE_TOOLS]: those that end something, and those with a word of chat templates.
	// Other words in capitals are words, such as the title of a note.
	bracket = lazyregexp.New(`\[(/[A-Z][A-Z_]*|(?:[A-Z0-9]+_)*(?:INST|SYS|SYSTEM|USER|HUMAN|ASSISTANT|BOT|DEVELOPER|MODEL|PROMPT|TOOLS?|CALLS?|ARGS|RESULTS?|` +
		`THINK|BOS|EOS|EOT|CLS|SEP|PAD|UNK|MASK|PREFIX|MIDDLE|SUFFIX|IMG|AUDIO|CONTROL)(?:_[A-Z0-9]+)*)\]`)
	// run matches the marks that open and close a code block.
	run = lazyregexp.New("`{3,}|~{3,}")
)

// defuse takes the power to be markup from a line: a tag begins with a sign
// that only looks like "<", control tokens are in round brackets, and runs of
// backticks or tildes are too short to open a code block.
func defuse(s string) string {
	if !strings.ContainsAny(s, "<[`~") {
		return s
	}
	s = tag.ReplaceAllStringFunc(s, func(m string) string { return strings.ReplaceAll(m, "<", "‹") })
	s = bracket.ReplaceAllString(s, "($1)")
	return run.ReplaceAllStringFunc(s, func(m string) string { return m[:2] })
}
