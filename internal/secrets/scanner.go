package secrets

import "strings"

// scanner is one pass over one text.
type scanner struct {
	text    string
	spans   []span   // matches of rules
	threats []Threat // matches of threat rules

	// covered is the end of the last match of a token rule. The rule is not tried again
	// within, or a long run of its prefixes would take quadratic time.
	covered map[*rule]int

	// longValue is the end of the last labeled value that was longer than the part that
	// is judged; labels inside it are part of it.
	longValue int

	// commandEnd is how far the options of each command have been read.
	commandEnd map[*command]int

	// The last search for the end of a clause: where it began, and where the next clause
	// begins.
	clauseFrom, clauseNext int

	// How far lines of a password file and cookie headers have been read.
	pgpassEnd, cookieEnd int

	// Position of the next "-----END" after the last private key header, so that many
	// headers without an end do not each search the rest of the text.
	pemEnd int // 0: not searched yet
}

// match returns the matches of all rules in text, taken as it is.
func match(text string) []span {
	e := compiled()
	spans := seedLines(text, e.seed)
	if s := e.index.scan(text); s != nil {
		spans = append(spans, s.spans...)
	}
	return spans
}

// try adds the match of r whose anchor is at text[at:], if there is one.
func (s *scanner) try(r *rule, at int) {
	if r.locate != nil {
		if start, end, ok := r.locate(s, at); ok {
			s.spans = append(s.spans, span{r, start, end})
		}
		return
	}
	at -= r.skip
	if at < s.covered[r] || at < 0 || !s.startsToken(at) {
		return
	}
	start, end, ok := s.matchToken(r, at)
	if !ok {
		return
	}
	if s.covered == nil {
		s.covered = map[*rule]int{}
	}
	s.covered[r] = end
	s.spans = append(s.spans, span{r, start, end})
}

// matchToken returns the match of r at text[at:], even if it spans several lines.
func (s *scanner) matchToken(r *rule, at int) (start, end int, ok bool) {
	m := r.re.FindStringSubmatchIndex(s.text[at:])
	if m == nil {
		return s.matchWrapped(r, at, -1)
	}
	last := at + m[1]
	if last < len(s.text) && isAlnum(s.text[last]) {
		return 0, 0, false // longer than such a token can be
	}
	if start, end, ok = s.matchWrapped(r, at, last); ok {
		return start, end, true
	}
	if len(m) > 2 && m[2] >= 0 {
		m = m[2:] // the group is the secret
	}
	start, end = at+m[0], at+m[1]
	token := s.text[start:end]
	return start, end, !isMasked(token) && !isNameLike(r, token) && !(r.name == "aws-access-key" && strings.HasSuffix(token, "EXAMPLE"))
}

// startsToken reports whether a token may begin at text[at:]: the byte before it is not
// part of a word. An escaped line end or tab, a percent-encoded byte and a terminal color
// code also separate.
func (s *scanner) startsToken(at int) bool {
	if at == 0 || !isWordByte(s.text[at-1]) {
		return true
	}
	if at >= 2 && s.text[at-2] == '\\' && strings.IndexByte("nrt", s.text[at-1]) >= 0 {
		return true
	}
	if at >= 3 && s.text[at-3] == '%' && isHex(s.text[at-2]) && isHex(s.text[at-1]) {
		return true
	}
	return s.text[at-1] == 'm' && endsColor(s.text[max(0, at-16):at-1])
}

// endsColor reports whether before ends with the beginning of a color code, up to its
// final "m".
func endsColor(before string) bool {
	i := strings.LastIndex(before, "\x1b[")
	return i >= 0 && strings.Trim(before[i+2:], "0123456789;") == ""
}

func isHex(c byte) bool { return isDigit(c) || ('a' <= lower(c) && lower(c) <= 'f') }

// isMasked reports whether the writer masked a token, with nothing but the letter x after
// its prefix.
func isMasked(token string) bool {
	const longestPrefix, shortestMask = 24, 8
	prefix := strings.TrimRight(token, "xX")
	return len(token)-len(prefix) >= shortestMask && len(prefix) <= longestPrefix
}

// isNameLike reports whether the end of a token is plain words, as in
// "sk_test_yourkeygoeshere": generated tokens have digits or upper case. The older "sk-"
// keys, which have no other mark, must have a digit.
func isNameLike(r *rule, token string) bool {
	const enough = 20 // characters; hardly any token that long has no digit
	if r.name == "openai-key" && strings.HasPrefix(token, "sk-") && len(token) < 40 {
		body := strings.TrimPrefix(token, "sk-")
		return !strings.ContainsAny(body, "0123456789") &&
			(strings.ToLower(body) == body || strings.ToUpper(body) == body)
	}
	end := token[max(0, len(token)-enough):]
	return strings.Trim(end, "abcdefghijklmnopqrstuvwxyz_-") == ""
}
