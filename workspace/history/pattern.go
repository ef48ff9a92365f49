package history

import (
	"fmt"
	"regexp"
	"strings"
)

// pattern is a pattern of .gitignore or .gitattributes.
//
// go-git has a matcher too. It takes a pattern that lets a directory in again
// for one that lets in whatever lies below, and does not know [!a] and a lone
// backslash; what git records would differ from what is recorded here.
type pattern struct {
	base     string // the directory of the file it is in
	anchored bool   // it is for paths below base, not for names
	dirOnly  bool
	literal  string // set where there are no wildcards
	re       *regexp.Regexp
}

// newPattern reads a pattern, without what negates it. A pattern that can match
// nothing is reported as such.
func newPattern(text, base string) (p pattern, ok bool) {
	p.base = base
	if cut, found := strings.CutSuffix(text, "/"); found {
		text, p.dirOnly = cut, true
	}
	p.anchored = strings.Contains(text, "/")
	text = strings.TrimPrefix(text, "/")
	if text == "" {
		return p, false
	}
	if !strings.ContainsAny(text, `*?[\`) {
		p.literal = text
		return p, true
	}
	expr, ok := wildcards(text)
	if !ok {
		return p, false
	}
	re, err := regexp.Compile(expr)
	p.re = re
	return p, err == nil
}

// match reports whether the pattern is for this very path, and not only for a
// directory above.
func (p pattern) match(path string, isDir bool) bool {
	if p.dirOnly && !isDir {
		return false
	}
	if p.base != "" {
		below, ok := strings.CutPrefix(path, p.base+"/")
		if !ok {
			return false
		}
		path = below
	}
	if !p.anchored {
		path = path[strings.LastIndexByte(path, '/')+1:]
	}
	if p.re == nil {
		return path == p.literal
	}
	return p.re.MatchString(bytesAsRunes(path))
}

// bytesAsRunes makes one rune of each byte. Patterns are for bytes, as git has
// it, also where a name is not valid UTF-8.
func bytesAsRunes(s string) string {
	for i := range len(s) {
		if s[i] >= 0x80 {
			runes := make([]rune, len(s))
			for j := range len(s) {
				runes[j] = rune(s[j])
			}
			return string(runes)
		}
	}
	return s
}

// wildcards turns git's wildcards into a regular expression, which takes time
// in proportion to the text whatever the pattern. ok is false for a pattern
// that can match nothing, as one with a bracket that is never closed.
func wildcards(text string) (expr string, ok bool) {
	var out strings.Builder
	out.WriteString(`(?s)\A`)
	for i := 0; i < len(text); {
		switch c := text[i]; c {
		case '\\':
			if i+1 == len(text) {
				return "", false
			}
			writeByte(&out, text[i+1])
			i += 2
		case '?':
			out.WriteString(`[^/]`)
			i++
		case '*':
			i += writeStars(&out, text, i)
		case '[':
			n, found := writeClass(&out, text[i:])
			if !found {
				return "", false
			}
			i += n
		default:
			writeByte(&out, c)
			i++
		}
	}
	out.WriteString(`\z`)
	return out.String(), true
}

func writeByte(out *strings.Builder, c byte) { fmt.Fprintf(out, `\x{%02x}`, c) }

// writeStars writes what stars match: one anything inside a name, two
// between slashes for any number of directories, two at the end for everything
// below. It returns how many bytes of the pattern it used.
func writeStars(out *strings.Builder, text string, at int) int {
	n := 0
	for at+n < len(text) && text[at+n] == '*' {
		n++
	}
	bounded := n >= 2 && (at == 0 || text[at-1] == '/')
	switch rest := text[at+n:]; {
	case bounded && rest == "":
		out.WriteString(`.*`)
	case bounded && rest[0] == '/':
		out.WriteString(`(?:.*/)?`)
		return n + 1
	default:
		out.WriteString(`[^/]*`)
	}
	return n
}

// writeClass writes a class in brackets and returns how many bytes of the
// pattern it used. A class never matches a slash.
func writeClass(out *strings.Builder, text string) (n int, ok bool) {
	c := class{text: text, at: len("[")}
	if !c.read() {
		return 0, false
	}
	out.WriteString(`[`)
	some := false
	for b := range 256 {
		if c.in[b] != c.negated && b != '/' {
			writeByte(out, byte(b))
			some = true
		}
	}
	if !some {
		out.WriteString(`^\x{00}-\x{10ffff}`)
	}
	out.WriteString(`]`)
	return c.at, true
}

// class is a class in brackets, as it is read.
type class struct {
	text    string
	at      int // how much of the text is read
	in      [256]bool
	negated bool
}

// read reads a class to its end; false where it has none, or names what git does not
// know.
func (c *class) read() bool {
	if c.at < len(c.text) && (c.text[c.at] == '!' || c.text[c.at] == '^') {
		c.negated = true
		c.at++
	}
	for first := true; c.at < len(c.text); first = false {
		if c.text[c.at] == ']' && !first {
			c.at++
			return true
		}
		if name, ok := c.name(); ok {
			if !c.addNamed(name) {
				return false
			}
		} else if !c.readRange() {
			return false
		}
	}
	return false
}

// name returns the name of the class that follows, as of [:alpha:], if it has one.
func (c *class) name() (name string, ok bool) {
	rest, ok := strings.CutPrefix(c.text[c.at:], "[:")
	if !ok {
		return "", false
	}
	name, _, ok = strings.Cut(rest, ":]")
	return name, ok
}

// addNamed adds the class of a name and goes on behind it; false for one that git does
// not know.
func (c *class) addNamed(name string) bool {
	is, known := classes[name]
	if !known {
		return false
	}
	for b := range 256 {
		c.in[b] = c.in[b] || is(byte(b))
	}
	c.at += len("[:") + len(name) + len(":]")
	return true
}

// readRange reads a character, or two with a dash between them.
func (c *class) readRange() bool {
	from, ok := c.literal()
	if !ok {
		return false
	}
	to := from
	if c.at+1 < len(c.text) && c.text[c.at] == '-' && c.text[c.at+1] != ']' {
		c.at++
		if to, ok = c.literal(); !ok {
			return false
		}
	}
	for b := int(from); b <= int(to); b++ {
		c.in[b] = true
	}
	return true
}

// literal reads a character, which a backslash may protect.
func (c *class) literal() (byte, bool) {
	if c.text[c.at] == '\\' {
		c.at++
	}
	if c.at >= len(c.text) {
		return 0, false
	}
	c.at++
	return c.text[c.at-1], true
}

func between(from, to byte) func(byte) bool {
	return func(c byte) bool { return from <= c && c <= to }
}

func anyOf(tests ...func(byte) bool) func(byte) bool {
	return func(c byte) bool {
		for _, is := range tests {
			if is(c) {
				return true
			}
		}
		return false
	}
}

func isPunct(c byte) bool {
	return between('!', '/')(c) || between(':', '@')(c) || between('[', '`')(c) || between('{', '~')(c)
}

// classes are the classes that have a name, which are of ASCII characters alone.
var classes = map[string]func(byte) bool{
	"alnum":  anyOf(between('a', 'z'), between('A', 'Z'), between('0', '9')),
	"alpha":  anyOf(between('a', 'z'), between('A', 'Z')),
	"blank":  func(c byte) bool { return c == ' ' || c == '\t' },
	"cntrl":  func(c byte) bool { return c < 0x20 || c == 0x7f },
	"digit":  between('0', '9'),
	"graph":  between('!', '~'),
	"lower":  between('a', 'z'),
	"print":  between(' ', '~'),
	"punct":  isPunct,
	"space":  func(c byte) bool { return c == ' ' || between('\t', '\r')(c) },
	"upper":  between('A', 'Z'),
	"xdigit": anyOf(between('0', '9'), between('a', 'f'), between('A', 'F')),
}
