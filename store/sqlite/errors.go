package sqlite

import (
	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store/sqlite/database"
)

// wrap gives an error of the driver its code, as [database.Wrap] does.
func wrap(op string, err error) error { return database.Wrap(op, err) }

func readOnlyError(op string) *strata.Error {
	return &strata.Error{Code: strata.CodeReadOnly, Op: op, Message: "the store is open for reading only",
		Hint: "check the permissions of the home directory and its files"}
}

func conflict(op, message string) *strata.Error {
	return &strata.Error{Code: strata.CodeConflict, Op: op, Message: message,
		Hint: "read it again and decide anew"}
}
