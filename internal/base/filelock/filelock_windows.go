package filelock

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// Try takes the lock on a file if it is free, and reports whether it has it.
func Try(f *os.File) (held bool, err error) {
	err = lock(f, windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}

// Wait takes the lock on a file, in the kernel's queue.
func Wait(f *os.File) error { return lock(f, windows.LOCKFILE_EXCLUSIVE_LOCK) }

// Release gives the lock on a file up.
func Release(f *os.File) error {
	return explain(f.Name(), windows.UnlockFileEx(windows.Handle(f.Fd()), 0, 1, 0, place()))
}

func lock(f *os.File, flags uint32) error {
	return explain(f.Name(), windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, place()))
}

// place is the byte that is locked. Locks keep others from reading there, so it lies
// behind the end of any file.
func place() *windows.Overlapped { return &windows.Overlapped{OffsetHigh: 1 << 30} }

// explain tells a file system without locks from a lock that another has.
func explain(name string, err error) error {
	if errors.Is(err, windows.ERROR_INVALID_FUNCTION) || errors.Is(err, windows.ERROR_NOT_SUPPORTED) {
		return unsupported(name, err)
	}
	return err
}
