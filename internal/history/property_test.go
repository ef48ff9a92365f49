package history_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata/internal/history"
)

// TestRandomTreesEqualThoseOfGit edits, deletes and renames at random, with
// rules and attributes of all kinds, and compares each recorded tree with what
// git add -A makes of the same files.
func TestRandomTreesEqualThoseOfGit(t *testing.T) {
	needGit(t)
	names := []string{"a.md", "b.log", "a/b.md", "a/c/d.md", "a/c/keep.log", "a b/ü.md", "x[1].md", "-q", "a.b", "a0", "A.md", "z/build/o.md", "z/o.tmp", "!odd", "#odd", `back\slash`}
	contents := []string{"", "x", "one\n", "one\r\ntwo\r\n", "mixed\r\nends\n", "a\rlone", "\x00bytes\r\n", "\x1b\x01\x02\r\n", "Ünïcode\r\n", "end\r\n\x1a"}
	rules := []string{
		"", "*.log", "*.log\n!keep.log", "/a", "a/", "c/", "a/c/", "a/**\n!a/c/", "**/d.md", "a/**/d.md", "build/\n", "[ab].*", "[!a].md", "[[:upper:]]*", "x\\[1\\].md", "x[1].md",
		"\\!odd", "\\#odd", "#odd", "*\n!*/\n!*.md", "a*b", "*.md  ", "?.md", "a/*\n!a/b.md", "[", "back\\\\slash", "\ufeff*.tmp", "*.log\r\n", "**", "**/c", "ü.md", "a?b/??.md", "!a", "a/b.md/", "//a", "/", "a\\",
		"[^b-z].md", "[]x].md", "[a-", "*/**/d.md", "a**d.md", "***", "**.log",
	}
	attributes := []string{"", "* text=auto", "*.md text", "* -text", "*.md eol=lf", "*.md binary", "* text=auto\na/** -text", "*.md crlf\n*.log -crlf", "[attr]plain text\n*.md plain", "* !text", "/a/b.md text=auto", `"a b/*" text`, "* text=auto eol=crlf", "!* text", "a/ text"}
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "history")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		h := &home{t, dir, history.New(at(dir), nil)}
		h.git("init", "-q", "-b", "main")
		h.git("config", "core.autocrlf", rapid.SampledFrom([]string{"false", "input"}).Draw(t, "autocrlf"))
		h.git("config", "core.safecrlf", "false")
		h.git("commit", "-q", "--allow-empty", "-m", "start")
		for range rapid.IntRange(1, 3).Draw(t, "commits") {
			for range rapid.IntRange(1, 8).Draw(t, "changes") {
				change(t, h, names, contents, rules, attributes)
			}
			if rapid.IntRange(0, 5).Draw(t, "index") == 0 {
				h.git("add", "-A")
			}
			want := h.gitTree()
			c := h.commit("x")
			got := strings.TrimSpace(h.git("rev-parse", "HEAD^{tree}"))
			if got != want {
				t.Fatalf("the trees differ (%+v):\n%s", c, h.git("diff-tree", "-r", want, got))
			}
			if out := h.git("status", "--porcelain"); out != "" {
				t.Fatalf("git status: %s", out)
			}
		}
		h.sound()
	})
}

// change changes one thing in a directory.
func change(t *rapid.T, h *home, names, contents, rules, attributes []string) {
	name := rapid.SampledFrom(names).Draw(t, "name")
	file := filepath.Join(h.dir, name)
	switch rapid.SampledFrom([]string{"write", "write", "write", "remove", "rename", "mode", "ignore", "attributes", "directory"}).Draw(t, "what") {
	case "write":
		// A directory gives way to a file, and a file to a directory.
		for at := filepath.Dir(file); at != h.dir; at = filepath.Dir(at) {
			if info, err := os.Lstat(at); err == nil && !info.IsDir() {
				h.must(os.Remove(at))
			}
		}
		if info, err := os.Lstat(file); err == nil && info.IsDir() {
			h.must(os.RemoveAll(file))
		}
		h.write(name, rapid.SampledFrom(contents).Draw(t, "content"))
	case "remove":
		h.remove(name)
	case "rename":
		to := filepath.Join(h.dir, rapid.SampledFrom(names).Draw(t, "to"))
		_ = os.Rename(file, to) // where it can be
	case "mode":
		_ = os.Chmod(file, 0o700) // where it is there
	case "ignore":
		dir := rapid.SampledFrom([]string{"", "a", "a/c", "z"}).Draw(t, "dir")
		if info, err := os.Lstat(filepath.Join(h.dir, dir)); err == nil && info.IsDir() {
			h.write(filepath.Join(dir, ".gitignore"), rapid.SampledFrom(rules).Draw(t, "rule")+"\n"+rapid.SampledFrom(rules).Draw(t, "rule"))
		}
	case "attributes":
		dir := rapid.SampledFrom([]string{"", "a"}).Draw(t, "dir")
		if info, err := os.Lstat(filepath.Join(h.dir, dir)); err == nil && info.IsDir() {
			h.write(filepath.Join(dir, ".gitattributes"), rapid.SampledFrom(attributes).Draw(t, "attributes")+"\n")
			h.touchAll()
		}
	case "directory":
		h.must(os.MkdirAll(filepath.Join(h.dir, "empty/inside"), 0o700))
	}
}

// touchAll lets every file be read again. Git looks at what it knows with other
// attributes only when it reads it for another reason, which may be that it was
// changed in this second.
func (h *home) touchAll() {
	now := time.Now()
	h.must(filepath.WalkDir(h.dir, func(p string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.Name() == ".git":
			return filepath.SkipDir
		case d.IsDir():
			return nil
		}
		return os.Chtimes(p, now, now)
	}))
}

func (h *home) must(err error) {
	if err != nil {
		h.t.Fatal(err)
	}
}

// gitTree is the tree that git add -A makes, in an index of its own.
func (h *home) gitTree() string {
	h.t.Helper()
	other := filepath.Join(h.dir, ".git", "compared")
	if data, err := os.ReadFile(filepath.Join(h.dir, ".git", "index")); err == nil {
		h.must(os.WriteFile(other, data, 0o600))
		info, err := os.Stat(filepath.Join(h.dir, ".git", "index"))
		h.must(err)
		h.must(os.Chtimes(other, info.ModTime(), info.ModTime())) // by which git knows what to look at again
	}
	defer os.Remove(other)
	h.must(os.Setenv("GIT_INDEX_FILE", other))
	defer os.Unsetenv("GIT_INDEX_FILE")
	if out, err := h.tryGit("add", "-A"); err != nil {
		h.t.Fatalf("git add -A: %v\n%s", err, out)
	}
	out, err := h.tryGit("write-tree")
	if err != nil {
		h.t.Fatalf("git write-tree: %v\n%s", err, out)
	}
	return strings.TrimSpace(out)
}
