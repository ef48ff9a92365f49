package sqlite

import (
	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sqlite/database"
)

// wrap adds an error code to an error of the driver, as [database.Wrap] does.
func wrap(op string, err error) error { return database.Wrap(op, err) }

// wrap is like the function wrap, but also says which disk the database file is on.
func (db *DB) wrap(op string, err error) error { return db.file.Wrap(op, err) }

// readOnlyError returns the error of a write to a database that is open for reading
// only.
func (db *DB) readOnlyError(op string) *strata.Error {
	why := db.unwritable
	if why == nil {
		return &strata.Error{Code: strata.CodeReadOnly, Op: op, Message: "the store is open for reading only",
			Hint: "open it for writing"}
	}
	return &strata.Error{Code: why.Code, Op: op, Message: "the store could not be opened for writing: " + why.Message,
		Hint: why.Hint + "; a process that goes on (an agent, strata chat, mcp, serve or watch) is to be started again then", Err: why.Err}
}

func conflict(op, message string) *strata.Error {
	return &strata.Error{Code: strata.CodeConflict, Op: op, Message: message,
		Hint: "read it again and decide anew"}
}
