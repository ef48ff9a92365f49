package backup

import "golang.org/x/sys/unix"

// exchange atomically exchanges the names of two directories.
func exchange(a, b string) error { return unix.RenamexNp(a, b, unix.RENAME_SWAP) }
