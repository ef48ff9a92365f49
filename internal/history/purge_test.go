package history_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/history"
	"github.com/strata-memory/strata/store/files"
)

// blanking replaces a text wherever it stands.
func blanking(text string) func(string, []byte) ([]byte, bool) {
	return func(_ string, content []byte) ([]byte, bool) {
		out := bytes.ReplaceAll(content, []byte(text), []byte("[forgotten]"))
		return out, !bytes.Equal(out, content)
	}
}

func holding(text string) func(string, []byte) bool {
	return func(path string, content []byte) bool {
		return strings.Contains(path, text) || bytes.Contains(content, []byte(text))
	}
}

func (h *home) holding(text string) []string {
	h.t.Helper()
	commits, err := h.Holding(context.Background(), strata.Global(), holding(text))
	if err != nil {
		h.t.Fatal(err)
	}
	var out []string
	for _, c := range commits {
		out = append(out, c.Subject)
	}
	return out
}

func (h *home) purge(text string) int {
	h.t.Helper()
	n, err := h.Purge(context.Background(), strata.Global(), blanking(text))
	if err != nil {
		h.t.Fatalf("purge: %v", err)
	}
	return n
}

func TestHoldingNamesTheCommitsNewestFirst(t *testing.T) {
	h := newHome(t)
	h.write("a.md", "plain\n")
	h.commit("one")
	h.write("notes/b.md", "my cat is Whiskerino\n")
	h.commit("two")
	h.write("c.md", "plain\n")
	h.commit("three")
	h.remove("notes/b.md")
	h.commit("four")
	h.write("d.md", "d\n")
	h.commit("five: Whiskerino")
	if got := fmt.Sprint(h.holding("Whiskerino")); got != "[five: Whiskerino three two]" {
		t.Errorf("holding %s", got)
	}
	if got := h.holding("nowhere"); got != nil {
		t.Errorf("holding %v", got)
	}
}

const secret = "Whiskerino-4711"

// TestPurgedTextIsNowhere purges a text that git keeps in every place it has:
// commits on branches, tags, a stash, the index, packs, logs, and objects that
// nothing leads to.
func TestPurgedTextIsNowhere(t *testing.T) {
	needGit(t)
	for _, packed := range []bool{false, true} {
		t.Run(fmt.Sprintf("packed=%v", packed), func(t *testing.T) {
			h := newHome(t)
			h.write("a.md", "plain\n")
			h.write("deep/er/b.md", "plain\n")
			h.commit("one")
			h.write("deep/er/b.md", "a line\n"+secret+"\nanother\n")
			h.commit("two about " + secret)
			h.git("tag", "-a", "-m", "tagged "+secret, "v1")
			h.git("tag", "light")
			h.git("branch", "side")
			h.write("deep/er/b.md", "clean\n")
			h.commit("three")
			h.git("switch", "-q", "side")
			h.write("side.md", secret+" on the side\n")
			h.commit("on the side")
			h.write("side.md", "amended away: "+secret+" too\n")
			h.git("commit", "-q", "--amend", "-am", "amended")
			h.write("side.md", secret+" in a stash\n")
			h.git("stash", "-q")
			h.write("side.md", "an older stash is below "+secret+"\n")
			h.git("stash", "-q")
			h.git("switch", "-q", "main")
			h.write("staged.md", secret+" staged\n")
			h.git("add", "staged.md")
			before := h.git("log", "--format=%s|%an|%ae|%ad|%cn|%cd|%B", "--date=raw", "main")
			if packed {
				h.git("gc", "-q")
				h.git("repack", "-adq")
				h.git("pack-refs", "--all")
			}
			h.write("loose.md", secret+" that nothing leads to\n")
			h.git("hash-object", "-w", "loose.md")
			h.remove("loose.md")
			h.write("staged.md", "clean\n")

			named := fmt.Sprint(h.holding(secret))
			for _, want := range []string{"two about", "on the side", "amended", "in no commit"} {
				if !strings.Contains(named, want) {
					t.Errorf("holding does not name %q: %s", want, named)
				}
			}
			if n := h.purge(secret); n < 4 {
				t.Errorf("%d commits rewritten", n)
			}
			if held := h.holdsBytes(secret); held != nil {
				t.Errorf("the text is in %v", held)
			}
			if got := h.holding(secret); got != nil {
				t.Errorf("still held by %v", got)
			}
			if out := h.git("fsck", "--full", "--strict", "--unreachable"); strings.TrimSpace(out) != "" {
				t.Errorf("fsck: %s", out)
			}
			if after := h.git("log", "--format=%s|%an|%ae|%ad|%cn|%cd|%B", "--date=raw", "main"); after != strings.ReplaceAll(before, secret, "[forgotten]") {
				t.Errorf("log before:\n%s\nafter:\n%s", before, after)
			}
			if got := h.git("show", "v1:deep/er/b.md"); got != "a line\n[forgotten]\nanother\n" {
				t.Errorf("what the tag names: %q", got)
			}
			if got := h.git("rev-parse", "v1^{commit}") + h.git("rev-parse", "light"); strings.Count(got, strings.Fields(got)[0]) != 2 {
				t.Errorf("the tags part: %s", got)
			}
			if got := h.git("show", "side:side.md") + h.git("show", "stash@{0}:side.md") + h.git("show", "stash@{1}:side.md"); got != "amended away: [forgotten] too\nan older stash is below [forgotten]\n[forgotten] in a stash\n" {
				t.Errorf("branch and stash: %q", got)
			}
			if got := h.git("stash", "list", "--format=%gd"); got != "stash@{0}\nstash@{1}\n" {
				t.Errorf("stashes %q", got)
			}
			h.git("add", "-A")
			h.git("commit", "-qm", "goes on")
			h.sound()
			h.write("a.md", "and on\n")
			h.commit("and on")
			h.sound()
			if n := h.purge(secret); n != 0 {
				t.Errorf("again: %d commits rewritten", n)
			}
			h.sound()
		})
	}
}

func TestPurgeOfNothingKeepsEveryCommit(t *testing.T) {
	needGit(t)
	h := newHome(t)
	h.write("a.md", "a\n")
	h.commit("one")
	h.git("gc", "-q")
	before := h.git("log", "--all", "--format=%H")
	if n := h.purge("nowhere"); n != 0 || h.git("log", "--all", "--format=%H") != before {
		t.Errorf("%d commits rewritten", n)
	}
	packs, err := filepath.Glob(filepath.Join(h.dir, ".git/objects/pack/*.pack"))
	if err != nil || len(packs) != 1 {
		t.Errorf("packs %v, %v", packs, err)
	}
	h.sound()
}

func TestPurgeByPathLeavesTheSameTextElsewhere(t *testing.T) {
	needGit(t)
	h := newHome(t)
	h.write("a.md", "shared\n")
	h.write("b/a.md", "shared\n")
	h.commit("one")
	n, err := h.Purge(context.Background(), strata.Global(), func(path string, content []byte) ([]byte, bool) { return []byte{}, path == "b/a.md" })
	if err != nil || n != 1 {
		t.Fatalf("%d, %v", n, err)
	}
	if got := h.git("show", "HEAD:a.md") + h.git("show", "HEAD:b/a.md"); got != "shared\n" {
		t.Errorf("%q", got)
	}
	if got := h.git("status", "--porcelain"); got != " M b/a.md\n" {
		t.Errorf("status %q", got)
	}
}

// A path that says what was forgotten goes from every commit, and from the index.
func TestPurgeOfAPath(t *testing.T) {
	needGit(t)
	h := newHome(t)
	h.write("notes/"+secret+".md", "plain\n")
	h.write("b.md", "b\n")
	h.commit("one")
	h.write("b.md", "c\n")
	h.commit("two")
	if got := fmt.Sprint(h.holding(secret)); got != "[two one]" {
		t.Errorf("holding %s", got)
	}
	n, err := h.Purge(context.Background(), strata.Global(), func(path string, content []byte) ([]byte, bool) { return nil, strings.Contains(path, secret) })
	if err != nil || n != 2 {
		t.Fatalf("%d, %v", n, err)
	}
	if held := h.holdsBytes(secret); held != nil || len(h.holding(secret)) > 0 {
		t.Errorf("the path is in %v, %v", held, h.holding(secret))
	}
	if got := h.git("ls-tree", "-r", "--name-only", "HEAD") + h.git("ls-files"); strings.Contains(got, "notes") || !strings.Contains(got, "b.md") {
		t.Errorf("files %q", got)
	}
	h.git("fsck", "--full", "--strict")
	h.remove("notes/" + secret + ".md")
	h.write("b.md", "d\n")
	h.commit("three")
	h.sound()
}

func TestPurgeOfASignedAndAMergedHistory(t *testing.T) {
	needGit(t)
	h := newHome(t)
	h.write("a.md", secret+"\n")
	h.commit("one")
	h.git("switch", "-qc", "side")
	h.write("b.md", "b\n")
	h.commit("side")
	h.git("switch", "-q", "main")
	h.write("c.md", "c\n")
	h.commit("main")
	h.git("merge", "-q", "--no-ff", "-m", "merged", "side")
	raw := h.git("cat-file", "commit", "HEAD")
	signed := strings.Replace(raw, "\n\n", "\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n abc\n -----END PGP SIGNATURE-----\nencoding ISO-8859-1\n\n", 1)
	h.write("x", signed)
	id := strings.TrimSpace(h.git("hash-object", "-t", "commit", "-w", "x"))
	h.remove("x")
	h.git("reset", "-q", "--hard", id)
	if n := h.purge(secret); n != 4 {
		t.Errorf("%d commits rewritten", n)
	}
	after := h.git("cat-file", "commit", "HEAD")
	if strings.Contains(after, "gpgsig") || !strings.Contains(after, "encoding ISO-8859-1") || strings.Count(after, "parent ") != 2 {
		t.Errorf("commit:\n%s", after)
	}
	h.git("fsck", "--full", "--strict")
	if held := h.holdsBytes(secret); held != nil {
		t.Errorf("the text is in %v", held)
	}
}

func TestPurgeOfOtherWorkTrees(t *testing.T) {
	needGit(t)
	h := newHome(t)
	h.write("a.md", "a\n")
	h.commit("one")
	other := filepath.Join(t.TempDir(), "other")
	h.git("worktree", "add", "-q", "--detach", other)
	o := &home{t, other, nil}
	o.write("b.md", secret+"\n")
	o.git("add", "-A")
	o.git("commit", "-qm", "there")
	o.write("c.md", secret+" staged\n")
	o.git("add", "-A")
	o.write("c.md", "clean\n")
	_, err := h.Purge(context.Background(), strata.Global(), blanking(secret))
	if strata.CodeOf(err) != strata.CodeConflict || !strings.Contains(err.Error(), filepath.Join(other, "b.md")) || strings.Contains(err.Error(), "c.md") {
		t.Errorf("what is checked out there is not named: %v", err)
	}
	if held := h.holdsBytes(secret); held != nil {
		t.Errorf("the text is in %v", held)
	}
	if got := o.git("show", "HEAD:b.md"); got != "[forgotten]\n" {
		t.Errorf("%q", got)
	}
	o.write("b.md", "clean\n")
	h.purge(secret)
	o.write("b.md", secret+"\n")
	if err := os.RemoveAll(other); err != nil {
		t.Fatal(err)
	}
	h.purge(secret) // what is gone holds nothing
	h.git("worktree", "prune")
	h.git("fsck", "--full", "--strict")
}

func TestPurgeRefusesWhatItCannotDoWhole(t *testing.T) {
	needGit(t)
	h := newHome(t)
	h.write("a.md", secret+"\n")
	h.commit("one")
	before := h.git("rev-parse", "HEAD")
	h.write(".git/shallow", before)
	if _, err := h.Purge(context.Background(), strata.Global(), blanking(secret)); strata.CodeOf(err) != strata.CodeUnsupported {
		t.Errorf("shallow: %v", err)
	}
	h.remove(".git/shallow")
	h.write("b.md", "other\n")
	h.commit("two")
	object := strings.TrimSpace(h.git("rev-parse", "HEAD:b.md"))
	h.remove(".git/objects/" + object[:2] + "/" + object[2:])
	head := h.git("rev-parse", "HEAD")
	if _, err := h.Purge(context.Background(), strata.Global(), blanking(secret)); strata.CodeOf(err) != strata.CodeCorrupt {
		t.Errorf("damaged: %v", err)
	}
	if h.git("rev-parse", "HEAD") != head {
		t.Error("the branch moved")
	}
	commits, err := h.Holding(context.Background(), strata.Global(), holding(secret))
	if err != nil || len(commits) != 2 {
		t.Errorf("holding: %v, %v", commits, err)
	}
}

// TestReadersAndPurgesAtOnce reads the history while it is rewritten: a reader
// sees the one or the other, never half.
func TestReadersAndPurgesAtOnce(t *testing.T) {
	t.Run("waiting", testReadersAndPurgesAtOnce)
	t.Run("not waiting", func(t *testing.T) {
		defer history.SetReadWait(0)()
		testReadersAndPurgesAtOnce(t)
	})
}

func testReadersAndPurgesAtOnce(t *testing.T) {
	h := newHome(t)
	for i := range 5 {
		h.write("a.md", fmt.Sprintf("%s %d\n", secret, i))
		h.commit(fmt.Sprint(i))
	}
	done := make(chan struct{})
	var group sync.WaitGroup
	for range 3 {
		group.Go(func() {
			for {
				log, err := h.Log(context.Background(), strata.Global(), 0, true)
				// A reader that waited for too long reads without the lock, and says so.
				if err != nil || len(log.Commits) < 6 || log.Note != "" && !strings.HasPrefix(log.Note, "another process records files") {
					t.Errorf("log %+v, %v", log, err)
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	for i := range 5 {
		h.purge(fmt.Sprintf("%s %d", secret, i))
	}
	close(done)
	group.Wait()
	if held := h.holdsBytes(secret); held != nil {
		t.Errorf("the text is in %v", held)
	}
}

func TestPurgeWithoutLeaveToWrite(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	h := newHome(t)
	h.write("a.md", secret+"\n")
	h.commit("one")
	for _, dir := range []string{".git/objects", ".git"} {
		p := filepath.Join(h.dir, dir)
		if err := os.Chmod(p, 0o500); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(p, 0o700) })
	}
	if _, err := h.Purge(context.Background(), strata.Global(), blanking(secret)); strata.CodeOf(err) != strata.CodeReadOnly {
		t.Errorf("purge: %v", err)
	}
	h.write("a.md", "b\n")
	if _, err := h.Commit(context.Background(), strata.Global(), files.Message{At: day}, nil); strata.CodeOf(err) != strata.CodeReadOnly {
		t.Errorf("commit: %v", err)
	}
	if log := h.log(0, false); len(log.Commits) != 2 {
		t.Errorf("log %+v", log)
	}
}
