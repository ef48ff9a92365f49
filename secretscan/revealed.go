package secretscan

import "strings"

// revealed locates the secret that precedes its label at text[at:after]: "I use
// x as my password", "x is the wifi password".
func (s *scanner) revealed(l *label, at, after int) (start, end int, ok bool) {
	if l.class != classPassword && l.class != classKey || l.bare || !s.endsClause(after) {
		return 0, 0, false
	}
	from := max(0, at-2*maxLookBehind)
	before := strings.TrimRight(s.text[from:at], " ")
	before, ok = cutDeterminer(before)
	if !ok {
		return 0, 0, false
	}
	before, last := cutLastWord(before)
	switch lowerASCII(last) {
	case "as", "is", "was", "for", "als", "ist", "como", "es", "comme", "est", "come", "è", "é":
	default:
		return 0, 0, false
	}
	_, last = cutLastWord(before)
	word := strings.Trim(last, "\"'`“”,")
	if word == "" {
		return 0, 0, false
	}
	start = from + len(before) - len(last) + strings.Index(last, word)
	v := value{text: word, start: start, label: l, how: changed}
	// A name such as build-2024 is no password that somebody tells of.
	named := l.class == classPassword && strings.ContainsAny(word, "-_/")
	return start, start + len(word), v.isSecret() && !named
}

// cutDeterminer cuts "my", "the" and the like with up to two words after it off
// the end of a text.
func cutDeterminer(s string) (before string, ok bool) {
	for range 3 {
		var last string
		s, last = cutLastWord(s)
		switch lowerASCII(last) {
		case "my", "the", "our", "his", "her", "their", "mein", "unser", "das", "mi", "la", "mon", "le", "minha", "il":
			return s, true
		case "":
			return "", false
		}
	}
	return "", false
}

// cutLastWord cuts the last word off a text that has no blanks at its end.
func cutLastWord(s string) (before, last string) {
	i := strings.LastIndexAny(s, " \t\n") + 1
	return strings.TrimRight(s[:i], " \t"), s[i:]
}

// endsClause reports whether text[at:] goes on with no other noun.
func (s *scanner) endsClause(at int) bool {
	rest := strings.TrimLeft(s.text[at:min(at+16, len(s.text))], " ")
	if rest == "" || strings.IndexByte(".,;!?)\r\n", rest[0]) >= 0 {
		return true
	}
	word := lowerWord(rest, 0)
	return isPreposition(word) || word == "and" || word == "now"
}
