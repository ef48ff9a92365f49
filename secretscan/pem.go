package secretscan

import (
	"regexp"
	"strings"
	"sync"
)

// maxKeyBytes bounds a private key in text. An RSA key of 16,384 bits takes
// about 13 kB; OpenPGP keys with many identities more.
const maxKeyBytes = 64 << 10

var pemHeader = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-{0,5}`)
})

// pemBody matches what may follow a header whose end was cut off: armor headers
// and lines of base64, separated by real or escaped line ends.
var pemBody = sync.OnceValue(func() *regexp.Regexp {
	const eol = `(?:\s|\\r|\\n)+`
	return regexp.MustCompile(`^(?:` + eol + `(?:Proc-Type|DEK-Info|Version|Comment): [^\n\\]{0,80})*` +
		`(?:` + eol + `[A-Za-z0-9+/=]{32,})*(?:` + eol + `[A-Za-z0-9+/]{0,63}={1,2})?`)
})

// privateKey locates the private key whose header begins at text[at:]: up to
// the end of its footer, or, when that is missing, of what looks like its body.
func (s *scanner) privateKey(at int) (start, end int, ok bool) {
	h := pemHeader().FindStringIndex(s.text[at:min(at+96, len(s.text))])
	if h == nil {
		return 0, 0, false
	}
	body := at + h[1]
	if s.pemEnd < body {
		s.pemEnd = len(s.text)
		if i := strings.Index(s.text[body:], "-----END"); i >= 0 {
			s.pemEnd = body + i
		}
	}
	if s.pemEnd < len(s.text) && s.pemEnd-at <= maxKeyBytes && !strings.Contains(s.text[body:s.pemEnd], "-----BEGIN ") {
		return at, s.footerEnd(), true
	}
	return at, body + len(pemBody().FindString(s.text[body:min(body+maxKeyBytes, len(s.text))])), true
}

// footerEnd returns the end of the footer at pemEnd: past its closing dashes, or
// past "-----END" when they are missing.
func (s *scanner) footerEnd() int {
	end := s.pemEnd + len("-----END")
	rest := s.text[end:min(end+64, len(s.text))]
	if i := strings.Index(rest, "-----"); i >= 0 && !strings.ContainsAny(rest[:i], "\r\n") {
		return end + i + len("-----")
	}
	return end
}
