package history_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/history"
	"github.com/strata-memory/strata/store/files"
)

// The environment of a child process that commits again and again.
const (
	childRoot  = "STRATA_TEST_HISTORY"
	childName  = "STRATA_TEST_HISTORY_NAME"
	childCount = "STRATA_TEST_HISTORY_COUNT"
	childPurge = "STRATA_TEST_HISTORY_PURGE"
)

// child writes a file and commits, and prints the id of each commit that was
// made. With childPurge it purges that text instead.
func child(root string) {
	h := history.New(at(root), nil)
	ctx := context.Background()
	if text := os.Getenv(childPurge); text != "" {
		n, err := h.Purge(ctx, strata.Global(), blanking(text))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(n)
		return
	}
	n, err := strconv.Atoi(os.Getenv(childCount))
	for i := range n {
		name := os.Getenv(childName)
		if err == nil {
			err = os.WriteFile(filepath.Join(root, fmt.Sprintf("%s-%d.md", name, i)), fmt.Appendf(nil, "%s %d\n", name, i), 0o600)
		}
		var c files.Commit
		if err == nil {
			c, err = h.Commit(ctx, strata.Global(), files.Message{Subject: fmt.Sprint(name, " ", i), Agent: name, At: day}, nil)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(c.ID)
	}
}

func startChild(root string, env ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), childRoot+"="+root), env...)
	return cmd
}

// TestTwoProcessesCommitAtOnce: every commit that one of them was told of is in
// the history, and every file is recorded.
func TestTwoProcessesCommitAtOnce(t *testing.T) {
	needGit(t)
	h := newHome(t)
	const each = 15
	outputs := make(chan string, 2)
	for _, name := range []string{"ada", "bob"} {
		go func() {
			out, err := startChild(h.dir, childName+"="+name, childCount+"="+strconv.Itoa(each)).CombinedOutput()
			if err != nil {
				out = append(out, err.Error()...)
			}
			outputs <- string(out)
		}()
	}
	told := strings.Fields(<-outputs + <-outputs)
	known := make(map[string]bool)
	for _, id := range strings.Fields(h.git("log", "--format=%H")) {
		known[id] = true
	}
	for _, id := range told {
		if !known[id] {
			t.Errorf("%q is not in the history", id)
		}
	}
	if len(told)+1 != len(known) {
		t.Errorf("%d commits were told of, %d are there", len(told), len(known))
	}
	h.commit("rest")
	h.sound()
	if got := len(strings.Fields(h.git("ls-files", "*.md"))); got != 2*each {
		t.Errorf("%d files are recorded", got)
	}
}
