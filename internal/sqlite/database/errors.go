package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/mattn/go-sqlite3"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/diskfault"
)

// ErrBusy means that another connection holds a lock. It is used where SQLite was
// not asked, or reported the lock in a row and not as an error.
var ErrBusy error = sqlite3.Error{Code: sqlite3.ErrBusy}

// Wrap adds a code to an error of the driver or the system. It returns errors that
// already have a code, and [sql.ErrNoRows], unchanged, and nil for nil. If the file
// is known, [File.Wrap] says more.
func Wrap(op string, err error) error { return File{}.Wrap(op, err) }

// Wrap is like the function [Wrap] for an error of this file: if a disk refused, it
// also says which one and what to do.
func (f File) Wrap(op string, err error) error {
	if err == nil || errors.Is(err, sql.ErrNoRows) {
		return err
	}
	var known *strata.Error
	if errors.As(err, &known) {
		return err
	}
	e := f.describe(err)
	e.Op, e.Err = op, err
	return e
}

// describe returns code, message and hint for an error of the driver or system.
func (f File) describe(err error) *strata.Error {
	var se sqlite3.Error
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return &strata.Error{Code: strata.CodeCanceled, Message: "gave up waiting for the store"}
	case errors.As(err, &se):
		if refused := f.refusal(se); refused != nil {
			return f.withHint(refused)
		}
		return describeSQLite(se)
	case errors.Is(err, sql.ErrConnDone), errors.Is(err, driver.ErrBadConn):
		return Closed("")
	}
	if refused := diskfault.Of(err, f.Path); refused != nil {
		return f.withHint(refused)
	}
	return &strata.Error{Code: strata.CodeInternal, Message: "unexpected error of the store"}
}

// refusal returns why the disk refused what SQLite requested, or nil if it did not.
// SQLite reports one cause by different codes, depending on which of its files was
// affected, and passes the system's error on with only some of them. If that error
// says nothing, refusal examines the file system.
func (f File) refusal(se sqlite3.Error) *strata.Error {
	switch {
	case se.Code == sqlite3.ErrFull:
		return diskfault.Of(syscall.ENOSPC, f.Path)
	case isUnread(se):
		return nil
	case !slices.Contains([]sqlite3.ErrNo{sqlite3.ErrReadonly, sqlite3.ErrPerm, sqlite3.ErrCantOpen, sqlite3.ErrIoErr}, se.Code):
		return nil
	}
	if refused := diskfault.Of(se.SystemErrno, f.Path); refused != nil || f.Path == "" {
		return refused
	}
	if _, err := os.Stat(filepath.Dir(f.Path)); err != nil {
		return nil // there is no disk to examine
	}
	for _, part := range []string{f.Path, f.Path + "-wal", f.Path + "-shm"} {
		if refused := diskfault.Look(part); refused != nil {
			return refused
		}
	}
	return nil
}

// BackupDir is the directory beside a database that holds its automatic backups.
const BackupDir = "backups"

// withHint adds to the error of a full disk what is true only of a database.
func (f File) withHint(e *strata.Error) *strata.Error {
	if e.Code != strata.CodeFull {
		return e
	}
	e.Hint += "; nothing was half-written"
	backups := filepath.Join(filepath.Dir(f.Path), BackupDir)
	if _, err := os.Stat(backups); err == nil && f.Path != "" {
		e.Hint += "; automatic backups in " + backups + " may be removed"
	}
	return e
}

func describeSQLite(se sqlite3.Error) *strata.Error {
	switch se.Code {
	case sqlite3.ErrBusy, sqlite3.ErrLocked:
		return &strata.Error{Code: strata.CodeBusy, Message: "another process holds the store",
			Hint: "try again; if it stays so, look for another strata process that hangs"}
	case sqlite3.ErrReadonly, sqlite3.ErrPerm, sqlite3.ErrAuth:
		return &strata.Error{Code: strata.CodeReadOnly, Message: "the store may not be written",
			Hint: "check who owns the home directory and its files, and whether its disk is mounted for writing"}
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
		return &strata.Error{Code: strata.CodeConflict, Message: "a row like it already exists, or one it needs is missing"}
	case sqlite3.ErrIoErr:
		if isUnread(se) {
			return Corrupt("", "part of the database cannot be read")
		}
		return &strata.Error{Code: strata.CodeUnavailable, Message: "the disk does not do what it is asked",
			Hint: "check the disk that holds the home directory"}
	}
	return &strata.Error{Code: strata.CodeInternal, Message: "unexpected error of the database",
		Hint: "strata doctor says whether it is damaged"}
}

// isUnread reports whether part of the database cannot be read, which is damage.
func isUnread(se sqlite3.Error) bool {
	return se.ExtendedCode == sqlite3.ErrIoErrRead || se.ExtendedCode == sqlite3.ErrIoErrShortRead
}

// Corrupt returns the error of a damaged database.
func Corrupt(op, message string) *strata.Error {
	return &strata.Error{Code: strata.CodeCorrupt, Op: op, Message: message,
		Hint: "strata doctor says what is damaged, strata reindex mends what is derived, strata salvage NEWHOME saves the rest"}
}

// Unfinished returns the error of a database whose creation was begun but that has
// no tables. Opening it for writing completes it.
func Unfinished(op, path string) *strata.Error {
	return &strata.Error{Code: strata.CodeNotFound, Op: op, Message: "nothing is stored yet: creation of the home was not finished",
		Hint: "strata stats finishes it; to start over, remove " + path}
}

// Closed returns the error of a call after the database was closed.
func Closed(op string) *strata.Error {
	return &strata.Error{Code: strata.CodeUnavailable, Op: op, Message: "the store is closed"}
}

// IsConstraint reports whether err is a violated constraint, such as a unique or
// foreign key.
func IsConstraint(err error) bool {
	var se sqlite3.Error
	return errors.As(err, &se) && se.Code == sqlite3.ErrConstraint
}

// IsCorrupt reports whether err is damage that SQLite found.
func IsCorrupt(err error) bool {
	var se sqlite3.Error
	return errors.As(err, &se) && describeSQLite(se).Code == strata.CodeCorrupt
}

// IsBusy reports whether err is a lock that another connection held.
func IsBusy(err error) bool {
	var se sqlite3.Error
	return errors.As(err, &se) && (se.Code == sqlite3.ErrBusy || se.Code == sqlite3.ErrLocked)
}
