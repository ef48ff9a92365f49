package main

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// mostInitBytes is what our packages may allocate before main begins, in bytes. What they
// need later they make when it is used first: a command that does little starts at once.
const mostInitBytes = 640 << 10

// Bytes, unlike times, are the same in each run.
func TestLittleIsMadeBeforeItIsUsed(t *testing.T) {
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var trace strings.Builder
	cmd.Stderr = &trace
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	total := 0
	var costly []string
	for _, m := range regexp.MustCompile(`(?m)^init github\.com/strata-memory/strata/(\S+) @.* (\d+) bytes`).FindAllStringSubmatch(trace.String(), -1) {
		if m[1] == "cmd/strata" || strings.HasPrefix(m[1], "internal/tools/") {
			continue // what tests have, and are helped by
		}
		n, err := strconv.Atoi(m[2])
		if err != nil {
			t.Fatal(err)
		}
		if total += n; n > 32<<10 {
			costly = append(costly, m[1]+" "+m[2])
		}
	}
	if total == 0 || total > mostInitBytes {
		t.Errorf("our packages allocate %d bytes before main begins, %d at most; the costliest: %s", total, mostInitBytes, strings.Join(costly, ", "))
	}
}

// A command is built as it is in the whole tree, with nothing but the operations that
// begin with its word.
func TestTheTreeOfOneWordHasItsCommand(t *testing.T) {
	whole := newRoot(testApp(t), "")
	for _, cmd := range whole.Commands() {
		word := cmd.Name()
		one := newRoot(testApp(t), word)
		got, _, err := one.Find([]string{word})
		if err != nil || got.UseLine() != cmd.UseLine() || got.Flags().FlagUsages() != cmd.Flags().FlagUsages() || len(got.Commands()) != len(cmd.Commands()) {
			t.Errorf("%s is another command alone: %v, %q with %d commands, want %q with %d", word, err, got.UseLine(), len(got.Commands()), cmd.UseLine(), len(cmd.Commands()))
		}
	}
	if n, all := len(newRoot(testApp(t), "save").Commands()), len(whole.Commands()); n > all/2 {
		t.Errorf("for one word %d of %d commands are built", n, all)
	}
	if n, all := len(newRoot(testApp(t), "sav").Commands()), len(whole.Commands()); n != all {
		t.Errorf("for a word that names nothing %d of %d commands are built, and none can be suggested", n, all)
	}
}
