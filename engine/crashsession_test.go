//go:build failpoint

package engine_test

import (
	"bufio"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/base/failpoint"
)

// The test binary runs itself as a talker when these are set.
const (
	talkerHome = "STRATA_TEST_TALKER_HOME"
	talkerFrom = "STRATA_TEST_TALKER_FROM"
)

// TestTalkerProcess is not a test: it is the program of the tests below. It
// holds sessions, closes them and forgets what was said in every second one,
// and prints what is acknowledged.
func TestTalkerProcess(t *testing.T) {
	home := os.Getenv(talkerHome)
	if home == "" {
		return
	}
	e, ctx, scope := openHome(t, home), context.Background(), strata.Global()
	for n := range 6 {
		session := fmt.Sprintf("s%s-%d", os.Getenv(talkerFrom), n)
		said := fmt.Sprintf("The hidden word of %s is opal", session)
		appendTurns(t, e, session, talk("Hello", "Hello yourself", said))
		if err := e.CloseSession(ctx, scope, session); err != nil {
			t.Fatal(err)
		}
		fmt.Println("closed", session)
		if n%2 == 1 {
			continue
		}
		d := save(t, e, said)
		if _, err := e.Forget(ctx, scope.View(), d.FactID, engine.ForgetOptions{}); err != nil {
			t.Fatal(err)
		}
		fmt.Println("forgot", session)
	}
}

// TestCrashAroundTranscripts kills a talker at every point of closing a
// session and of forgetting what was said in one. After the next open every
// closed session has its transcript, which holds the turns of the database,
// and nothing forgotten stands in any file.
func TestCrashAroundTranscripts(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	points := []string{failpoint.SessionClosed, failpoint.TranscriptFilled, failpoint.TranscriptWritten, failpoint.ForgetCommitted}
	for round := range 12 {
		point := fmt.Sprintf("%s=%d", points[round%len(points)], 1+round/len(points))
		cmd := exec.Command(os.Args[0], "-test.run=^TestTalkerProcess$", "-test.v")
		cmd.Env = append(os.Environ(), talkerHome+"="+home, fmt.Sprintf("%s=%d", talkerFrom, round), "STRATA_FAILPOINT="+point)
		out, err := cmd.CombinedOutput()
		if err == nil || cmd.ProcessState.ExitCode() != -1 {
			t.Fatalf("the talker was not killed at %s: %v\n%s", point, err, out)
		}
		checkTranscripts(t, home, string(out))
	}
}

func checkTranscripts(t *testing.T, home, out string) {
	t.Helper()
	e, ctx, scope := openHome(t, home), context.Background(), strata.Global()
	defer e.Close()
	sessions, err := e.Sessions(ctx, scope.View(), 10_000)
	if err != nil {
		t.Fatal(err)
	}
	open := make(map[string]bool)
	for _, s := range sessions {
		if open[s.ID] = s.ClosedAt == nil; open[s.ID] {
			continue
		}
		want, err := e.Turns(ctx, scope.View(), s.ID, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, got, err := e.Transcript(ctx, scope, s.ID)
		if err != nil {
			t.Fatalf("session %s: %v", s.ID, err)
		}
		sameTurns(t, got, want)
	}
	for lines := bufio.NewScanner(strings.NewReader(out)); lines.Scan(); {
		word, session, _ := strings.Cut(lines.Text(), " ")
		switch word {
		case "closed":
			if open[session] {
				t.Errorf("session %s was acknowledged as closed and is open", session)
			}
		case "forgot":
			if found := grep(t, home, "the hidden word of "+session); len(found) > 0 {
				t.Errorf("what session %s forgot stands in %v", session, found)
			}
		}
	}
	err = filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".new") {
			t.Errorf("%s is left", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	// What was forgotten in the database alone stands in no transcript either.
	for _, s := range sessions {
		turns, err := e.Turns(ctx, scope.View(), s.ID, 0, 0)
		if err != nil || len(turns) < 3 || !turns[2].Forgotten {
			continue
		}
		data, err := os.ReadFile(filepath.Join(home, "global", "transcripts", s.ID+".jsonl"))
		if err != nil || strings.Contains(string(data), "hidden word") {
			t.Errorf("transcript of %s: %v, it holds what was forgotten", s.ID, err)
		}
	}
	healthy(t, e)
}
