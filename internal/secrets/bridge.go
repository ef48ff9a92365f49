package secrets

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/strata-memory/strata/internal/text/grammar"
)

// Bounds on the text between a label and its value, in bytes and words.
const (
	maxAside      = 40 // "password (production): x"
	maxOwnerWords = 8  // "the password for the staging server is x"
	maxOwnerWord  = 30
	maxLookBehind = 48
)

// link is how a label and its value are connected.
type link struct {
	how    introduction
	from   int    // where the value begins
	copula string // the word that states the value, or "to" of a change
}

// bridge parses the text that connects the label l at text[at:after] to its value.
func (s *scanner) bridge(l *label, at, after int) link {
	text, g := s.text, l.grammar()
	p := after
	for p < len(text) && p < after+5 && strings.IndexByte("\"'`]*\\", text[p]) >= 0 && !hasPrefix(text[p:], "'s ", false) {
		p++ // end of a quoted or emphasized label
	}
	quoteEnd := p
	p = skipSpace(text, p)
	if p < len(text) && text[p] == '(' {
		if i := strings.IndexAny(text[p:min(p+maxAside, len(text))], ")\r\n"); i > 0 && text[p+i] == ')' {
			p = skipSpace(text, p+i+1)
		}
	}
	if k := separator(text, p); k.how != unrelated {
		if quoteEnd == after && s.endsLiteral(at, k.from) {
			return link{}
		}
		return k
	}
	if p >= len(text) {
		return link{}
	}
	if k := s.namedValue(at, after); k.how != unrelated {
		return k
	}
	if text[p] >= utf8.RuneSelf {
		if k := particle(g, text, p); k.how != unrelated {
			return k
		}
	}
	if p == quoteEnd {
		switch {
		case hasPrefix(text[p:], "'s ", true), strings.HasPrefix(text[p:], "’s "):
			return link{stated, skipNow(g, text, p+strings.IndexByte(text[p:], ' ')), "is"}
		case text[p] == '>' && s.opensElement(at) && strings.Contains(text[p:min(p+maxValue, len(text))], "</"):
			return link{how: assigned, from: p + 1}
		}
		return link{}
	}
	word := lowerWord(text, p)
	next := skipSpace(text, p+len(word))
	switch {
	case g.Is[word]:
		return link{stated, skipNow(g, text, next), word}
	case g.Set[word] && g.To[lowerWord(text, next)]:
		to := lowerWord(text, next)
		return link{changed, skipSpace(text, next+len(to)), to}
	case g.Now[word] && cannotBeWord(text[next:ownerWord(text, next)]):
		return link{how: stated, from: next}
	case g.Of[word], g.To[word], g.Follows, grammar.Things[word], slices.Contains(l.of, word):
		if k := s.owner(g, at, p); k.how != unrelated {
			return k
		}
		if g.To[word] && s.followsChange(g, at) {
			return link{changed, next, word}
		}
	}
	if n := g.Opening(text[p:]); n > 0 && strings.ContainsAny(text[p:p+n], "'’") {
		return link{stated, skipNow(g, text, p+n), "is"}
	}
	if s.isFlag(at) {
		return link{how: flagged, from: p}
	}
	return link{how: adjacent, from: p}
}

// valueMember matches the text between a name and its value where both are strings: the
// end of a member and the name of the next, or a comma between arguments.
var valueMember = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^["']?[ \t]*[,{]?\s*(?:["']?(?:[Vv]alue|default)["']?[ \t]*[:=][ \t]*|(["']))`)
})

// namedValue parses the text between a label that is a string itself and its value, as in
// "name: DB_PASSWORD, value: x" and in setenv("DB_PASSWORD", "x").
func (s *scanner) namedValue(at, after int) link {
	text := s.text
	if strings.IndexByte("\"'\n\r,", text[after]) < 0 {
		return link{}
	}
	m := valueMember().FindStringSubmatchIndex(text[after:min(after+maxAside, len(text))])
	switch {
	case m == nil:
		return link{}
	case m[2] < 0:
		return link{how: assigned, from: after + m[1]}
	case strings.Contains(text[after:after+m[1]], ",") && s.endsLiteral(at, after):
		return link{how: nextLine, from: after + m[2]}
	}
	return link{}
}

// separator parses an assignment or comparison sign at text[p:].
func separator(text string, p int) link {
	rest := text[p:]
	n, how := 0, assigned
	switch {
	case strings.HasPrefix(rest, "::"):
		return link{} // a path such as a::b
	case strings.HasPrefix(rest, "==="), strings.HasPrefix(rest, "!=="):
		n, how = 3, compared
	case strings.HasPrefix(rest, "=="), strings.HasPrefix(rest, "!="):
		n, how = 2, compared
	case strings.HasPrefix(rest, "=>"), strings.HasPrefix(rest, ":="), strings.HasPrefix(rest, "->"), strings.HasPrefix(rest, "- "):
		n = 2
	case strings.HasPrefix(rest, ":"), strings.HasPrefix(rest, "="):
		n = 1
	case strings.HasPrefix(rest, "| "), strings.HasPrefix(rest, "» "), strings.HasPrefix(rest, "→ "):
		n, how = strings.IndexByte(rest, ' '), nextLine // the next cell of a table
	case strings.HasPrefix(rest, "— "), strings.HasPrefix(rest, "– "):
		n = len("—")
	case strings.HasPrefix(rest, "："), strings.HasPrefix(rest, "＝"):
		n = len("：")
	default:
		return link{}
	}
	p = skipSpace(text, p+n)
	if strings.HasPrefix(text[p:], "**") { // end of "**password:**"
		if next := skipSpace(text, p+2); next > p+2 || p > 0 && text[p-1] == ':' {
			p = next
		}
	}
	return link{how: how, from: p}
}

// lowerWord returns the word that begins at text[p:], at most 24 bytes of it, in lower
// case. It has the same length as the word in the text.
func lowerWord(text string, p int) string {
	end := p
	for end < len(text) && end-p < 24 && (isLetter(text[end]) || text[end] >= utf8.RuneSelf && !strings.HasPrefix(text[end:], "\u00a0") || text[end] == '-' && end > p) {
		end++
	}
	for i := p; i < end; i++ {
		if c := text[i]; 'A' <= c && c <= 'Z' || c >= utf8.RuneSelf {
			if word := strings.ToLower(text[p:end]); len(word) == end-p {
				return word
			}
			return lowerASCII(text[p:end])
		}
	}
	return text[p:end]
}

// skipNow returns where the value begins at or after text[p:], past words such as
// "now" and "set to".
func skipNow(g *grammar.Grammar, text string, p int) int {
	p = skipSpace(text, p)
	for range 4 {
		word := lowerWord(text, p)
		next := skipSpace(text, p+len(word))
		if word == "" || !g.Now[word] || next == p+len(word) && next < len(text) && text[next] != ':' {
			break
		}
		p = next
	}
	if strings.HasPrefix(text[p:], ": ") {
		p += 2
	}
	return p
}

// particle parses what languages without blanks put between a label and its value.
func particle(g *grammar.Grammar, text string, p int) link {
	const most = 4
	found := ""
	for range most {
		next := p
		for _, w := range g.Particles {
			if strings.HasPrefix(text[p:], w) {
				found, next = w, skipSpace(text, p+len(w))
				break
			}
		}
		if next == p {
			break
		}
		p = next
	}
	if found == "" {
		return link{}
	}
	if k := separator(text, p); k.how == assigned {
		p = k.from
	}
	return link{stated, p, found}
}

// skipSpace returns the position after the blanks at text[p:]. Line ends are not blanks.
func skipSpace(text string, p int) int {
	for p < len(text) {
		switch {
		case text[p] == ' ' || text[p] == '\t':
			p++
		case strings.HasPrefix(text[p:], "\u00a0"):
			p += len("\u00a0")
		case strings.HasPrefix(text[p:], "\u202f"):
			p += len("\u202f")
		default:
			return p
		}
	}
	return p
}

// further returns the next candidate for the value when v, the first one, is not it: the
// value after a type annotation, as in "password: str = 'x'", or the one on the next
// line, as after "password:" alone.
func (s *scanner) further(v value) value {
	end := v.start + len(v.text)
	next := skipSpace(s.text, end)
	out := value{label: v.label}
	switch {
	case v.text != "" && strings.HasPrefix(s.text[next:], "= "):
		out = s.value(next+2, assigned)
		out.spacedEquals = true
	case v.text == "" && strings.HasPrefix(strings.TrimPrefix(s.text[next:], "\r"), "\n"):
		next += strings.IndexByte(s.text[next:], '\n') + 1
		out = s.value(skipSpace(s.text, next), nextLine)
	}
	out.label = v.label
	return out
}

// endsLiteral reports whether the quote at text[from:] closes the string that contains
// the label at at, as in "PWD=" + dir: the value is then not in the text.
func (s *scanner) endsLiteral(at, from int) bool {
	if from >= len(s.text) || s.text[from] != '"' && s.text[from] != '\'' {
		return false
	}
	for at > 0 && isWordByte(s.text[at-1]) {
		at--
	}
	return at > 0 && s.text[at-1] == s.text[from]
}

// opensElement reports whether the label at at ends the name of an XML element.
func (s *scanner) opensElement(at int) bool {
	from := max(0, at-maxLookBehind)
	i := strings.LastIndexByte(s.text[from:at], '<')
	return i >= 0 && !strings.ContainsAny(s.text[from+i:at], " />")
}

// isFlag reports whether the label at at ends a command line flag.
func (s *scanner) isFlag(at int) bool {
	word := s.text[max(0, at-maxLookBehind):at]
	word = word[strings.LastIndexAny(word, " \t\n'\"`")+1:]
	return strings.HasPrefix(word, "--")
}

// followsChange reports whether a verb before text[at:], in the same clause, says that a
// secret is changed.
func (s *scanner) followsChange(g *grammar.Grammar, at int) bool {
	before := s.text[max(0, at-maxLookBehind):at]
	return g.HasChange(before[strings.LastIndexAny(before, ".!?\n")+1:])
}

// isOwn reports whether one of the three words before at is a possessive, as in "my wifi
// password".
func (s *scanner) isOwn(g *grammar.Grammar, at int) bool {
	before := s.text[max(0, at-maxLookBehind):at]
	for range 3 {
		before = strings.TrimRight(before, " \t")
		i := strings.LastIndexAny(before, " \t\r\n\"'`(,.:;") + 1
		if g.My[strings.ToLower(before[i:])] {
			return true
		}
		before = before[:i]
	}
	return false
}
