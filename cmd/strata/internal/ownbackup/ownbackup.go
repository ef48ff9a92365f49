// Package ownbackup lets operations see and make the backups that a home keeps of itself.
package ownbackup

import (
	"context"
	"time"

	"github.com/strata-memory/strata/local/backup"
	"github.com/strata-memory/strata/ops/operation"
)

// Home is a home with the bounds of its backups. It is an [operation.Backups].
type Home struct {
	Dir     string
	Keep    int    // how many stay
	MaxSize int64  // bytes of all together
	Strata  string // version of the program
}

// Options are what a backup is made with now.
func (h Home) Options() backup.DailyOptions {
	return backup.DailyOptions{Home: h.Dir, Keep: h.Keep, MaxSize: h.MaxSize, Strata: h.Strata, Now: time.Now()}
}

// List returns the backups that are there, the newest first.
func (h Home) List() ([]operation.Backup, error) {
	list, err := backup.List(h.Dir)
	return operation.Each(list, func(b backup.Kept) operation.Backup {
		return operation.Backup{File: b.Path, Time: b.Time, Size: b.Size}
	}), err
}

// Make makes one.
func (h Home) Make(ctx context.Context, progress func(done, total int64)) (operation.Backup, error) {
	o := h.Options()
	o.Report = progress
	c, err := backup.Own(ctx, o)
	if err != nil {
		return operation.Backup{}, err
	}
	return operation.Backup{File: c.Path, Time: c.Manifest.Time, Size: c.Size, Removed: c.Removed}, nil
}
