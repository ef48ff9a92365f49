package secrets

import (
	"regexp"
	"strings"
	"sync"
)

// loginPair matches a name and a password written next to each other: "nora / x",
// "nora:x".
var loginPair = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("^[\"'`]?[\\w.@+-]{2,40}[\"'`]?(?: ?[:/|] ?| and | with | und | y | et | e )[\"'`]?([^\\s\"'`]{6,64})")
})

// loginPassword locates the password of a login that begins at text[at:]. The password
// must be striking, because the label words have many other uses.
func (s *scanner) loginPassword(at int) (start, end int, ok bool) {
	m := loginPair().FindStringSubmatchIndex(s.text[at:min(at+128, len(s.text))])
	if m == nil {
		return 0, 0, false
	}
	start, end = at+m[2], at+m[3]
	for end > start && (s.text[end-1] == '.' || s.text[end-1] == ',' || s.text[end-1] == ')') {
		end--
	}
	v := s.text[start:end]
	if len(v) < 6 || isPlaceholder(v) || isReference(v) || isCode(v) || isVersionOrDate(v) || isTechnical(v) || mentionsLabel(v) {
		return 0, 0, false
	}
	c := classify(v)
	mixed := c.digits > 0 && c.letters > 0 && (c.upper > 0 || c.symbols > 0) && (c.symbols > 0 || c.inner > 0 || !isWordy(v))
	return start, end, mixed
}

// mailedPair matches the rest of a mail address with a password next to it, as in lists
// of accounts.
var mailedPair = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,8}(?: [/|] | ?: |:)["'` + "`" + `]?([^\s"'` + "`" + `|,;]{6,64})`)
})

// atSigns returns the anchors for mail addresses.
func atSigns() []string {
	var out []string
	for _, c := range "abcdefghijklmnopqrstuvwxyz" {
		out = append(out, "@"+string(c))
	}
	return out
}

// mailed locates the password next to the mail address whose "@" is at text[at:].
func (s *scanner) mailed(at int) (start, end int, ok bool) {
	if at == 0 || !isAlnum(s.text[at-1]) {
		return 0, 0, false
	}
	m := mailedPair().FindStringSubmatchIndex(s.text[at:min(at+128, len(s.text))])
	if m == nil {
		return 0, 0, false
	}
	start, end = at+m[2], at+m[3]
	v := s.text[start:end]
	if c := classify(v); s.text[start-1] == ':' && (strings.ContainsAny(v, "./") || c.upper+c.symbols == 0) {
		return 0, 0, false // a path on a remote host
	}
	return start, end, cannotBeWord(v) && !isPlaceholder(v) && !isReference(v) && !isVersionOrDate(v) && !isTechnical(v) && !isTicket(v)
}

// loggedInWith locates the secret that somebody logs in with. It follows "with" or
// "using" and cannot be a word, because names of services stand there too.
func (s *scanner) loggedInWith(l *label, at int) (start, end int, ok bool) {
	const farthest = 8 // words
	g := l.grammar()
	with := false
	for range farthest {
		end = ownerWord(s.text, at)
		next := skipSpace(s.text, end)
		if next < len(s.text) && s.text[next] == ',' {
			next = skipSpace(s.text, next+1)
		}
		if end == at && strings.IndexByte("\"'`", s.text[min(at, len(s.text)-1)]) < 0 {
			return 0, 0, false
		}
		if with {
			v := s.value(at, changed)
			v.label = &label{class: classPassword}
			if (cannotBeWord(v.text) || v.quoted && len(v.text) > 0) && v.isSecret() {
				return v.start, s.end(v), true
			}
		}
		with = with || g.Use[lowerWord(s.text, at)] || strings.HasPrefix(s.text[at:], "w/ ")
		if next == end {
			return 0, 0, false
		}
		at = next
	}
	return 0, 0, false
}
