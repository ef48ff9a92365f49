// Package sqlfunc gives SQLite's connections the functions that SQL lacks for a
// store: rows that come and go as one blob (pack, pack_rows, unpack), the forms in
// which vectors are stored (as_int8, as_float, narrow, widen), how often a row of a
// full-text table holds the phrases of a query (phrase_count) and what a row has to
// prove itself by (checksum). Each is described where it is written.
package sqlfunc

// #cgo CFLAGS: -I${SRCDIR}/../include
// #cgo darwin LDFLAGS: -Wl,-undefined,dynamic_lookup
// #include "functions.h"
import "C"

import (
	"errors"

	_ "github.com/mattn/go-sqlite3" // the SQLite that the functions are for
)

// Register makes the functions part of every connection opened from now on in this
// process. Statements of such connections are planned once, whatever the values
// of their parameters. Without FTS5 phrase_count is left out.
func Register() error {
	if rc := C.strata_functions(); rc != 0 {
		return errors.New("SQLite does not take extensions")
	}
	return nil
}
