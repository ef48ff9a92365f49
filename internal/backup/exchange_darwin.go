package backup

import "golang.org/x/sys/unix"

// exchange has two directories change names, in one step.
func exchange(a, b string) error { return unix.RenamexNp(a, b, unix.RENAME_SWAP) }
