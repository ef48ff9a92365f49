package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/strata-memory/strata/internal/models/llmtest/scripted"
	"github.com/strata-memory/strata/internal/tools/scriptedmodel/mind"
)

// rules serves a model that answers by rules.
func rules(t *testing.T) (url string) {
	t.Helper()
	s, err := scripted.Start("", mind.Mind{}.Answer)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s.URL(scripted.Ollama)
}

// strataCommand is the test binary as the command.
func strataCommand(t *testing.T, home string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Args[0] = "strata" // the name makes the test binary the command
	cmd.Env = []string{"HOME=" + home, "STRATA_HOME=" + home, "TMPDIR=" + t.TempDir()}
	return cmd
}

// until reads until a text has come.
func until(t *testing.T, r io.Reader, want string) {
	t.Helper()
	var seen []byte
	buf := make([]byte, 4096)
	for !bytes.Contains(seen, []byte(want)) {
		n, err := r.Read(buf)
		seen = append(seen, buf[:n]...)
		if err != nil {
			t.Fatalf("%v before %q came:\n%s", err, want, seen)
		}
	}
}

// A chat that is killed before it saved any fact has all of it in its ledger,
// and the next chat saves it.
func TestTheCatIsRememberedAfterAKill(t *testing.T) {
	home, url := t.TempDir(), rules(t)
	args := []string{"chat", "--model", "ollama:scripted", "--base-url", url, "--scope", "global"}
	killed := strataCommand(t, home, append(args, "-o", "jsonl")...)
	stdin, err := killed.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := killed.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := killed.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(stdin, "My cat's name is Whiskerino\n"); err != nil {
		t.Fatal(err)
	}
	until(t, stdout, `{"event":"answer"`)
	if err := killed.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = killed.Wait() // the error is the kill

	facts := strataCommand(t, home, "facts", "--scope", "global")
	if out, err := facts.Output(); err != nil || strings.Contains(string(out), "Whiskerino") {
		t.Fatalf("facts after the kill: %v\n%s", err, out)
	}
	next := strataCommand(t, home, args...)
	next.Stdin = strings.NewReader("What is my cat's name?\n")
	var stderr bytes.Buffer
	next.Stderr = &stderr
	out, err := next.Output()
	if err != nil || string(out) != "Your cat's name is Whiskerino.\n" {
		t.Errorf("the next chat: %v\n%s%s", err, out, stderr.String())
	}
	if !strings.Contains(stderr.String(), "was left by a chat that was killed") {
		t.Errorf("nothing tells of the killed chat:\n%s", stderr.String())
	}
	if left, err := os.ReadDir(filepath.Join(home, "chat")); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestTwoChatsDoNotTalkInOneSession(t *testing.T) {
	home, url := t.TempDir(), rules(t)
	args := []string{"chat", "--model", "ollama:scripted", "--base-url", url, "--session", "monday", "-o", "jsonl"}
	first := strataCommand(t, home, args...)
	stdin, err := first.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := first.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	until(t, stdout, `{"event":"session"`)
	second := strataCommand(t, home, args...)
	out, err := second.CombinedOutput()
	if err == nil || !strings.Contains(string(out), `"code":"busy"`) {
		t.Errorf("the second chat: %v\n%s", err, out)
	}
	stdin.Close()
	if err := first.Wait(); err != nil {
		t.Error(err)
	}
}

// Clearing memory in one project deleted what was known in all others.
func TestClearTakesTheFactsOfThisScopeOnly(t *testing.T) {
	home, url, one, two := t.TempDir(), rules(t), t.TempDir(), t.TempDir()
	in := [][]string{{"--workspace", one, "--scope", "workspace"}, {"--workspace", two, "--scope", "workspace"}, {"--scope", "global"}}
	for _, where := range in {
		if out, err := strataCommand(t, home, append(where, "save", "The tower has nine bells.")...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	clear := strataCommand(t, home, "chat", "--model", "ollama:scripted", "--base-url", url, "--workspace", one)
	clear.Stdin = strings.NewReader("/memory clear --yes\n")
	out, err := clear.Output()
	if err != nil || !strings.HasPrefix(string(out), "deleted  1 fact of workspace/") {
		t.Fatalf("clear: %v\n%s", err, out)
	}
	for i, want := range []bool{false, true, true} {
		out, err := strataCommand(t, home, append(in[i], "facts")...).Output()
		if err != nil || strings.Contains(string(out), "nine bells") != want {
			t.Errorf("facts of %v: %v\n%s", in[i], err, out)
		}
	}
}
