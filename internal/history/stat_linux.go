package history

import (
	"io/fs"
	"syscall"

	"github.com/go-git/go-git/v5/plumbing/format/index"
)

// fillStat adds the stat data that only the system provides.
func fillStat(s *index.Entry, info fs.FileInfo) {
	sys, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return
	}
	s.CreatedAt = stamp(int64(sys.Ctim.Sec), int64(sys.Ctim.Nsec)) // git means the last change of the inode
	s.Dev, s.Inode = uint32(sys.Dev), uint32(sys.Ino)
	s.UID, s.GID = sys.Uid, sys.Gid
}
