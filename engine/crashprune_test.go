//go:build failpoint

package engine_test

import (
	"context"
	"os"
	"os/exec"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/failpoint"
)

// prunerHome, when it is set, has the test binary run itself as a pruner.
const prunerHome = "STRATA_TEST_PRUNER_HOME"

// TestPrunerProcess is not a test: it is the program of the test below.
func TestPrunerProcess(t *testing.T) {
	home := os.Getenv(prunerHome)
	if home == "" {
		return
	}
	e := openHome(t, home)
	for _, s := range []string{"a", "b"} {
		appendTurns(t, e, s, talk("The faded word of "+s+" is jade", "Noted"))
		closeAll(t, e, s)
	}
	prune(t, e, everyClosed)
}

// A pruner that is killed leaves each session whole or gone: what was pruned in the
// database stands in no transcript after the next open, and the next run does the rest.
func TestCrashWhilePruning(t *testing.T) {
	t.Parallel()
	home, view := t.TempDir(), strata.Global().View()
	cmd := exec.Command(os.Args[0], "-test.run=^TestPrunerProcess$")
	cmd.Env = append(os.Environ(), prunerHome+"="+home, "STRATA_FAILPOINT="+failpoint.SessionPruned)
	if out, err := cmd.CombinedOutput(); err == nil || cmd.ProcessState.ExitCode() != -1 {
		t.Fatalf("the pruner was not killed: %v\n%s", err, out)
	}
	e := openHome(t, home)
	if err := e.Drain(context.Background()); err != nil {
		t.Fatal(err)
	}
	gone, err := e.Turns(context.Background(), view, "a", 0, 0)
	if err != nil || len(gone) != 2 || !gone[0].Pruned() || !gone[1].Pruned() {
		t.Errorf("the session that was pruned has %+v, %v", gone, err)
	}
	whole, err := e.Turns(context.Background(), view, "b", 0, 0)
	if err != nil || len(whole) != 2 || whole[0].Forgotten || whole[1].Forgotten {
		t.Errorf("the session that was not has %+v, %v", whole, err)
	}
	sameTranscript(t, e, "a")
	sameTranscript(t, e, "b")
	if out := prune(t, e, everyClosed); len(out.Sessions) != 1 || out.Sessions[0].ID != "b" {
		t.Errorf("the next run prunes %+v", out)
	}
	healthy(t, e)
}
