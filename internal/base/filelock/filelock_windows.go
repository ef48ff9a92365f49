package filelock

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// Try locks a file if it is not locked, and reports whether it holds the lock.
func Try(f *os.File) (held bool, err error) {
	err = lock(f, windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}

// Wait locks a file, waiting in the kernel's queue.
func Wait(f *os.File) error { return lock(f, windows.LOCKFILE_EXCLUSIVE_LOCK) }

// Release unlocks a file.
func Release(f *os.File) error {
	return explain(f.Name(), windows.UnlockFileEx(windows.Handle(f.Fd()), 0, 1, 0, place()))
}

func lock(f *os.File, flags uint32) error {
	return explain(f.Name(), windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, place()))
}

// place returns the offset of the byte that is locked. A lock prevents others from
// reading that byte, so it is beyond the end of any file.
func place() *windows.Overlapped { return &windows.Overlapped{OffsetHigh: 1 << 30} }

// explain tells a file system without locks from a lock that another has.
func explain(name string, err error) error {
	if errors.Is(err, windows.ERROR_INVALID_FUNCTION) || errors.Is(err, windows.ERROR_NOT_SUPPORTED) {
		return unsupported(name, err)
	}
	return err
}
