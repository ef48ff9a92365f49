package main

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"

	_ "github.com/mattn/go-sqlite3" // for cmdNewer
	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"

	"github.com/strata-memory/strata/internal/models/llmtest/scripted"
	"github.com/strata-memory/strata/internal/tools/scriptedmodel/mind"
	"github.com/strata-memory/strata/local"
)

// exits CODE COMMAND... runs a command and wants an exit code.
func cmdExits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// [!] json FILE PATH [PATTERN] wants the value at a path of a JSON document to
// match a regular expression as a whole; without one, to be there. A path is
// names and places parted by dots; # is the length of a list. "-" is the
// document itself. Of several lines the last is the document.
func cmdJSON(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: json FILE PATH [PATTERN]")
	}
	got, ok := lookup(ts, args[0], args[1])
	match := ok
	if ok && len(args) == 3 {
		match = regexp.MustCompile("^(?:" + args[2] + ")$").MatchString(got)
	}
	if match == neg {
		ts.Fatalf("%s: %s is %q (there: %v)", args[0], args[1], got, ok)
	}
}

// setenv NAME FILE PATH keeps a value of a JSON document in a variable.
func cmdSetenv(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: setenv NAME FILE PATH")
	}
	got, ok := lookup(ts, args[1], args[2])
	if !ok {
		ts.Fatalf("%s has no %s", args[1], args[2])
	}
	ts.Setenv(args[0], got)
}

// lookup finds the value at a path, as text.
func lookup(ts *testscript.TestScript, file, path string) (string, bool) {
	text := strings.TrimSpace(ts.ReadFile(file))
	if !strings.HasPrefix(text, "{\n") {
		text = text[strings.LastIndexByte(text, '\n')+1:]
	}
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		ts.Fatalf("%s is not JSON: %v\n%s", file, err, text)
	}
	if path == "-" {
		path = ""
	}
	for _, name := range strings.FieldsFunc(path, func(r rune) bool { return r == '.' }) {
		switch at := v.(type) {
		case map[string]any:
			inner, ok := at[name]
			if !ok {
				return "", false
			}
			v = inner
		case []any:
			if name == "#" {
				return strconv.Itoa(len(at)), true
			}
			i, err := strconv.Atoi(name)
			if err != nil || i >= len(at) {
				return "", false
			}
			v = at[i]
		default:
			return "", false
		}
	}
	if s, ok := v.(string); ok {
		return s, true
	}
	out, err := json.Marshal(v)
	if err != nil {
		ts.Fatalf("%v", err)
	}
	return string(out), true
}

// model NAME [WINDOW] serves a model that answers by rules until the script
// ends, and keeps its address in a variable.
func cmdModel(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: model NAME [WINDOW]")
	}
	var m mind.Mind
	if len(args) == 2 {
		n, err := strconv.Atoi(args[1])
		ts.Check(err)
		m.Window = n
	}
	s, err := scripted.Start("", m.Answer)
	ts.Check(err)
	ts.Defer(func() { s.Close() })
	ts.Setenv(args[0], s.URL(scripted.Ollama))
}

// raw FILE TEXT [TIMES] writes bytes given in Go's syntax.
func cmdRaw(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: raw FILE TEXT [TIMES]")
	}
	text, err := strconv.Unquote(`"` + args[1] + `"`)
	ts.Check(err)
	times := 1
	if len(args) == 3 {
		times, err = strconv.Atoi(args[2])
		ts.Check(err)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Repeat(text, times)), 0o600))
}

// [!] absent DIR TEXT wants no file below a directory to hold the bytes.
func cmdAbsent(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: absent DIR TEXT")
	}
	found := ""
	ts.Check(filepath.WalkDir(ts.MkAbs(args[0]), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Type()&fs.ModeSocket != 0 {
			return err
		}
		data, err := os.ReadFile(path)
		if err == nil && bytes.Contains(data, []byte(args[1])) {
			found = path
		}
		return err
	}))
	if (found == "") == neg {
		ts.Fatalf("%q in %q", args[1], found)
	}
}

// entries DIR [NAME...] wants exactly these names in a directory.
func cmdEntries(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: entries DIR [NAME...]")
	}
	list, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	if got, want := strings.Join(names, " "), strings.Join(args[1:], " "); got != want {
		ts.Fatalf("%s holds %q, want %q", args[0], got, want)
	}
}

// newer HOME makes the database one of a Strata yet to come.
func cmdNewer(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: newer HOME")
	}
	db, err := sql.Open("sqlite3", local.Database(ts.MkAbs(args[0])))
	ts.Check(err)
	defer db.Close()
	_, err = db.Exec(`INSERT INTO schema_migration VALUES (9999, '9999_future.sql', 'x', 0)`)
	ts.Check(err)
}

// overwrite HOME TABLE destroys the page that a table or index of the database begins
// with; "" is the first of the file.
func cmdOverwrite(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: overwrite HOME TABLE")
	}
	path := local.Database(ts.MkAbs(args[0]))
	page := int64(1)
	if args[1] != "" {
		db, err := sql.Open("sqlite3", path)
		ts.Check(err)
		ts.Check(db.QueryRow(`SELECT rootpage FROM sqlite_schema WHERE name = ?`, args[1]).Scan(&page))
		ts.Check(db.Close())
	}
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	ts.Check(err)
	_, err = file.WriteAt(bytes.Repeat([]byte{0xa5}, 8192), (page-1)*8192)
	ts.Check(err)
	ts.Check(file.Close())
}

// alter HOME WAS IS changes a text in all facts, as a disk might.
func cmdAlter(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: alter HOME WAS IS")
	}
	db, err := sql.Open("sqlite3", local.Database(ts.MkAbs(args[0])))
	ts.Check(err)
	defer db.Close()
	_, err = db.Exec(`UPDATE fact SET text = replace(text, ?, ?)`, args[1], args[2])
	ts.Check(err)
}

// unprivileged CODE COMMAND... is exits for a command that heeds permissions
// also where the tests run as root.
func cmdUnprivileged(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: unprivileged CODE COMMAND...")
	}
	cmd := exec.Command(args[1], args[2:]...)
	cmd.Dir, cmd.Env = ts.MkAbs("."), []string{"HOME=" + ts.Getenv("HOME"), "STRATA_HOME=" + ts.Getenv("STRATA_HOME"), "TMPDIR=" + ts.Getenv("TMPDIR")}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	started := make(chan error)
	go func() {
		// What the thread drops is dropped for its children. It is never given
		// back, so it ends with this goroutine.
		runtime.LockOSThread()
		if os.Geteuid() == 0 {
			if err := unix.Prctl(unix.PR_CAPBSET_DROP, unix.CAP_DAC_OVERRIDE, 0, 0, 0); err != nil {
				started <- fmt.Errorf("drop the capability: %w", err)
				return
			}
		}
		started <- cmd.Start()
	}()
	ts.Check(<-started)
	err := cmd.Wait()
	ts.Logf("[output]\n%s", out.String())
	ts.Check(os.WriteFile(ts.MkAbs("output"), out.Bytes(), 0o600))
	code := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}
