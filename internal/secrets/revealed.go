package secrets

import (
	"slices"
	"strings"

	"github.com/strata-memory/strata/internal/text/grammar"
)

// revealed locates the secret that precedes its label at text[at:after]: "I use
// x as my password", "x is the wifi password".
func (s *scanner) revealed(l *label, at, after int) (start, end int, ok bool) {
	if l.class != classPassword && l.class != classKey && l.class != classPIN && l.class != classLogin || l.bare || l.suffix {
		return 0, 0, false
	}
	g := l.grammar()
	if l.language != nil && l.language.IsJoined() {
		return s.revealedJoined(l, g, at, after)
	}
	if !s.endsClause(g, after) || !l.allows(s.text[:at], s.text[after:min(after+maxLookBehind, len(s.text))]) {
		return 0, 0, false
	}
	from := max(0, at-2*maxLookBehind)
	for at > from && (isWordByte(s.text[at-1]) || s.text[at-1] >= 0x80) {
		at-- // the rest of a compound
	}
	before, copula, definite := cutLink(g, strings.TrimRight(s.text[from:at], " "))
	if copula == "" {
		return 0, 0, false
	}
	if copula == "," {
		return s.inApposition(l, g, from, from+len(before))
	}
	if g.As[copula] {
		before = cutUse(g, before)
	}
	before, last := cutLastWord(before)
	word := strings.Trim(last, "\"'`“”„«»,:;(")
	if len(word) < 4 || strings.ContainsAny(word, "<>()") || len(before) == 0 && from > 0 && s.text[from-1] > ' ' {
		return 0, 0, false
	}
	start = from + len(before) + strings.LastIndex(s.text[from+len(before):at], last) + strings.Index(last, word)
	v := value{text: word, start: start, label: l, how: revealed, copula: copula, quoted: word != strings.Trim(last, ",:;(")}
	if !v.isSecret() {
		return 0, 0, false
	}
	if l.class == classLogin {
		_, verb := cutLastWord(before)
		return start, start + len(word), cannotBeWord(word) && g.As[copula] && g.Use[strings.ToLower(verb)]
	}
	if l.class == classPassword && !v.isStriking() && !v.quoted {
		switch {
		case g.As[copula]:
			_, verb := cutLastWord(before)
			ok = g.Use[strings.ToLower(verb)]
		case definite:
			ok = before == "" || strings.IndexByte(".,;:!?\n", before[len(before)-1]) >= 0 || g.And[lastWord(before)]
		}
		return start, start + len(word), ok
	}
	// A name such as build-2024 is not a password.
	named := l.class == classPassword && strings.ContainsAny(word, "-_/") && isWordy(word)
	return start, start + len(word), !named
}

// cutLink cuts "is the admin" or "as my wifi" off the end of a text, with up to three
// words between an article and its noun. definite reports whether there was an article.
func cutLink(g *grammar.Grammar, s string) (before, copula string, definite bool) {
	for n := 0; n < 4; n++ {
		var last string
		s, last = cutLastWord(s)
		word := strings.ToLower(last)
		if n > 0 && g.Now[word] && !g.Is[word] {
			continue
		}
		switch {
		case word == "":
			return "", "", false
		case !definite && (g.My[word] || g.The[word]) && !g.Is[word]:
			if strings.HasSuffix(s, ",") {
				return s, ",", true
			}
			definite, n = true, 2
		case g.As[word], g.Is[word] && (definite || n > 0 || joinsBare(g, word)), word == "—", word == "–":
			return s, word, definite || joinsBare(g, word)
		}
	}
	return "", "", false
}

// cutUse cuts "is what I use" off the end of a text in which the value is the subject.
func cutUse(g *grammar.Grammar, s string) string {
	rest, last := cutLastWord(s)
	for n := 0; n < 3 && (n > 0 || g.Use[strings.ToLower(last)]); n++ {
		if rest, last = cutLastWord(rest); g.Is[strings.ToLower(last)] {
			return rest
		}
	}
	return s
}

// inApposition locates a value that cannot be a word in the clause before text[at:], to
// which the label is an apposition: "it's x, the wifi password".
func (s *scanner) inApposition(l *label, g *grammar.Grammar, from, at int) (start, end int, ok bool) {
	clause := strings.TrimRight(s.text[from:at], ", ")
	for pos, n := strings.LastIndexAny(clause, ".,;:!?\n")+1, 0; n < 6; n++ {
		pos = skipSpace(clause, pos)
		if n == 0 && g.Opening(clause[pos:]) == 0 {
			return 0, 0, false
		}
		end := ownerWord(clause, pos)
		if end == pos {
			return 0, 0, false
		}
		v := value{text: clause[pos:end], start: from + pos, label: l, how: revealed}
		if cannotBeWord(v.text) && v.isSecret() {
			return v.start, from + end, true
		}
		pos = end
	}
	return 0, 0, false
}

// joinsBare reports whether a copula needs no article after it, as in Polish and Russian.
func joinsBare(g *grammar.Grammar, word string) bool {
	return word == "to" || word == "это" || word == "—"
}

// revealedJoined is revealed for languages without blanks between words: a particle
// precedes the label, and the value precedes the particle.
func (s *scanner) revealedJoined(l *label, g *grammar.Grammar, at, after int) (start, end int, ok bool) {
	const farthest = 40
	from := max(0, at-farthest)
	if i := strings.LastIndexAny(s.text[from:at], "\r\n"); i >= 0 {
		from += i + 1
	}
	before := s.text[from:at]
	rest := s.text[after:min(after+16, len(s.text))]
	if !s.endsClause(g, after) && !slices.ContainsFunc(g.Ends, func(e string) bool { return strings.HasPrefix(rest, e) }) {
		return 0, 0, false
	}
	for i := 1; i < len(before); i++ {
		if !isCredentialByte(before[i-1]) && strings.IndexByte("!@#$%^&* ", before[i-1]) < 0 {
			continue
		}
		if !slices.ContainsFunc(g.Links, func(w string) bool { return strings.HasPrefix(before[i:], w) }) {
			continue
		}
		return s.valueBefore(l, from, from+i)
	}
	return 0, 0, false
}

// entry locates the secret before or after the label at at, which says what it is for:
// "use x to log in as root", "to log in, use x".
func (s *scanner) entry(l *label, at, after int) (start, end int, ok bool) {
	g := l.grammar()
	from := max(0, at-2*maxLookBehind)
	start, end, ok = s.valueBefore(l, from, at)
	switch {
	case l.language != nil && l.language.IsJoined():
		return start, end, ok
	case ok && g.Use[lastWord(strings.TrimRight(s.text[from:start], " \"'`“„«"))]:
		return start, end, true
	}
	return s.loggedInWith(l, skipSpace(s.text, after))
}

// valueBefore locates a striking or quoted value that ends before text[at:].
func (s *scanner) valueBefore(l *label, from, at int) (start, end int, ok bool) {
	before := strings.TrimRight(s.text[from:at], " ,")
	i := strings.LastIndexFunc(before, func(r rune) bool { return r <= ' ' || r >= 0x2e80 || r == '：' }) + 1
	for i > 0 && i < len(before) && before[i]&0xc0 == 0x80 {
		i++
	}
	last := before[i:]
	word := strings.Trim(last, "\"'`“”„«»「」『』,")
	if len(word) < 4 {
		return 0, 0, false
	}
	start = from + i + strings.Index(last, word)
	v := value{text: word, start: start, label: l, how: revealed, quoted: word != last}
	return start, start + len(word), v.isSecret() && (v.isStriking() || v.quoted)
}

// cutLastWord cuts the last word off a text that has no blanks at its end.
func cutLastWord(s string) (before, last string) {
	i := strings.LastIndexAny(s, " \t\n") + 1
	return strings.TrimRight(s[:i], " \t"), s[i:]
}

// lastWord returns the last word of a text, in lower case.
func lastWord(s string) string {
	_, last := cutLastWord(s)
	return strings.ToLower(last)
}

// endsClause reports whether text[at:] does not continue with another noun.
func (s *scanner) endsClause(g *grammar.Grammar, at int) bool {
	rest := strings.TrimLeft(s.text[at:min(at+maxLookBehind, len(s.text))], " ")
	if rest == "" || strings.IndexByte(".,;!?)\r\n", rest[0]) >= 0 || strings.HasPrefix(rest, "。") || strings.HasPrefix(rest, "，") {
		return true
	}
	word := lowerWord(rest, 0)
	if g.Of[word] || g.And[word] || g.Now[word] {
		return true
	}
	// An owner that follows without a preposition may be the last word.
	end := strings.TrimLeft(rest[len(word):], " ")
	return g.Follows && word != "" && (end == "" && at+maxLookBehind >= len(s.text) || end != "" && strings.IndexByte(".,;!?)\r\n", end[0]) >= 0)
}
