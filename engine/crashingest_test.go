//go:build failpoint

package engine_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/failpoint"
)

// The test binary takes a transcript into a home when these name them.
const (
	ingestHome = "STRATA_TEST_INGEST_DB"
	ingestFile = "STRATA_TEST_INGEST_FILE"
)

// TestIngestProcess is not a test: it is the program of the test below.
func TestIngestProcess(t *testing.T) {
	db := os.Getenv(ingestHome)
	if db == "" {
		return
	}
	text, err := os.ReadFile(os.Getenv(ingestFile))
	if err != nil {
		t.Fatal(err)
	}
	e := openAt(t, db)
	take(t, e, string(text))
	drain(t, e)
}

// TestCrashWhileTakingIn kills a process that takes a transcript in at every point
// of it and of the writes below, again and again, on homes of their own. In the end each
// turn is there once, and the facts are those of a home that was never killed.
func TestCrashWhileTakingIn(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	list := conversationOf(rng, "s", 1300, false)
	file := filepath.Join(t.TempDir(), "talk.jsonl")
	if err := os.WriteFile(file, []byte(linesOf(list)), 0o600); err != nil {
		t.Fatal(err)
	}
	undisturbed := open(t)
	take(t, undisturbed, linesOf(list))
	want := factsOf(t, undisturbed)
	points := []string{
		failpoint.TurnsTakenIn, failpoint.FactsTakenIn, failpoint.WritePrepared, failpoint.WriteBegun, failpoint.WriteStored,
		failpoint.WriteRecorded, failpoint.WriteCommitted,
	}
	killed := make(map[string]int)
	for home := range len(points) {
		db := filepath.Join(t.TempDir(), "strata.db")
		for round := 0; ; round++ {
			point := points[(home+round)%len(points)]
			most := 3 // of the three batches
			if point == failpoint.WriteStored {
				most = 200
			}
			if round > 12 {
				point = "none"
			}
			if takeIn(t, db, file, fmt.Sprintf("STRATA_FAILPOINT=%s=%d", point, 1+rng.IntN(min(most, 1+2*round)))) {
				break
			}
			killed[point]++
		}
		e := openAt(t, db)
		wantOnce(t, e, "s", list)
		if got := factsOf(t, e); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("facts %q\nwant %q", got, want)
		}
		healthy(t, e)
		closeNow(t, e)
	}
	t.Logf("killed %v", killed)
	for _, p := range points[:2] {
		if killed[p] == 0 {
			t.Errorf("never killed at %s", p)
		}
	}
}

// takeIn runs a process that takes a file into a home, and reports whether it came to
// its end.
func takeIn(t *testing.T, db, file, point string) bool {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestIngestProcess$")
	cmd.Env = append(os.Environ(), ingestHome+"="+db, ingestFile+"="+file, point)
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState.ExitCode() != -1 {
		t.Fatalf("the process failed instead of being killed at %s: %v\n%s", point, err, out)
	}
	return err == nil
}

// factsOf are the texts of the current facts in a memory, sorted by when they were kept.
func factsOf(t *testing.T, e interface {
	Facts(context.Context, strata.View, strata.FactFilter) ([]strata.Fact, error)
}) []string {
	t.Helper()
	facts, err := e.Facts(context.Background(), strata.Global().View(), strata.FactFilter{Limit: 10_000})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range facts {
		out = append(out, f.Text)
	}
	return out
}
