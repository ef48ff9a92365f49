//go:build unix

package diskfault

import (
	"math"
	"syscall"

	"golang.org/x/sys/unix"
)

// Error numbers of the system, by cause.
var (
	noRoom      = []syscall.Errno{syscall.ENOSPC}
	overQuota   = []syscall.Errno{syscall.EDQUOT}
	tooLarge    = []syscall.Errno{syscall.EFBIG}
	readOnly    = []syscall.Errno{syscall.EROFS}
	tooManyOpen = []syscall.Errno{syscall.EMFILE, syscall.ENFILE}
	broken      = []syscall.Errno{syscall.EIO, syscall.ENXIO}
)

// Free returns how many bytes and how many more files the user may write on the disk of a
// directory. known is false if the system does not say.
func Free(dir string) (bytes, files uint64, known bool) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, 0, false
	}
	files = uint64(s.Ffree)
	if s.Files == 0 {
		files = math.MaxUint64 // the file system allocates inodes as needed
	}
	return uint64(max(s.Bavail, 0)) * uint64(s.Bsize), files, true
}

// mayWrite returns the error that writing an existing file would return because of its
// permissions or its file system.
func mayWrite(path string) error { return unix.Access(path, unix.W_OK) }
