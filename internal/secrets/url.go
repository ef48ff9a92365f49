package secrets

import (
	"regexp"
	"strings"
	"sync"
)

// maxAuthority bounds the part of a URL between "//" and the path, in bytes.
const maxAuthority = 512

// urlPassword locates the password in scheme://user:password@host, where "://" is at
// text[at:]. Only the password is secret; the user and host may be remembered.
func (s *scanner) urlPassword(at int) (start, end int, ok bool) {
	if at == 0 || !isAlnum(s.text[at-1]) {
		return 0, 0, false
	}
	from := at + len("://")
	authority := s.text[from:min(from+maxAuthority, len(s.text))]
	if i := strings.IndexAny(authority, "/?# \t\r\n\"'`<>\\"); i >= 0 {
		authority = authority[:i]
	}
	host := strings.LastIndexByte(authority, '@')
	if host < 0 {
		return 0, 0, false
	}
	colon := strings.IndexByte(authority[:host], ':')
	if colon < 0 || colon+1 == host {
		return 0, 0, false
	}
	password := authority[colon+1 : host]
	if isPlaceholder(password) || isReference(password) || isLabelWord(password) {
		return 0, 0, false
	}
	return from + colon + 1, from + host, true
}

// oracleLogin matches the login of Oracle's JDBC driver, which is not a standard URL.
var oracleLogin = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^jdbc:oracle:\w{2,5}:[\w.-]{1,64}/([^@/\s"']{1,64})@`)
})

// oraclePassword locates the password in jdbc:oracle:thin:user/password@host.
func (s *scanner) oraclePassword(at int) (start, end int, ok bool) {
	m := oracleLogin().FindStringSubmatchIndex(s.text[at:min(at+maxAuthority, len(s.text))])
	if m == nil {
		return 0, 0, false
	}
	password := s.text[at+m[2] : at+m[3]]
	return at + m[2], at + m[3], !isPlaceholder(password) && !isReference(password) && !isLabelWord(password)
}

// isLabelWord reports whether s is just the label again, as in examples.
func isLabelWord(s string) bool {
	switch strings.ToLower(s) {
	case "password", "passwd", "pass", "pwd", "pw":
		return true
	}
	return false
}
