package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/strata-memory/strata/ops"
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
	line := func(i int) string {
		return fmt.Sprintf(`{"type":"user","sessionId":"s","uuid":"id-%d","message":{"role":"user","content":"Message %d of the talk"}}`+"\n", i, i)
	}
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
	write(line(0))

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
		text := line(i)
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
		compacted += line(i)
	}
	if err := os.WriteFile(file, []byte(compacted), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := strataIn(t, home, "ingest", "-q", file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var turns ops.Turns
	got, err := strataIn(t, home, "turns", "-o", "json", "-n", "0", "s").Output()
	if err != nil || json.Unmarshal(got, &turns) != nil {
		t.Fatal(err)
	}
	seen := make(map[string]int)
	for _, turn := range turns.Turns {
		seen[turn.Text]++
	}
	for i := range n + 5 {
		if text := fmt.Sprintf("Message %d of the talk", i); seen[text] != 1 {
			t.Errorf("%q is there %d times", text, seen[text])
		}
	}
	if len(turns.Turns) != n+5 {
		t.Errorf("%d turns, want %d", len(turns.Turns), n+5)
	}
	if out, err := strataIn(t, home, "doctor").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, bytes.TrimSpace(out))
	}
}
