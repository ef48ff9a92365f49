package workspace

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store/files/filestest"
)

// childVar makes the test binary do the work of a process under test instead.
const childVar = "STRATA_TEST_CHILD"

// between stands between the arguments of a child.
const between = "\x1f"

func TestMain(m *testing.M) {
	if work := os.Getenv(childVar); work != "" {
		os.Exit(child(strings.Split(work, between)))
	}
	goleak.VerifyTestMain(m)
}

// child does what its arguments say, and says what went wrong.
func child(args []string) int {
	var err error
	switch tree := NewTree(args[1], nil); args[0] {
	case "append": // who, how often
		n, _ := strconv.Atoi(args[3])
		for i := range n {
			if err = filestest.Append(context.Background(), tree, strata.Global(), "notes/shared.md", fmt.Sprintf("%s-%d\n", args[2], i)); err != nil {
				break
			}
		}
	case "write": // content, base
		_, err = tree.Write(context.Background(), strata.Global(), "notes/shared.md", []byte(args[2]), args[3])
	case "watch": // with as many files as it may have open
		if err = limitOpenFiles(5); err != nil {
			break
		}
		err = tree.Watch(context.Background(), []strata.Scope{strata.Global()}, func(strata.Scope) {})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, strata.CodeOf(err), err)
		return 1
	}
	return 0
}

// process is a child that has not been started.
func process(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVar+"="+strings.Join(args, between))
	return cmd
}
