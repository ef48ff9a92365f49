package history

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/gitignore"
)

// pattern is a pattern of .gitignore or .gitattributes.
//
// Go-git's own takes a pattern that lets a directory in again for one that lets in
// whatever lies below, tries one place only for a pair of stars, and knows no [!a],
// no [[:alpha:]], no stars side by side and no character of several bytes as git has
// it. What git records would differ from what is recorded here, so go-git's matcher
// is given these.
type pattern struct {
	base     []string // the directory of the file it is in
	include  bool     // it lets in again what a pattern before leaves out
	anchored bool     // it is for paths below base, not for names
	dirOnly  bool
	literal  string // set where there are no wildcards
	re       *regexp.Regexp
}

var _ gitignore.Pattern = pattern{}

// newPattern reads a pattern, without what negates it. A pattern that can match
// nothing is reported as such.
func newPattern(text string, base []string) (p pattern, ok bool) {
	p.base = base
	text, p.dirOnly = strings.CutSuffix(text, "/")
	p.anchored = strings.Contains(text, "/")
	text = strings.TrimPrefix(text, "/")
	if text == "" || !strings.ContainsAny(text, `*?[\`) {
		p.literal = text
		return p, text != ""
	}
	expr, ok := expression(text)
	if !ok {
		return p, false
	}
	re, err := regexp.Compile(expr)
	p.re = re
	return p, err == nil
}

// Match tells what the pattern says of this very path, and not of one for a directory
// above.
func (p pattern) Match(path []string, isDir bool) gitignore.MatchResult {
	if p.dirOnly && !isDir || len(path) <= len(p.base) || !slices.Equal(path[:len(p.base)], p.base) {
		return gitignore.NoMatch
	}
	text := path[len(path)-1]
	if p.anchored {
		text = strings.Join(path[len(p.base):], "/")
	}
	if p.re == nil && text != p.literal || p.re != nil && !p.re.MatchString(latin(text)) {
		return gitignore.NoMatch
	}
	if p.include {
		return gitignore.Include
	}
	return gitignore.Exclude
}

// slash is what stands for a slash in a path that is matched: no byte, so that neither a
// wildcard nor a class matches it.
const slash = "\u0100"

// latin makes one character of each byte of a path. Patterns are for bytes, as git has
// it, also where a name is not valid UTF-8.
func latin(path string) string {
	if strings.IndexFunc(path, func(r rune) bool { return r == '/' || r >= 0x80 }) < 0 {
		return path
	}
	out := make([]rune, len(path))
	for i := range len(path) {
		if out[i] = rune(path[i]); path[i] == '/' {
			out[i] = []rune(slash)[0]
		}
	}
	return string(out)
}

// expression makes a regular expression of git's wildcards, which takes time in
// proportion to the text whatever the pattern. ok is false for a pattern that can match
// nothing, as one with a bracket that is never closed.
func expression(text string) (expr string, ok bool) {
	expr = `(?s)\A`
	plain := strings.IndexAny(text, `*?[\`) // git compares what is before by itself, so that a pattern also begins here
	for rest := text; rest != ""; {
		switch c := rest[0]; c {
		case '?':
			expr, rest = expr+"[^"+slash+"]", rest[1:]
		case '*':
			at := len(text) - len(rest)
			begins := at == plain || text[at-1] == '/'
			after := strings.TrimLeft(rest, "*")
			switch double := begins && len(rest)-len(after) > 1; {
			case double && after == "": // everything below
				expr += ".*"
			case double && after[0] == '/': // any number of directories
				expr, after = expr+"(?:.*"+slash+")?", after[1:]
			default:
				expr += "[^" + slash + "]*"
			}
			rest = after
		case '[':
			var class string
			if class, rest, ok = bracket(rest[1:]); !ok {
				return "", false
			}
			expr += class
		default:
			if c, rest, ok = character(rest); !ok {
				return "", false
			}
			expr += strings.ReplaceAll(literal(c), literal('/'), slash)
		}
	}
	return expr + `\z`, true
}

// bracket makes a regular expression of a class behind its opening bracket, and returns
// what follows it.
func bracket(text string) (expr, rest string, ok bool) {
	expr, rest = "[", text
	if text != "" && (text[0] == '!' || text[0] == '^') {
		expr, rest = "[^"+slash, text[1:]
	}
	begin, before := len(rest), -1 // before is what a range may begin with
	for rest != "" {
		if rest[0] == ']' && len(rest) < begin {
			return expr + "]", rest[1:], true
		}
		if name, after, _ := strings.Cut(rest, "]"); strings.HasPrefix(name, "[:") && strings.HasSuffix(name[2:], ":") {
			if name == "[:ascii:" || name == "[:word:" { // which git does not know
				return "", "", false
			}
			expr, rest, before = expr+name+"]", after, -1
			continue
		}
		ranges := rest[0] == '-' && before >= 0 && len(rest) > 1 && rest[1] != ']'
		if ranges {
			rest = rest[1:]
		}
		var c byte
		if c, rest, ok = character(rest); !ok {
			break
		}
		switch {
		case !ranges:
			expr, before = expr+literal(c), int(c)
		case before <= int(c):
			expr, before = expr+"-"+literal(c), -1
		default:
			before = -1 // a range that ends before it begins
		}
	}
	return "", "", false
}

// character reads a character, which a backslash may protect.
func character(text string) (c byte, rest string, ok bool) {
	if text = strings.TrimPrefix(text, `\`); text == "" {
		return 0, "", false
	}
	return text[0], text[1:], true
}

// literal is a byte in a regular expression.
func literal(c byte) string { return fmt.Sprintf(`\x{%02x}`, c) }
