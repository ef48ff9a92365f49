package secretscan

import (
	"regexp"
	"strings"
	"sync"
)

// maxInsert bounds a list of columns or of values of SQL, in bytes.
const maxInsert = 256

// insertion matches what is before the columns of an INSERT, and rowStart what is
// between them and the values.
var (
	insertion = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)insert\s+into\s+[\w."\x60]+\s*$`) })
	rowStart  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^[^()]{0,200}\)\s*values?\s*\(`) })
	rowValue  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*(?:'((?:[^']|\\'|'')*)'|[^,()']*)\s*`) })
)

// inserted locates the value that SQL inserts into the column that the label at
// text[at:after] names.
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
