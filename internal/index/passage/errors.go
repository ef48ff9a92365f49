package passage

import "github.com/strata-memory/strata"

// Corrupt is the error for what a store holds and cannot be read as what was
// written.
func Corrupt(op, message string) error {
	return &strata.Error{Code: strata.CodeCorrupt, Op: op, Message: message,
		Hint: "strata doctor says what is damaged, strata reindex mends what is derived, strata salvage NEWHOME saves the rest"}
}
