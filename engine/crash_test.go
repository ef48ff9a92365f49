//go:build failpoint

package engine_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/failpoint"
)

// crashes is how often the writer is killed.
const crashes = 200

// TestCrashAtEveryPoint kills a writer with SIGKILL at every named point of
// the write path, again and again on one home. After every kill each
// acknowledged write is there exactly once; nothing else is, save at most the
// one write that was committed but not yet acknowledged; doctor finds nothing.
func TestCrashAtEveryPoint(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	points := failpoint.WritePoints()
	db := filepath.Join(t.TempDir(), "strata.db")
	acks := make(map[int]string)
	killed := make(map[string]int)
	next := 0
	for round := range crashes {
		point := points[round%len(points)]
		hits := 1 + rng.IntN(8)
		cmd, out := writer(t, db, "crash", next, 50, fmt.Sprintf("STRATA_FAILPOINT=%s=%d", point, hits))
		rest := acknowledged(out, acks)
		if err := cmd.Wait(); err == nil {
			t.Fatalf("the writer was not killed at %s=%d\n%s", point, hits, rest)
		} else if cmd.ProcessState.ExitCode() != -1 {
			t.Fatalf("the writer failed instead of being killed at %s=%d: %v\n%s", point, hits, err, rest)
		}
		killed[point]++
		next += 50
		if round%20 == 19 || round == crashes-1 {
			checkCrashed(t, db, acks, round+1)
		}
	}
	t.Logf("killed %v, %d acknowledged writes", killed, len(acks))
}

// checkCrashed compares the home with what was acknowledged.
func checkCrashed(t *testing.T, db string, acks map[int]string, kills int) {
	t.Helper()
	e := openAt(t, db)
	defer e.Close()
	ctx, view := context.Background(), strata.Global().View()
	for n, fact := range acks {
		versions, err := e.Fact(ctx, view, fact)
		if err != nil || len(versions) != 1 || versions[0].Text != writerText("crash", n) {
			t.Fatalf("acknowledged write %d: %+v, %v", n, versions, err)
		}
	}
	stats, err := e.Stats(ctx, view)
	if err != nil {
		t.Fatal(err)
	}
	// Each kill may leave one write that was committed and not acknowledged.
	stored := stats[0].Facts + stats[0].Retired
	if extra := stored - int64(len(acks)); extra < 0 || extra > int64(kills) {
		t.Errorf("%d stored, %d acknowledged, %d kills", stored, len(acks), kills)
	}
	if stats[0].Decisions != stored {
		t.Errorf("%d decisions for %d facts", stats[0].Decisions, stored)
	}
	healthy(t, e)
}

// TestCrashWhileRendering kills a writer while files follow its decisions.
// After a replay every decision of the home has its file, and is stamped.
func TestCrashWhileRendering(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	points := failpoint.ProjectPoints()
	db, files := filepath.Join(t.TempDir(), "strata.db"), t.TempDir()
	acks := make(map[int]string)
	for round := range 20 {
		point := fmt.Sprintf("STRATA_FAILPOINT=%s=%d", points[round%len(points)], 1+rng.IntN(20))
		cmd, out := writer(t, db, "render", 50*round, 50, point, writerFiles+"="+files)
		rest := acknowledged(out, acks)
		if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() != -1 {
			t.Fatalf("the writer was not killed at %s: %v\n%s", point, err, rest)
		}
	}
	e := openAt(t, db, renderInto(files))
	ctx, view := context.Background(), strata.Global().View()
	decisions, err := e.Decisions(ctx, view, strata.DecisionFilter{Limit: 10_000})
	if err != nil || len(decisions) < len(acks) {
		t.Fatalf("%d decisions for %d acknowledged writes, %v", len(decisions), len(acks), err)
	}
	for _, d := range decisions {
		text, err := os.ReadFile(filepath.Join(files, d.ID))
		if err != nil || string(text) != d.After.Text || d.AppliedAt == nil || d.SetAside != "" {
			t.Errorf("decision %s: file %q, %v; applied %v, set aside %q", d.ID, text, err, d.AppliedAt, d.SetAside)
		}
	}
	healthy(t, e)
}
