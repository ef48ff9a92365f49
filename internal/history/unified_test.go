package history_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata/internal/history"
)

func TestDiff(t *testing.T) {
	h := newHome(t)
	h.write("a.md", "1\n2\n3\n4\n5\n6\n7\n8\n9\n")
	h.write("gone.md", "gone\n")
	h.commit("one")
	if got := h.log(1, true).Diff; !strings.Contains(got, "+gone\n") || strings.Contains(got, ".gitignore") {
		t.Errorf("the diff of one commit:\n%s", got)
	}
	h.write("a.md", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n")
	h.remove("gone.md")
	h.write("notes/new.md", "new")
	h.write("bytes", "\x00")
	h.commit("two")
	got := h.log(2, true).Diff
	for _, want := range []string{
		"diff --git a/a.md b/a.md\nindex ", " 100644\n--- a/a.md\n+++ b/a.md\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n",
		"deleted file mode 100644\n", "--- a/gone.md\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n",
		"new file mode 100644\n", "+++ b/notes/new.md\n@@ -0,0 +1 @@\n+new\n\\ No newline at end of file\n",
		"Binary files /dev/null and b/bytes differ\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the diff has no %q:\n%s", want, got)
		}
	}
	if got := h.log(100, true).Diff; strings.Contains(got, ".gitignore") {
		t.Errorf("the oldest commit is in its own diff:\n%s", got)
	}
}

func TestDiffOfDirectoriesOfAnyName(t *testing.T) {
	h := newHome(t)
	h.commit("start")
	h.write("two\nlines/tab\t.md", "new\n")
	h.write(`back\slash/a.md`, "new\n")
	h.commit("one")
	log := h.log(1, true)
	if log.Note != "" || log.Commits[0].Files != 2 || !strings.Contains(log.Diff, `"b/two\012lines/tab\011.md"`) || !strings.Contains(log.Diff, `"b/back\\slash/a.md"`) {
		t.Errorf("%+v", log)
	}
}

func TestDiffEndsWhereItIsTooLong(t *testing.T) {
	h := newHome(t)
	h.commit("start")
	for i := range 30 {
		h.write(fmt.Sprintf("n%02d.md", i), strings.Repeat("x\n", 50_000))
	}
	h.commit("much")
	got := h.log(1, true).Diff
	if len(got) > 3<<20 || !strings.HasSuffix(got, "more files differ\n") {
		t.Errorf("%d bytes, ending in %q", len(got), got[len(got)-60:])
	}
}

// TestRandomDiffsApply gives diffs to git apply, which makes the new files of
// the old ones.
func TestRandomDiffsApply(t *testing.T) {
	needGit(t)
	names := []string{"a.md", "b/c.md", "with space.md", "ü.md", `quo"te.md`, "tab\t.md"}
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "history")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		h := &home{t, dir, history.New(at(dir), nil)}
		h.write(".gitattributes", "* -text\n")
		h.commit("start")
		for range 2 {
			for _, name := range names {
				lines := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "", "longer line", "a\r"}), 0, 25).Draw(t, "lines")
				text := strings.Join(lines, "\n")
				if rapid.Bool().Draw(t, "end") && len(lines) > 0 {
					text += "\n"
				}
				if rapid.IntRange(0, 5).Draw(t, "there") == 0 {
					h.remove(name)
				} else {
					h.write(name, text)
				}
			}
			if c := h.commit("x"); c.Skipped != "" {
				return
			}
		}
		want := h.git("rev-parse", "HEAD^{tree}")
		patch := h.log(2, true).Diff
		if patch == "" {
			t.Fatal("no diff")
		}
		h.must(os.WriteFile(filepath.Join(dir, ".git", "patch"), []byte(patch), 0o600))
		h.git("reset", "-q", "--hard", "HEAD~1")
		h.git("apply", "--index", "--whitespace=nowarn", ".git/patch")
		if got := h.git("write-tree"); got != want {
			t.Fatalf("applied:\n%s\ndiff:\n%s", h.git("diff", strings.TrimSpace(want)), patch)
		}
	})
}
