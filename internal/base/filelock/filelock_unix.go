//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package filelock

import (
	"errors"
	"os"
	"syscall"
)

// Try locks a file if it is not locked, and reports whether it holds the lock.
func Try(f *os.File) (held bool, err error) {
	err = flock(f, syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// Wait locks a file, waiting in the kernel's queue.
func Wait(f *os.File) error { return flock(f, syscall.LOCK_EX) }

// Release unlocks a file.
func Release(f *os.File) error { return flock(f, syscall.LOCK_UN) }

func flock(f *os.File, how int) error {
	for {
		err := syscall.Flock(int(f.Fd()), how)
		if !errors.Is(err, syscall.EINTR) {
			return explain(f.Name(), err)
		}
	}
}

// explain returns an unsupported error if the system has no locks, and err otherwise.
func explain(name string, err error) error {
	for _, no := range []error{syscall.ENOLCK, syscall.ENOSYS, syscall.EOPNOTSUPP, syscall.ENOTSUP} {
		if errors.Is(err, no) {
			return unsupported(name, err)
		}
	}
	return err
}
