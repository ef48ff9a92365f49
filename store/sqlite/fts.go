package sqlite

// #cgo CFLAGS: -I${SRCDIR}/include
// #cgo darwin LDFLAGS: -Wl,-undefined,dynamic_lookup
// #include "log.h"
// #include "logfile.h"
import "C"

import (
	"errors"
	"strings"

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
