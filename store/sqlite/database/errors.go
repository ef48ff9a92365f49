package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io/fs"

	"github.com/mattn/go-sqlite3"

	"github.com/strata-memory/strata"
)

// ErrBusy says that another connection holds a lock. It stands in for SQLite's
// error where SQLite was not asked, or answered in a row.
var ErrBusy error = sqlite3.Error{Code: sqlite3.ErrBusy}

// Wrap gives an error of the driver its code. Errors that carry one already,
// and [sql.ErrNoRows], pass through. A nil err stays nil.
func Wrap(op string, err error) error {
	if err == nil || errors.Is(err, sql.ErrNoRows) {
		return err
	}
	var known *strata.Error
	if errors.As(err, &known) {
		return err
	}
	e := describe(err)
	e.Op, e.Err = op, err
	return e
}

// describe finds code, message and hint for an error of the driver or system.
func describe(err error) *strata.Error {
	var se sqlite3.Error
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return &strata.Error{Code: strata.CodeCanceled, Message: "gave up waiting for the store"}
	case errors.As(err, &se):
		return describeSQLite(se)
	case errors.Is(err, fs.ErrPermission):
		return &strata.Error{Code: strata.CodeReadOnly, Message: "the store may not be written",
			Hint: "check who owns the home directory and its files"}
	case errors.Is(err, sql.ErrConnDone), errors.Is(err, driver.ErrBadConn):
		return Closed("")
	}
	return &strata.Error{Code: strata.CodeInternal, Message: "unexpected error of the store"}
}

func describeSQLite(se sqlite3.Error) *strata.Error {
	switch se.Code {
	case sqlite3.ErrBusy, sqlite3.ErrLocked:
		return &strata.Error{Code: strata.CodeBusy, Message: "another process holds the store",
			Hint: "try again; if it stays so, look for another strata process that hangs"}
	case sqlite3.ErrReadonly, sqlite3.ErrPerm, sqlite3.ErrAuth:
		return &strata.Error{Code: strata.CodeReadOnly, Message: "the store may not be written",
			Hint: "check the permissions of the home directory and its files"}
	case sqlite3.ErrFull:
		return &strata.Error{Code: strata.CodeFull, Message: "no room left for the store",
			Hint: "free space on the disk of the home directory, then try again; nothing was half-written"}
	case sqlite3.ErrCorrupt, sqlite3.ErrNotADB, sqlite3.ErrFormat:
		return Corrupt("", "the database is damaged")
	case sqlite3.ErrCantOpen:
		return &strata.Error{Code: strata.CodeUnavailable, Message: "the database file cannot be opened",
			Hint: "check that the home directory exists and may be read"}
	case sqlite3.ErrTooBig:
		return &strata.Error{Code: strata.CodeTooLarge, Message: "a value is too large for the store",
			Hint: "split it into smaller pieces"}
	case sqlite3.ErrInterrupt:
		return &strata.Error{Code: strata.CodeCanceled, Message: "the statement was interrupted"}
	case sqlite3.ErrConstraint:
		return &strata.Error{Code: strata.CodeConflict, Message: "a row like it is there already, or one it needs is missing"}
	case sqlite3.ErrIoErr:
		return describeIO(se)
	}
	return &strata.Error{Code: strata.CodeInternal, Message: "unexpected error of the database",
		Hint: "strata doctor says whether it is damaged"}
}

// describeIO tells bytes that cannot be read (damage) from a disk that cannot
// be written.
func describeIO(se sqlite3.Error) *strata.Error {
	switch se.ExtendedCode {
	case sqlite3.ErrIoErrRead, sqlite3.ErrIoErrShortRead:
		return Corrupt("", "part of the database cannot be read")
	}
	return &strata.Error{Code: strata.CodeUnavailable, Message: "the disk does not do what it is asked",
		Hint: "check the disk that holds the home directory"}
}

// Corrupt reports a database that is damaged.
func Corrupt(op, message string) *strata.Error {
	return &strata.Error{Code: strata.CodeCorrupt, Op: op, Message: message,
		Hint: "strata doctor says what is damaged, strata reindex mends what is derived, strata salvage NEWHOME saves the rest"}
}

// Closed reports a call after the database was closed.
func Closed(op string) *strata.Error {
	return &strata.Error{Code: strata.CodeUnavailable, Op: op, Message: "the store is closed"}
}

// IsConstraint reports whether a unique or foreign key was violated.
func IsConstraint(err error) bool {
	var se sqlite3.Error
	return errors.As(err, &se) && se.Code == sqlite3.ErrConstraint
}

// IsCorrupt reports whether SQLite met damage.
func IsCorrupt(err error) bool {
	var se sqlite3.Error
	return errors.As(err, &se) && describeSQLite(se).Code == strata.CodeCorrupt
}

// IsBusy reports whether another connection held a lock.
func IsBusy(err error) bool {
	var se sqlite3.Error
	return errors.As(err, &se) && (se.Code == sqlite3.ErrBusy || se.Code == sqlite3.ErrLocked)
}
