//go:build failpoint

package history_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/strata-memory/strata/internal/base/failpoint"
)

// TestCrashOfCommit kills a process with SIGKILL at every point of a commit.
// The repository is sound after each, every commit that was told of is there,
// and the next commit goes on at once.
func TestCrashOfCommit(t *testing.T) {
	t.Parallel()
	needGit(t)
	for _, point := range []string{failpoint.HistoryWritten, failpoint.HistoryMoved} {
		for hit := 1; hit <= 4; hit++ {
			t.Run(fmt.Sprintf("%s=%d", point, hit), func(t *testing.T) {
				h := newHome(t)
				h.write("before.md", "before\n")
				cmd := startChild(h.dir, childName+"=ada", childCount+"=4", fmt.Sprintf("STRATA_FAILPOINT=%s=%d", point, hit))
				out, err := cmd.Output()
				if err == nil || cmd.ProcessState.ExitCode() != -1 {
					t.Fatalf("the process was not killed: %v\n%s", err, out)
				}
				if out := h.git("fsck", "--full", "--strict", "--no-dangling"); strings.TrimSpace(out) != "" {
					t.Errorf("git fsck: %s", out)
				}
				h.write("after.md", "after\n")
				if c := h.commit("after"); c.Skipped != "" {
					t.Errorf("%+v", c)
				}
				h.sound()
				known := h.git("log", "--format=%H")
				for _, id := range strings.Fields(string(out)) {
					if !strings.Contains(known, id) {
						t.Errorf("commit %s, which was told of, is lost", id)
					}
				}
				if got := h.git("show", "HEAD:before.md") + h.git("show", "HEAD:after.md"); got != "before\nafter\n" {
					t.Errorf("%q", got)
				}
			})
		}
	}
}

// TestCrashOfPurge kills a process at every point of a purge. The repository is
// sound after each, and purging again leaves nothing of the text.
func TestCrashOfPurge(t *testing.T) {
	t.Parallel()
	needGit(t)
	for _, point := range []string{failpoint.PurgeWritten, failpoint.PurgeMoved, failpoint.PurgeSwept} {
		for hit := 1; hit <= 3; hit++ {
			t.Run(fmt.Sprintf("%s=%d", point, hit), func(t *testing.T) {
				if point == failpoint.PurgeWritten && hit > 1 {
					t.Skip("a purge passes it once")
				}
				h := newHome(t)
				for i := range 3 {
					h.write("a.md", fmt.Sprintf("%s %d\n", secret, i))
					h.commit(fmt.Sprint(i))
					h.git("branch", fmt.Sprint("b", i))
				}
				h.git("pack-refs", "--all")
				cmd := startChild(h.dir, childPurge+"="+secret, fmt.Sprintf("STRATA_FAILPOINT=%s=%d", point, hit))
				if out, err := cmd.CombinedOutput(); err == nil || cmd.ProcessState.ExitCode() != -1 {
					t.Fatalf("the process was not killed: %v\n%s", err, out)
				}
				if out := h.git("fsck", "--full", "--strict", "--no-dangling"); strings.TrimSpace(out) != "" {
					t.Errorf("git fsck: %s", out)
				}
				h.purge(secret)
				if held := h.holdsBytes(secret); held != nil {
					t.Errorf("the text is in %v", held)
				}
				h.write("a.md", "clean\n")
				h.commit("after")
				h.sound()
			})
		}
	}
}
