package main

import (
	"context"
	"sync"
	"time"

	"github.com/strata-memory/strata/internal/backup"
	"github.com/strata-memory/strata/internal/home/config"
)

// A home that backs itself up has it done by whoever has it open: in the background
// of a chat, server or watch, and at the end of other commands.

// lookForBackup is how often a command that stays looks whether a backup is due.
const lookForBackup = time.Hour

// backsUp reports whether this run makes the backups of its home.
func (a *app) backsUp() bool {
	return a.temp == nil && a.cfg.Get(config.Backup) == config.BackupDaily
}

// backUpMeanwhile makes backups in the background until the function that it returns is
// called, which waits for the end.
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

// backups are those that the home keeps of itself, whoever asks for them.
func (a *app) backups() backup.Own {
	return backup.Own{Home: a.home(), Keep: a.cfg.Int(config.BackupKeep), MaxSize: int64(a.cfg.Int(config.BackupMaxMiB)) << 20,
		Strata: buildVersion().Version}
}

// backUpIfDue makes the backup of the day. What goes wrong does not concern the command,
// and is only said.
func (a *app) backUpIfDue(ctx context.Context) {
	b, done, err := a.backups().Daily(ctx)
	switch {
	case ctx.Err() != nil: // the next command makes it
	case err != nil:
		a.log.Warn("the daily backup of the home was not made", "error", err)
	case done:
		a.log.Info("the home was backed up", "file", b.File, "bytes", b.Size)
	}
}
