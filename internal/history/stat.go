package history

import (
	"io/fs"
	"time"

	"github.com/go-git/go-git/v5/plumbing/format/index"
)

// The least age of a file's last change at which its time shows whether it
// changed again. Kernels keep times in steps of 1 to 10 ms; file systems that
// keep no fractions of a second, in steps of 1 or 2 s.
const (
	fineStep   = 50 * time.Millisecond
	coarseStep = 2 * time.Second
)

// statOf is the state of a file by which a later write is detected, as git's index has it.
func statOf(info fs.FileInfo) index.Entry {
	t := info.ModTime()
	s := index.Entry{ModifiedAt: stamp(t.Unix(), int64(t.Nanosecond())), Size: uint32(info.Size())}
	fillStat(&s, info)
	return s
}

// stamp is a time as an index has it, whose seconds have 32 bits.
func stamp(sec, nsec int64) time.Time {
	if sec = int64(uint32(sec)); sec == 0 && nsec == 0 {
		return time.Time{}
	}
	return time.Unix(sec, nsec)
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
