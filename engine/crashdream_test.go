//go:build failpoint

package engine_test

import (
	"cmp"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/base/failpoint"
	"github.com/strata-memory/strata/internal/documents/edit"
	"github.com/strata-memory/strata/internal/documents/markdown"
)

// dreamHome names the directory of a home in which the test binary dreams.
const (
	dreamHome = "STRATA_TEST_DREAM_HOME"
	// dreamAt says when, in RFC 3339; noon if it is empty.
	dreamAt = "STRATA_TEST_DREAM_AT"
	// leaseAndMore is longer than a process that was killed keeps others from dreaming.
	leaseAndMore = 2 * time.Minute
)

// TestDreamProcess is not a test: it is the program of the test below.
func TestDreamProcess(t *testing.T) {
	home := os.Getenv(dreamHome)
	if home == "" {
		return
	}
	at, err := time.Parse(time.RFC3339, cmp.Or(os.Getenv(dreamAt), noon.Format(time.RFC3339)))
	if err != nil {
		t.Fatal(err)
	}
	clock := newTicking(at)
	e := openAt(t, filepath.Join(home, "strata.db"), withFiles(home), clock.in)
	if _, err := e.Dream(context.Background(), strata.Global(), strata.DreamForced); err != nil {
		t.Fatal(err)
	}
}

// TestCrashWhileDreaming kills a dream at every point. The next one, when the lease
// has ended, finishes it or begins it anew: the fact stands in MEMORY.md once, with
// one record of its promotion; of two that say the same one went into the other once,
// and about two that contradict each other there is one question.
func TestCrashWhileDreaming(t *testing.T) {
	t.Parallel()
	for _, point := range []string{
		failpoint.DreamLeased, failpoint.DreamTended, failpoint.DreamPromoted, failpoint.DreamCommitted,
		failpoint.ProjectBegun, failpoint.ProjectWritten, failpoint.ProjectDone, failpoint.ProjectStamped, failpoint.FileFilled, failpoint.FileRenamed,
	} {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			clock := newTicking(noon.Add(-leaseAndMore))
			e := openAt(t, filepath.Join(home, "strata.db"), withFiles(home), clock.in)
			save(t, e, ferryFact)
			tea, _ := beside(t, e, func() {}, "Tea is at five", "The tea is at five")
			beside(t, e, func() {}, "The user eats meat", "The user does not eat meat")
			interest(t, e, "s", ferry...)
			followed(t, e)
			closeNow(t, e)

			cmd := exec.Command(os.Args[0], "-test.run=^TestDreamProcess$")
			cmd.Env = append(os.Environ(), dreamHome+"="+home, "STRATA_FAILPOINT="+point+"=1")
			if out, err := cmd.CombinedOutput(); err == nil || cmd.ProcessState.ExitCode() != -1 {
				t.Fatalf("not killed at %s: %v\n%s", point, err, out)
			}

			clock = newTicking(noon.Add(leaseAndMore))
			e = openAt(t, filepath.Join(home, "strata.db"), withFiles(home), clock.in)
			res, err := e.Dream(context.Background(), strata.Global(), strata.DreamForced)
			if err != nil || res.Closed != nil {
				t.Fatalf("the next dream: %+v, %v", res, err)
			}
			followed(t, e)
			memory, err := os.ReadFile(filepath.Join(home, "global", strata.IndexPath))
			if err != nil || strings.Count(string(memory), ferryFact) != 1 || strings.Count(string(memory), "## Dreamed") != 1 {
				t.Errorf("MEMORY.md, %v:\n%s", err, memory)
			}
			diary, err := os.ReadFile(filepath.Join(home, "global", markdown.DreamsPath))
			if err != nil || strings.Count(string(diary), "### Promoted") != 1 {
				t.Errorf("DREAMS.md, %v:\n%s", err, diary)
			}
			list, err := e.Dreams(context.Background(), strata.Global().View(), 10)
			promoted := 0
			for _, d := range list {
				if promoted += d.Promoted; d.ProjectedAt == nil {
					t.Errorf("files of %s did not follow", d.ID)
				}
			}
			if err != nil || promoted != 1 {
				t.Errorf("promoted %d times, %v", promoted, err)
			}
			log, err := e.Decisions(context.Background(), strata.Global().View(), strata.DecisionFilter{FactID: tea.FactID, Op: strata.OpDelete})
			if err != nil || len(log) != 1 || strings.Count(believed(t, e), "ea is at five") != 1 {
				t.Errorf("merged by %+v, %v; believed: %s", log, err, believed(t, e))
			}
			open, err := e.Questions(context.Background(), strata.Global().View(), 10)
			if err != nil || len(open) != 1 {
				t.Errorf("asked %+v, %v", open, err)
			}
			healthy(t, e)
		})
	}
}

// TestCrashWhileASkillIsArchived kills a dream that archives a skill. Archived and named by
// a dream are one: it is both or neither, and after the next dream it is both, once.
func TestCrashWhileASkillIsArchived(t *testing.T) {
	t.Parallel()
	ctx, view := context.Background(), strata.Global().View()
	for _, point := range []string{failpoint.DreamUnused, failpoint.DreamPromoted, failpoint.DreamCommitted} {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			now := time.Now().UTC() // which the files have
			idle := now.Add(200*24*time.Hour + time.Hour)
			clock := newTicking(now)
			e := openAt(t, filepath.Join(home, "strata.db"), withFiles(home), clock.in)
			if _, err := e.AppendTurns(ctx, strata.Global(), "monday", strata.SessionMain, recovered("12")); err != nil {
				t.Fatal(err)
			}
			if err := e.CloseSession(ctx, strata.Global(), "monday"); err != nil {
				t.Fatal(err)
			}
			list, err := e.Skills(ctx, view, markdown.SkillProposed)
			if err != nil || len(list) != 1 {
				t.Fatalf("%+v, %v", list, err)
			}
			if _, err := e.SetSkill(ctx, view, list[0].Path, markdown.SkillActive, edit.PromoteOptions{}); err != nil {
				t.Fatal(err)
			}
			followed(t, e)
			closeNow(t, e)

			cmd := exec.Command(os.Args[0], "-test.run=^TestDreamProcess$")
			cmd.Env = append(os.Environ(), dreamHome+"="+home, "STRATA_FAILPOINT="+point+"=1", dreamAt+"="+idle.Format(time.RFC3339))
			if out, err := cmd.CombinedOutput(); err == nil || cmd.ProcessState.ExitCode() != -1 {
				t.Fatalf("not killed at %s: %v\n%s", point, err, out)
			}

			clock = newTicking(idle.Add(leaseAndMore))
			e = openAt(t, filepath.Join(home, "strata.db"), withFiles(home), clock.in)
			archived, named := archivedAndNamed(t, e)
			if archived != named || archived != (point == failpoint.DreamCommitted) {
				t.Errorf("after the kill: archived %v, named %v", archived, named)
			}
			if res, err := e.Dream(ctx, strata.Global(), strata.DreamForced); err != nil || res.Closed != nil {
				t.Fatalf("the next dream: %+v, %v", res, err)
			}
			if archived, named := archivedAndNamed(t, e); !archived || !named {
				t.Errorf("after the next dream: archived %v, named %v", archived, named)
			}
			followed(t, e)
			diary, err := os.ReadFile(filepath.Join(home, "global", markdown.DreamsPath))
			if err != nil || strings.Count(string(diary), "nobody opened it in 200 days") != 1 {
				t.Errorf("DREAMS.md, %v:\n%s", err, diary)
			}
			file, err := os.ReadFile(filepath.Join(home, "global", list[0].Path))
			if err != nil || !strings.Contains(string(file), "status: archived") {
				t.Errorf("the skill, %v:\n%s", err, file)
			}
			healthy(t, e)
		})
	}
}

// archivedAndNamed reports whether the one skill of the global scope is archived, and
// whether a dream says so.
func archivedAndNamed(t *testing.T, e *engine.Engine) (archived, named bool) {
	t.Helper()
	ctx, view := context.Background(), strata.Global().View()
	list, err := e.Skills(ctx, view, markdown.SkillArchived)
	if err != nil {
		t.Fatal(err)
	}
	dreams, err := e.Dreams(ctx, view, 10)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dreams {
		for _, it := range d.Items {
			named = named || it.Outcome == strata.DreamUnused
		}
	}
	return len(list) == 1, named
}
