// Package sqlfunc adds to SQLite's connections the functions that a store needs and
// SQL lacks: rows that come and go as one blob (pack, pack_rows, unpack), the forms
// in which vectors are stored (as_int8, as_float, narrow, widen), how often a row of
// a full-text table holds the phrases of a query (phrase_count), and the checksum of
// a row (checksum). Each is described in its C file.
package sqlfunc

// #cgo CFLAGS: -I${SRCDIR}/../include
// #cgo darwin LDFLAGS: -Wl,-undefined,dynamic_lookup
// #include "functions.h"
import "C"

import (
	"errors"

	_ "github.com/mattn/go-sqlite3" // the SQLite that the functions are for
)

// Register adds the functions to every connection that this process opens
// afterwards. Statements of such connections are planned once, whatever the values
// of their parameters. phrase_count is missing if SQLite lacks FTS5.
func Register() error {
	if rc := C.strata_functions(); rc != 0 {
		return errors.New("SQLite does not take extensions")
	}
	return nil
}
