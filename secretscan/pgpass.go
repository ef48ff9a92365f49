package secretscan

import "strings"

// maxPgpass bounds a line of a password file, in bytes.
const maxPgpass = 256

// pgpass locates the password of a line of PostgreSQL's password file,
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

// isRole reports whether s can be the name of a database or of its user: numbers
// are those of lines and columns.
func isRole(s string) bool {
	return s == "*" || s != "" && (isLetter(s[0]) || s[0] == '_')
}
