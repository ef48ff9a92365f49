package secretscan

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// class is what a label announces, which decides how its value is judged.
type class int

const (
	classPassword class = iota // chosen by people: may be short, may be a word
	classPhrase                // several plain words
	classPIN                   // four to eight digits
	classKey                   // made by machines: letters and digits mixed
)

// label is a word that introduces a secret.
type label struct {
	words []string
	class class
	// whole labels must not be the end of a longer word ("compass"); others may
	// ("PGPASSWORD", "authtoken").
	whole bool
	// after, if set, lists words of which one must precede the label:
	// "key" alone is a word of everyday life.
	after []string
	// bare labels are so short that only a quoted or a striking value counts.
	bare bool
}

// labels, in English, Spanish, French, German, Italian, Portuguese, Dutch,
// Russian, Polish, Swedish, Chinese, Japanese and Korean.
var labels = []label{
	{words: []string{"password", "passwd", "passcode", "passwort", "kennwort", "wachtwoord", "lösenord",
		"contraseña", "contraseÑa", "contrasena", "contrasen\u0303a", "mot de passe", "parola d'ordine",
		"пароль", "Пароль", "ПАРОЛЬ", "hasło", "密码", "密碼", "口令", "パスワード", "暗証番号", "비밀번호", "패스워드"}, class: classPassword},
	{words: []string{"pwd", "pw", "mdp", "senha", "clave"}, class: classPassword, whole: true},
	{words: []string{"pass"}, class: classPassword, whole: true, bare: true},
	{words: []string{"passphrase"}, class: classPhrase},
	{words: []string{"phrase"}, class: classPhrase, after: []string{"seed", "recovery", "secret", "pass", "backup"}},
	{words: []string{"pin"}, class: classPIN, whole: true},
	{words: []string{"secret", "token", "jeton"}, class: classKey},
	{words: []string{"key"}, class: classKey, after: []string{"api", "access", "secret", "private", "signing", "encryption",
		"auth", "master", "account", "service", "storage", "webhook", "deploy", "admin", "bot", "app"}},
	{words: []string{"schlüssel"}, class: classKey, after: []string{"api", "zugangs", "zugriffs"}},
	{words: []string{"clave de api", "clave api", "clé api", "clé d'api", "clé d’api", "clé secrète", "clave secreta", "api密钥", "密钥", "密鑰", "apiキー", "秘密鍵", "api 키"}, class: classKey},
}

// rule returns the rule that finds what l introduces.
func (l *label) rule() *rule {
	name := [...]string{classPassword: "password", classPhrase: "passphrase", classPIN: "pin", classKey: "labeled-secret"}[l.class]
	return &rule{name: name, anchors: l.words, fold: true, locate: func(s *scanner, at int) (int, int, bool) {
		return s.labeled(l, at)
	}}
}

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
	if how == unrelated {
		return 0, 0, false
	}
	v := s.value(from, how)
	v.label = l
	v.spacedEquals = from >= 2 && s.text[from-2] == '=' && s.text[from-1] == ' '
	v.own = how == stated && s.isOwn(at)
	if v.isSecret() {
		return v.start, s.end(v), true
	}
	if how != assigned || v.quoted {
		return 0, 0, false
	}
	if l.class == classPhrase {
		n := phraseLength(s.text[v.start:min(v.start+maxPhrase, len(s.text))])
		return v.start, v.start + n, n > 0
	}
	if next := s.further(v); next.isSecret() {
		return next.start, s.end(next), true
	}
	return 0, 0, false
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
	if l.after != nil {
		before = strings.TrimRight(before[max(0, at-24):], " _-\t")
		for _, w := range l.after {
			if len(before) >= len(w) && hasPrefix(before[len(before)-len(w):], w, true) {
				return true
			}
		}
		return false
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
