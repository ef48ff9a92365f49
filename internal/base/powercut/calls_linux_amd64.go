package powercut

import "syscall"

const (
	sysRenameat2     = 316
	sysCopyFileRange = 326
)

// modern converts an older system call without a directory descriptor to the one that
// replaces it.
func modern(number uint64, a [6]uint64) (uint64, [6]uint64) {
	const here = currentDir
	switch number {
	case syscall.SYS_OPEN:
		return syscall.SYS_OPENAT, [6]uint64{here, a[0], a[1]}
	case syscall.SYS_CREAT:
		return syscall.SYS_OPENAT, [6]uint64{here, a[0], syscall.O_CREAT | syscall.O_TRUNC}
	case syscall.SYS_MKDIR:
		return syscall.SYS_MKDIRAT, [6]uint64{here, a[0]}
	case syscall.SYS_RENAME:
		return syscall.SYS_RENAMEAT, [6]uint64{here, a[0], here, a[1]}
	case syscall.SYS_LINK:
		return syscall.SYS_LINKAT, [6]uint64{here, a[0], here, a[1]}
	case syscall.SYS_UNLINK, syscall.SYS_RMDIR:
		return syscall.SYS_UNLINKAT, [6]uint64{here, a[0]}
	}
	return number, a
}
