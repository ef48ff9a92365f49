package passage

import "github.com/strata-memory/strata"

// Corrupt returns the error for stored data that cannot be read as it was written.
func Corrupt(op, message string) error {
	return &strata.Error{Code: strata.CodeCorrupt, Op: op, Message: message,
		Hint: "strata doctor says what is damaged, strata reindex mends what is derived, strata salvage NEWHOME saves the rest"}
}
