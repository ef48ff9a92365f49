package history

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
)

func FuzzIndex(f *testing.F) {
	e := indexEntry{entry: entry{"notes/a.md", modeFile, emptyFile}, stat: stat{size: 3, inode: 7, modified: stamp{1, 2}}}
	sparse := e
	sparse.path, sparse.skipped, sparse.assumed = strings.Repeat("x", 5000), true, true
	f.Add(encodeIndex(nil))
	f.Add(encodeIndex([]indexEntry{e}))
	f.Add(encodeIndex([]indexEntry{e, sparse}))
	f.Add([]byte("DIRC\x00\x00\x00\x04\x00\x00\x00\x01" + strings.Repeat("\x00", 100)))
	f.Fuzz(func(t *testing.T, data []byte) {
		// The sum is left out, or hardly an input would reach the parser.
		if len(data) > 20 {
			data = append(data[:len(data)-20:len(data)-20], make([]byte, 20)...)
		}
		x, err := parseIndex(data)
		if err != nil {
			return
		}
		again, err := parseIndex(encodeIndex(x.entries))
		if err != nil {
			t.Fatalf("what was read cannot be read again: %v", err)
		}
		for i := range x.entries {
			x.entries[i].intended = false // it is a file like any other once it is recorded
		}
		if !slices.Equal(x.entries, again.entries) {
			t.Errorf("%+v became %+v", x.entries, again.entries)
		}
	})
}

func FuzzPatterns(f *testing.F) {
	for _, s := range []string{"*.md", "!a/**/b", "[!a-c]?", "[[:alpha:]]", "\\", "[", "a\\ ", "/", "**", "***/x/", "[]-a]", "\ufeff#x"} {
		f.Add(s, "a/b.md")
	}
	f.Fuzz(func(t *testing.T, text, path string) {
		for _, base := range []string{"", "a"} {
			rules := parseIgnore(text, base)
			if base != "" && !strings.HasPrefix(path, base+"/") && ignored(rules, path, false) {
				t.Errorf("rules of %q leave out %q", base, path)
			}
			ignored(rules, path, true)
			a := attributes{macros: make(map[string][]string)}
			a.parse(text, base)
			kindOf(a.marksOf(path), true)
		}
	})
}

func FuzzObjects(f *testing.F) {
	f.Add([]byte("100644 a\x0012345678901234567890"))
	f.Add([]byte("tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nauthor a <b> 1 +0100\ncommitter a <b> 1 +0100\ngpgsig x\n y\n\nsubject\n\nbody\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		h := hashOf(blob, data)
		if names, err := parseTree(h, data); err == nil {
			if again, err := parseTree(h, encodeTree(names)); err != nil || !slices.Equal(names, again) {
				t.Errorf("tree %q became %v, %v", data, again, err)
			}
		}
		c, err := parseCommit(h, data)
		if err != nil {
			return
		}
		c.describe(h)
		again, err := parseCommit(h, c.encode())
		if err != nil || !slices.Equal(again.headers, c.headers) || again.message != c.message {
			t.Errorf("commit %q became %q, %v", data, again.encode(), err)
		}
		_, _ = linksOf(plumbing.CommitObject, h, data)
	})
}

func TestNamesOfGitAreNeverRecorded(t *testing.T) {
	for name, want := range map[string]bool{
		".git": true, ".GIT": true, ".git ": true, ".git.": true, "git~1": true, "GIT~1": true, ".g\u200cit": true, ".git::$INDEX_ALLOCATION": true, `a\.git`: true,
		".gitignore": false, "git": false, ".gitx": false, "x.git": false,
	} {
		if got := isGitName(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}

// TestPatternOfOneDirectoryDoesNotReachBelowWhatItLetsIn: the matcher of go-git
// takes keep/a.log for let in here.
func TestPatternOfOneDirectoryDoesNotReachBelowWhatItLetsIn(t *testing.T) {
	rules := parseIgnore("*.log\n!keep\n", "")
	if !ignored(rules, "keep/a.log", false) || ignored(rules, "keep", true) {
		t.Error("what lies in keep is let in")
	}
}
