package history

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/format/gitattributes"
	"github.com/go-git/go-git/v5/plumbing/format/gitignore"
	"github.com/go-git/go-git/v5/plumbing/format/index"
	"github.com/go-git/go-git/v5/plumbing/object"
)

func FuzzIndex(f *testing.F) {
	e := tracked{Entry: index.Entry{Name: "notes/a.md", Mode: filemode.Regular, Hash: emptyFile, Size: 3, Inode: 7, ModifiedAt: stamp(1, 2)}}
	sparse := e
	sparse.Name, sparse.SkipWorktree, sparse.assumed = strings.Repeat("x", 5000), true, true
	for _, entries := range [][]tracked{nil, {e}, {e, sparse}} {
		f.Add(encodeIndex(entries))
	}
	f.Add([]byte("DIRC\x00\x00\x00\x04\x00\x00\x00\x01" + strings.Repeat("\x00", 100)))
	f.Fuzz(func(t *testing.T, data []byte) {
		// The sum is left out, or hardly an input would reach the parser.
		if len(data) > 20 {
			data = append(data[:len(data)-20:len(data)-20], make([]byte, 20)...)
		}
		x, err := decodeIndex(data)
		if err != nil || x.unmerged {
			return
		}
		again, err := decodeIndex(encodeIndex(x.entries))
		for i := range x.entries {
			x.entries[i].IntentToAdd = false // it is a file like any other once it is recorded
		}
		if err != nil || !slices.Equal(x.entries, again.entries) {
			t.Errorf("%+v became %+v, %v", x.entries, again, err)
		}
	})
}

func FuzzPatterns(f *testing.F) {
	for _, s := range []string{"*.md", "!a/**/b", "[!a-c]?", "[[:alpha:]]", "\\", "[", "a\\ ", "/", "**", "***/x/", "[]-a]", "[b-a]", "[[:]", "\ufeff#x", "\"\"", "\"a b\" -text"} {
		f.Add(s, "a/b.md")
	}
	f.Fuzz(func(t *testing.T, text, file string) {
		path := strings.Split(file, "/")
		for _, base := range [][]string{nil, {"a"}} {
			rules := gitignore.NewMatcher(parseIgnore(text, base))
			if base != nil && path[0] != base[0] && rules.Match(path, false) {
				t.Errorf("rules of %q leave out %q", base, file)
			}
			rules.Match(path, true)
			a := attributes{macros: make(map[string][]gitattributes.Attribute)}
			a.parse(text, base)
			kindOf(a.marksOf(file), true)
		}
	})
}

func FuzzObjects(f *testing.F) {
	f.Add([]byte("100644 a\x0012345678901234567890"))
	f.Add([]byte("tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nauthor a <b> 1 +0100\ncommitter a <b> 1 +0100\ngpgsig x\n y\n\nsubject\n\nbody\n"))
	f.Add([]byte("object 4b825dc642cb6eb9a060e54bf8d69288fbee4904\ntype tree\ntag v1\ntagger a <b> 99999999999999 +0100\n\nx\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, kind := range []plumbing.ObjectType{plumbing.CommitObject, plumbing.TreeObject, plumbing.TagObject} {
			o, err := object.DecodeObject(nil, encoded(kind, data))
			if err != nil {
				continue
			}
			linksOf(o)
			if c, ok := o.(*object.Commit); ok {
				if _, err := json.Marshal(describeCommit(c)); err != nil {
					t.Errorf("commit %q cannot be shown: %v", data, err)
				}
			}
		}
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

// TestPatternOfOneDirectoryDoesNotReachBelowWhatItLetsIn: the pattern of go-git
// takes keep/a.log for let in here.
func TestPatternOfOneDirectoryDoesNotReachBelowWhatItLetsIn(t *testing.T) {
	rules := gitignore.NewMatcher(parseIgnore("*.log\n!keep\n", nil))
	if !rules.Match([]string{"keep", "a.log"}, false) || rules.Match([]string{"keep"}, true) {
		t.Error("what lies in keep is let in")
	}
}
