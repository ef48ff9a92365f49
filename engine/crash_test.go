//go:build failpoint

package engine_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/failpoint"
)

// crashes is how often the writer is killed.
const crashes = 200

// writePoints are the points that every write passes which replaces a fact.
var writePoints = []string{
	failpoint.WritePrepared, failpoint.WriteBegun, failpoint.WriteDecided, failpoint.WriteRetired,
	failpoint.WriteStored, failpoint.WriteIndexed, failpoint.WriteRecorded, failpoint.WriteCommitted,
}

// projectPoints are the points that rendering decisions passes.
var projectPoints = []string{failpoint.ProjectBegun, failpoint.ProjectWritten, failpoint.ProjectDone, failpoint.ProjectStamped}

// TestCrashAtEveryPoint kills a writer with SIGKILL at every named point of
// the write path, again and again on one home. After every kill each
// acknowledged write is there exactly once; nothing else is, save at most the
// one write that was committed but not yet acknowledged; doctor finds nothing.
func TestCrashAtEveryPoint(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	db := filepath.Join(t.TempDir(), "strata.db")
	acks := make(map[int]string)
	killed := make(map[string]int)
	next := 0
	for round := range crashes {
		point := writePoints[round%len(writePoints)]
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

// TestCrashWhileRendering kills a writer while files follow its decisions: before
// and between files, between files and stamps, and in what writes one file.
// After a replay the files are what the decisions of the home say, and nothing
// is taken for an edit by hand.
func TestCrashWhileRendering(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	points := append(slices.Clone(projectPoints), failpoint.FileFilled, failpoint.FileRenamed)
	home := t.TempDir()
	db := filepath.Join(home, "strata.db")
	acks := make(map[int]string)
	for round := range 24 {
		point := fmt.Sprintf("STRATA_FAILPOINT=%s=%d", points[round%len(points)], 1+rng.IntN(4))
		cmd, out := writer(t, db, "render", 200*round, 200, point, writerFiles+"="+home)
		rest := acknowledged(out, acks)
		if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() != -1 {
			t.Fatalf("the writer was not killed at %s: %v\n%s", point, err, rest)
		}
		if round%8 == 7 {
			e := openAt(t, db, withFiles(home))
			followed(t, e)
			checkFiles(t, e, home)
			closeNow(t, e)
		}
	}
	e := openAt(t, db, withFiles(home))
	for n, fact := range acks {
		if versions, err := e.Fact(context.Background(), strata.Global().View(), fact); err != nil || versions[0].Text != writerText("render", n) {
			t.Fatalf("acknowledged write %d: %+v, %v", n, versions, err)
		}
	}
}
