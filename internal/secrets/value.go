package secrets

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/strata-memory/strata/internal/text/grammar"
)

// introduction says how a label and its value are connected.
type introduction int

const (
	unrelated introduction = iota // not at all
	assigned                      // password: x, password = x
	compared                      // password == x
	stated                        // the password is x
	changed                       // set the password to x
	flagged                       // --password x
	adjacent                      // password x
	nextLine                      // password: and x alone on the next line, or in the next cell
	told                          // I changed the password, it is now x
	revealed                      // x is the password
)

// value is the text at the place where a label has its value.
type value struct {
	text   string
	start  int
	quoted bool
	tail   string // the text after it on the same line, up to 48 bytes

	label        *label
	how          introduction
	spacedEquals bool // preceded by "= ", as programs are formatted
	own          bool // "my password"
	tight        bool // preceded by "=" without a space
	withUser     bool // a user is named shortly before
	checked      bool // compared in a test, or in a question
	variable     bool // in an environment variable
	field        bool // in a connection string or a query
	setting      bool // in a settings file, judging by the lines around it
	line         bool // it and its label fill a line
	copula       string
}

// maxValue bounds the part of a value that is judged, in bytes. A longer secret ends
// where its run of characters does.
const maxValue = 256

// closers maps opening quotes to closing ones.
var closers = map[rune]string{
	'"': `"`, '\'': "'", '`': "`", '“': "”", '„': "“", '‘': "’", '«': "»", '「': "」", '『': "』",
}

// value reads the value that begins at text[at:]: a quoted string, or the text before the
// next space.
func (s *scanner) value(at int, how introduction) value {
	rest := s.text[at:min(at+maxValue, len(s.text))]
	opening := strings.TrimPrefix(rest, `\`) // a quote within quoted text
	r, n := utf8.DecodeRuneInString(opening)
	if closing, ok := closers[r]; ok {
		from := at + len(rest) - len(opening) + n
		if i := closingQuote(opening[n:], closing); i >= 0 {
			inner := opening[n : n+i]
			if len(rest) > len(opening) {
				inner = strings.TrimSuffix(inner, `\`)
			}
			return value{text: inner, start: from, quoted: true, how: how, tail: s.tail(from + len(inner) + len(closing))}
		}
		at, rest = from, opening[n:]
	}
	text := rest[:unquotedEnd(rest)]
	text = strings.TrimRight(text, ",;.:)]}>。、")
	return value{text: text, start: at, how: how, tail: s.tail(at + len(text))}
}

// end returns the end of the secret v in the text. A value that filled the bound extends
// to the end of its run.
func (s *scanner) end(v value) int {
	end := v.start + len(v.text)
	if v.quoted || len(v.text) < maxValue-utf8.UTFMax {
		return end
	}
	end += unquotedEnd(s.text[end:])
	s.longValue = end
	return end
}

// closingQuote returns the position of closing in text, on the same line and not escaped,
// or -1.
func closingQuote(text, closing string) int {
	for pos := 0; ; {
		i := strings.Index(text[pos:], closing)
		if i < 0 || strings.ContainsAny(text[pos:pos+i], "\r\n") {
			return -1
		}
		pos += i
		if pos < 2 || text[pos-1] != '\\' || text[pos-2] != '\\' && len(text) > pos+1 && !strings.ContainsAny(text[pos+1:pos+2], ",}] \n") {
			return pos
		}
		pos += len(closing)
	}
}

// unquotedEnd returns the length of the value that text begins with.
func unquotedEnd(text string) int {
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			switch c {
			case ' ', '\t', '\n', '\r', '\v', '\f', '"', '`':
				return i
			case ';', '&':
				if startsField(text[i+1:]) {
					return i
				}
			case '<', '\'':
				if i > 0 {
					return i
				}
			case '\\': // an escape sequence of the surrounding text
				if i+1 < len(text) && strings.IndexByte(`nrt"'`, text[i+1]) >= 0 {
					return i
				}
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		if unicode.IsSpace(r) || strings.ContainsRune("，。；、」』）”’»", r) ||
			i > 0 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) {
			return i
		}
		i += n
	}
	return len(text)
}

// startsField reports whether text, after a separator, ends or continues with another
// field of a query or a connection string.
func startsField(text string) bool {
	for i := 0; i < len(text) && i < 32; i++ {
		switch c := text[i]; {
		case c == '=':
			return i > 0
		case !isWordByte(c) && c != '.' && c != ' ':
			return i == 0 && strings.IndexByte("\t\r\n\"'", c) >= 0
		case c == ' ' && i == 0:
			return true
		}
	}
	return text == ""
}

// tail returns the text at text[at:] up to the end of the line, at most 48 bytes.
func (s *scanner) tail(at int) string {
	if at >= len(s.text) {
		return ""
	}
	t := s.text[at:min(at+48, len(s.text))]
	if i := strings.IndexAny(t, "\r\n"); i >= 0 {
		t = t[:i]
	}
	return t
}

// endsStatement reports whether only punctuation or the next field of a record follows
// the value.
func (v *value) endsStatement() bool {
	t := strings.TrimLeft(v.tail, " \t.)]}>\"'`*。")
	return t == "" || startsField(t) && len(t) < len(v.tail) || t[0] == ',' || t[0] == ';' || t[0] == '|' || t[0] == '#' || t[0] == '\\' || t[0] == '&' || t[0] == '<'
}

// goesOn reports whether the value ends its statement, or a conjunction or the like
// follows it, rather than a unit, as in "4096 tokens".
func (v *value) goesOn() bool {
	if v.endsStatement() {
		return true
	}
	g := grammar.Every()
	for _, end := range g.Ends {
		if strings.HasPrefix(v.tail, end) {
			return true
		}
	}
	word := lowerWord(strings.TrimLeft(v.tail, " #*"), 0)
	return word == "" || g.And[word] || g.Now[word] && v.how != adjacent || g.Is[word] && word == "है"
}

// counts counts the characters of a value by kind.
type counts struct {
	digits, letters, upper int
	inner                  int // upper-case letters after the first that are next to a lower-case one
	symbols                int // ASCII punctuation that occurs in passwords but not in words
	foreign                int // letters outside ASCII
}

func classify(s string) counts {
	var c counts
	// A final "!" or "?" may end the sentence.
	end := len(strings.TrimRight(s, "!?"))
	prev := rune(0)
	for i, r := range s {
		switch {
		case '0' <= r && r <= '9':
			c.digits++
		case r < utf8.RuneSelf && isLetter(byte(r)):
			c.letters++
			if unicode.IsUpper(r) {
				c.upper++
				if unicode.IsLower(prev) {
					c.inner++
				}
			}
		case unicode.IsLetter(r):
			c.foreign++
		case i < end && strings.ContainsRune("!@#$%^&*+=~|?", r):
			c.symbols++
		}
		prev = r
	}
	return c
}
