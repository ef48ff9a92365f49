package history

import (
	"io/fs"
	"time"
)

// The least age of a file's last change at which its time shows whether it
// changed again. Kernels keep times in steps of 1 to 10 ms; file systems that
// keep no fractions of a second, in steps of 1 or 2 s.
const (
	fineStep   = 50 * time.Millisecond
	coarseStep = 2 * time.Second
)

// statOf is the state of a file as git's index has it.
func statOf(info fs.FileInfo) stat {
	s := stat{modified: stampOf(info.ModTime()), size: uint32(info.Size())}
	fillStat(&s, info)
	return s
}

// tooFresh reports whether a file was changed so shortly before now that it may
// change again without a change of its time.
func tooFresh(info fs.FileInfo, now time.Time) bool {
	step := fineStep
	if info.ModTime().Nanosecond() == 0 {
		step = coarseStep
	}
	return now.Sub(info.ModTime()) < step
}
