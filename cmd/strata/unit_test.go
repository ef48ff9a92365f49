package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/cmdline"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/ops/operation"
)

func testApp(t *testing.T) *app {
	t.Helper()
	return newApp(strings.NewReader(""), new(bytes.Buffer), new(bytes.Buffer), []string{"HOME=" + t.TempDir()})
}

func TestEveryOperationHasACommand(t *testing.T) {
	root := newRoot(testApp(t), "")
	for _, op := range ops.All() {
		if name := op.About().Name; name == opSaveBatch || name == opAppend {
			continue
		}
		words := op.About().Words()
		cmd, _, err := root.Find(words)
		if err != nil || cmd.Name() != words[len(words)-1] {
			t.Errorf("no command %v: %v", words, err)
			continue
		}
		if cmd.Parent() != root {
			cmd = cmd.Parent() // a family is in a group as a whole
		}
		if cmd.GroupID == "" {
			t.Errorf("%v is in no group", words)
		}
	}
}

// A flag of a command must not hide one that every command has.
func TestFlagsDoNotCollide(t *testing.T) {
	root := newRoot(testApp(t), "")
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		shorts := make(map[string]string)
		for _, flags := range []*pflag.FlagSet{cmd.InheritedFlags(), cmd.LocalNonPersistentFlags()} {
			flags.VisitAll(func(f *pflag.Flag) {
				if f.Usage == "" {
					t.Errorf("%s --%s has no help", cmd.CommandPath(), f.Name)
				}
				if other := shorts[f.Shorthand]; other != "" && f.Shorthand != "" && other != f.Name {
					t.Errorf("%s: -%s is both --%s and --%s", cmd.CommandPath(), f.Shorthand, other, f.Name)
				}
				shorts[f.Shorthand] = f.Name
				if cmd.HasParent() && flags != cmd.InheritedFlags() && root.PersistentFlags().Lookup(f.Name) != nil {
					t.Errorf("%s --%s hides the flag of every command", cmd.CommandPath(), f.Name)
				}
			})
		}
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(root)
}

// Every example of the help is a command line that parses.
func TestExamplesParse(t *testing.T) {
	for _, op := range ops.All() {
		if name := op.About().Name; name == opSaveBatch || name == opAppend {
			continue
		}
		for _, e := range op.About().Examples {
			line := exampleLine(op, e)
			words := shellWords(t, line)
			cmd, rest, err := newRoot(testApp(t), "").Find(words[1:])
			if err != nil || !cmd.HasParent() {
				t.Errorf("%s: %v", line, err)
				continue
			}
			if err := cmd.ParseFlags(rest); err != nil {
				t.Errorf("%s: %v", line, err)
				continue
			}
			if err := cmd.Args(cmd, cmd.Flags().Args()); err != nil {
				t.Errorf("%s: %v", line, err)
			}
		}
	}
}

// shellWords splits a line as a POSIX shell does, for what cmdline.ShellQuote writes.
func shellWords(t *testing.T, line string) []string {
	t.Helper()
	var words []string
	var word strings.Builder
	quoted, escaped := false, false
	for _, r := range line {
		switch {
		case escaped:
			word.WriteRune(r)
			escaped = false
		case r == '\\':
			escaped = true
		case r == '"':
			quoted = !quoted
		case r == ' ' && !quoted:
			words = append(words, word.String())
			word.Reset()
		default:
			word.WriteRune(r)
		}
	}
	if quoted || escaped {
		t.Fatalf("unfinished line: %s", line)
	}
	return append(words, word.String())
}

func TestShellQuoteSurvivesTheShell(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		want := rapid.StringMatching(`[a-z "'$\\!@#%*?=]{1,12}`).Draw(rt, "word")
		got := shellWords(t, "x "+cmdline.ShellQuote(want))
		if len(got) != 2 || got[1] != want {
			rt.Fatalf("%q became %q", want, got)
		}
	})
}

func TestTheFormOfEarlyErrorsIsGuessed(t *testing.T) {
	tests := []struct {
		args []string
		env  string
		want string
	}{
		{nil, "", "table"},
		{nil, "json", "json"},
		{[]string{"recall", "-o", "jsonl"}, "json", "jsonl"},
		{[]string{"--bogus", "-ojson"}, "", "json"},
		{[]string{"--output=json"}, "", "json"},
		{[]string{"--output"}, "", "table"},
		{[]string{"-o", "xml"}, "", "table"},
		{[]string{"save", "--", "-o", "json"}, "", "table"},
	}
	for _, tt := range tests {
		if got := earlyFormat(tt.args, func(string) string { return tt.env }); got != tt.want {
			t.Errorf("%v with %q: %s, want %s", tt.args, tt.env, got, tt.want)
		}
	}
}

// An interrupt is heeded while standard input says nothing, and the throw-away
// home is gone afterwards.
func TestAnInterruptWhileReadingCleansUp(t *testing.T) {
	temp := t.TempDir()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	ctx, cancel := context.WithCancel(t.Context())
	reading := make(chan struct{})
	stdin := readerFunc(func(p []byte) (int, error) {
		close(reading)
		return r.Read(p)
	})
	go func() {
		<-reading
		cancel()
	}()
	var stdout, stderr bytes.Buffer
	code := Main(ctx, []string{"save", "-", "--ephemeral-memory"}, stdin, &stdout, &stderr, []string{"TMPDIR=" + temp, "HOME=" + temp})
	if code != strata.CodeCanceled.ExitCode() || !strings.Contains(stderr.String(), "interrupted") {
		t.Errorf("exit code %d, stderr %q", code, stderr.String())
	}
	left, err := filepath.Glob(filepath.Join(temp, "*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestScopesAreReadAsPeopleWriteThem(t *testing.T) {
	tests := []struct {
		text, ws, agent string
		want            strata.Scope
		code            strata.Code
	}{
		{"", "w", "a", strata.Scope{}, ""},
		{"global", "w", "a", strata.Global(), ""},
		{"workspace", "w", "", strata.InWorkspace("w"), ""},
		{"workspace", "", "", strata.Scope{}, strata.CodeScopeRequired},
		{"agent", "w", "a", strata.ForAgentIn("w", "a"), ""},
		{"agent", "", "a", strata.Scope{}, strata.CodeScopeRequired},
		{"agent", "w", "", strata.Scope{}, strata.CodeScopeRequired},
		{"agent:global", "w", "a", strata.ForAgent("a"), ""},
		{"workspace/x/agent/b", "w", "a", strata.ForAgentIn("x", "b"), ""},
		{"everything", "w", "a", strata.Scope{}, strata.CodeInvalid},
	}
	for _, tt := range tests {
		got, err := operation.ParseScope(tt.text, tt.ws, tt.agent)
		if got != tt.want || strata.CodeOf(err) != tt.code {
			t.Errorf("ParseScope(%q, %q, %q) = %v, %v", tt.text, tt.ws, tt.agent, got, err)
		}
	}
}
