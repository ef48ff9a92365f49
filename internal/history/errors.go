package history

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/diskfault"
)

// damage says what part of a repository cannot be read or violates git's format.
type damage struct {
	what string
	err  error // the cause; may be nil
}

func (d *damage) Error() string {
	if d.err != nil {
		return d.what + ": " + d.err.Error()
	}
	return d.what
}

func (d *damage) Unwrap() error { return d.err }

func damaged(format string, args ...any) error { return &damage{what: fmt.Sprintf(format, args...)} }

func damagedBy(err error, format string, args ...any) error {
	return &damage{what: fmt.Sprintf(format, args...), err: err}
}

// refused returns the error for a repository that is intact but that memory must not
// write.
func refused(message, hint string) error {
	return &strata.Error{Code: strata.CodeUnsupported, Message: message, Hint: hint}
}

// describe gives an error an operation and a code. It returns nil, errNone and
// errNoDirectory as they are.
func describe(op, dir string, err error) error {
	if err == nil || errors.Is(err, errNone) || errors.Is(err, errNoDirectory) {
		return err
	}
	var known *strata.Error
	if errors.As(err, &known) {
		if known.Op == "" {
			named := *known
			named.Op = op
			return &named
		}
		return err
	}
	e := &strata.Error{Code: strata.CodeUnavailable, Op: op, Message: "the history in " + dir + " cannot be reached",
		Hint: "check the permissions and links of " + filepath.Join(dir, gitName), Err: err}
	var bad *damage
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.As(err, &bad):
		e.Code, e.Message = strata.CodeCorrupt, "the history in "+dir+" is damaged: "+bad.what
		e.Hint = "memory itself is whole; run git fsck in " + dir + " to see what is lost, or move " + filepath.Join(dir, gitName) + " away to begin a new history"
		e.Err = bad.err
	default:
		if diskfault.Explain(e, dir); e.Code != strata.CodeUnavailable {
			e.Message = "the history in " + dir + " cannot be written"
			e.Hint += "; the files themselves are not affected"
		}
	}
	return e
}
