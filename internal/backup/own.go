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
	"github.com/strata-memory/strata/internal/base/filelock"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/sqlite/migration"
)

// Own are the backups that a home keeps of itself, in [Dir]. It is an [operation.Backups].
type Own struct {
	Home    string
	Keep    int              // how many stay, at least 1
	MaxSize int64            // bytes of all together; the newest stays also where it is larger. 0 is no bound.
	Strata  string           // version of the program
	Now     func() time.Time // the clock; nil means [time.Now]
}

// Dir is the directory in a home where backups lie that it keeps of itself. It is not part
// of a backup. What it holds goes when something is forgotten.
func Dir(home string) string { return filepath.Join(home, migration.BackupDir) }

func (o Own) now() time.Time {
	if o.Now == nil {
		return time.Now()
	}
	return o.Now()
}

// List returns the backups that are there, the newest first.
func (o Own) List() ([]operation.Backup, error) {
	list, err := ownPlace(Dir(o.Home)).list(o.Home)
	slices.Reverse(list)
	return operation.Each(list, func(b kept) operation.Backup {
		return operation.Backup{File: b.path, Time: b.time, Size: b.size}
	}), err
}

// Make writes a backup whether one is due or not, and removes older ones. It is busy while
// another process is about one. progress, which may be nil, is called with bytes.
func (o Own) Make(ctx context.Context, progress func(done, total int64)) (b operation.Backup, err error) {
	lock, held, err := o.lock()
	if err != nil {
		return b, err
	}
	if !held {
		return b, &strata.Error{Code: strata.CodeBusy, Op: "backup", Message: "another process is making a backup of this home",
			Hint: "wait for it, then look at the list"}
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	return o.make(ctx, progress)
}

// Daily writes a backup if a day has passed since the newest and no other process is about
// it, and removes older ones. It reports whether it did.
func (o Own) Daily(ctx context.Context) (b operation.Backup, done bool, err error) {
	if due, err := o.due(); err != nil || !due {
		return b, false, err
	}
	lock, held, err := o.lock()
	if err != nil || !held {
		return b, false, err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	// Another process may have been faster.
	if due, err := o.due(); err != nil || !due {
		return b, false, err
	}
	b, err = o.make(ctx, nil)
	return b, err == nil, err
}

// due reports whether a day has passed since the newest.
func (o Own) due() (bool, error) {
	list, err := ownPlace(Dir(o.Home)).list(o.Home)
	if err != nil {
		return false, err
	}
	now := o.now()
	for _, b := range list {
		// One from the future comes of a clock that was wrong.
		if age := now.Sub(b.time); age >= 0 && age < 24*time.Hour {
			return false, nil
		}
	}
	return true, nil
}

// lock makes the directory and takes its lock, unless another process has it.
func (o Own) lock() (lock *os.File, held bool, err error) {
	dir := Dir(o.Home)
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

// make writes a backup while the lock is held.
func (o Own) make(ctx context.Context, progress func(done, total int64)) (operation.Backup, error) {
	c, err := create(ctx, Options{Home: o.Home, Keep: max(1, o.Keep), maxSize: o.MaxSize, Strata: o.Strata, Now: o.now(), Report: progress}, ownPlace(Dir(o.Home)))
	return operation.Backup{File: c.Path, Time: c.Manifest.Time, Size: c.Size, Removed: c.Removed}, err
}
