package main

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// The first thing that anybody sees fits a screen, and what it shows is right.
func TestDemoFitsAScreenAndIsRight(t *testing.T) {
	home, err := os.MkdirTemp("", "demo") // t.TempDir has a longer name than anybody's home
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(home) })
	run := func(args ...string) string {
		var stdout, stderr bytes.Buffer
		if code := Main(t.Context(), args, strings.NewReader(""), &stdout, &stderr, []string{"HOME=" + home, "TMPDIR=" + home}); code != 0 {
			t.Fatalf("strata %q: %s", args, stderr.String())
		}
		return stdout.String()
	}
	out := run("demo", "--home", home)
	lines := strings.Split(strings.TrimRight(out, "\n"), "\n")
	if len(lines) > 45 {
		t.Errorf("it has %d lines", len(lines))
	}
	for _, line := range lines {
		if n := utf8.RuneCountInString(line); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	for _, want := range []string{"Tolstoy", "York", "Neovim"} {
		if !slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, "  first ") && strings.Contains(l, want) }) {
			t.Errorf("no first answer has %s:\n%s", want, out)
		}
	}
	if strings.Count(out, "  first ") != len(demoQuestions) || strings.Count(out, "\n  kept ") != len(demoQuestions)+1 {
		t.Errorf("not every answer, or what it was learnt from, is shown:\n%s", out)
	}

	var report demoReport
	if err := json.Unmarshal([]byte(run("demo", "--ephemeral-memory", "-o", "json")), &report); err != nil {
		t.Fatal(err)
	}
	for _, a := range report.Answers {
		if !a.Found || slices.Contains(demoQuestions, a.Question) && !a.First {
			t.Errorf("%q: answered %v, first %v", a.Question, a.Found, a.First)
		}
	}
}
