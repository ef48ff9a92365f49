package history

import (
	"io/fs"
	"time"

	"github.com/go-git/go-git/v5/plumbing/format/index"
)

// How long ago a file must have changed for its time to show a later change. Kernels keep
// times in steps of 1 to 10 ms; file systems without fractions of a second, in steps of 1
// or 2 s.
const (
	fineStep   = 50 * time.Millisecond
	coarseStep = 2 * time.Second
)

// statOf returns the stat data of a file, as in git's index, by which a later write is
// detected.
func statOf(info fs.FileInfo) index.Entry {
	t := info.ModTime()
	s := index.Entry{ModifiedAt: stamp(t.Unix(), int64(t.Nanosecond())), Size: uint32(info.Size())}
	fillStat(&s, info)
	return s
}

// stamp returns a time as in an index, where seconds have 32 bits.
func stamp(sec, nsec int64) time.Time {
	if sec = int64(uint32(sec)); sec == 0 && nsec == 0 {
		return time.Time{}
	}
	return time.Unix(sec, nsec)
}

// tooFresh reports whether a file changed so shortly before now that it may change again
// without a new time.
func tooFresh(info fs.FileInfo, now time.Time) bool {
	step := fineStep
	if info.ModTime().Nanosecond() == 0 {
		step = coarseStep
	}
	return now.Sub(info.ModTime()) < step
}
