//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package filelock

import "os"

// Try has the lock.
func Try(*os.File) (held bool, err error) { return true, nil }

// Wait has the lock.
func Wait(*os.File) error { return nil }

// Release does nothing.
func Release(*os.File) error { return nil }
