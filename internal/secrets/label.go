package secrets

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
	if l.class == classEntry {
		return s.entry(l, at, after)
	}
	if l.class == classPassport {
		if start, end, ok = s.passport(after); ok {
			return start, end, true
		}
	}
	k := s.bridge(l, at, after)
	if k.how != unrelated && l.allows(s.text[:at], s.text[after:k.from]) {
		if start, end, ok = s.introduced(l, at, after, k); ok {
			return start, end, true
		}
	}
	if l.class == classBackup && k.how == unrelated && after < len(s.text) && s.text[after] <= ' ' {
		return s.backupCodes(after)
	}
	if start, end, ok = s.inserted(l, at, after); ok {
		return start, end, true
	}
	if start, end, ok = s.told(l, at, after); ok {
		return start, end, true
	}
	return s.revealed(l, at, after)
}

// introduced locates the value of l that the link k introduces.
func (s *scanner) introduced(l *label, at, after int, k link) (start, end int, ok bool) {
	switch l.class {
	case classLogin:
		if start, end, ok = s.loginPassword(k.from); ok {
			return start, end, true
		}
		return s.loggedInWith(l, skipSpace(s.text, after))
	case classBackup:
		return s.backupCodes(k.from)
	case classPassport:
		return s.passport(k.from)
	}
	v := s.labeledValue(l, at, k)
	if v.isSecret() {
		return v.start, s.end(v), true
	}
	rest := s.text[v.start:min(v.start+maxPhrase, len(s.text))]
	if l.class == classPassword && k.how != adjacent || l.class == classKey {
		if n := groupsLength(rest); n > 0 {
			return v.start, v.start + n, true
		}
	}
	if l.class == classPhrase || l.class == classPassword && v.own {
		n := seedLength(rest, true)
		if n == 0 && !l.seed && !v.quoted && (k.how == assigned || k.how == stated) {
			n = phraseLength(rest, k.how)
		}
		if n > 0 || l.class == classPhrase {
			return v.start, v.start + n, n > 0
		}
	}
	if k.how != assigned || v.quoted {
		return 0, 0, false
	}
	if next := s.further(v); next.isSecret() {
		return next.start, s.end(next), true
	}
	return 0, 0, false
}

// labeledValue reads the value of l that the link k introduces, and the circumstances
// that decide whether it is a secret.
func (s *scanner) labeledValue(l *label, at int, k link) value {
	v := s.value(k.from, k.how)
	if word := lowerWord(v.text, 0); l.class == classPIN && word == v.text && l.grammar().The[word] {
		v = s.value(skipSpace(s.text, v.start+len(word)), k.how)
	}
	v.label, v.copula = l, k.copula
	before := s.text[:k.from]
	if v.quoted {
		before = strings.TrimRight(before, "\"'`\\")
	}
	v.spacedEquals = strings.HasSuffix(before, "= ")
	v.tight = strings.HasSuffix(before, "=")
	v.withUser = v.tight && l.bare && s.namesUser(at)
	v.own = k.how == stated && s.isOwn(l.grammar(), at)
	v.checked = k.how == compared && s.isChecked(at)
	v.variable = k.how == assigned && s.isVariable(at)
	v.field = v.tight && s.isField(at, v.tail)
	v.setting = v.spacedEquals && s.isSetting(at, v.tail)
	if v.how == adjacent && strings.HasPrefix(v.tail, " है") {
		v.how = stated // the verb comes last in Hindi
	}
	if v.how == adjacent && l.language != nil && l.language.Bare && v.isStriking() {
		v.how = stated
	}
	v.line = k.how == assigned && s.isLine(at, v)
	return v
}

// allows reports whether a word is used as a label, judging by the text before it and by
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

// endsInWord reports whether a text ends with one of the words, ignoring blanks and
// hyphens after it.
func endsInWord(before string, words []string) bool {
	before = strings.TrimRight(before[max(0, len(before)-24):], " _-:\t")
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

// isLabelStart reports whether the word at text[at:] is used as a label, judging by the
// text before it.
func (s *scanner) isLabelStart(l *label, at int) bool {
	before := s.text[:at]
	if l.after != nil && l.of == nil {
		return endsInWord(before, l.after)
	}
	prev := byte('\n')
	if before != "" {
		prev = before[len(before)-1]
	}
	if isDigit(prev) && s.text[at] < utf8.RuneSelf {
		return false // a product: 1Password
	}
	if l.bare && s.text[at] == 'P' && s.text[at+1] == 'A' && prev != '_' {
		return false // a test result: PASS
	}
	if l.variable && !s.isVariable(at) {
		return false
	}
	if abbreviated := l.class == classKey && prev == ' ' && s.text[at+1] == 'A'; l.suffix && prev != '_' && prev != '-' && !abbreviated {
		return false
	}
	camel := isLetter(prev) && lower(prev) == prev && lower(s.text[at]) != s.text[at]
	return !l.whole || camel || !isLetter(prev)
}

// environment matches suffixes of environment variables that follow a label when the
// variable still names the secret itself.
var environment = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:_(?:PROD|PRODUCTION|STAGING|STAGE|DEV|TEST|LIVE|OLD|NEW|PRIMARY|SECONDARY|MAIN|\d{1,2}))+`)
})

// labelEnd returns the end of a label that has been read up to at, past digits and the
// name of an environment. ok is false if it is the beginning of another word, such as
// "tokenization" or "password_policy".
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

// checking matches the beginning of lines in tests and of questions about code.
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
