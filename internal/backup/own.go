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

// Own manages the backups that a home keeps of itself in [Dir]. It implements
// [operation.Backups].
type Own struct {
	Home    string
	Keep    int              // number of backups to keep, at least 1
	MaxSize int64            // maximum bytes of all backups; 0 means no limit; the newest is kept even if larger
	Strata  string           // version of the program
	Now     func() time.Time // the clock; nil means [time.Now]
}

// Dir returns the directory in a home for the backups that it keeps of itself. Backups do
// not contain it. Its content is removed when something is forgotten.
func Dir(home string) string { return filepath.Join(home, migration.BackupDir) }

func (o Own) now() time.Time {
	if o.Now == nil {
		return time.Now()
	}
	return o.Now()
}

// List returns the existing backups, newest first.
func (o Own) List() ([]operation.Backup, error) {
	list, err := ownPlace(Dir(o.Home)).list(o.Home)
	slices.Reverse(list)
	return operation.Each(list, func(b kept) operation.Backup {
		return operation.Backup{File: b.path, Time: b.time, Size: b.size}
	}), err
}

// Make writes a backup, whether one is due or not, and removes old ones. It returns
// [strata.CodeBusy] if another process is making one. It calls progress, which may be
// nil, with bytes.
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

// Daily writes a backup and removes old ones, if a day has passed since the newest and no
// other process is making one. done reports whether it did.
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
		// A backup from the future dates from when the clock was wrong.
		if age := now.Sub(b.time); age >= 0 && age < 24*time.Hour {
			return false, nil
		}
	}
	return true, nil
}

// lock creates the directory and acquires its lock unless another process holds it.
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

// make writes a backup. The lock must be held.
func (o Own) make(ctx context.Context, progress func(done, total int64)) (operation.Backup, error) {
	c, err := create(ctx, Options{Home: o.Home, Keep: max(1, o.Keep), maxSize: o.MaxSize, Strata: o.Strata, Now: o.now(), Report: progress}, ownPlace(Dir(o.Home)))
	return operation.Backup{File: c.Path, Time: c.Manifest.Time, Size: c.Size, Removed: c.Removed}, err
}
