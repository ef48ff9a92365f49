package backup

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/strata-memory/strata/store/sqlite/migration"
)

// DailyOptions say how backups are kept that are made by themselves.
type DailyOptions struct {
	Home    string
	Keep    int    // how many stay, at least 1
	MaxSize int64  // bytes of all together; the newest stays also where it is larger. 0 is no bound.
	Strata  string // version of the program
	Now     time.Time
	Report  func(done, total int64) // of bytes; may be nil
}

// Dir is the directory in a home where backups lie that are made by themselves. It is
// not part of a backup. What it holds goes when something is forgotten.
func Dir(home string) string { return filepath.Join(home, migration.BackupDir) }

// Due reports whether a day has passed since the newest backup in [Dir].
func Due(home string, now time.Time) (bool, error) {
	list, err := ownPlace(Dir(home)).list(home)
	if err != nil {
		return false, err
	}
	for _, b := range list {
		// One from the future comes of a clock that was wrong.
		if age := now.Sub(b.time); age >= 0 && age < 24*time.Hour {
			return false, nil
		}
	}
	return true, nil
}

// Daily writes a backup into [Dir] if one is due and no other process is about it, and
// removes older ones. It reports whether it did.
func Daily(ctx context.Context, o DailyOptions) (c Created, done bool, err error) {
	if due, err := Due(o.Home, o.Now); err != nil || !due {
		return c, false, err
	}
	lock, held, err := lockOwn(o.Home)
	if err != nil || !held {
		return c, false, err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	// Another process may have been faster.
	if due, err := Due(o.Home, o.Now); err != nil || !due {
		return c, false, err
	}
	c, err = createOwn(ctx, o)
	return c, err == nil, err
}
