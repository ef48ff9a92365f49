package secrets

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

// pemBody matches what may follow the header of a truncated key: armor headers and lines
// of base64, separated by real or escaped line ends.
var pemBody = sync.OnceValue(func() *regexp.Regexp {
	const eol = `(?:\s|\\r|\\n)+`
	return regexp.MustCompile(`^(?:` + eol + `(?:Proc-Type|DEK-Info|Version|Comment): [^\n\\]{0,80})*` +
		`(?:` + eol + `[A-Za-z0-9+/=]{32,})*(?:` + eol + `[A-Za-z0-9+/]{0,63}={1,2})?`)
})

// privateKey locates the private key whose header begins at text[at:]: up to the end of
// its footer or, without a footer, of what looks like its body.
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

// footerEnd returns the end of the footer at pemEnd: after its closing dashes, or after
// "-----END" if there are none.
func (s *scanner) footerEnd() int {
	end := s.pemEnd + len("-----END")
	rest := s.text[end:min(end+64, len(s.text))]
	if i := strings.Index(rest, "-----"); i >= 0 && !strings.ContainsAny(rest[:i], "\r\n") {
		return end + i + len("-----")
	}
	return end
}

// maxPgpass bounds a line of a password file, in bytes.
const maxPgpass = 256

// pgpass locates the password on a line of PostgreSQL's password file,
// host:port:database:user:password, whose port follows text[at].
func (s *scanner) pgpass(at int) (start, end int, ok bool) {
	if at == 0 || at < s.pgpassEnd {
		return 0, 0, false
	}
	from := at
	for from > 0 && at-from < maxPgpass && (isWordByte(s.text[from-1]) || strings.IndexByte(".*/", s.text[from-1]) >= 0) {
		from--
	}
	if from == at || from > 0 && strings.IndexByte(" \t\r\n\"'`(", s.text[from-1]) < 0 {
		return 0, 0, false
	}
	rest := s.text[at+1 : min(at+1+maxPgpass, len(s.text))]
	if i := strings.IndexAny(rest, " \t\r\n\"'`"); i >= 0 {
		rest = rest[:i]
	}
	s.pgpassEnd = at + 1 + len(rest)
	field := strings.SplitN(rest, ":", 4)
	if len(field) != 4 || !isPort(field[0]) || !isRole(field[1]) || !isRole(field[2]) {
		return 0, 0, false
	}
	password := strings.TrimRight(field[3], ",.)")
	if len(password) < 4 || isPlaceholder(password) || isReference(password) || isLabelWord(password) || isCommonWord(password) {
		return 0, 0, false
	}
	start = at + 1 + len(rest) - len(field[3])
	return start, start + len(password), true
}

func isPort(s string) bool {
	return s == "*" || len(s) >= 3 && len(s) <= 5 && strings.Trim(s, "0123456789") == ""
}

// isRole reports whether s can be the name of a database or a database user. Numbers are
// rather line and column numbers.
func isRole(s string) bool {
	return s == "*" || s != "" && (isLetter(s[0]) || s[0] == '_')
}

// maxInsert bounds the list of columns or of values in an INSERT, in bytes.
const maxInsert = 256

// insertion matches the text before the columns of an INSERT, and rowStart the text
// between the columns and the values.
var (
	insertion = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)insert\s+into\s+[\w."\x60]+\s*$`) })
	rowStart  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^[^()]{0,200}\)\s*values?\s*\(`) })
	rowValue  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*(?:'((?:[^']|\\'|'')*)'|[^,()']*)\s*`) })
)

// inserted locates the value that an INSERT puts into the column named by the label at
// text[at:after].
func (s *scanner) inserted(l *label, at, after int) (start, end int, ok bool) {
	if after >= len(s.text) || strings.IndexByte(",)\"` ", s.text[after]) < 0 {
		return 0, 0, false
	}
	before := s.text[max(0, at-maxInsert):at]
	open := strings.LastIndexByte(before, '(')
	if open < 0 || !insertion().MatchString(before[:open]) {
		return 0, 0, false
	}
	n := len(rowStart().FindString(s.text[after:min(after+maxInsert, len(s.text))]))
	if n == 0 {
		return 0, 0, false
	}
	pos := after + n
	for range strings.Count(before[open:], ",") {
		pos += len(rowValue().FindString(s.text[pos:min(pos+maxInsert, len(s.text))]))
		if pos >= len(s.text) || s.text[pos] != ',' {
			return 0, 0, false
		}
		pos++
	}
	m := rowValue().FindStringSubmatchIndex(s.text[pos:min(pos+maxInsert, len(s.text))])
	if m == nil || m[2] < 0 {
		return 0, 0, false
	}
	v := value{text: s.text[pos+m[2] : pos+m[3]], start: pos + m[2], label: l, how: assigned, quoted: true}
	return v.start, v.start + len(v.text), v.isSecret()
}
