package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/sys/unix"
)

// What memory holds may come from anywhere. On a terminal no form of output shows a character
// of it that commands the terminal, turns a line around or cannot be seen; in a pipe JSON has
// the same values.
func TestNoOutputCommandsTheTerminal(t *testing.T) {
	const hostile = "The ferry \x1b]0;owned\x07 to \u202eOrkney\u2066 le\u200baves\u009b31m at\U000e0041 noon\u2028today \x7f"
	user := t.TempDir()
	notes := filepath.Join(user, ".strata", "global", "notes")
	if err := os.MkdirAll(notes, 0o700); err != nil {
		t.Fatal(err)
	}
	note := "---\nname: ferry\ntype: user\ndescription: when the ferry leaves\n---\n# Ferry\n\n" + hostile + "\n"
	if err := os.WriteFile(filepath.Join(notes, "user_ferry.md"), []byte(note), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"save", hostile}, {"sync"}} {
		if out, err := strataIn(t, user, append(args, "--no-server")...).CombinedOutput(); err != nil {
			t.Fatalf("%q: %v\n%s", args, err, out)
		}
	}
	for _, args := range [][]string{
		{"recall", "when does the ferry leave"}, {"search", "ferry"}, {"facts"}, {"decisions"}, {"note", "show", "notes/user_ferry.md"}, {"note", "list"},
		{"context"}, {"export"}, {"export", "--full"}, {"fact", "show", "\u202efact\x1b[31m"}, {"scope", "show"}, {"history", "notes/user_ferry.md"},
	} {
		for _, format := range []string{"table", "json", "jsonl"} {
			shown := onScreen(t, user, append(args, "-o", format, "--no-server"))
			for _, r := range shown {
				if r != '\n' && r != '\r' && r != '\t' && (unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) || r >= 0xe0000 && r < 0xe1000) {
					t.Errorf("%q as %s shows %U:\n%q", args, format, r, shown)
					break
				}
			}
		}
	}
}

// onScreen is what a command writes on a terminal.
func onScreen(t *testing.T, user string, args []string) string {
	t.Helper()
	control, tty, err := openTerminal()
	if err != nil {
		t.Fatal(err)
	}
	defer control.Close()
	cmd := strataIn(t, user, args...)
	cmd.Env = append(cmd.Env, "NO_COLOR=1", "LANG=en_US.UTF-8")
	cmd.Stdout, cmd.Stderr = tty, tty
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	tty.Close()
	shown, err := io.ReadAll(control)
	if !errors.Is(err, unix.EIO) {
		t.Fatal(err)
	}
	_ = cmd.Wait() // its exit code is no matter of this
	if len(strings.TrimSpace(string(shown))) == 0 {
		t.Errorf("%q shows nothing", args)
	}
	return string(shown)
}
