package passage

import "github.com/strata-memory/strata"

// Corrupt is the error for what a store holds and cannot be read as what was
// written.
func Corrupt(op, message string) error {
	return &strata.Error{Code: strata.CodeCorrupt, Op: op, Message: message,
		Hint: "keep a copy of the home directory, then restore a backup or an export"}
}
