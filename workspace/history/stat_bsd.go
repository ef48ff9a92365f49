//go:build darwin || freebsd || netbsd

package history

import (
	"io/fs"
	"syscall"
)

// fillStat adds what only the system knows of a file.
func fillStat(s *stat, info fs.FileInfo) {
	sys, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return
	}
	s.changed = stamp{uint32(sys.Ctimespec.Sec), uint32(sys.Ctimespec.Nsec)}
	s.device, s.inode = uint32(sys.Dev), uint32(sys.Ino)
	s.user, s.group = sys.Uid, sys.Gid
}
