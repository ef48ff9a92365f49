package history

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/gitignore"
)

// pattern is a pattern of .gitignore or .gitattributes, to be used with go-git's matcher.
//
// Go-git's own patterns differ from git's: one that re-includes a directory re-includes
// everything below it, a double star is tried at only one place, and [!a], [[:alpha:]],
// adjacent stars and multibyte characters are not handled as in git. The files recorded
// here would then differ from those that git records.
type pattern struct {
	base     []string // the directory of the file it is in
	include  bool     // re-includes what an earlier pattern leaves out
	anchored bool     // matches paths below base rather than names
	dirOnly  bool
	literal  string // set if there are no wildcards
	re       *regexp.Regexp
}

var _ gitignore.Pattern = pattern{}

// newPattern parses a pattern without the mark that negates it. ok is false for a pattern
// that can match nothing.
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

// Match matches exactly this path, not the directories above it.
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

// slash stands for a slash in a path that is matched. It is not a byte, so neither a
// wildcard nor a class matches it.
const slash = "\u0100"

// latin turns each byte of a path into one character. As in git, patterns match bytes,
// even if a name is not valid UTF-8.
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

// expression translates git's wildcards into a regular expression, which matches in
// linear time whatever the pattern. ok is false for a pattern that can match nothing,
// such as one with an unclosed bracket.
func expression(text string) (expr string, ok bool) {
	expr = `(?s)\A`
	plain := strings.IndexAny(text, `*?[\`) // git compares the text before this separately, so a pattern also begins here
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

// bracket translates a class after its opening bracket into a regular expression, and
// returns the text after the class.
func bracket(text string) (expr, rest string, ok bool) {
	expr, rest = "[", text
	if text != "" && (text[0] == '!' || text[0] == '^') {
		expr, rest = "[^"+slash, text[1:]
	}
	begin, before := len(rest), -1 // before is the possible start of a range
	for rest != "" {
		if rest[0] == ']' && len(rest) < begin {
			return expr + "]", rest[1:], true
		}
		if name, after, _ := strings.Cut(rest, "]"); strings.HasPrefix(name, "[:") && strings.HasSuffix(name[2:], ":") {
			if name == "[:ascii:" || name == "[:word:" { // git does not know these
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
			before = -1 // a range whose end is before its start
		}
	}
	return "", "", false
}

// character reads a character, which a backslash may escape.
func character(text string) (c byte, rest string, ok bool) {
	if text = strings.TrimPrefix(text, `\`); text == "" {
		return 0, "", false
	}
	return text[0], text[1:], true
}

// literal returns a byte as a regular expression.
func literal(c byte) string { return fmt.Sprintf(`\x{%02x}`, c) }
