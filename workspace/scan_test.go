package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store/files"
	"github.com/strata-memory/strata/store/files/filestest"
)

// longAgo is a time at which nothing is unsure.
var longAgo = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func found(c files.Changes) (changed []string, skipped map[string]string) {
	skipped = make(map[string]string)
	for _, f := range c.Changed {
		changed = append(changed, f.Path)
	}
	for _, s := range c.Skipped {
		skipped[s.Path] = s.Reason
	}
	return changed, skipped
}

func TestAWorkspaceScanLeavesOutWhatIsNotItsOwn(t *testing.T) {
	s := newStand(t)
	for doc, text := range map[string]string{
		"MEMORY.md": "x", "workspace.toml": "x", "workspace.toml.damaged-1": "x", ".gitignore": "x", ".git/config": "x", ".git/notes.md": "x",
		"agents/coder/MEMORY.md": "x", "agents/README.md": "x", "transcripts/s1.md": "x", "media/m.md": "x", "notes/transcripts/kept.md": "x",
		".obsidian/cache.md": "x", "notes/UPPER.MD": "x", "notes/picture.png": "x", lockName: "",
	} {
		must(t, s.Put(inWorkspace, doc, []byte(text), longAgo))
	}
	c, err := s.Scan(t.Context(), inWorkspace, nil)
	must(t, err)
	changed, skipped := found(c)
	if want := []string{"MEMORY.md", "notes/transcripts/kept.md"}; !slices.Equal(changed, want) {
		t.Errorf("found %v, want %v", changed, want)
	}
	for doc, want := range map[string]string{
		"agents/README.md": reasonAgents, "transcripts/": reasonOtherScope, "media/": reasonOtherScope, ".obsidian/": reasonHidden,
		"notes/UPPER.MD": reasonNoMarkdown, "notes/picture.png": reasonNoMarkdown,
	} {
		if skipped[doc] != want {
			t.Errorf("%s is skipped for %q, want %q", doc, skipped[doc], want)
		}
		delete(skipped, doc)
	}
	if len(skipped) > 0 {
		t.Errorf("skipped as well: %v", skipped)
	}
	c, err = s.Scan(t.Context(), strata.ForAgentIn(filestest.Workspace, "coder"), nil)
	must(t, err)
	if changed, skipped := found(c); !slices.Equal(changed, []string{"MEMORY.md"}) || len(skipped) > 0 {
		t.Errorf("the agent has %v, skipped %v", changed, skipped)
	}
}

func TestNamesThatNoDocumentCanHaveAreNamed(t *testing.T) {
	s := newStand(t)
	for _, doc := range []string{"a\xff.md", "tab\there.md", " lead.md", "d\xff/x.md", `back\slash.md`} {
		must(t, s.Put(strata.Global(), doc, []byte("x"), longAgo))
	}
	c, err := s.Scan(t.Context(), strata.Global(), nil)
	must(t, err)
	if changed, skipped := found(c); len(changed) > 0 || len(skipped) != 5 {
		t.Errorf("found %q, skipped %q", changed, skipped)
	}
}

// TestAChangeInTheSameTickIsNoticed: a file is recorded, and changed once more
// so soon that size and time stay the same. It must be noticed by any later
// scan, however late.
func TestAChangeInTheSameTickIsNoticed(t *testing.T) {
	s, ctx, g := newStand(t), t.Context(), strata.Global()
	clock := longAgo
	s.now = func() time.Time { return clock }
	for name, record := range map[string]func(doc string) files.Stat{
		"by a scan": func(doc string) files.Stat {
			c, err := s.Scan(ctx, g, nil)
			must(t, err)
			i := slices.IndexFunc(c.Changed, func(f files.File) bool { return f.Path == doc })
			return c.Changed[i].Stat
		},
		"by a read": func(doc string) files.Stat {
			f, err := s.Read(ctx, g, doc)
			must(t, err)
			return f.Stat
		},
	} {
		t.Run(name, func(t *testing.T) {
			doc := strings.ReplaceAll(name, " ", "-") + ".md"
			for _, age := range []time.Duration{0, time.Millisecond, unsure - time.Microsecond} {
				clock = longAgo
				must(t, s.Put(g, doc, []byte("one"), clock.Add(-age)))
				known := map[string]files.Stat{doc: record(doc)}
				must(t, s.Put(g, doc, []byte("two"), clock.Add(-age)))
				for _, later := range []time.Duration{0, time.Second, time.Hour} {
					clock = longAgo.Add(later)
					c, err := s.Scan(ctx, g, known)
					must(t, err)
					if changed, _ := found(c); !slices.Contains(changed, doc) {
						t.Errorf("recorded %v after the change, looked at %v after that: found %v", age, later, changed)
					}
				}
			}
		})
	}
	t.Run("and one that is old is not read again", func(t *testing.T) {
		must(t, s.Put(g, "old.md", []byte("one"), longAgo.Add(-unsure)))
		clock = longAgo
		f, err := s.Read(ctx, g, "old.md")
		must(t, err)
		must(t, s.Put(g, "old.md", []byte("two"), longAgo.Add(-unsure))) // which no clock would allow
		c, err := s.Scan(ctx, g, map[string]files.Stat{"old.md": f.Stat})
		must(t, err)
		if changed, _ := found(c); slices.Contains(changed, "old.md") {
			t.Error("it was read")
		}
	})
}

func TestAnUnsureFileIsReadOnceMoreAndThenNotAgain(t *testing.T) {
	s, ctx, g := newStand(t), t.Context(), strata.Global()
	clock := time.Now()
	s.now = func() time.Time { return clock }
	f, err := s.Write(ctx, g, "a.md", []byte("x"), strata.NoFile)
	must(t, err)
	known := map[string]files.Stat{"a.md": f.Stat}
	clock = clock.Add(time.Minute)
	c, err := s.Scan(ctx, g, known)
	must(t, err)
	if len(c.Changed) > 0 || len(c.Touched) != 1 {
		t.Fatalf("%+v", c)
	}
	c, err = s.Scan(ctx, g, c.Touched)
	must(t, err)
	if len(c.Changed)+len(c.Touched) > 0 {
		t.Errorf("%+v", c)
	}
}

func TestTheProjectsFileStaysKnownWhileTheProjectIsAway(t *testing.T) {
	s, ctx := newStand(t), t.Context()
	must(t, s.Put(inWorkspace, files.ProjectFile, []byte("x"), longAgo))
	c, err := s.Scan(ctx, inWorkspace, nil)
	must(t, err)
	known := map[string]files.Stat{files.ProjectFile: c.Changed[0].Stat}
	// Seen from another home, which does not know where the project is.
	other := NewTree(t.TempDir(), nil)
	if c, err := other.Scan(ctx, inWorkspace, known); err != nil || len(c.Removed) > 0 {
		t.Errorf("away: %+v, %v", c, err)
	}
	other.Attach(filestest.Workspace, s.root)
	if c, err := other.Scan(ctx, inWorkspace, nil); err != nil || len(c.Changed) != 1 {
		t.Errorf("attached: %+v, %v", c, err)
	}
	must(t, os.Remove(filepath.Join(s.root, "AGENTS.md")))
	must(t, os.Symlink("README.md", filepath.Join(s.root, "AGENTS.md")))
	c, err = s.Scan(ctx, inWorkspace, known)
	must(t, err)
	if _, skipped := found(c); skipped[files.ProjectFile] == "" || len(c.Removed) > 0 {
		t.Errorf("a link: %+v", c)
	}
}

func TestFilesThatPoseAsTheSystemsAreLeftOut(t *testing.T) {
	s, ctx, g := newStand(t), t.Context(), strata.Global()
	for _, doc := range []string{"_system_log.md", "notes/_SYSTEM_rules.md", "_system/log.md", "notes/project_system.md"} {
		must(t, s.Put(g, doc, []byte("x"), time.Time{}))
	}
	c, err := s.Scan(ctx, g, nil)
	if err != nil || len(c.Changed) != 2 || c.Changed[0].Path != "_system/log.md" || c.Changed[1].Path != "notes/project_system.md" {
		t.Errorf("%+v, %v", c.Changed, err)
	}
	want := []files.Skipped{{Path: "_system_log.md", Reason: reasonSystem}, {Path: "notes/_SYSTEM_rules.md", Reason: reasonSystem}}
	if !slices.Equal(c.Skipped, want) {
		t.Errorf("%+v", c.Skipped)
	}
}
