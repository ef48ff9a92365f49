//go:build failpoint

package engine_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/base/failpoint"
	"github.com/strata-memory/strata/store"
)

// The test binary has a model read a home when the first names it. The second is how far
// its clock is ahead, so that leases of processes before it have run out.
const (
	extractHome  = "STRATA_TEST_EXTRACT_DB"
	extractAhead = "STRATA_TEST_EXTRACT_AHEAD"
)

// ahead is an engine whose clock is ahead.
func ahead(d time.Duration) func(*engine.Options) {
	return func(o *engine.Options) { o.Now = func() time.Time { return time.Now().Add(d) } }
}

// TestExtractProcess is not a test: it is the program of the test below.
func TestExtractProcess(t *testing.T) {
	db := os.Getenv(extractHome)
	if db == "" {
		return
	}
	d, err := time.ParseDuration(os.Getenv(extractAhead))
	if err != nil {
		t.Fatal(err)
	}
	log, err := os.OpenFile(db+".read", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	e := openAt(t, db, withModel(owns(func(turn string) { fmt.Fprintln(log, turn) })), ahead(d), func(o *engine.Options) { o.ModelWindow = 2500 })
	if _, err := e.ExtractByModel(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
}

// TestCrashWhileAModelReads kills a process whose model reads a session at every point of
// that and of the writes below, again and again on one home. Nobody reads on before the
// lease of the killed one has run out. In the end the model was shown every turn, and each
// fact is there once.
func TestCrashWhileAModelReads(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	ctx := context.Background()
	db := filepath.Join(t.TempDir(), "strata.db")
	var lines, want []string
	for i := range 60 {
		name := fmt.Sprintf("thing%c%c", 'a'+i/26, 'a'+i%26)
		lines = append(lines, fmt.Sprintf(`{"role": "user", "content": "Well, the %s is all mine, as ever. %s"}`, name, strings.Repeat("And so it goes on and on. ", 12)))
		want = append(want, "The user owns the "+name+".")
	}
	e := openAt(t, db, withModel(owns(func(string) {})))
	take(t, e, strings.Join(lines, "\n"))
	closeNow(t, e)
	points := []string{
		failpoint.ExtractClaimed, failpoint.ExtractFound, failpoint.ExtractWritten, failpoint.WriteBegun, failpoint.WriteStored,
		failpoint.WriteRecorded, failpoint.WriteCommitted,
	}
	killed := make(map[string]int)
	var passed time.Duration
	for round := 0; ; round++ {
		point := points[round%len(points)]
		hits := 1
		if point != failpoint.ExtractClaimed {
			hits += rng.IntN(3)
		}
		if round > 20 {
			point = "none"
		}
		run := func() bool {
			cmd := exec.Command(os.Args[0], "-test.run=^TestExtractProcess$")
			cmd.Env = append(os.Environ(), extractHome+"="+db, extractAhead+"="+passed.String(), fmt.Sprintf("STRATA_FAILPOINT=%s=%d", point, hits))
			out, err := cmd.CombinedOutput()
			if err != nil && cmd.ProcessState.ExitCode() != -1 {
				t.Fatalf("the process failed instead of being killed at %s: %v\n%s", point, err, out)
			}
			return err == nil
		}
		if !run() {
			killed[point]++
			if !run() {
				t.Fatalf("killed at %s, and another read on before its lease had run out", point)
			}
		}
		passed += 10 * time.Minute
		e := openAt(t, db, withModel(owns(func(string) {})), ahead(passed))
		waits := waitingForModel(t, e)
		healthy(t, e)
		closeNow(t, e)
		if waits == 0 {
			break
		}
	}
	t.Logf("killed %v", killed)
	for _, p := range points[:3] {
		if killed[p] == 0 {
			t.Errorf("never killed at %s", p)
		}
	}
	e = openAt(t, db, withModel(owns(func(string) {})), ahead(passed))
	var got []string
	for _, f := range factsOf(t, e) {
		if slices.Contains(want, f) {
			got = append(got, f)
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("%d facts, want %d: %q", len(got), len(want), got)
	}
	read, err := os.ReadFile(db + ".read")
	if err != nil {
		t.Fatal(err)
	}
	shown := strings.Fields(string(read))
	for i := range lines {
		if !slices.Contains(shown, fmt.Sprint(i+1)) {
			t.Errorf("the model was not shown turn %d", i+1)
		}
	}
	var completed []string
	events, err := store.Read(ctx, engine.StoreOf(e), func(r store.Reader) ([]strata.Event, error) { return r.Events(ctx, strata.Global(), 0, 10_000) })
	if err != nil {
		t.Fatal(err)
	}
	for _, ev := range events {
		if ev.Kind == strata.EventExtractionCompleted && strings.HasPrefix(ev.Detail, "model") {
			completed = append(completed, ev.Detail)
		}
	}
	if len(completed) != 1 || !strings.Contains(completed[0], " to 60,") {
		t.Errorf("told of its end: %q", completed)
	}
}
