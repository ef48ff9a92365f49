package backup

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/filelock"
)

// Kept is a backup that lies in [Dir].
type Kept struct {
	Path string
	Time time.Time // when it began
	Size int64     // bytes of the file
}

// List returns the backups in [Dir], the newest first.
func List(home string) ([]Kept, error) {
	list, err := ownPlace(Dir(home)).list(home)
	out := make([]Kept, len(list))
	for i, b := range list {
		out[i] = Kept{Path: b.path, Time: b.time, Size: b.size}
	}
	slices.Reverse(out)
	return out, err
}

// Own writes a backup into [Dir] whether one is due or not, and removes older ones. It is
// busy while another process is about one.
func Own(ctx context.Context, o DailyOptions) (c Created, err error) {
	lock, held, err := lockOwn(o.Home)
	if err != nil {
		return c, err
	}
	if !held {
		return c, &strata.Error{Code: strata.CodeBusy, Op: "backup", Message: "another process is making a backup of this home",
			Hint: "wait for it, then look at the list"}
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	return createOwn(ctx, o)
}

// lockOwn makes the directory of a home's own backups and takes its lock, unless another
// process has it.
func lockOwn(home string) (lock *os.File, held bool, err error) {
	dir := Dir(home)
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, false, unavailable("the directory of backups cannot be made", err)
	}
	lock, err = os.OpenFile(filepath.Join(dir, ".lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, false, unavailable("the directory of backups cannot be locked", err)
	}
	if held, err = filelock.Try(lock); err != nil || !held {
		return nil, false, errors.Join(err, lock.Close())
	}
	return lock, true, nil
}

// createOwn writes a backup into [Dir], whose lock is held.
func createOwn(ctx context.Context, o DailyOptions) (Created, error) {
	return create(ctx, Options{Home: o.Home, Keep: max(1, o.Keep), maxSize: o.MaxSize, Strata: o.Strata, Now: o.Now, Report: o.Report}, ownPlace(Dir(o.Home)))
}
