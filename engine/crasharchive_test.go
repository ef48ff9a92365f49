//go:build failpoint

package engine_test

import (
	"context"
	"os"
	"os/exec"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/base/failpoint"
)

// archiverHome, when it is set, has the test binary run itself as an archiver that also
// forgets and restores.
const archiverHome = "STRATA_TEST_ARCHIVER_HOME"

// TestArchiverProcess is not a test: it is the program of the test below.
func TestArchiverProcess(t *testing.T) {
	home := os.Getenv(archiverHome)
	if home == "" {
		return
	}
	ctx, view := context.Background(), strata.Global().View()
	e := openArchiving(t, home)
	for _, s := range []string{"a", "b"} {
		appendTurns(t, e, s, talk("The faded word of "+s+" is jade", "Noted", "My sister Nora lives in Bergen"))
		closeAll(t, e, s)
	}
	d, err := e.Save(ctx, strata.Global(), "My sister Nora lives in Bergen")
	if err != nil {
		t.Fatal(err)
	}
	archive(t, e)
	if _, err := e.Forget(ctx, view, d.FactID, engine.ForgetOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := e.RestoreSession(ctx, view, "a"); err != nil {
		t.Fatal(err)
	}
}

// An archiver that is killed anywhere loses nothing: what was said is in the store or in an
// archive that can be restored, and the next run leaves no file that nobody knows of.
func TestCrashWhileArchiving(t *testing.T) {
	for _, point := range []string{failpoint.ArchiveBegun, failpoint.ArchiveWritten, failpoint.ArchiveKept, failpoint.ArchiveDropped} {
		for _, count := range []string{"=1", "=2", "=3"} {
			if point != failpoint.ArchiveDropped && count == "=3" {
				continue // two sessions are archived
			}
			t.Run(point+count, func(t *testing.T) {
				t.Parallel()
				home, ctx, view := t.TempDir(), context.Background(), strata.Global().View()
				cmd := exec.Command(os.Args[0], "-test.run=^TestArchiverProcess$")
				cmd.Env = append(os.Environ(), archiverHome+"="+home, "STRATA_FAILPOINT="+point+count)
				if out, err := cmd.CombinedOutput(); err == nil || cmd.ProcessState.ExitCode() != -1 {
					t.Fatalf("the archiver was not killed: %v\n%s", err, out)
				}
				e := openArchiving(t, home)
				archive(t, e)
				// The run may have been killed before it forgot.
				if facts, err := e.Facts(ctx, view, strata.FactFilter{}); err != nil {
					t.Fatal(err)
				} else if len(facts) > 0 {
					if _, err := e.Forget(ctx, view, facts[0].ID, engine.ForgetOptions{}); err != nil {
						t.Fatal(err)
					}
				}
				for _, s := range []string{"a", "b"} {
					if _, err := e.RestoreSession(ctx, view, s); err != nil {
						t.Errorf("restore %s: %v", s, err)
					}
					turns, err := e.Turns(ctx, view, s, 0, 0)
					if err != nil || len(turns) != 3 || turns[0].Text != "The faded word of "+s+" is jade" || turns[2].Text != strata.ForgottenText {
						t.Errorf("%s has %+v, %v", s, turns, err)
					}
				}
				if left := archived(t, home); len(left) != 0 {
					t.Errorf("archives that stay: %v", left)
				}
				healthy(t, e)
			})
		}
	}
}
