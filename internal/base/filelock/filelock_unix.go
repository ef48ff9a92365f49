//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package filelock

import (
	"errors"
	"os"
	"syscall"
)

// Try takes the lock on a file if it is free, and reports whether it has it.
func Try(f *os.File) (held bool, err error) {
	err = flock(f, syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// Wait takes the lock on a file, in the kernel's queue.
func Wait(f *os.File) error { return flock(f, syscall.LOCK_EX) }

// Release gives the lock on a file up.
func Release(f *os.File) error { return flock(f, syscall.LOCK_UN) }

func flock(f *os.File, how int) error {
	for {
		err := syscall.Flock(int(f.Fd()), how)
		if !errors.Is(err, syscall.EINTR) {
			return explain(f.Name(), err)
		}
	}
}

// explain tells a system without locks from a lock that another has.
func explain(name string, err error) error {
	for _, no := range []error{syscall.ENOLCK, syscall.ENOSYS, syscall.EOPNOTSUPP, syscall.ENOTSUP} {
		if errors.Is(err, no) {
			return unsupported(name, err)
		}
	}
	return err
}
