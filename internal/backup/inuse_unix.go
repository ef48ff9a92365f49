//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package backup

import (
	"os"

	"golang.org/x/sys/unix"
)

// inUse reports whether another process has a database open. In WAL mode, each SQLite
// connection holds a shared lock on 510 bytes from offset 1 GiB + 2. See
// https://www.sqlite.org/walformat.html, section 2.3, and SHARED_FIRST in os.h.
func inUse(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false // no database
	}
	defer f.Close()
	lock := unix.Flock_t{Type: unix.F_WRLCK, Start: 1<<30 + 2, Len: 510}
	err = unix.FcntlFlock(f.Fd(), unix.F_GETLK, &lock)
	return err == nil && lock.Type != unix.F_UNLCK
}
