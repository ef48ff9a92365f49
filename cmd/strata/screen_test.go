package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/strata-memory/strata/cmd/strata/internal/manual"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
)

// seeded is a home with something of every kind in it, and a function that runs commands
// in it.
type seeded struct {
	t   *testing.T
	env []string
}

func seed(t *testing.T) *seeded {
	t.Helper()
	dir := t.TempDir()
	project := filepath.Join(dir, "project")
	s := &seeded{t: t, env: []string{"HOME=" + dir, "TMPDIR=" + dir, "STRATA_WORKSPACE=" + project}}
	if err := os.Mkdir(project, 0o700); err != nil {
		t.Fatal(err)
	}
	talk := filepath.Join(dir, "talk.jsonl")
	if err := os.WriteFile(talk, []byte(`{"role":"user","content":"My sister Ana works at the harbour hospital as a nurse and takes the ferry there each morning"}
{"role":"assistant","content":"How lovely that she takes the ferry; a long answer follows. `+strings.Repeat("The ferry leaves at six and comes back at nine. ", 30)+`"}
`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"init", project},
		{"save", "My cat's name is Whiskerino"},
		{"save", "I live in Lisbon"},
		{"save", "The staging database lives behind the bastion host at https://bastion.example.org/reef/very/long/path, and only engineers on call may log in", "-t", "project"},
		{"save", "Always answer in Spanish"},
		{"remember", "Deploys go through staging first. Then somebody on call looks at the graphs for ten minutes.", "--title", "How we deploy", "-t", "project"},
		{"note", "write", "--", "skills/ferry/SKILL.md", "---\nname: ferry\ndescription: When somebody asks for the ferry to the harbour.\n---\nLook at the table.\n"},
		{"note", "write", "--", "HEARTBEAT.md", "# What to do\n\n- every 30m: look at the build, and say so if it is broken\n"},
		{"learn", "Run the linter before the tests, for it is faster", "--kind", "correction"},
		{"ingest", talk, "--session", "s1"},
		{"recall", "what is my cat called?"},
		{"checkpoint"},
	} {
		var more []string
		if args[0] == "init" { // the directory is named, and not yet a workspace
			more = []string{"STRATA_WORKSPACE="}
		}
		if code, out := s.run(more, args...); code != 0 {
			t.Fatalf("strata %q: exit code %d\n%s", args, code, out)
		}
	}
	return s
}

// run runs a command with some more variables, and returns what it prints.
func (s *seeded) run(more []string, args ...string) (code int, out string) {
	var stdout, stderr bytes.Buffer
	code = Main(s.t.Context(), args, strings.NewReader(""), &stdout, &stderr, append(append([]string{}, s.env...), more...))
	return code, stdout.String() + stderr.String()
}

// listings are the commands that look at memory. For some the words of JSON fields are
// looked for in what they print.
var listings = []struct {
	command string
	field   string // of the JSON, whose words are all printed
}{
	{"", "newest.text"},
	{"recall what is my cat called?", "hits.text"},
	{"recall staging database --why", "hits.text"},
	{"recall staging -n 3", ""},
	{"search ferry", ""},
	{"fact list", "facts.text"},
	{"facts", "facts.text"},
	{"list", "categories.name"},
	{"note list", "documents.name"},
	{"note list --kind any", "documents.path"},
	{"note show How we deploy", "content"},
	{"skill list", "skills.description"},
	{"heartbeat", "rules.text"},
	{"daily list", "logs.path"},
	{"decisions", ""},
	{"learnings", "learnings.text"},
	{"sessions", "sessions.id"},
	{"turns s1", "turns.text"},
	{"expand s1", "turns.text"},
	{"timeline s1", ""},
	{"traces", "traces.query"},
	{"events", "events.kind"},
	{"profile", ""},
	{"categories", "categories.name"},
	{"scopes", "scopes.scope"},
	{"scope show", ""},
	{"stats", "scopes.scope"},
	{"health", ""},
	{"doctor", ""},
	{"questions", ""},
	{"dream list", ""},
	{"dream status", "scopes.scope"},
	{"extractor status", ""},
	{"extractor pending", ""},
	{"embedder", ""},
	{"backup list", ""},
	{"history", ""},
	{"context", ""},
	{"config", "settings.name"},
	{"version", ""},
	{"think where does Ana work?", ""},
}

// arguments are the words of a command: what follows its name is one argument.
func arguments(command string) []string {
	for _, two := range []string{"recall", "search", "think", "note show"} {
		if rest, ok := strings.CutPrefix(command, two+" "); ok {
			text, flags, _ := strings.Cut(rest, " -")
			args := append(strings.Fields(two), text)
			if flags != "" {
				args = append(args, strings.Fields("-"+flags)...)
			}
			return args
		}
	}
	return strings.Fields(command)
}

// Every listing is read on a screen of 80 columns and on one of 20: no line is longer, but
// for one word that is, and no word is cut.
func TestListingsFitTheScreen(t *testing.T) {
	s := seed(t)
	for _, l := range listings {
		args := arguments(l.command)
		var want []string
		if l.field != "" {
			code, out := s.run(nil, append(args, "-o", "json", "-q")...)
			if code != 0 {
				t.Fatalf("strata %s -o json: exit code %d\n%s", l.command, code, out)
			}
			var doc any
			if err := json.NewDecoder(strings.NewReader(out)).Decode(&doc); err != nil {
				t.Fatalf("strata %s -o json: %v", l.command, err)
			}
			if want = wordsAt(doc, strings.Split(l.field, ".")); len(want) == 0 {
				t.Errorf("strata %s: nothing at %s", l.command, l.field)
			}
		}
		for _, width := range []int{20, 80} {
			code, out := s.run([]string{fmt.Sprintf("COLUMNS=%d", width)}, args...)
			if code != 0 {
				t.Errorf("strata %s: exit code %d\n%s", l.command, code, out)
			}
			for line := range strings.Lines(out) {
				line = strings.TrimRight(line, " \n")
				if terminal.Columns(line) > width && len(strings.Fields(line)) > 1 {
					t.Errorf("strata %s: %d columns on a screen of %d: %q", l.command, terminal.Columns(line), width, line)
				}
			}
			printed := strings.Join(strings.Fields(out), " ") + " "
			for _, word := range want {
				if !strings.Contains(" "+printed, " "+word+" ") {
					t.Errorf("strata %s at %d columns: %q is cut or missing in\n%s", l.command, width, word, out)
					break
				}
			}
		}
	}
}

// wordsAt are the words of the texts at a path of a document, of lists those of every item.
func wordsAt(v any, path []string) []string {
	switch at := v.(type) {
	case []any:
		var words []string
		for _, item := range at {
			words = append(words, wordsAt(item, path)...)
		}
		return words
	case map[string]any:
		if len(path) == 0 {
			return nil
		}
		return wordsAt(at[path[0]], path[1:])
	case string:
		return strings.Fields(at)
	}
	return nil
}

// Where the locale has no UTF-8, a screen shows ASCII alone; a pipe keeps what memory holds
// and has ASCII around it.
func TestALocaleWithoutUTF8ShowsASCII(t *testing.T) {
	s := seed(t)
	if code, out := s.run(nil, "save", "The café in Porto is called Majéstic"); code != 0 {
		t.Fatal(out)
	}
	isASCII := regexp.MustCompile(`^[\x00-\x7f]*$`)
	for _, l := range listings {
		for _, width := range []string{"20", "80"} {
			if _, out := s.run([]string{"LC_ALL=C", "COLUMNS=" + width}, arguments(l.command)...); !isASCII.MatchString(out) {
				t.Errorf("strata %s prints\n%s", l.command, out)
			}
		}
	}
	if _, out := s.run([]string{"LC_ALL=C"}, "recall", "the café in Porto", "--why"); !strings.Contains(out, "Majéstic") || strings.Contains(out, "·") {
		t.Errorf("in a pipe:\n%s", out)
	}
}

func TestColorsAreWantedOrNot(t *testing.T) {
	s := seed(t)
	for _, tt := range []struct {
		env  []string
		args []string
		want bool
	}{
		{nil, nil, false}, // no terminal
		{nil, []string{"--color", "always"}, true},
		{[]string{"NO_COLOR=1"}, []string{"--color", "always"}, true}, // a flag is nearer than a variable
		{nil, []string{"--color", "never"}, false},
		{nil, []string{"--color", "always", "--no-color"}, false},
	} {
		code, out := s.run(tt.env, append([]string{"fact", "list"}, tt.args...)...)
		if got := strings.Contains(out, "\x1b["); got != tt.want || code != 0 {
			t.Errorf("with %v and %v: colors %v, exit code %d", tt.env, tt.args, got, code)
		}
	}
	if code, out := s.run(nil, "fact", "list", "--color", "red"); code != 2 || !strings.Contains(out, "auto, always, never") {
		t.Errorf("exit code %d\n%s", code, out)
	}
}

// A command whose reader went away ends as if all was well, and says nothing.
func TestAClosedPipeEndsQuietly(t *testing.T) {
	s := seed(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"fact", "list"}, {"recall", "cat"}, {"export"}, {"fact", "list", "-o", "json"}} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		r.Close() // nobody reads
		cmd := exec.Command(self)
		cmd.Args = append([]string{"strata"}, args...) // the name makes the test binary the command
		cmd.Env, cmd.Stdout = s.env, w
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		err = cmd.Run()
		w.Close()
		if err != nil || strings.Contains(stderr.String(), "strata:") {
			t.Errorf("strata %q: %v, %q", args, err, stderr.String())
		}
	}
}

// Of every command the help fits a screen of 80 columns and 24 lines, says all flags of its
// own, and no number in a form that people do not write. That of strata itself lists the
// commands, and is longer.
func TestHelpFitsTheScreen(t *testing.T) {
	a := testApp(t)
	root := newRoot(a, "")
	scientific := regexp.MustCompile(`\de\+\d`)
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		if describe := a.describe[cmd]; describe != nil {
			describe()
		}
		help := manual.Help(cmd, manual.Columns, false)
		cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && f.Name != "help" && !strings.Contains(help, "--"+f.Name) {
				t.Errorf("%s: no --%s in\n%s", cmd.CommandPath(), f.Name, help)
			}
		})
		for line := range strings.Lines(help) {
			if terminal.Columns(strings.TrimRight(line, "\n")) > manual.Columns && len(strings.Fields(line)) > 1 {
				t.Errorf("%s: %d columns: %s", cmd.CommandPath(), terminal.Columns(line), line)
			}
		}
		if lines := strings.Count(help, "\n"); lines > 24 && cmd.HasParent() {
			t.Errorf("%s: %d lines of help\n%s", cmd.CommandPath(), lines, help)
		}
		if scientific.MatchString(manual.Help(cmd, manual.Columns, true)) {
			t.Errorf("%s has a number that nobody writes so:\n%s", cmd.CommandPath(), help)
		}
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(root)
}
