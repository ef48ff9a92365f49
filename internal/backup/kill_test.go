package backup_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/strata-memory/strata/internal/backup"
)

// Variables that have the test binary be a process that backs up a home, and have a process
// that backs up or restores kill itself in its so many-th report of progress.
const (
	childOf = "BACKUP_TEST_CHILD_OF"
	killIn  = "BACKUP_TEST_KILL_IN"
)

// killedIn returns a function for progress that kills the process when it is called for the
// time that the variable says.
func killedIn() func(done, total int64) {
	left, _ := strconv.Atoi(os.Getenv(killIn))
	return func(done, total int64) {
		if left--; left == 0 {
			self, _ := os.FindProcess(os.Getpid())
			self.Kill()
			select {} // until the signal comes
		}
	}
}

func TestMain(m *testing.M) {
	if home := os.Getenv(childOf); home != "" {
		backup.Create(context.Background(), backup.Options{Home: home, To: os.Getenv("BACKUP_TEST_TO"), Now: noon, Report: killedIn()})
		os.Exit(0)
	}
	if from := os.Getenv(restoreFrom); from != "" {
		restoreAsChild(from)
		os.Exit(0)
	}
	if home := os.Getenv(saveInto); home != "" {
		saveAsChild(home)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// A process that is killed while it backs up leaves a whole file under the name of the
// backup, or none, and the next backup removes what it left.
func TestAKilledBackupLeavesNoHalfFile(t *testing.T) {
	home, dir := filepath.Join(t.TempDir(), "home"), t.TempDir()
	fill(t, open(t, home))
	to := filepath.Join(dir, "b.tar.zst")
	rng := random(t)
	left, killed := 0, 0
	for range 20 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), childOf+"="+home, "BACKUP_TEST_TO="+to, fmt.Sprintf("%s=%d", killIn, 1+rng.IntN(60)))
		if cmd.Run() != nil {
			killed++
		}
		if _, err := os.Stat(to); err == nil {
			_, err := backup.Restore(t.Context(), backup.RestoreOptions{From: to, Home: filepath.Join(dir, "none"), DryRun: true, Now: noon})
			ok(t, err)
			ok(t, os.Remove(to))
		} else if !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		entries, err := os.ReadDir(dir)
		ok(t, err)
		for _, e := range entries {
			if !strings.HasPrefix(e.Name(), ".strata-backup-") {
				t.Errorf("left %s", e.Name())
			}
			left++
		}
	}
	if killed == 0 || left == 0 {
		t.Errorf("%d processes were killed, and left %d directories", killed, left)
	}
	_, err := backup.Create(t.Context(), backup.Options{Home: home, To: to, Now: noon})
	ok(t, err)
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("the next backup left %v", entries)
	}
}
