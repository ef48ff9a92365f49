//go:build !(linux || darwin || freebsd || netbsd)

package history

import "io/fs"

// fillStat has nothing to add.
func fillStat(*stat, fs.FileInfo) {}
