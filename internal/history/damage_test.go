package history_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store/files"
)

// TestDamagedRepository damages a repository in one way each. Log tells of it,
// Commit returns corrupt with a hint, and nothing of the repository is deleted.
func TestDamagedRepository(t *testing.T) {
	needGit(t)
	old := time.Now().Add(-time.Hour)
	for name, damage := range map[string]func(h *home){
		"commit cut short":  func(h *home) { h.cut(h.object("HEAD"), 10) },
		"commit empty":      func(h *home) { h.cut(h.object("HEAD"), 0) },
		"commit missing":    func(h *home) { h.remove(h.object("HEAD")) },
		"commit is another": func(h *home) { h.copyOver(h.object("HEAD~1"), h.object("HEAD")) },
		"tree cut short":    func(h *home) { h.cut(h.object("HEAD:notes"), 12) },
		"tree is a file":    func(h *home) { h.copyOver(h.object("HEAD:a.md"), h.object("HEAD:notes")) },
		"HEAD missing":      func(h *home) { h.remove(".git/HEAD") },
		"HEAD empty":        func(h *home) { h.cut(".git/HEAD", 0) },
		"HEAD garbage":      func(h *home) { h.write(".git/HEAD", "\x00\xff garbage") },
		"HEAD leads out":    func(h *home) { h.write(".git/HEAD", "ref: refs/../../../../etc/passwd\n") },
		"ref garbage":       func(h *home) { h.write(".git/refs/heads/main", "not a hash\n") },
		"ref empty":         func(h *home) { h.cut(".git/refs/heads/main", 0) },
		"ref to nothing":    func(h *home) { h.write(".git/refs/heads/main", strings.Repeat("12", 20)+"\n") },
		"ref to a file":     func(h *home) { h.write(".git/refs/heads/main", h.git("rev-parse", "HEAD:a.md")) },
		"ref in a circle":   func(h *home) { h.write(".git/refs/heads/main", "ref: refs/heads/main\n") },
		"ref is huge":       func(h *home) { h.write(".git/refs/heads/main", strings.Repeat("1", 1<<20)) },
		"packed refs": func(h *home) {
			h.git("pack-refs", "--all")
			h.write(".git/packed-refs", "garbage\n")
		},
		"config":          func(h *home) { h.write(".git/config", "[core\nx") },
		"objects missing": func(h *home) { h.remove(".git/objects") },
		"index.lock of a dead git": func(h *home) {
			h.write(".git/index.lock", "")
			if err := os.Chtimes(filepath.Join(h.dir, ".git/index.lock"), old, old); err != nil {
				h.t.Fatal(err)
			}
		},
		"pack cut short": func(h *home) {
			h.git("gc", "-q", "--prune=now")
			packs, err := filepath.Glob(filepath.Join(h.dir, ".git/objects/pack/*.pack"))
			if err != nil || len(packs) != 1 {
				h.t.Fatal(packs, err)
			}
			name, err := filepath.Rel(h.dir, packs[0])
			if err != nil {
				h.t.Fatal(err)
			}
			h.cut(name, 40)
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHome(t)
			h.write("a.md", "one\n")
			h.write("notes/b.md", "one\n")
			h.commit("one")
			h.write("notes/b.md", "two\n")
			h.commit("two")
			damage(h)
			before := h.files()
			h.write("a.md", "three\n")
			_, err := h.Commit(context.Background(), strata.Global(), files.Message{Subject: "three", At: day}, nil)
			var e *strata.Error
			if !errors.As(err, &e) || e.Code != strata.CodeCorrupt || e.Hint == "" || e.Op != "commit" || e.Message == "" {
				t.Errorf("commit: %#v", err)
			}
			if log := h.log(0, true); log.Note == "" {
				t.Errorf("the log says nothing: %+v", log)
			}
			for name, content := range before {
				now, err := os.ReadFile(filepath.Join(h.dir, name))
				if err != nil || !bytes.Equal(now, content) {
					t.Errorf("%s is changed: %v", name, err)
				}
			}
		})
	}
}

// object is the file of an object below the directory.
func (h *home) object(name string) string {
	id := strings.TrimSpace(h.git("rev-parse", name))
	return ".git/objects/" + id[:2] + "/" + id[2:]
}

func (h *home) cut(name string, size int64) {
	h.t.Helper()
	file := filepath.Join(h.dir, name)
	if err := errors.Join(os.Chmod(file, 0o600), os.Truncate(file, size)); err != nil {
		h.t.Fatal(err)
	}
}

func (h *home) copyOver(from, to string) {
	h.t.Helper()
	data, err := os.ReadFile(filepath.Join(h.dir, from))
	if err != nil {
		h.t.Fatal(err)
	}
	h.remove(to)
	h.write(to, string(data))
}

// files are those of the .git that no commit may change or remove.
func (h *home) files() map[string][]byte {
	out := make(map[string][]byte)
	for _, dir := range []string{".git/objects", ".git/refs"} {
		_ = filepath.WalkDir(filepath.Join(h.dir, dir), func(p string, d os.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				name, errName := filepath.Rel(h.dir, p)
				data, errRead := os.ReadFile(p)
				if errName == nil && errRead == nil {
					out[name] = data
				}
			}
			return nil
		})
	}
	return out
}

func TestGitAtWorkIsBusyAndNotDamage(t *testing.T) {
	h := newHome(t)
	h.write("a.md", "one\n")
	h.commit("one")
	h.write(".git/index.lock", "")
	h.write("a.md", "two\n")
	_, err := h.Commit(context.Background(), strata.Global(), files.Message{At: day}, nil)
	var e *strata.Error
	if !errors.As(err, &e) || e.Code != strata.CodeBusy || !strings.Contains(e.Hint, "index.lock") {
		t.Errorf("commit: %v", err)
	}
	if log := h.log(0, false); log.Note != "" || len(log.Commits) != 2 {
		t.Errorf("log %+v", log)
	}
	if _, err := os.Stat(filepath.Join(h.dir, ".git/index.lock")); err != nil {
		t.Errorf("the lock of git: %v", err)
	}
	h.remove(".git/index.lock")
	if c := h.commit("two"); c.Files != 1 {
		t.Errorf("%+v", c)
	}
}

func TestIndexThatIsMissingOrDamagedIsMadeAgain(t *testing.T) {
	needGit(t)
	for name, damage := range map[string]func(h *home){
		"missing": func(h *home) { h.remove(".git/index") },
		"empty":   func(h *home) { h.cut(".git/index", 0) },
		"garbage": func(h *home) { h.write(".git/index", "DIRC garbage that is long enough to look like something") },
		"flipped": func(h *home) {
			data, err := os.ReadFile(filepath.Join(h.dir, ".git/index"))
			if err != nil {
				h.t.Fatal(err)
			}
			data[60] ^= 1
			h.write(".git/index", string(data))
		},
		"version 4":    func(h *home) { h.git("update-index", "--index-version", "4") },
		"in two parts": func(h *home) { h.git("update-index", "--split-index") },
	} {
		t.Run(name, func(t *testing.T) {
			h := newHome(t)
			h.write(".gitignore", "*.log\n")
			h.write("a.md", "one\n")
			h.write("notes/b.md", "one\n")
			h.commit("one")
			damage(h)
			h.write("x.log", "x\n")
			if c := h.commit("nothing"); c.Skipped != "nothing changed" {
				t.Errorf("%+v", c)
			}
			h.sound()
			damage(h)
			h.write("a.md", "two\n")
			if c := h.commit("two"); c.Files != 1 {
				t.Errorf("%+v", c)
			}
			h.sound()
		})
	}
}

// TestChangeThatNoTimeShows writes files of the same size again and again in
// the time between two ticks of a clock, and with the time set back.
func TestChangeThatNoTimeShows(t *testing.T) {
	h := newHome(t)
	then := time.Now().Add(-time.Hour)
	for i := range 60 {
		h.write("a.md", string(rune('a'+i%26))+"\n")
		h.write("b.md", string(rune('a'+(i+1)%26))+"\n")
		if err := os.Chtimes(filepath.Join(h.dir, "b.md"), then, then); err != nil {
			t.Fatal(err)
		}
		if c := h.commit("x"); c.Skipped != "" || (i > 0 && c.Files != 2) {
			t.Fatalf("round %d: %+v", i, c)
		}
	}
}

// TestRandomDamageNeverPanics flips bytes in a repository. Whatever comes of
// it, every call returns, and what it returns is an error with a code, or not.
func TestRandomDamageNeverPanics(t *testing.T) {
	needGit(t)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for round := range 40 {
		h := newHome(t)
		h.write("a.md", strings.Repeat("some text\n", 50))
		h.write("notes/b.md", "one\n")
		h.commit("one")
		h.write("a.md", strings.Repeat("some text\n", 51))
		h.commit("two")
		if round%2 == 0 {
			h.git("gc", "-q", "--prune=now")
		}
		var names []string
		err := filepath.WalkDir(filepath.Join(h.dir, ".git"), func(p string, d os.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && !strings.Contains(p, "hooks") {
				names = append(names, p)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		for range 6 {
			p := names[rng.IntN(len(names))]
			data, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			if len(data) == 0 {
				continue
			}
			data[rng.IntN(len(data))] ^= byte(1 + rng.IntN(255))
			if rng.IntN(4) == 0 {
				data = data[:rng.IntN(len(data))]
			}
			if err := errors.Join(os.Chmod(p, 0o600), os.WriteFile(p, data, 0o600)); err != nil {
				t.Fatal(err)
			}
		}
		ctx := context.Background()
		h.log(0, true)
		h.write("a.md", "three\n")
		_, errCommit := h.Commit(ctx, strata.Global(), files.Message{At: day}, nil)
		_, errHolding := h.Holding(ctx, strata.Global(), holding("some"))
		_, errPurge := h.Purge(ctx, strata.Global(), blanking("some"))
		for _, err := range []error{errCommit, errHolding, errPurge} {
			if strata.CodeOf(err) == strata.CodeInternal {
				t.Errorf("an error without a code: %v", err)
			}
		}
	}
}
