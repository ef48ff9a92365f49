package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/strata-memory/strata"
)

// mountsVariable tells a process that it has a mount namespace of its own.
const mountsVariable = "STRATA_TEST_MOUNTS"

// inOwnMounts runs the calling test in a process that mounts what no other sees, and
// reports whether this is that process. Where the system does not allow it the test fails:
// root may mount, and so may others where they may make user namespaces.
func inOwnMounts(t *testing.T) bool {
	t.Helper()
	if os.Getenv(mountsVariable) != "" {
		if err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
			t.Fatalf("mounts cannot be kept to this process: %v", err)
		}
		return true
	}
	args := []string{"-test.run=^" + t.Name() + "$", "-test.v"}
	if testing.Short() {
		args = append(args, "-test.short")
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Env = append(os.Environ(), mountsVariable+"=1", "HOME="+t.TempDir())
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS, Pdeathsig: syscall.SIGKILL}
	if os.Geteuid() != 0 {
		cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getegid(), Size: 1}}
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v (small disks need the right to mount them: run the test as root, or where user namespaces are allowed)\n%s", err, out)
	} else {
		t.Logf("%s", out)
	}
	return false
}

// disk mounts a small disk and returns a function that gives it another size.
func disk(t *testing.T, dir string, kib int) (resize func(kib int)) {
	t.Helper()
	must(t, os.MkdirAll(dir, 0o700))
	size := func(kib int) string { return fmt.Sprintf("size=%dk,mode=700", kib) }
	must(t, syscall.Mount("tmpfs", dir, "tmpfs", 0, size(kib)))
	t.Cleanup(func() { syscall.Unmount(dir, syscall.MNT_DETACH) })
	return func(kib int) {
		t.Helper()
		must(t, syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT, size(kib)))
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// ran is what a command did.
type ran struct {
	exit           int
	stdout, stderr string
	code           string // of the error; empty without one
	told           string // message and hint of the error
}

// runInProcess runs a command as a script would, in this process.
func runInProcess(home, work, stdin string, args ...string) ran {
	var stdout, stderr bytes.Buffer
	environ := []string{"HOME=" + os.Getenv("HOME"), "STRATA_HOME=" + home, "STRATA_WORKSPACE=" + work, "TMPDIR=" + os.TempDir(), "STRATA_OUTPUT=json"}
	r := ran{exit: Main(context.Background(), append([]string{"--no-server"}, args...), strings.NewReader(stdin), &stdout, &stderr, environ)}
	r.stdout, r.stderr = stdout.String(), stderr.String()
	for line := range strings.Lines(r.stderr) {
		var e struct{ Code, Message, Hint string }
		if json.Unmarshal([]byte(line), &e) == nil && e.Code != "" {
			r.code, r.told = e.Code, e.Message+" | "+e.Hint
		}
	}
	return r
}

// verb is a command that is tried on a disk.
type verb struct {
	name   string
	args   []string // FACT, DECISION, NOTE, OUT, EXPORT and BACKUP stand for what a try has
	stdin  string
	writes bool
	// takesIn is set where a command writes what it finds of changed files, if there is any.
	takesIn bool
	// acknowledged is a text that memory holds once the command succeeded.
	acknowledged string
}

const talk = `{"role":"user","content":"The cat of the lighthouse is named Whiskerino.","timestamp":"2026-11-20T10:00:00Z"}
{"role":"assistant","content":"Noted."}
`

// verbs are the commands that read or write memory, each in a form that succeeds where
// there is room.
func verbs() []verb {
	return []verb{
		{name: "save", args: []string{"save", "The first gate is painted green"}, writes: true, acknowledged: "The first gate is painted green"},
		{name: "save project", args: []string{"save", "-t", "project", "The build of the shed takes nine minutes"}, writes: true, acknowledged: "The build of the shed takes nine minutes"},
		{name: "save batch", args: []string{"save", "--batch", "-"}, stdin: `{"content":"The harbor of the island closes at dusk"}` + "\n", writes: true, acknowledged: "The harbor of the island closes at dusk"},
		{name: "remember", args: []string{"remember", "Deploys go out on Tuesdays.", "--title", "When we deploy", "-t", "project"}, writes: true},
		{name: "note write", args: []string{"note", "write", "notes/user_tea.md", "-", "--scope", "global"}, stdin: "---\nname: tea\ndescription: how tea is drunk\ntype: user\n---\nTea is drunk without milk.\n", writes: true},
		{name: "learn", args: []string{"learn", "Use tabs in the Makefile", "--context", "it was indented with spaces"}, writes: true},
		{name: "ingest", args: []string{"ingest", "-"}, stdin: talk, writes: true},
		{name: "recall", args: []string{"recall", "which colour has the gate?"}},
		{name: "search", args: []string{"search", "gate"}},
		{name: "think", args: []string{"think", "which colour has the gate?"}},
		{name: "list", args: []string{"list", "gate"}},
		{name: "fact list", args: []string{"fact", "list"}},
		{name: "fact show", args: []string{"fact", "show", "FACT"}},
		{name: "decisions", args: []string{"decisions"}},
		{name: "note list", args: []string{"note", "list"}},
		{name: "sessions", args: []string{"sessions"}},
		{name: "profile", args: []string{"profile"}},
		{name: "context", args: []string{"context"}},
		{name: "stats", args: []string{"stats"}},
		{name: "health", args: []string{"health"}},
		{name: "scope show", args: []string{"scope"}},
		{name: "hook prompt", args: []string{"hook", "prompt"}, stdin: `{"session_id":"s1","cwd":"/","prompt":"which colour has the gate?"}`},
		{name: "hook session-start", args: []string{"hook", "session-start"}, stdin: `{"session_id":"s1","cwd":"/","source":"startup"}`},
		{name: "memory-tool", args: []string{"memory-tool"}, stdin: `{"command":"create","path":"/memories/list.md","file_text":"milk\n"}`, writes: true},
		{name: "update", args: []string{"update", "FACT", "The gate of the yard is painted blue"}, writes: true},
		{name: "fact delete", args: []string{"fact", "delete", "OTHER", "--yes"}, writes: true},
		{name: "revert", args: []string{"revert", "DECISION", "--yes"}, writes: true},
		{name: "forget", args: []string{"forget", "OTHER", "--yes"}, writes: true},
		{name: "dream trigger", args: []string{"dream", "trigger", "--force"}, writes: true},
		{name: "checkpoint", args: []string{"checkpoint", "a state"}, writes: true},
		{name: "sync", args: []string{"sync"}, takesIn: true},
		{name: "init", args: []string{"init"}, writes: true},
		{name: "export", args: []string{"export", "OUT/export.jsonl"}},
		{name: "export full", args: []string{"export", "--full", "OUT/full.jsonl"}},
		{name: "import", args: []string{"import", "EXPORT"}, writes: true},
		{name: "backup", args: []string{"backup", "OUT/backup.tar.zst"}},
		{name: "restore", args: []string{"restore", "BACKUP", "--replace"}, writes: true},
		{name: "reindex", args: []string{"reindex"}, writes: true},
		{name: "doctor", args: []string{"doctor"}},
		{name: "save again", args: []string{"save", "The last gate is painted white"}, writes: true, acknowledged: "The last gate is painted white"},
	}
}

// named reports whether a verb names what a home may not have.
func (v verb) named() bool {
	return slices.ContainsFunc(v.args, func(a string) bool { return slices.Contains([]string{"FACT", "OTHER", "DECISION"}, a) })
}

// model is a home with its project, kept to be copied, and what commands name of it. The
// copies lie where it was made: what a home knows of a project has its path.
type model struct {
	kept  string            // directory of the copies that are kept
	disks map[string]string // where disks are mounted, by what they hold
	names map[string]string // of the placeholders
	texts []string          // what it holds
}

// newModel makes a home that holds a little of everything.
func newModel(t *testing.T) model {
	t.Helper()
	dir := t.TempDir()
	m := model{kept: filepath.Join(dir, "kept"), names: make(map[string]string),
		disks: map[string]string{"home": filepath.Join(dir, "a"), "work": filepath.Join(dir, "b")}}
	p := m.place(t)
	must(t, os.MkdirAll(p.work, 0o700))
	ok := func(stdin string, args ...string) ran {
		t.Helper()
		r := runInProcess(p.home, p.work, stdin, args...)
		if r.exit != 0 {
			t.Fatalf("%v: %+v", args, r)
		}
		return r
	}
	save := func(name, text string) {
		t.Helper()
		var d struct {
			Decision string `json:"decision_id"`
			Fact     string `json:"id"`
		}
		must(t, json.Unmarshal([]byte(ok("", "save", text).stdout), &d))
		m.names[name], m.names["DECISION"] = d.Fact, d.Decision
	}
	ok("", "init")
	save("FACT", "The gate of the yard is painted red")
	save("OTHER", "The lantern of the pier burns oil")
	save("REVERTED", "The kettle of the inn holds nine cups")
	for i := range 12 {
		text := fmt.Sprintf("Shelf %d of the cellar holds jars of plums from the year %d", i, 1990+i)
		ok("", "save", text)
		m.texts = append(m.texts, text)
	}
	ok("", "remember", "Deploys go out on Mondays.", "--title", "Deploys", "-t", "project")
	ok(`{"role":"user","content":"Good morning."}`+"\n", "ingest", "-")
	ok("", "checkpoint", "begun")
	m.names["EXPORT"], m.names["BACKUP"] = filepath.Join(dir, "export.jsonl"), filepath.Join(dir, "backup.tar.zst")
	ok("", "export", m.names["EXPORT"])
	ok("", "backup", m.names["BACKUP"])
	must(t, os.CopyFS(filepath.Join(m.kept, "home"), os.DirFS(p.home)))
	must(t, os.CopyFS(filepath.Join(m.kept, "work"), os.DirFS(p.work)))
	return m
}

// place is where the home and the project are.
func (m model) place(t *testing.T) place {
	return place{home: filepath.Join(m.disks["home"], "home"), work: filepath.Join(m.disks["work"], "work"), out: filepath.Join(t.TempDir(), "out")}
}

// copied mounts a disk for the home and one for the project, with copies of what is kept.
func (m model) copied(t *testing.T) (p place, resize map[string]func(kib int)) {
	t.Helper()
	resize = make(map[string]func(int))
	for what, at := range m.disks {
		resize[what] = disk(t, at, roomy)
		must(t, os.CopyFS(filepath.Join(at, what), os.DirFS(filepath.Join(m.kept, what))))
	}
	return m.place(t), resize
}

// place is where a try has its home, its project and what it writes elsewhere.
type place struct{ home, work, out string }

// fill gives a verb's arguments what they stand for.
func (m model) fill(v verb, p place) []string {
	args := slices.Clone(v.args)
	for i, a := range args {
		if name, ok := m.names[a]; ok {
			args[i] = name
		}
		args[i] = strings.Replace(args[i], "OUT/", p.out+"/", 1)
	}
	return args
}

// try runs every verb at a place and returns what was acknowledged. Where it fails its code
// must be one of the condition's.
func (m model) try(t *testing.T, p place, allowed func(v verb, code string) bool) (acknowledged []string, codes map[string]string) {
	t.Helper()
	codes = make(map[string]string)
	for _, v := range verbs() {
		must(t, os.RemoveAll(p.out))
		if err := os.MkdirAll(p.out, 0o700); err != nil && !errors.Is(err, syscall.ENOSPC) {
			t.Fatal(err)
		}
		r := runInProcess(p.home, p.work, v.stdin, m.fill(v, p)...)
		codes[v.name] = r.code
		said := strings.ToLower(r.stdout + r.stderr)
		for _, word := range []string{"damaged", "corrupt", "internal", "check the permissions", "unexpected error"} {
			if strings.Contains(said, word) {
				t.Errorf("%s says %q: exit %d, %.900s %.900s", v.name, word, r.exit, r.stdout, r.stderr)
			}
		}
		switch {
		case r.exit == 0 && v.name == "restore":
			acknowledged = nil // it is the home of before
		case r.exit == 0 && v.acknowledged != "":
			acknowledged = append(acknowledged, v.acknowledged)
		case r.exit == 0:
		case r.exit != strata.Code(r.code).ExitCode():
			t.Errorf("%s: exit code %d with error %q: %s", v.name, r.exit, r.code, r.stderr)
		case !allowed(v, r.code):
			t.Errorf("%s: code %s: %s", v.name, r.code, r.told)
		case r.code == string(strata.CodeFull) && !strings.Contains(r.told, "left"):
			t.Errorf("%s does not say how much room is left: %s", v.name, r.told)
		}
	}
	return acknowledged, codes
}

// wantAll wants a home to be sound and to hold texts.
func wantAll(t *testing.T, p place, texts []string) {
	t.Helper()
	if r := runInProcess(p.home, p.work, "", "doctor"); r.exit != 0 {
		t.Errorf("with room again, doctor: %s %s", r.stdout, r.stderr)
	}
	r := runInProcess(p.home, p.work, "", "export", "-")
	if r.exit != 0 {
		t.Errorf("with room again, export: %s", r.stderr)
	}
	for _, text := range texts {
		if !strings.Contains(r.stdout, text) {
			t.Errorf("with room again, %q is gone", text)
		}
	}
}

const roomy = 256 << 10 // KiB

// A home that begins on a disk of any size says that the disk is full, never anything else,
// and keeps what it acknowledged.
func TestEveryVerbWhereAHomeBeginsOnASmallDisk(t *testing.T) {
	if !inOwnMounts(t) {
		return
	}
	m := newModel(t)
	for _, size := range sample([]int{4, 8, 12, 16, 64, 256, 512, 768, 1024, 1536, 2048, 2560, 3072, 4096}) {
		t.Run(fmt.Sprintf("%dKiB", size), func(t *testing.T) {
			dir := t.TempDir()
			resize := disk(t, filepath.Join(dir, "disk"), size)
			p := place{home: filepath.Join(dir, "disk", "home"), work: filepath.Join(dir, "disk", "work"), out: filepath.Join(dir, "out")}
			must(t, os.Mkdir(p.work, 0o700))
			kept, codes := m.try(t, p, func(v verb, code string) bool {
				// A home that is not made has nothing to name, to back up or to save.
				return code == "full" || code == "not_found" && (v.named() || slices.Contains([]string{"backup", "export full"}, v.name))
			})
			t.Logf("kept %d; %v", len(kept), codes)
			resize(roomy)
			wantAll(t, p, kept)
		})
	}
}

// A home on a disk that grows full says so of every command that writes, and can be read.
func TestEveryVerbWhereTheDiskOfAHomeIsFull(t *testing.T) {
	if !inOwnMounts(t) {
		return
	}
	m := newModel(t)
	for _, part := range []string{"home", "work"} {
		slacks := []int{0, 4, 8, 12, 16, 24, 32, 40, 48, 64, 80, 96, 128, 192, 256, 384, 512, 768, 1024, 2048}
		if part == "work" {
			slacks = []int{0, 4, 8, 16, 32, 64}
		}
		for _, slack := range sample(slacks) {
			t.Run(fmt.Sprintf("%s+%dKiB", part, slack), func(t *testing.T) {
				p, resize := m.copied(t)
				if part == "work" {
					p.out = filepath.Join(m.disks[part], "out")
				}
				resize[part](used(t, m.disks[part]) + slack)
				kept, codes := m.try(t, p, func(v verb, code string) bool {
					// What only reads goes on, unless it writes a file there.
					writes := v.writes || v.takesIn || part == "work" && strings.Contains(strings.Join(v.args, " "), "OUT/")
					return writes && (code == "full" || code == "not_found" && v.named())
				})
				t.Logf("kept %d; %v", len(kept), codes)
				resize[part](roomy)
				wantAll(t, p, append(kept, m.texts...))
			})
		}
	}
}

// sample is every third of a list with -short.
func sample(list []int) (out []int) {
	for i, n := range list {
		if i%3 == 0 || !testing.Short() {
			out = append(out, n)
		}
	}
	return out
}

// used is how much of a disk is in use, in KiB.
func used(t *testing.T, dir string) int {
	t.Helper()
	var s syscall.Statfs_t
	must(t, syscall.Statfs(dir, &s))
	return int(s.Blocks-s.Bfree) * int(s.Bsize) >> 10
}

// A home and a project on a read-only disk can be read, and what writes says why not.
func TestEveryVerbOnAReadOnlyDisk(t *testing.T) {
	if !inOwnMounts(t) {
		return
	}
	m := newModel(t)
	p, _ := m.copied(t)
	for _, at := range m.disks {
		must(t, syscall.Mount("", at, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
	}
	_, codes := m.try(t, p, func(v verb, code string) bool { return v.writes && code == "read_only" })
	t.Logf("%v", codes)
	for _, v := range verbs() {
		if v.writes && codes[v.name] == "" {
			t.Errorf("%s says that it wrote", v.name)
		}
	}
}
