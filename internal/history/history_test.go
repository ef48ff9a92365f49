package history_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/history"
	"github.com/strata-memory/strata/store/files"
)

func TestMain(m *testing.M) {
	if root := os.Getenv(childRoot); root != "" {
		child(root)
		return
	}
	goleak.VerifyTestMain(m)
}

var day = time.Date(2026, 3, 14, 15, 9, 26, 0, time.FixedZone("", 3600))

// home is a directory with a history.
type home struct {
	t   tester
	dir string
	*history.History
}

// tester is what helpers need of a test, or of a check of rapid.
type tester interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Fatal(args ...any)
}

func newHome(t testing.TB) *home {
	t.Helper()
	dir := t.TempDir()
	return &home{t, dir, history.New(at(dir), nil)}
}

func at(dir string) func(strata.Scope) (string, bool) {
	return func(strata.Scope) (string, bool) { return dir, true }
}

func (h *home) write(name, content string) {
	h.t.Helper()
	file := filepath.Join(h.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		h.t.Fatal(err)
	}
}

func (h *home) remove(name string) {
	h.t.Helper()
	if err := os.RemoveAll(filepath.Join(h.dir, filepath.FromSlash(name))); err != nil {
		h.t.Fatal(err)
	}
}

// commit commits and expects no error.
func (h *home) commit(subject string) files.Commit {
	h.t.Helper()
	c, err := h.Commit(context.Background(), strata.Global(), files.Message{Subject: subject, Agent: "ada", At: day}, nil)
	if err != nil {
		h.t.Fatalf("commit %q: %v", subject, err)
	}
	return c
}

func (h *home) log(limit int, diff bool) files.Log {
	h.t.Helper()
	log, err := h.Log(context.Background(), strata.Global(), limit, diff)
	if err != nil {
		h.t.Fatal(err)
	}
	return log
}

// git runs the real git in the directory and returns what it prints.
func (h *home) git(args ...string) string {
	h.t.Helper()
	out, err := h.tryGit(args...)
	if err != nil {
		h.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

func (h *home) tryGit(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = h.dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_CEILING_DIRECTORIES="+filepath.Dir(h.dir),
		"GIT_AUTHOR_NAME=User", "GIT_AUTHOR_EMAIL=user@example.org", "GIT_COMMITTER_NAME=User", "GIT_COMMITTER_EMAIL=user@example.org", "LC_ALL=C")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return string(out) + stderr.String(), err
	}
	return string(out), nil // without warnings
}

func needGit(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("the git program is not there, so what it thinks of the repository is not tested")
	}
}

// sound lets git check everything, and that it sees nothing to do.
func (h *home) sound() {
	h.t.Helper()
	if out, err := h.tryGit("fsck", "--full", "--strict", "--no-dangling"); err != nil || strings.TrimSpace(out) != "" {
		h.t.Errorf("git fsck: %v\n%s", err, out)
	}
	if out := h.git("status", "--porcelain"); out != "" {
		h.t.Errorf("git status: %s", out)
	}
}

// holdsBytes lists what of the directory's .git holds a text, in plain or
// inside an object that is no pack.
func (h *home) holdsBytes(text string) []string {
	h.t.Helper()
	var out []string
	err := filepath.WalkDir(filepath.Join(h.dir, ".git"), func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		if z, err := zlib.NewReader(bytes.NewReader(data)); err == nil {
			if inner, err := io.ReadAll(z); err == nil {
				data = append(data, inner...)
			}
		}
		if bytes.Contains(data, []byte(text)) {
			out = append(out, p)
		}
		return nil
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return out
}

func TestFirstCommitMakesARepositoryThatGitReads(t *testing.T) {
	needGit(t)
	h := newHome(t)
	h.write("MEMORY.md", "# Memory\n")
	h.write("notes/user_tea.md", "I like tea.\n")
	h.write("transcripts/s.jsonl", "private\n")
	h.write("agents/ada/transcripts/s.jsonl", "private\n")
	h.write("media/cat.png", "\x89PNG")
	h.write("notes/x.tmp", "x")
	h.write("notes/.x.swp", "x")
	h.write(".DS_Store", "x")
	h.write(".lock", "")
	h.write("notes/.user_tea.md.new", "half")
	c := h.commit("checkpoint: tea\nand more")
	if len(c.ID) != 40 || c.Subject != "checkpoint: tea and more" || c.Author != "ada <agent@localhost>" || !c.At.Equal(day) || c.Files != 2 || c.Skipped != "" || len(c.LeftOut) != 0 {
		t.Errorf("commit %+v", c)
	}
	h.sound()
	if got, want := h.git("ls-files"), ".gitattributes\n.gitignore\nMEMORY.md\nnotes/user_tea.md\n"; got != want {
		t.Errorf("recorded:\n%s", got)
	}
	if got, want := h.git("log", "--format=%s|%an|%ae|%cn|%ad", "--date=iso-strict"), "checkpoint: tea and more|ada|agent@localhost|ada|2026-03-14T15:09:26+01:00\nworkspace init|ada|agent@localhost|ada|2026-03-14T15:09:26+01:00\n"; got != want {
		t.Errorf("log:\n%s", got)
	}
	if got := h.git("branch", "--show-current"); got != "main\n" {
		t.Errorf("branch %q", got)
	}
	if got := h.git("show", "HEAD:notes/user_tea.md"); got != "I like tea.\n" {
		t.Errorf("content %q", got)
	}
	if got := h.git("reflog", "--format=%gs"); got != "commit: checkpoint: tea and more\ncommit (initial): workspace init\n" {
		t.Errorf("reflog %q", got)
	}
	info, err := os.Stat(filepath.Join(h.dir, ".git"))
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("mode of .git %v, %v", info.Mode(), err)
	}
}

func TestCleanTreeCommitsNothing(t *testing.T) {
	h := newHome(t)
	h.write("a.md", "a\n")
	first := h.commit("one")
	for range 2 {
		if c := h.commit("two"); c.ID != "" || c.Skipped != "nothing changed" {
			t.Errorf("commit %+v", c)
		}
	}
	h.write("a.md", "a\n") // touched, not changed
	if c := h.commit("three"); c.Skipped != "nothing changed" {
		t.Errorf("a touched file: %+v", c)
	}
	if log := h.log(0, false); len(log.Commits) != 2 || log.Commits[0].ID != first.ID || log.Note != "" {
		t.Errorf("log %+v", log)
	}
}

func TestDirectoryThatIsNotThere(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "gone")
	h := history.New(at(dir), nil)
	ctx := context.Background()
	if c, err := h.Commit(ctx, strata.Global(), files.Message{}, nil); err != nil || c.Skipped != "the directory does not exist yet" {
		t.Errorf("%+v, %v", c, err)
	}
	if log, err := h.Log(ctx, strata.Global(), 0, true); err != nil || len(log.Commits) != 0 || log.Note != "" {
		t.Errorf("%+v, %v", log, err)
	}
	if n, err := h.Purge(ctx, strata.Global(), func(string, []byte) ([]byte, bool) { return nil, true }); n != 0 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the directory was made")
	}
	h = history.New(func(strata.Scope) (string, bool) { return "", false }, nil)
	if _, err := h.Commit(ctx, strata.Global(), files.Message{}, nil); strata.CodeOf(err) != strata.CodeUnavailable {
		t.Errorf("no directory at hand: %v", err)
	}
}

func TestReadersMakeNoRepository(t *testing.T) {
	h := newHome(t)
	h.write("a.md", "a")
	h.log(5, true)
	if out, err := h.Holding(context.Background(), strata.Global(), func(string, []byte) bool { return true }); err != nil || out != nil {
		t.Errorf("%v, %v", out, err)
	}
	if _, err := os.Stat(filepath.Join(h.dir, ".git")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a repository was made")
	}
}

func TestFilesThatAreLeftOutAreNamed(t *testing.T) {
	needGit(t)
	h := newHome(t)
	outside := filepath.Join(t.TempDir(), "outside.md")
	if err := os.WriteFile(outside, []byte("outside"), 0o600); err != nil {
		t.Fatal(err)
	}
	h.write("big.md", "small\n")
	h.write("good.md", "good\n")
	h.commit("one")
	h.write("big.md", strings.Repeat("x", history.MaxFile+1))
	h.write("limit.md", strings.Repeat("y", history.MaxFile))
	h.write("nested/.git/HEAD", "ref: refs/heads/main\n")
	h.write("nested/a.md", "a")
	h.write("ignored.tmp", strings.Repeat("x", history.MaxFile+1))
	for link, to := range map[string]string{"link.md": outside, "dir": filepath.Dir(outside)} {
		if err := os.Symlink(to, filepath.Join(h.dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	c := h.commit("two")
	want := []files.Skipped{{Path: "big.md", Reason: "larger than 1 MiB"}, {Path: "dir", Reason: "a link"}, {Path: "link.md", Reason: "a link"}, {Path: "nested", Reason: "a repository of its own"}}
	if fmt.Sprint(c.LeftOut) != fmt.Sprint(want) || c.Files != 1 {
		t.Errorf("left out %+v, %d files", c.LeftOut, c.Files)
	}
	if got := h.git("ls-tree", "-r", "--name-only", "HEAD"); got != ".gitattributes\n.gitignore\nbig.md\ngood.md\nlimit.md\n" {
		t.Errorf("recorded %s", got)
	}
	if got := h.git("show", "HEAD:big.md"); got != "small\n" {
		t.Errorf("the version before did not stay: %d bytes", len(got))
	}
	h.git("fsck", "--full", "--strict")
	if got := h.git("status", "--porcelain"); got != " M big.md\n?? dir\n?? link.md\n?? nested/\n" {
		t.Errorf("status %q", got)
	}
	if c = h.commit("three"); c.Skipped != "nothing changed" || len(c.LeftOut) != 4 {
		t.Errorf("again: %+v", c)
	}
}

func TestSecretKeepsOneFileOutAndNoOther(t *testing.T) {
	needGit(t)
	h := newHome(t)
	check := func(_ string, content []byte) error {
		if bytes.Contains(content, []byte("hunter2")) {
			return &strata.Error{Code: strata.CodeRejectedSecret, Message: "holds a password"}
		}
		return nil
	}
	commit := func(subject string) files.Commit {
		c, err := h.Commit(context.Background(), strata.Global(), files.Message{Subject: subject, At: day}, check)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	h.write("a.md", "fine\n")
	h.write("b.md", "fine\n")
	commit("one")
	h.write("a.md", "hunter2\n")
	h.write("b.md", "changed\n")
	h.write("new.md", "hunter2\n")
	for round := range 2 {
		c := commit("two")
		if len(c.LeftOut) != 2 || c.LeftOut[0] != (files.Skipped{Path: "a.md", Reason: "holds a password"}) || c.LeftOut[1].Path != "new.md" {
			t.Errorf("round %d: left out %+v", round, c.LeftOut)
		}
		if (round == 0) != (c.Skipped == "") {
			t.Errorf("round %d: skipped %q", round, c.Skipped)
		}
	}
	if got := h.git("show", "HEAD:a.md") + h.git("show", "HEAD:b.md"); got != "fine\nchanged\n" {
		t.Errorf("recorded %q", got)
	}
	if got := h.git("status", "--porcelain"); got != " M a.md\n?? new.md\n" {
		t.Errorf("status %q", got)
	}
	if held := h.holdsBytes("hunter2"); held != nil {
		t.Errorf("the secret is in %v", held)
	}
	h.write("a.md", "fine again\n")
	h.remove("new.md")
	if c := commit("three"); c.Files != 1 || c.LeftOut != nil {
		t.Errorf("without the secret: %+v", c)
	}
	h.sound()
}

func TestSecretThatTheUserStagedStaysOut(t *testing.T) {
	needGit(t)
	h := newHome(t)
	h.write("a.md", "fine\n")
	h.commit("one")
	h.write("a.md", "hunter2\n")
	h.git("add", "a.md")
	c, err := h.Commit(context.Background(), strata.Global(), files.Message{At: day}, func(string, []byte) error { return errors.New("no") })
	if err != nil || len(c.LeftOut) != 1 || c.Skipped == "" {
		t.Errorf("%+v, %v", c, err)
	}
	if got := h.git("status", "--porcelain"); got != " M a.md\n" {
		t.Errorf("status %q", got)
	}
}

func TestAuthor(t *testing.T) {
	for _, tt := range []struct{ author, agent, want string }{
		{"", "ada", "ada <agent@localhost>"},
		{"", "", "strata <agent@localhost>"},
		{"", "  \n", "strata <agent@localhost>"},
		{"", "<script>\n\x00name", "script name <agent@localhost>"},
		{"", "...", "strata <agent@localhost>"},
		{"", "Žofie 🌱", "Žofie 🌱 <agent@localhost>"},
		{"Memory of {agent} <{agent}@example.org>", "ada", "Memory of ada <ada@example.org>"},
		{"Plain", "ada", "Plain <agent@localhost>"},
		{"X <>", "ada", "X <agent@localhost>"},
	} {
		h := newHome(t)
		h.History = history.New(at(h.dir), &history.Options{Author: tt.author})
		h.write("a.md", "a\n")
		c, err := h.Commit(context.Background(), strata.Global(), files.Message{Subject: "s", Agent: tt.agent, At: day}, nil)
		if err != nil || c.Author != tt.want {
			t.Errorf("author %q of agent %q: %q, %v", tt.author, tt.agent, c.Author, err)
		}
		if _, err := exec.LookPath("git"); err == nil {
			h.sound()
		}
	}
}

func TestMessages(t *testing.T) {
	needGit(t)
	for _, m := range []files.Message{
		{}, {Subject: "\x00"}, {Subject: "ein Ümläut ✓"}, {Subject: "bad \xff utf-8", Body: "\xfe\x00"},
		{Subject: "a\r\nb", Body: "\n\nc\r\nd\n\n"}, {Subject: strings.Repeat("x", 5000), Body: strings.Repeat("y\n", 5000)},
		{Subject: "old", At: time.Unix(-5, 0)}, {Subject: "far", At: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)},
	} {
		h := newHome(t)
		h.write("a.md", "a\n")
		c, err := h.Commit(context.Background(), strata.Global(), m, nil)
		if err != nil || c.Subject == "" {
			t.Fatalf("%+v: %+v, %v", m, c, err)
		}
		h.sound()
		if got := h.log(1, false).Commits[0]; got.ID != c.ID || got.Subject != c.Subject || got.Body != c.Body || !got.At.Equal(c.At) || got.Files != c.Files {
			t.Errorf("logged %+v, committed %+v", got, c)
		}
	}
}

func TestUserWorksWithGitBetweenCommits(t *testing.T) {
	needGit(t)
	h := newHome(t)
	h.write("a.md", "one\n")
	h.commit("one")
	h.write("b.md", "by hand\n")
	h.git("add", "b.md")
	h.git("commit", "-qm", "by hand")
	byHand := strings.TrimSpace(h.git("rev-parse", "HEAD"))
	h.sound()
	h.write("a.md", "two\n")
	h.commit("two")
	h.sound()
	if got := h.git("rev-parse", "HEAD~1"); strings.TrimSpace(got) != byHand {
		t.Errorf("the commit by hand is not below: %s", got)
	}
	h.git("switch", "-qc", "other")
	h.write("c.md", "on a branch\n")
	h.commit("three")
	h.sound()
	if got := h.git("log", "--format=%s", "other"); got != "three\ntwo\nby hand\none\nworkspace init\n" {
		t.Errorf("branch: %q", got)
	}
	if got := h.git("log", "-1", "--format=%s", "main"); got != "two\n" {
		t.Errorf("main: %q", got)
	}
	h.git("switch", "-q", "main")
	if c := h.commit("nothing"); c.Skipped != "nothing changed" {
		t.Errorf("after a switch: %+v", c)
	}
	h.git("gc", "-q", "--prune=now")
	h.git("pack-refs", "--all")
	h.write("d.md", "after a gc\n")
	h.commit("four")
	h.sound()
	if log := h.log(0, true); len(log.Commits) != 5 || log.Commits[0].Subject != "four" || log.Note != "" || !strings.Contains(log.Diff, "+after a gc") {
		t.Errorf("log %+v", log)
	}
	h.git("checkout", "-q", "--detach", "HEAD~1")
	h.write("e.md", "detached\n")
	if c := h.commit("five"); !strings.Contains(c.Skipped, "detached at") || c.ID != "" {
		t.Errorf("detached: %+v", c)
	}
	if log := h.log(1, false); log.Commits[0].Subject != "two" {
		t.Errorf("log of a detached HEAD: %+v", log)
	}
}

func TestMergeUnderWayIsNotRecorded(t *testing.T) {
	needGit(t)
	h := newHome(t)
	h.write("a.md", "one\n")
	h.commit("one")
	h.git("switch", "-qc", "other")
	h.write("a.md", "other\n")
	h.commit("other")
	h.git("switch", "-q", "main")
	h.write("a.md", "main\n")
	h.commit("main")
	if out, err := h.tryGit("merge", "other"); err == nil {
		t.Fatalf("the merge has no conflict: %s", out)
	}
	if c := h.commit("half"); c.Skipped == "" || !strings.Contains(c.Skipped, "merge") {
		t.Errorf("%+v", c)
	}
	if _, err := h.Purge(context.Background(), strata.Global(), func(string, []byte) ([]byte, bool) { return nil, false }); strata.CodeOf(err) != strata.CodeConflict {
		t.Errorf("purge: %v", err)
	}
	h.write("a.md", "merged\n")
	h.git("commit", "-qam", "merged")
	h.write("b.md", "b\n")
	h.commit("after")
	h.sound()
	if log := h.log(0, true); len(log.Commits) != 6 || log.Commits[1].Subject != "merged" {
		t.Errorf("log %+v", log.Commits)
	}
}

func TestIgnoreFilesAreRespected(t *testing.T) {
	needGit(t)
	h := newHome(t)
	h.write(".gitignore", "*.log\n!keep.log\n/top.md\nbuild/\n")
	h.write("sub/.gitignore", "secret.md\n!x.log\n")
	for _, f := range []string{"a.log", "keep.log", "top.md", "sub/top.md", "build/a.md", "sub/build/a.md", "sub/secret.md", "secret.md", "sub/x.log", "sub/y.log"} {
		h.write(f, f+"\n")
	}
	h.commit("one")
	h.sound()
	want := ".gitattributes\n.gitignore\nkeep.log\nsecret.md\nsub/.gitignore\nsub/top.md\nsub/x.log\n"
	if got := h.git("ls-files"); got != want {
		t.Errorf("recorded:\n%s", got)
	}
	// What is recorded stays recorded, as git has it, until it is removed.
	h.write(".gitignore", "secret.md\n")
	h.write("secret.md", "changed\n")
	h.commit("two")
	h.sound()
	if got := h.git("show", "HEAD:secret.md"); got != "changed\n" {
		t.Errorf("%q", got)
	}
	h.git("rm", "-q", "--cached", "secret.md")
	h.commit("three")
	h.sound()
	if out, err := h.tryGit("show", "HEAD:secret.md"); err == nil {
		t.Errorf("still recorded: %q", out)
	}
}

// TestUsersRepositoryAroundIsNotTouched commits in a directory inside a
// project that has a repository of its own.
func TestUsersRepositoryAroundIsNotTouched(t *testing.T) {
	needGit(t)
	project := newHome(t)
	project.git("init", "-q")
	project.write("main.go", "package main\n")
	project.git("add", "main.go")
	project.git("commit", "-qm", "start")
	project.write("main.go", "package main // changed\n")
	before := treeBytes(t, filepath.Join(project.dir, ".git"))
	inside := filepath.Join(project.dir, ".strata")
	h := &home{t, inside, history.New(at(inside), nil)}
	h.write("MEMORY.md", "# Memory\n")
	h.commit("one")
	h.write("MEMORY.md", "# Memory 2\n")
	h.commit("two")
	h.log(5, true)
	if _, err := h.Purge(context.Background(), strata.Global(), func(_ string, c []byte) ([]byte, bool) { return []byte("x"), bytes.Contains(c, []byte("2")) }); err != nil {
		t.Fatal(err)
	}
	if after := treeBytes(t, filepath.Join(project.dir, ".git")); after != before {
		t.Error("the project's repository changed")
	}
}

// treeBytes is everything below a directory in one text.
func treeBytes(t *testing.T, dir string) string {
	t.Helper()
	var out strings.Builder
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(&out, "%s %v %v\n", p, info.Mode(), info.ModTime())
		if d.Type().IsRegular() {
			data, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			out.Write(data)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestRepositoriesThatAreNoneOfMemorysAreRefused(t *testing.T) {
	elsewhere := t.TempDir()
	for name, prepare := range map[string]func(h *home){
		"file": func(h *home) { h.write(".git", "gitdir: "+elsewhere+"\n") },
		"link": func(h *home) {
			if err := os.Symlink(elsewhere, filepath.Join(h.dir, ".git")); err != nil {
				t.Fatal(err)
			}
		},
		"worktree": func(h *home) { h.write(".git/commondir", "../x\n"); h.write(".git/HEAD", "ref: refs/heads/main\n") },
		"elsewhere": func(h *home) {
			h.commit("one")
			h.write(".git/config", "[core]\n\tworktree = /tmp\n")
		},
		"sha256": func(h *home) {
			h.commit("one")
			h.write(".git/config", "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectFormat = sha256\n")
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHome(t)
			h.write("a.md", "a\n")
			prepare(h)
			h.write("a.md", "b\n")
			_, err := h.Commit(context.Background(), strata.Global(), files.Message{At: day}, nil)
			var e *strata.Error
			if !errors.As(err, &e) || e.Code != strata.CodeUnsupported || e.Hint == "" || e.Op != "commit" {
				t.Errorf("commit: %v", err)
			}
			if log := h.log(0, false); log.Note == "" {
				t.Errorf("log says nothing")
			}
			if entries, err := os.ReadDir(elsewhere); err != nil || len(entries) != 0 {
				t.Errorf("something was written elsewhere: %v, %v", entries, err)
			}
		})
	}
}

func TestLimitOfLog(t *testing.T) {
	h := newHome(t)
	for i := range 14 {
		h.write("a.md", fmt.Sprintln(i))
		h.commit(fmt.Sprint("c", i))
	}
	for _, tt := range []struct{ limit, want int }{{0, 10}, {1, 1}, {14, 14}, {15, 15}, {100, 15}} {
		log := h.log(tt.limit, false)
		if len(log.Commits) != tt.want || log.Commits[0].Subject != "c13" || log.Diff != "" {
			t.Errorf("limit %d: %d commits", tt.limit, len(log.Commits))
		}
	}
	for _, limit := range []int{-1, 101} {
		if _, err := h.Log(context.Background(), strata.Global(), limit, false); strata.CodeOf(err) != strata.CodeInvalid {
			t.Errorf("limit %d: %v", limit, err)
		}
	}
}

// What a user marked in the index is as it was after a commit: a file that is assumed to
// be unchanged is not looked at, and one that is not in the work tree is not deleted.
func TestMarksOfTheIndexStay(t *testing.T) {
	needGit(t)
	for _, version := range []string{"2", "3", "4"} {
		h := newHome(t)
		for _, name := range []string{"assumed.md", "notes/a.md", "notes/b.md", "skipped.md"} {
			h.write(name, "one\n")
		}
		h.commit("one")
		h.git("update-index", "--index-version", version)
		h.git("update-index", "--assume-unchanged", "assumed.md")
		h.git("update-index", "--skip-worktree", "skipped.md")
		h.write("assumed.md", "two\n")
		h.remove("skipped.md")
		h.write("notes/b.md", "two\n")
		if c := h.commit("two"); c.Files != 1 {
			t.Errorf("version %s: %+v", version, c)
		}
		if got := h.git("ls-files", "-v"); got != "H .gitattributes\nH .gitignore\nh assumed.md\nH notes/a.md\nH notes/b.md\nS skipped.md\n" {
			t.Errorf("version %s:\n%s", version, got)
		}
		if got := h.git("show", "HEAD:assumed.md") + h.git("show", "HEAD:skipped.md"); got != "one\none\n" {
			t.Errorf("version %s: %q", version, got)
		}
		h.sound()
	}
}

// A file from before 1970 has a time that no index holds.
func TestFilesOfAnyTimeAreRecorded(t *testing.T) {
	needGit(t)
	h := newHome(t)
	for i, at := range []time.Time{time.Unix(-1000, 5), time.Unix(0, 0), time.Unix(1<<32+7, 0)} {
		name := fmt.Sprintf("%d.md", i)
		h.write(name, "text\n")
		if err := os.Chtimes(filepath.Join(h.dir, name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	if c := h.commit("one"); c.Files != 3 {
		t.Errorf("%+v", c)
	}
	if c := h.commit("two"); c.Skipped != "nothing changed" {
		t.Errorf("%+v", c)
	}
	h.sound()
}

func TestCanceled(t *testing.T) {
	h := newHome(t)
	h.write("a.md", "a\n")
	h.commit("one")
	h.write("a.md", "b\n")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := h.Commit(ctx, strata.Global(), files.Message{At: day}, nil); strata.CodeOf(err) != strata.CodeCanceled {
		t.Errorf("commit: %v", err)
	}
	if _, err := h.Log(ctx, strata.Global(), 0, true); strata.CodeOf(err) != strata.CodeCanceled {
		t.Errorf("log: %v", err)
	}
	if c := h.commit("two"); c.Files != 1 {
		t.Errorf("afterwards: %+v", c)
	}
}
