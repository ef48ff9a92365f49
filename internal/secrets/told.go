package secrets

import (
	"strings"

	"github.com/strata-memory/strata/internal/text/grammar"
)

// Bounds on the distance between a label and a value in a later clause.
const (
	maxTold    = 120 // bytes
	maxClauses = 4
)

// told locates the value that a later clause gives for the label at text[at:after]: "I
// changed the wifi password, it is now x". A value that could be an ordinary word counts
// only if that clause says "now", and either follows the label directly or comes after a
// change.
func (s *scanner) told(l *label, at, after int) (start, end int, ok bool) {
	if l.class != classPassword && l.class != classKey && l.class != classPIN || l.bare || l.suffix || l.variable {
		return 0, 0, false
	}
	g := l.grammar()
	rest := s.text[after:min(after+maxTold, len(s.text))]
	for pos, clauses := 0, 0; clauses < maxClauses; clauses++ {
		n := s.nextClause(after+pos) - after - pos
		if pos+n >= len(rest) {
			return 0, 0, false
		}
		direct := strings.Trim(rest[:pos+n], " .,;!?:)\n") == ""
		asked := rest[pos+n-1] == '?' || direct && strings.Contains(rest[:pos+n], ":")
		pos += n
		from := pos
		for from < len(rest) && rest[from] <= ' ' {
			from++
		}
		opening := g.Opening(rest[from:])
		if word := lowerWord(rest, from); opening == 0 && g.Is[word] && g.Now[lowerWord(rest, skipSpace(rest, from+len(word)))] {
			opening = len(word) // "and is now"
		}
		late := opening == 0
		if word := lowerWord(rest, from); late && g.Use[word] {
			opening = len(word) // "use x from now on"
		} else if late {
			from, opening = laterOpening(g, rest, from)
		}
		if opening == 0 {
			if from < len(rest) && clauses == 0 && asked && s.isAlone(after+from) {
				v := s.value(after+from, told)
				v.label = l
				if len(v.text) >= 6 && v.isStriking() && v.isSecret() {
					return v.start, s.end(v), true
				}
			}
			continue
		}
		p := skipNow(g, s.text, after+from+opening)
		v := s.value(p, told)
		v.label, v.copula = l, "is"
		sure := v.isStriking() && (!late || cannotBeWord(v.text)) || v.quoted && !late || !late && (direct || s.followsChange(g, at) || g.HasChange(rest[:pos])) && (g.SaysNow(s.text[after+from:p]) || strings.HasPrefix(strings.TrimLeft(v.tail, " "), "now")) && v.goesOn()
		if sure && v.isSecret() {
			return v.start, s.end(v), true
		}
	}
	return 0, 0, false
}

// nextClause returns the start of the clause after the one at text[pos:], or how far it
// searched.
func (s *scanner) nextClause(pos int) int {
	if pos < s.clauseFrom || pos >= s.clauseNext {
		s.clauseFrom = pos
		far := min(pos+2*maxTold, len(s.text))
		if s.clauseNext = far; far > pos {
			if n := clauseEnd(s.text[pos:far]); n >= 0 {
				s.clauseNext = pos + n
			}
		}
	}
	return s.clauseNext
}

// joints are conjunctions that join two clauses.
var joints = []string{"and ", "und ", "et ", "y ", "e ", "en ", "i ", "и ", "och ", "ve "}

// clauseEnd returns the start of the second clause of text, or -1 if there is none.
func clauseEnd(text string) int {
	for i, r := range text {
		if isLetter(byte(r)) && r < 0x80 {
			continue
		}
		switch r {
		case '，', '。', '；', '、', '！', '？', '：', '،', '؛', '؟':
			return i + len(string(r))
		case ',', '.', ';', ':', '!', '?', '\n', '-', '(':
			if r == '\n' || r == '(' && i > 0 && text[i-1] == ' ' || i+1 < len(text) && (text[i+1] == ' ' || text[i+1] == '\n') && (r != '-' || i > 0 && text[i-1] == ' ') {
				return i + 1
			}
		case '—', '–', '…':
			return i + len(string(r))
		}
		if r >= 0x1f300 { // an emoji
			return i + len(string(r))
		}
		if r == ' ' {
			for _, w := range joints {
				if strings.HasPrefix(text[i+1:], w) {
					return i + len(w)
				}
			}
		}
	}
	return -1
}

// laterOpening looks for an opening after the first words of a clause: "from now on it
// is". The opening must have two words. It returns the position and length.
func laterOpening(g *grammar.Grammar, text string, from int) (at, n int) {
	const most = 4
	at = from
	for range most {
		word := lowerWord(text, at)
		next := skipSpace(text, at+len(word))
		if word == "" || next == at+len(word) {
			break
		}
		at = next
		if n = g.Opening(text[at:]); n > 0 && strings.ContainsAny(text[at:at+n], " '’") {
			return at, n
		}
	}
	return from, 0
}

// isAlone reports whether the word at text[at:] is a clause by itself.
func (s *scanner) isAlone(at int) bool {
	v := s.value(at, nextLine)
	return v.text != "" && strings.Trim(v.tail, " .!,;)\"'`") == ""
}
