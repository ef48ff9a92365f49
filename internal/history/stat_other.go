//go:build !(linux || darwin || freebsd || netbsd)

package history

import (
	"io/fs"

	"github.com/go-git/go-git/v5/plumbing/format/index"
)

// fillStat has nothing to add.
func fillStat(*index.Entry, fs.FileInfo) {}
