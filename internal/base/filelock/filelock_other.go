//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package filelock

import (
	"errors"
	"os"
)

// Try always fails.
func Try(f *os.File) (held bool, err error) {
	return false, unsupported(f.Name(), errors.ErrUnsupported)
}

// Wait always fails.
func Wait(f *os.File) error { return unsupported(f.Name(), errors.ErrUnsupported) }

// Release always fails.
func Release(f *os.File) error { return unsupported(f.Name(), errors.ErrUnsupported) }
