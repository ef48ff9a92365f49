package diskfault

import (
	"math"
	"os"
	"syscall"

	"golang.org/x/sys/windows"
)

// Error numbers of the system, by cause.
var (
	noRoom      = []syscall.Errno{windows.ERROR_DISK_FULL, windows.ERROR_HANDLE_DISK_FULL, syscall.ENOSPC}
	overQuota   = []syscall.Errno{windows.ERROR_NOT_ENOUGH_QUOTA, windows.ERROR_DISK_QUOTA_EXCEEDED}
	tooLarge    = []syscall.Errno{windows.ERROR_FILE_TOO_LARGE, syscall.EFBIG}
	readOnly    = []syscall.Errno{windows.ERROR_WRITE_PROTECT, syscall.EROFS}
	tooManyOpen = []syscall.Errno{windows.ERROR_TOO_MANY_OPEN_FILES, syscall.EMFILE}
	broken      = []syscall.Errno{windows.ERROR_CRC, windows.ERROR_IO_DEVICE, syscall.EIO}
)

// Free returns how many bytes and how many more files the user may write on the disk of a
// directory.
func Free(dir string) (bytes, files uint64, known bool) {
	name, err := windows.UTF16PtrFromString(dir)
	if err == nil {
		err = windows.GetDiskFreeSpaceEx(name, &bytes, nil, nil)
	}
	return bytes, math.MaxUint64, err == nil
}

// mayWrite returns the error that writing an existing file would return.
func mayWrite(path string) error {
	info, err := os.Stat(path)
	if err == nil && info.Mode().Perm()&0o200 == 0 {
		err = syscall.EACCES
	}
	return err
}
