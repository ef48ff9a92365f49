package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/backup"
	"github.com/strata-memory/strata/internal/home/config"
	"github.com/strata-memory/strata/local"
)

// backingUp is a run in a home with these settings, in which something is kept, and its
// log.
func backingUp(t *testing.T, settings string) (*app, *bytes.Buffer) {
	t.Helper()
	home := filepath.Join(t.TempDir(), "home")
	mem, err := local.Open(t.Context(), home)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mem.Save(t.Context(), strata.Global(), "The ferry to Orkney leaves at noon"); err != nil {
		t.Fatal(err)
	}
	if err := mem.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "config.toml"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	a := newApp(strings.NewReader(""), io.Discard, io.Discard, nil)
	a.cfg, err = config.Load(config.Inputs{Flags: map[string]string{config.Home: home}, Getenv: a.getenv})
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	a.log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn}))
	return a, &log
}

// backups are the names of what lies in the directory of backups.
func backups(t *testing.T, a *app) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(backup.Dir(a.home()))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != ".lock" {
			names = append(names, e.Name())
		}
	}
	return names
}

// A command that stays makes a backup at once and then once a day; the newest stay.
func TestBackUpMeanwhile_OnceADay(t *testing.T) {
	a, log := backingUp(t, "backup = \"daily\"\nbackup_keep = 3\n")
	if !a.backsUp() {
		t.Fatal("it makes no backups")
	}
	synctest.Test(t, func(t *testing.T) {
		stop := a.backUpMeanwhile(t.Context())
		defer stop()
		begin := time.Now()
		for _, at := range []struct {
			after time.Duration
			days  []int // of which there are backups
		}{
			{0, []int{0}}, {23 * time.Hour, []int{0}}, {25 * time.Hour, []int{0, 1}}, {47 * time.Hour, []int{0, 1}},
			{49 * time.Hour, []int{0, 1, 2}}, {73 * time.Hour, []int{1, 2, 3}}, {10*24*time.Hour + time.Hour, []int{8, 9, 10}},
		} {
			time.Sleep(at.after - time.Since(begin)) // of the clock of the test
			synctest.Wait()
			var want []string
			for _, day := range at.days {
				want = append(want, begin.AddDate(0, 0, day).UTC().Format("strata-20060102T150405Z.tar.zst"))
			}
			if got := backups(t, a); !slices.Equal(got, want) {
				t.Errorf("after %v there are %v, want %v", at.after, got, want)
			}
		}
	})
	if log.Len() > 0 {
		t.Errorf("it says %s", log)
	}
}

// All together take no more than backup_max_mib, but for the newest.
func TestBackUpMeanwhile_RespectsTheLimit(t *testing.T) {
	a, log := backingUp(t, "backup = \"daily\"\nbackup_keep = 5\nbackup_max_mib = 2\n")
	noise := rand.NewChaCha8([32]byte{1})
	grow := func(name string, size int) {
		t.Helper()
		content := make([]byte, size)
		noise.Read(content)
		if err := os.WriteFile(filepath.Join(a.home(), name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	grow("picture", 600<<10)
	synctest.Test(t, func(t *testing.T) {
		stop := a.backUpMeanwhile(t.Context())
		defer stop()
		time.Sleep(4*24*time.Hour + time.Hour)
		synctest.Wait()
		if got := backups(t, a); len(got) != 2 && len(got) != 3 {
			t.Errorf("where three of 600 KiB fit, or two with the database, there are %v", got)
		}
		size := int64(0)
		for _, name := range backups(t, a) {
			info, err := os.Stat(filepath.Join(backup.Dir(a.home()), name))
			if err != nil {
				t.Fatal(err)
			}
			size += info.Size()
		}
		if size > 2<<20 {
			t.Errorf("they take %d bytes", size)
		}
		grow("film", 3<<20)
		time.Sleep(24 * time.Hour)
		synctest.Wait()
		if got := backups(t, a); len(got) != 1 {
			t.Errorf("where not one fits there are %v", got)
		}
	})
	if log.Len() > 0 {
		t.Errorf("it says %s", log)
	}
}

// A backup that cannot be made is said, and nobody fails or waits for it.
func TestBackUpIfDue_NeverFails(t *testing.T) {
	a, log := backingUp(t, "backup = \"daily\"\n")
	if err := os.WriteFile(backup.Dir(a.home()), nil, 0o600); err != nil { // where the directory should be
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		stop := a.backUpMeanwhile(t.Context())
		synctest.Wait()
		stop()
	})
	if !strings.Contains(log.String(), "the daily backup of the home was not made") {
		t.Errorf("it says %q", log)
	}
	environ := []string{"HOME=" + t.TempDir(), "STRATA_HOME=" + a.home(), "TMPDIR=" + t.TempDir()}
	var stdout, stderr bytes.Buffer
	code := Main(t.Context(), []string{"recall", "when does the ferry leave?", "--workspace", t.TempDir()}, strings.NewReader(""), &stdout, &stderr, environ)
	if code != 0 || !strings.Contains(stdout.String(), "Orkney") || !strings.Contains(stderr.String(), "backup") {
		t.Errorf("exit code %d: %s%s", code, &stdout, &stderr)
	}
}

// What ends before its backup leaves nothing of it, and does not speak of it.
func TestBackUpMeanwhile_Ends(t *testing.T) {
	a, log := backingUp(t, "backup = \"daily\"\n")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	a.backUpIfDue(ctx)
	if got := backups(t, a); len(got) > 0 || log.Len() > 0 {
		t.Errorf("there are %v; it says %s", got, log)
	}
	synctest.Test(t, func(t *testing.T) {
		stop := a.backUpMeanwhile(t.Context())
		stop() // at once: a backup is whole, or is not there
	})
	for _, name := range backups(t, a) {
		_, err := backup.Restore(t.Context(), backup.RestoreOptions{From: filepath.Join(backup.Dir(a.home()), name),
			Home: filepath.Join(t.TempDir(), "restored"), Now: time.Now()})
		if err != nil {
			t.Error(fmt.Errorf("%s: %w", name, err))
		}
	}
	if log.Len() > 0 {
		t.Errorf("it says %s", log)
	}
}
