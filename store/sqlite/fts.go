package sqlite

// #cgo CFLAGS: -I${SRCDIR}/include
// #cgo darwin LDFLAGS: -Wl,-undefined,dynamic_lookup
// #include "log.h"
// #include "logfile.h"
import "C"

import (
	"errors"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/strata-memory/strata/internal/text"
)

// logFileSystem is the file system of logfile.c.
const logFileSystem = C.STRATA_LOGFILE

// registerLog makes the function of log.c part of every connection opened from now
// on, and the file system of logfile.c known. It is called once.
func registerLog() error {
	if rc := C.strata_log(); rc != 0 {
		return errors.New("SQLite does not take extensions")
	}
	if rc := C.strata_logfile(); rc != 0 {
		return errors.New("SQLite takes no file system")
	}
	return nil
}

// indexed returns what the two full-text tables hold of a passage's text, and
// how many of its terms are not stop words.
func indexed(s string) (terms, normal string, words int) {
	var b strings.Builder
	for _, t := range text.Analyze(s) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(t.Term)
		if !t.Stop {
			words++
		}
	}
	return b.String(), pieceText(s), words
}

// pieceText is the form in which substrings are indexed and looked up: the
// normalized text without NUL, at which SQLite would end a query.
func pieceText(s string) string {
	return strings.ReplaceAll(text.Normalize(s), "\x00", "\uFFFD")
}

// isTerm reports whether s can be a term of the index: one token of the table
// word, of letters, numbers, marks and the private-use character that package
// internal/text puts inside terms. Nothing else is ever sent to FTS5, so that
// no term can act as syntax.
func isTerm(s string) bool {
	plain := 0 // characters that most terms are made of
	for plain < len(s) && ('a' <= s[plain] && s[plain] <= 'z' || '0' <= s[plain] && s[plain] <= '9') {
		plain++
	}
	if plain == len(s) && plain > 0 {
		return true
	}
	if s == "" || !utf8.ValidString(s) {
		return false
	}
	token := false // a token is more than marks
	for _, r := range s {
		switch {
		case unicode.IsLetter(r), unicode.IsNumber(r), unicode.Is(unicode.Co, r):
			token = true
		case !unicode.IsMark(r):
			return false
		}
	}
	return token
}

// termsIn goes through the terms in what the index holds as its copy of a
// passage. They are what ASCII characters other than letters and digits part:
// these surely part terms in the index.
func termsIn(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for at := 0; at < len(s); at++ {
			if !inTerm[s[at]] {
				continue
			}
			from := at
			for at < len(s) && inTerm[s[at]] {
				at++
			}
			if !yield(s[from:at]) {
				return
			}
		}
	}
}

// inTerm tells of each byte whether it may be part of a term.
var inTerm = func() (in [256]bool) {
	for b := range in {
		in[b] = b >= utf8.RuneSelf || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9'
	}
	return in
}()
