package secrets

import (
	"regexp"
	"strings"
	"sync"
)

// maxHeader bounds how much of an Authorization header is read, in bytes. A longer token
// is still found whole.
const maxHeader = 256

var authorizationHeader = sync.OnceValue(func() *regexp.Regexp {
	const scheme = `(?:bearer|basic|token|api-?key|key|digest|negotiate|ntlm|hmac|oauth|ssws|splunk|genie-?key|bot)[ \t]+`
	return regexp.MustCompile(`(?i)^authorization\\?["']?[ \t]*(?:(?:[:=]|=>)[ \t]*\\?["']?(?:` + scheme + `)?|,[ \t]*["']` + scheme + `)([\w.~+/=-]+)`)
})

var bearerScheme = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^bearer(?:[ \t]+token)?\\?["']?[ \t]*[: \t][ \t]*\\?["']?([\w.~+/=-]+)`)
})

// authorization locates the credentials in an Authorization header. The header says what
// they are, so even short ones and plain letters count.
func (s *scanner) authorization(at int) (start, end int, ok bool) {
	start, end, ok = s.headerValue(authorizationHeader(), at)
	if !ok {
		return 0, 0, false
	}
	v := s.text[start:end]
	return start, end, len(v) >= 4 && !isCommonWord(v) && !isPlaceholder(v) && !isCode(v) && !isReference(v)
}

// bearer locates the token after the word "bearer" where there is no header. The token
// must look like one, because prose has "bearer" followed by other words.
func (s *scanner) bearer(at int) (start, end int, ok bool) {
	if at > 0 && isAlnum(s.text[at-1]) {
		return 0, 0, false
	}
	start, end, ok = s.headerValue(bearerScheme(), at)
	if !ok {
		return 0, 0, false
	}
	v := s.text[start:end]
	if len(v) < 6 || isCommonWord(v) || isPlaceholder(v) || isTechnical(v) {
		return 0, 0, false
	}
	c := classify(v)
	return start, end, (c.digits > 0 && c.letters > 0) || len(v) >= 20 && c.upper > 1 && c.letters > c.upper
}

// headerValue returns the first group of re at text[at:], extended to the end of its run
// and without punctuation that ends a sentence.
func (s *scanner) headerValue(re *regexp.Regexp, at int) (start, end int, ok bool) {
	m := re.FindStringSubmatchIndex(s.text[at:min(at+maxHeader, len(s.text))])
	if m == nil {
		return 0, 0, false
	}
	start, end = at+m[2], at+m[3]
	if end == at+maxHeader {
		for end < len(s.text) && isCredentialByte(s.text[end]) {
			end++
		}
	}
	for end > start && s.text[end-1] == '.' {
		end--
	}
	return start, end, end > start
}

// isCredentialByte reports whether c may occur in a token68 (RFC 9110).
func isCredentialByte(c byte) bool {
	return isWordByte(c) || c == '.' || c == '~' || c == '+' || c == '/' || c == '='
}

// maxCookies bounds how much of a cookie header is read, in bytes.
const maxCookies = 1024

var (
	cookieStart = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?i:cookie2?)["']?(?:[ \t]*[:=][ \t]*|[ \t]+)["']?`)
	})
	cookiePair = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^([\w.-]{2,64})=([^\s;,"']+)(?:;[ \t]*)?`)
	})
	// sessionName matches the names of session cookies.
	sessionName = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)sess|sid$|auth|token|jwt|login|remember|identity|credential|secret|ticket`)
	})
)

// cookie locates the values of session cookies in the header that begins at text[at:],
// from the first such value to the end of the last.
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
