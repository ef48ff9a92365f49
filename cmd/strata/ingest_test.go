package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/strata-memory/strata/internal/ops"
)

// strataIn returns the command of a process of its own, in a home.
func strataIn(t *testing.T, home string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Args = append([]string{"strata"}, args...) // the name makes the test binary the command
	cmd.Dir, cmd.Env = home, []string{"HOME=" + home}
	return cmd
}

// Several processes take in a transcript that grows and is then compacted by its agent,
// beside one that watches it and is killed. In the end each message is there once.
func TestProcessesTakeInOneTranscript(t *testing.T) {
	const n = 300
	home := t.TempDir()
	dir := filepath.Join(home, "talks")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "talk.jsonl")
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	write := func(text string) {
		if _, err := out.WriteString(text); err != nil {
			t.Error(err)
		}
	}
	write(message(0))

	watch := strataIn(t, home, "watch", "-o", "jsonl", dir)
	stdout, err := watch.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := watch.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stdout)
	for lines.Scan() && !strings.Contains(lines.Text(), `"added":1`) {
	}
	var others sync.WaitGroup
	for range 2 {
		others.Go(func() {
			for range 3 {
				if out, err := strataIn(t, home, "ingest", "-o", "json", file).CombinedOutput(); err != nil {
					t.Errorf("%v\n%s", err, out)
				}
			}
		})
	}
	for i := 1; i < n; i++ {
		text := message(i)
		write(text[:len(text)/2]) // a reader may see half a line
		write(text[len(text)/2:])
	}
	others.Wait()
	for lines.Scan() && !strings.Contains(lines.Text(), `"messages"`) { // it looked again
	}
	if err := watch.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = watch.Wait() // the error is the kill

	// The agent keeps a summary and the last messages.
	compacted := `{"type":"user","isCompactSummary":true,"sessionId":"s","uuid":"sum","message":{"role":"user","content":"So far we talked"}}` + "\n"
	for i := n - 10; i < n+5; i++ {
		compacted += message(i)
	}
	if err := os.WriteFile(file, []byte(compacted), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := strataIn(t, home, "ingest", "-q", file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	checkTakenIn(t, home, n+5)
}

// message is a line of a transcript of Claude Code's.
func message(i int) string {
	return fmt.Sprintf(`{"type":"user","sessionId":"s","uuid":"id-%d","message":{"role":"user","content":"Message %d of the talk"}}`+"\n", i, i)
}

// checkTakenIn fails the test unless each of n messages is in memory, once.
func checkTakenIn(t *testing.T, home string, n int) {
	t.Helper()
	var turns ops.Turns
	got, err := strataIn(t, home, "turns", "-o", "json", "-n", "0", "s").Output()
	if err != nil || json.Unmarshal(got, &turns) != nil {
		t.Fatal(err)
	}
	seen := make(map[string]int)
	for _, turn := range turns.Turns {
		seen[turn.Text]++
	}
	for i := range n {
		if text := fmt.Sprintf("Message %d of the talk", i); seen[text] != 1 {
			t.Errorf("%q is there %d times", text, seen[text])
		}
	}
	if len(turns.Turns) != n {
		t.Errorf("%d turns, want %d", len(turns.Turns), n)
	}
	if out, err := strataIn(t, home, "doctor").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, bytes.TrimSpace(out))
	}
}

// A client writes its transcript anew while it is read: whole, in the place of the old file,
// and shortened in place. What was in it at some time when it was read stays, and nothing
// is there twice.
func TestATranscriptIsRewrittenWhileItIsRead(t *testing.T) {
	const n = 400
	home := t.TempDir()
	file := filepath.Join(home, "talk.jsonl")
	text := func(from, to int) []byte {
		var b bytes.Buffer
		for i := from; i < to; i++ {
			b.WriteString(message(i))
		}
		return b.Bytes()
	}
	if err := os.WriteFile(file, text(0, n), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := strataIn(t, home, "ingest", "-q", file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			for range 3 {
				out, err := strataIn(t, home, "ingest", "-q", file).CombinedOutput()
				if err != nil && !strings.Contains(string(out), "the file is empty") { // it is, for a moment
					t.Errorf("%v\n%s", err, out)
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { readers.Wait(); close(done) }()
	for i := 0; ; i++ {
		from := []int{0, n - 20, n / 2}[i%3]
		var err error
		if i%2 == 0 {
			err = errors.Join(os.WriteFile(file+".new", text(from, n), 0o600), os.Rename(file+".new", file))
		} else {
			err = os.WriteFile(file, text(from, n), 0o600) // empty for a moment
		}
		if err != nil {
			t.Fatal(err)
		}
		select {
		case <-done:
			checkTakenIn(t, home, n)
			return
		default:
		}
	}
}

// A hook that is killed at any time loses nothing: the next one takes the transcript in, each
// message once.
func TestAHookIsKilledHalfWay(t *testing.T) {
	const n = 200
	home, err := os.MkdirTemp("", "strata-hook")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for os.RemoveAll(home) != nil { // as long as what a hook has begun is at work
		}
	})
	file := filepath.Join(home, "talk.jsonl")
	input := fmt.Sprintf(`{"session_id": "s", "transcript_path": %q, "hook_event_name": "Stop"}`, file)
	seed := time.Now().UnixNano()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(uint64(seed), 0))
	var text bytes.Buffer
	for i := range n {
		text.WriteString(message(i))
		if i%(n/10) != 0 {
			continue
		}
		if err := os.WriteFile(file, text.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		hook := strataIn(t, home, "hook", "stop")
		hook.Stdin = strings.NewReader(input)
		if err := hook.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(time.Duration(rng.IntN(60))*time.Millisecond, func() { hook.Process.Kill() })
		_ = hook.Wait() // the error is the kill, where that came first
		timer.Stop()
	}
	if err := os.WriteFile(file, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	// What hooks have begun beside may still be at work; this waits for its turn.
	if out, err := strataIn(t, home, "ingest", "-q", file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	checkTakenIn(t, home, n)
}
