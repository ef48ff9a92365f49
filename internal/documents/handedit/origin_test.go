package handedit_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/files"
)

// told is what version control would tell.
type told struct {
	home   bool // the workspace has no directory of its own
	origin files.Origin
	asked  int
}

func (o *told) Home(strata.Scope) bool       { return o.home }
func (o *told) Agents(strata.Scope) []string { return nil }
func (o *told) Origin(context.Context, strata.Scope, files.File) (files.Origin, error) {
	o.asked++
	return o.origin, nil
}

// clone is a workspace in which files come and go.
type clone struct {
	*home
	told  *told
	scope strata.Scope
}

// newClone returns one that was looked at before, when it was empty, if seen is set.
func newClone(t *testing.T, seen bool) *clone {
	o := new(told)
	c := &clone{newHomeWith(t, o), o, strata.InWorkspace("01JZ0000000000000000000000")}
	if seen {
		c.look()
	}
	return c
}

func (c *clone) look() {
	c.t.Helper()
	if _, err := c.Sync(c.t.Context(), c.scope.View()); err != nil {
		c.t.Fatal(err)
	}
}

// write writes a file by hand, or as git does, and looks.
func (c *clone) write(path, text string) {
	c.t.Helper()
	if err := c.tree.Put(c.scope, path, []byte(text), time.Time{}); err != nil {
		c.t.Fatal(err)
	}
	c.look()
}

// foreign lists the paths of foreign documents.
func (c *clone) foreign() (paths []string) {
	c.t.Helper()
	err := c.st.View(c.t.Context(), func(r store.Reader) error {
		list, err := documents.ForeignIn(c.t.Context(), r, c.scope, false)
		for _, d := range list {
			paths = append(paths, d.Path)
		}
		return err
	})
	if err != nil {
		c.t.Fatal(err)
	}
	return paths
}

func (c *clone) want(what string, paths ...string) {
	c.t.Helper()
	if got := c.foreign(); !slices.Equal(got, paths) {
		c.t.Errorf("%s: foreign are %q, want %q", what, got, paths)
	}
}

// trust trusts a version of a file.
func (c *clone) trust(path, text string, trusted bool) error {
	return c.st.Update(c.t.Context(), func(w store.Writer) error {
		return w.TrustDocument(c.t.Context(), c.scope, path, files.Hash([]byte(text)), trusted)
	})
}

// by is a version that a repository has checked out.
func by(how string, own bool, text string) files.Origin {
	return files.Origin{Versions: []files.Committed{{How: how, Own: own, Hashes: []string{files.Hash([]byte(text))}}}}
}

const agents = "AGENTS.md"

func TestAllOfAWorkspaceThatWasNeverSeenIsForeign(t *testing.T) {
	c := newClone(t, false)
	if err := c.tree.Put(c.scope, "notes/project_a.md", []byte("a note"), time.Time{}); err != nil {
		t.Fatal(err)
	}
	c.write(agents, "do as I say")
	c.want("at first sight", agents, "notes/project_a.md")
	if c.told.asked > 0 {
		t.Error("git was asked, and cannot change it")
	}
	c.write(agents, "do as I say\nand more")
	c.want("an edit of it", agents, "notes/project_a.md")
	c.told.origin = by("commit", true, "do as I say\nand yet more")
	c.write(agents, "do as I say\nand yet more")
	c.want("a commit of it", agents, "notes/project_a.md")
}

func TestWhatAPersonWritesInAKnownWorkspaceIsTheirs(t *testing.T) {
	c := newClone(t, true)
	c.write(agents, "mine")
	c.want("a new file")
	c.told.origin = by("clone", false, "mine")
	c.write(agents, "mine, changed")
	c.want("an edit on top of what is trusted")
	c.told.origin = by("commit", true, "mine, committed")
	c.write(agents, "mine, committed")
	c.want("a commit")
}

func TestWhatComesByCommitIsForeignUntilItIsTrusted(t *testing.T) {
	c := newClone(t, true)
	c.write(agents, "mine")
	c.told.origin = by("pull", false, "theirs")
	c.write(agents, "theirs")
	c.want("a pull", agents)
	if err := c.trust(agents, "other", true); strata.CodeOf(err) != strata.CodeConflict {
		t.Errorf("to trust another version: %v", err)
	}
	if err := c.trust(agents, "theirs", true); err != nil {
		t.Fatal(err)
	}
	c.want("trusted")
	c.write(agents, "theirs, edited")
	c.want("an edit of what is trusted")
	c.told.origin = by("checkout", false, "mine")
	asked := c.told.asked
	c.write(agents, "mine")
	c.want("a version that was known before")
	if c.told.asked != asked {
		t.Error("git was asked of a version that is trusted")
	}
	if err := c.trust(agents, "mine", false); err != nil {
		t.Fatal(err)
	}
	c.want("trusted no longer", agents)
}

// What nobody trusts stays so where a person changes it, also when a version of it that
// they trusted comes between: then the base was seen.
func TestAnEditOnTopOfAVersionThatWasSeen(t *testing.T) {
	c := newClone(t, true)
	c.told.origin = by("pull", false, "theirs")
	c.write(agents, "theirs")
	c.write(agents, "theirs, edited")
	c.want("an edit of what is foreign", agents)
	if err := c.trust(agents, "theirs, edited", true); err != nil {
		t.Fatal(err)
	}
	c.write(agents, "theirs, edited twice")
	c.want("an edit of what is trusted, on top of a commit that is not")
	c.write(agents, "theirs")
	c.want("the commit again", agents)
}

func TestEveryRepositoryAroundAFileCounts(t *testing.T) {
	c := newClone(t, true)
	c.write(agents, "mine")
	inner, outer := by("commit", true, "mine").Versions, by("pull", false, "theirs").Versions
	c.told.origin = files.Origin{Versions: append(inner, outer...)}
	c.write(agents, "theirs")
	c.want("a pull of the outer one", agents)
}

func TestWhereNothingTellsAFileIsForeign(t *testing.T) {
	c := newClone(t, true)
	c.told.origin = files.Origin{Versions: []files.Committed{{How: "its git repository cannot be read"}}}
	c.write(agents, "whose?")
	c.want("unreadable", agents)
}

func TestFilesInTheHomeAreNotForeign(t *testing.T) {
	c := newClone(t, false)
	c.told.home = true
	c.told.origin = by("pull", false, "mine")
	c.write(agents, "mine")
	c.want("in the home")
	c.write("@/AGENTS.md", "the project's")
	c.want("the project's own, of a clone", "@/AGENTS.md")
	c.told.origin = files.Origin{}
	c.write("@/AGENTS.md", "the user's")
	c.want("changed by hand", "@/AGENTS.md")
}

// What writes over a foreign file stays foreign, unless a person writes all of it.
func TestWhoWritesOverAForeignFile(t *testing.T) {
	for origin, foreign := range map[strata.Origin]bool{
		strata.OriginCLI: false, strata.OriginAPI: false, strata.OriginTool: true, strata.OriginDream: true, strata.OriginExtractor: true,
	} {
		t.Run(string(origin), func(t *testing.T) {
			c := newClone(t, false)
			c.write("memory_summary.md", "theirs")
			_, _, err := c.home.write(t.Context(), []strata.Candidate{{Scope: c.scope, Path: "memory_summary.md", Content: "new", Origin: origin}}, make([]documents.Found, 1))
			if err != nil {
				t.Fatal(err)
			}
			if got := len(c.foreign()) > 0; got != foreign {
				t.Errorf("foreign: %v", got)
			}
		})
	}
}

func TestWhatComesOfAForeignFileIsForeign(t *testing.T) {
	c := newClone(t, true)
	write := func(scope strata.Scope) error {
		_, _, err := c.home.write(t.Context(), []strata.Candidate{{Scope: scope, Path: "SOUL.md", Content: "theirs", Foreign: true, Origin: strata.OriginCLI}}, make([]documents.Found, 1))
		return err
	}
	if err := write(c.scope); err != nil {
		t.Fatal(err)
	}
	c.want("in the workspace", "SOUL.md")
	if err := write(strata.Global()); strata.CodeOf(err) != strata.CodeConflict {
		t.Errorf("in the home: %v", err)
	}
}
