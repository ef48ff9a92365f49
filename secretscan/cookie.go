package secretscan

import (
	"regexp"
	"strings"
	"sync"
)

// maxCookies bounds what is read of a header with cookies, in bytes.
const maxCookies = 1024

var (
	cookieStart = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?i:cookie2?)["']?(?:[ \t]*[:=][ \t]*|[ \t]+)["']?`)
	})
	cookiePair = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^([\w.-]{2,64})=([^\s;,"']+)(?:;[ \t]*)?`)
	})
	// sessionName matches names of cookies that log somebody in.
	sessionName = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)sess|sid$|auth|token|jwt|login|remember|identity|credential|secret|ticket`)
	})
)

// cookie locates the cookies that log somebody in, in the header that begins at
// text[at:]: from the first such value to the end of the last.
func (s *scanner) cookie(at int) (start, end int, ok bool) {
	if at < s.cookieEnd {
		return 0, 0, false
	}
	header := s.text[at:min(at+maxCookies, len(s.text))]
	pos := len(cookieStart().FindString(header))
	if pos == 0 {
		return 0, 0, false
	}
	for {
		m := cookiePair().FindStringSubmatchIndex(header[pos:])
		if m == nil {
			s.cookieEnd = at + pos
			return start, end, end > 0
		}
		name, v := header[pos+m[2]:pos+m[3]], header[pos+m[4]:pos+m[5]]
		if sessionName().MatchString(name) && len(v) >= 12 && !isPlaceholder(v) && !isReference(v) && strings.ContainsAny(v, "0123456789") {
			if end = at + pos + m[5]; start == 0 {
				start = at + pos + m[4]
			}
		}
		pos += m[1]
	}
}
