package secrets

import "strings"

// Bounds on a token that a terminal or a mail broke over several lines.
const (
	maxLines    = 8
	maxLine     = 1024 // bytes of the token on one line
	shortestEnd = 4    // least bytes on a continuation line
	wrapWidth   = 60   // least bytes of a full line
)

// unwrapped is the text of a token without its line ends.
type unwrapped struct {
	text   string
	pieces []int // start of each line, in text
	origin []int // start of each line, in the scanned text
}

// unwrap reads the token that begins at text[at:] and continues after the end of its
// line; nil if it does not. A line continues a token if its first word cannot be a word.
func (s *scanner) unwrap(at int) *unwrapped {
	u := &unwrapped{}
	var b strings.Builder
	for len(u.pieces) < maxLines {
		end := at
		for end < len(s.text) && end-at < maxLine && (isCredentialByte(s.text[end]) || strings.IndexByte("%:@&?", s.text[end]) >= 0) {
			end++
		}
		piece := s.text[at:end]
		if len(u.pieces) > 0 && (len(piece) < shortestEnd || !continues(piece)) {
			break
		}
		u.pieces, u.origin = append(u.pieces, b.Len()), append(u.origin, at)
		next := strings.TrimLeft(s.text[end:min(end+4, len(s.text))], "\\\r")
		if !strings.HasPrefix(next, "\n") {
			b.WriteString(piece)
			break
		}
		b.WriteString(strings.TrimSuffix(piece, "=")) // a soft line break in mail
		at = end + strings.IndexByte(s.text[end:], '\n') + 1
		for at < len(s.text) && strings.IndexByte(" \t>", s.text[at]) >= 0 {
			at++
		}
	}
	if len(u.pieces) < 2 {
		return nil
	}
	u.text = b.String()
	return u
}

// continues reports whether a word looks like the rest of a token.
func continues(s string) bool {
	c := classify(s)
	return isRandom(s) || c.digits > 0 && (c.letters > 0 || len(s) > 6) && !isTicket(s) && !isVersionOrDate(s) && !isReference(s)
}

// at maps the offset i to the scanned text.
func (u *unwrapped) at(i int) int {
	n := len(u.pieces) - 1
	for u.pieces[n] > i {
		n--
	}
	return u.origin[n] + i - u.pieces[n]
}

// isFull reports whether the line that ends at text[end:] is long enough to have been
// broken.
func (s *scanner) isFull(end int) bool {
	i := strings.LastIndexByte(s.text[max(0, end-wrapWidth):end], '\n')
	return i < 0 && end >= wrapWidth
}

// isTokenAlone reports whether text is, up to the end of its line, one word of upper-case
// letters, lower-case letters and digits, like the rest of a token and unlike a checksum.
func isTokenAlone(text string) bool {
	end := 0
	for end < len(text) && isCredentialByte(text[end]) {
		end++
	}
	c := classify(text[:end])
	return end >= 8 && c.digits > 0 && c.upper > 0 && c.upper < c.letters && (end == len(text) || text[end] == '\n' || text[end] == '\r')
}

// matchWrapped returns the match of r at text[at:] that continues after the end of its
// line. end is the end of the match on its first line, or -1 if there is none.
func (s *scanner) matchWrapped(r *rule, at, end int) (start, last int, ok bool) {
	if end >= 0 && end < len(s.text) && strings.IndexByte("\r\n\\", s.text[end]) < 0 {
		return 0, 0, false
	}
	u := s.unwrap(at)
	if u == nil || end >= 0 && !s.isFull(end) && !isTokenAlone(s.text[u.origin[1]:]) {
		return 0, 0, false
	}
	m := r.re.FindStringSubmatchIndex(u.text)
	if m == nil || m[1] <= u.pieces[1] || m[1] < len(u.text) && isWordByte(u.text[m[1]]) {
		return 0, 0, false
	}
	if len(m) > 2 && m[2] >= 0 {
		m = m[2:]
	}
	token := u.text[m[0]:m[1]]
	return u.at(m[0]), u.at(m[1]-1) + 1, !isMasked(token) && !isNameLike(r, token)
}
