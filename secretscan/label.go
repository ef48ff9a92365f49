package secretscan

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// labeled locates the value of l, whose label is at text[at:].
func (s *scanner) labeled(l *label, at int) (start, end int, ok bool) {
	if at < s.longValue {
		return 0, 0, false
	}
	length := l.length(s.text[at:])
	if length == 0 || !s.isLabelStart(l, at) {
		return 0, 0, false
	}
	after, ok := s.labelEnd(at + length)
	if !ok {
		return 0, 0, false
	}
	how, from := s.bridge(at, after)
	if how != unrelated && l.allows(s.text[:at], s.text[after:from]) {
		if start, end, ok = s.introduced(l, at, how, from); ok {
			return start, end, true
		}
	}
	return s.revealed(l, at, after)
}

// introduced locates the value of l that begins at text[from:].
func (s *scanner) introduced(l *label, at int, how introduction, from int) (start, end int, ok bool) {
	if l.class == classLogin {
		return s.loginPassword(from)
	}
	v := s.value(from, how)
	v.label = l
	v.spacedEquals = from >= 2 && s.text[from-2] == '=' && s.text[from-1] == ' '
	v.tight = s.text[from-1] == '='
	v.withUser = v.tight && l.bare && s.namesUser(at)
	v.own = how == stated && s.isOwn(at)
	v.checked = how == compared && s.isChecked(at)
	if v.how == adjacent && strings.HasPrefix(v.tail, " है") {
		v.how = stated // Hindi has its verb at the end
	}
	if v.isSecret() {
		return v.start, s.end(v), true
	}
	if l.class == classPhrase || l.class == classPassword && v.own {
		rest := s.text[v.start:min(v.start+maxPhrase, len(s.text))]
		n := seedLength(rest, true)
		if n == 0 && !l.seed && !v.quoted && (how == assigned || how == stated) {
			n = phraseLength(rest, how)
		}
		if n > 0 || l.class == classPhrase {
			return v.start, v.start + n, n > 0
		}
	}
	if how != assigned || v.quoted {
		return 0, 0, false
	}
	if next := s.further(v); next.isSecret() {
		return next.start, s.end(next), true
	}
	return 0, 0, false
}

// allows reports whether a label is one, judging by what is before it and by
// the owner between it and its value: "the code for the garage is".
func (l *label) allows(before, owner string) bool {
	if l.not != nil && endsInWord(before, l.not) {
		return false
	}
	if l.of == nil || l.after != nil && endsInWord(before, l.after) {
		return true
	}
	for w := range strings.FieldsSeq(lowerASCII(owner)) {
		if slices.Contains(l.of, strings.Trim(w, ":=,'")) {
			return true
		}
	}
	return false
}

// endsInWord reports whether a text ends in one of the words, before blanks and
// hyphens.
func endsInWord(before string, words []string) bool {
	before = strings.TrimRight(before[max(0, len(before)-24):], " _-\t")
	for _, w := range words {
		if len(before) >= len(w) && hasPrefix(before[len(before)-len(w):], w, true) {
			return true
		}
	}
	return false
}

// length returns the length of the label word that text begins with.
func (l *label) length(text string) int {
	n := 0
	for _, w := range l.words {
		if len(w) > n && hasPrefix(text, lowerASCII(w), true) {
			n = len(w)
		}
	}
	return n
}

// isLabelStart reports whether the label at text[at:] is one, judging by what
// precedes it.
func (s *scanner) isLabelStart(l *label, at int) bool {
	before := s.text[:at]
	if l.after != nil && l.of == nil {
		return endsInWord(before, l.after)
	}
	prev := byte('\n')
	if before != "" {
		prev = before[len(before)-1]
	}
	if isDigit(prev) {
		return false // a product, 1Password
	}
	if l.bare && s.text[at] == 'P' && s.text[at+1] == 'A' && prev != '_' {
		return false // PASS: the result of a test
	}
	if abbreviated := l.class == classKey && prev == ' ' && s.text[at+1] == 'A'; l.suffix && prev != '_' && prev != '-' && !abbreviated {
		return false
	}
	camel := isLetter(prev) && lower(prev) == prev && lower(s.text[at]) != s.text[at]
	return !l.whole || camel || !isLetter(prev)
}

// environment matches what names of environment variables have after the label
// without ceasing to name the secret itself.
var environment = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:_(?:PROD|PRODUCTION|STAGING|STAGE|DEV|TEST|LIVE|OLD|NEW|PRIMARY|SECONDARY|MAIN|\d{1,2}))+`)
})

// labelEnd returns where a label ends that has been read up to at, past digits
// and the name of an environment; not ok if it is the beginning of another word,
// such as "tokenization" or "password_policy".
func (s *scanner) labelEnd(at int) (end int, ok bool) {
	rest := s.text[at:min(at+64, len(s.text))]
	if rest == "" || rest[0] == ' ' {
		return at, true
	}
	if rest[0] == '_' {
		n := len(environment().FindString(rest))
		at, rest = at+n, rest[n:]
	}
	for n := 0; n < 2 && rest != "" && isDigit(rest[0]); n++ {
		at, rest = at+1, rest[1:]
	}
	if rest == "" {
		return at, true
	}
	c := rest[0]
	if isAlnum(c) || c == '_' || c == '-' && len(rest) > 1 && isAlnum(rest[1]) {
		return 0, false
	}
	if r, _ := utf8.DecodeRuneInString(rest); unicode.Is(unicode.Mn, r) || unicode.In(r, unicode.Latin, unicode.Cyrillic) {
		return 0, false
	}
	return at, true
}

// namesUser reports whether a user or a login is named shortly before text[at:].
func (s *scanner) namesUser(at int) bool {
	before := lowerASCII(s.text[max(0, at-maxLookBehind):at])
	return strings.Contains(before, "user") || strings.Contains(before, "login") || strings.Contains(before, "uid=")
}

// checking matches what begins the lines of tests and of questions about code.
var checking = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:assert|expect|should|require|verify|test|why|how|what|where|does|is it|can|warum|por qué|pourquoi)|[?]`)
})

// isChecked reports whether the line around text[at:] asserts something, as
// tests do, or asks.
func (s *scanner) isChecked(at int) bool {
	line := s.text[max(0, at-2*maxLookBehind):min(at+2*maxLookBehind, len(s.text))]
	pos := min(at, 2*maxLookBehind)
	if i := strings.LastIndexByte(line[:pos], '\n'); i >= 0 {
		line, pos = line[i+1:], pos-i-1
	}
	if i := strings.IndexByte(line[pos:], '\n'); i >= 0 {
		line = line[:pos+i]
	}
	return checking().MatchString(line[:pos]) || strings.Contains(line, "?")
}
