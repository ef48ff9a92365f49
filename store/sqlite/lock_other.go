//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package sqlite

import (
	"errors"
	"os"
)

// Without locks of whole files everybody passes the turnstile, and SQLite's
// own lock does all the work.

func tryLock(*os.File) (held bool, err error) { return false, errors.ErrUnsupported }

func lock(*os.File) error { return errors.ErrUnsupported }

func unlock(*os.File) error { return nil }
