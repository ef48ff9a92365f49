package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// documentation names the documents whose commands are run.
func documentation(t *testing.T) []string {
	t.Helper()
	docs, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(docs) == 0 {
		t.Fatalf("no documents (%v)", err)
	}
	starts, err := filepath.Glob("../../docs/quickstart/*.md")
	if err != nil || len(starts) != 5 {
		t.Fatalf("%d quick starts (%v)", len(starts), err)
	}
	docs = append(docs, starts...)
	return append(docs, "../../README.md", "../../CONTRIBUTING.md", "../../bench/README.md")
}

// example is a command that a document shows, and what it says that it prints.
type example struct {
	line    int
	command string
	output  []string
}

// blocks returns the fenced blocks of a document by the line on which they begin.
func blocks(text string) map[int][]string {
	out := make(map[int][]string)
	begin := 0
	for i, line := range strings.Split(text, "\n") {
		switch {
		case strings.HasPrefix(line, "```") && begin == 0:
			begin = i + 2
			out[begin] = nil
		case strings.HasPrefix(line, "```"):
			begin = 0
		case begin > 0:
			out[begin] = append(out[begin], line)
		}
	}
	return out
}

// examples returns the commands of a document behind a prompt, in order.
func examples(text string) []example {
	var out []example
	inside := false
	for i, line := range strings.Split(text, "\n") {
		command, ok := strings.CutPrefix(line, "$ ")
		switch {
		case strings.HasPrefix(line, "```"):
			inside = false
		case ok:
			out, inside = append(out, example{line: i + 1, command: command}), true
		case inside:
			out[len(out)-1].output = append(out[len(out)-1].output, line)
		}
	}
	return out
}

// A document that shows a command and what it prints shows what it prints. The commands
// of one document are run one after the other, in a fresh home and a fresh repository.
func TestTheDocumentsShowWhatCommandsPrint(t *testing.T) {
	found := 0
	for _, path := range documentation(t) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		list := examples(string(data))
		if len(list) == 0 {
			continue
		}
		found++
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			sh := newShell(t)
			for _, e := range list {
				got := sh.run(e.command)
				if !shows(plain(e.output), plain(strings.Split(got, "\n"))) {
					t.Errorf("%s:%d: $ %s\nprints\n%s\nand not\n%s", path, e.line, e.command, got, strings.Join(e.output, "\n"))
				}
			}
		})
	}
	if found < 3 {
		t.Errorf("%d documents have examples", found)
	}
}

// A command that a document names is there, and has the flags that it is shown with.
func TestTheDocumentsNameCommandsThatExist(t *testing.T) {
	command := regexp.MustCompile(`^(?:\$ )?(?:\./bin/)?strata ([^|<>]*?)(?: +#.*| *\\| +&&? .*)?$`)
	checked := 0
	for _, path := range documentation(t) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		sh := newShell(t)
		for begin, lines := range blocks(string(data)) {
			for i, line := range lines {
				m := command.FindStringSubmatch(strings.TrimSpace(line))
				if m == nil || strings.Contains(m[1], "…") {
					continue
				}
				checked++
				if out, err := sh.try("strata " + m[1] + " --help"); err != nil {
					t.Errorf("%s:%d: strata %s: %v\n%s", path, begin+i, m[1], err, out)
				}
			}
		}
	}
	if checked < 20 {
		t.Errorf("%d commands were found", checked)
	}
}

// shell runs commands one after the other as a person would, on a screen of 80 columns.
type shell struct {
	t    *testing.T
	root string // stands for / in what is shown
	dir  string
	env  []string
}

func newShell(t *testing.T) *shell {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(root, "home/nora")
	s := &shell{t: t, root: root, dir: filepath.Join(home, "shop")}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); !strings.HasPrefix(name, "STRATA_") && !strings.HasPrefix(name, "GIT_") {
			s.env = append(s.env, v)
		}
	}
	s.env = append(s.env, "HOME="+home, "COLUMNS=80", "LC_ALL=C.UTF-8", "GORACE=atexit_sleep_ms=0",
		"GIT_AUTHOR_NAME=Nora", "GIT_AUTHOR_EMAIL=nora@example.org", "GIT_COMMITTER_NAME=Nora", "GIT_COMMITTER_EMAIL=nora@example.org")
	s.run("git init -q . && git commit -q --allow-empty -m begin")
	return s
}

// run returns what a command prints. The directory in which it ends is that of the next.
func (s *shell) run(command string) string {
	s.t.Helper()
	out, err := s.try(command)
	if err != nil && out == "" {
		s.t.Fatalf("%s: %v", command, err)
	}
	return out
}

func (s *shell) try(command string) (string, error) {
	where := filepath.Join(s.root, "pwd")
	cmd := exec.CommandContext(context.WithoutCancel(s.t.Context()), "bash", "-c", fmt.Sprintf("trap 'pwd > %q' EXIT\n%s", where, command))
	cmd.Dir, cmd.Env = s.dir, s.env
	out, err := cmd.CombinedOutput()
	if dir, readErr := os.ReadFile(where); readErr == nil {
		s.dir = strings.TrimSpace(string(dir))
	}
	return strings.TrimRight(strings.ReplaceAll(string(out), s.root, ""), "\n"), err
}

// What differs between two runs.
var differs = []struct {
	what *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`\b([a-z]+_)?[0-9A-HJKMNP-TV-Z]{26}\b`), "${1}ID"},
	{regexp.MustCompile(`\b[a-z]+_[0-9A-HJKMNP-TV-Z]{7}\b`), "SHORT"},
	{regexp.MustCompile(`\bjust now\b|\b\d+ minutes? ago\b`), "LATELY"},
	{regexp.MustCompile(`<!-- [0-9a-f]{6} -->`), "<!-- CODE -->"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d+)?Z?)?)?`), "DATE"},
	{regexp.MustCompile(`\b[0-9a-f]{7}\b`), "COMMIT"},
	{regexp.MustCompile(`\d+\.\d{6,}`), "FRACTION"},
	{regexp.MustCompile(`\b\d+(\.\d+)? (ms|s|kB|MB)\b`), "N $2"},
}

// plain are the words of what is printed, without what differs between two runs. How
// lines are broken is one of that: it follows from the length of the directories' names.
func plain(lines []string) []string {
	text := strings.Join(lines, "\n")
	for _, d := range differs {
		text = d.what.ReplaceAllString(text, d.with)
	}
	return strings.Fields(text)
}

// shows reports whether an output is what is wanted, in which three points stand for any
// words.
func shows(want, got []string) bool {
	for i, w := range want {
		if w != "…" && w != "..." {
			if len(got) == 0 || got[0] != w {
				return false
			}
			got = got[1:]
			continue
		}
		for rest := got; ; rest = rest[1:] {
			if shows(want[i+1:], rest) {
				return true
			}
			if len(rest) == 0 {
				return false
			}
		}
	}
	return len(got) == 0
}
