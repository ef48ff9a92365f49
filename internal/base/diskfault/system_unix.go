//go:build unix

package diskfault

import (
	"math"
	"syscall"

	"golang.org/x/sys/unix"
)

// What the system calls the refusals.
var (
	noRoom      = []syscall.Errno{syscall.ENOSPC}
	overQuota   = []syscall.Errno{syscall.EDQUOT}
	tooLarge    = []syscall.Errno{syscall.EFBIG}
	readOnly    = []syscall.Errno{syscall.EROFS}
	tooManyOpen = []syscall.Errno{syscall.EMFILE, syscall.ENFILE}
	broken      = []syscall.Errno{syscall.EIO, syscall.ENXIO}
)

// Free is how many bytes and how many more files the user may write on the disk of a
// directory. It is not known everywhere.
func Free(dir string) (bytes, files uint64, known bool) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, 0, false
	}
	files = uint64(s.Ffree)
	if s.Files == 0 {
		files = math.MaxUint64 // names take their room from that of files
	}
	return uint64(max(s.Bavail, 0)) * uint64(s.Bsize), files, true
}

// mayWrite is the error that a write to a file that is there would meet by its permissions
// and those of its file system.
func mayWrite(path string) error { return unix.Access(path, unix.W_OK) }
