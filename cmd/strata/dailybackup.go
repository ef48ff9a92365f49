package main

import (
	"context"
	"sync"
	"time"

	"github.com/strata-memory/strata/internal/backup"
	"github.com/strata-memory/strata/internal/home/config"
)

// Daily backups are made by the processes that have the home open: in the background of a
// chat, server or watch, and at the end of other commands.

// lookForBackup is how often a long-running command checks whether a backup is due.
const lookForBackup = time.Hour

// backsUp reports whether this run makes daily backups of its home.
func (a *app) backsUp() bool {
	return a.temp == nil && a.cfg.Get(config.Backup) == config.BackupDaily
}

// backUpMeanwhile makes backups in the background until the returned function is called,
// which waits for the work to end.
func (a *app) backUpMeanwhile(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var work sync.WaitGroup
	work.Go(func() {
		tick := time.NewTicker(lookForBackup)
		defer tick.Stop()
		for {
			a.backUpIfDue(ctx)
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
	})
	return func() {
		cancel()
		work.Wait()
	}
}

// backups returns the backups that the home keeps of itself.
func (a *app) backups() backup.Own {
	return backup.Own{Home: a.home(), Keep: a.cfg.Int(config.BackupKeep), MaxSize: int64(a.cfg.Int(config.BackupMaxMiB)) << 20,
		Strata: buildVersion().Version}
}

// backUpIfDue makes the daily backup if it is due. It only logs errors, which do not
// concern the command.
func (a *app) backUpIfDue(ctx context.Context) {
	b, done, err := a.backups().Daily(ctx)
	switch {
	case ctx.Err() != nil: // the next command makes the backup
	case err != nil:
		a.log.Warn("the daily backup of the home was not made", "error", err)
	case done:
		a.log.Info("the home was backed up", "file", b.File, "bytes", b.Size)
	}
}
