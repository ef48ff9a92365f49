package workspace

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store/files"
)

// reports watches a scope and returns what is reported.
func (s stand) reports(t *testing.T, scope strata.Scope) (<-chan strata.Scope, *watch) {
	t.Helper()
	calls := make(chan strata.Scope, 1000)
	ctx, cancel := context.WithCancel(t.Context())
	w, err := s.watch(ctx, []strata.Scope{scope}, func(s strata.Scope) { calls <- s })
	must(t, err)
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.run(ctx)
	}()
	t.Cleanup(func() {
		cancel()
		<-done
	})
	return calls, w
}

// report waits for the next report.
func report(t testing.TB, calls <-chan strata.Scope, after string) strata.Scope {
	t.Helper()
	select {
	case c := <-calls:
		return c
	case <-time.After(30 * time.Second):
		t.Fatalf("after %s: nothing is reported", after)
		return strata.Scope{}
	}
}

func TestWatchReportsEachKindOfChangeOnce(t *testing.T) {
	s, g := newStand(t), strata.Global()
	for _, doc := range []string{"notes/a.md", "notes/b.md", "MEMORY.md"} {
		must(t, s.Put(g, doc, []byte("old"), longAgo))
	}
	s.shortQuiet, s.quiet = 300*time.Millisecond, 300*time.Millisecond // as long as a slow machine needs for the steps of one
	calls, _ := s.reports(t, g)
	a, b := s.path(g, "notes/a.md"), s.path(g, "notes/b.md")
	write := func(path, text string) { must(t, os.WriteFile(path, []byte(text), 0o600)) }
	for _, c := range []struct {
		after string
		do    func()
	}{
		{"a write in place", func() { write(a, "1") }},
		{"a file moved over it", func() { write(a+".tmp", "2"); must(t, os.Rename(a+".tmp", a)) }},
		{"a save that moves the old one away", func() { must(t, os.Rename(a, a+"~")); write(a, "3"); must(t, os.Remove(a+"~")) }},
		{"a file that is new", func() { write(s.path(g, "new.md"), "4") }},
		{"two files at once", func() { write(b, "5"); write(a, "6") }},
		{"a file that goes", func() { must(t, os.Remove(b)) }},
		{"a rename", func() { must(t, os.Rename(a, b)) }},
		{"a write and a removal", func() { write(a, "7"); must(t, os.Remove(b)) }},
		{"a directory with a file", func() { must(t, s.Put(g, "skills/x/SKILL.md", []byte("8"), time.Time{})) }},
		{"an edit in the new directory", func() { write(s.path(g, "skills/x/SKILL.md"), "9") }},
		{"many files", func() {
			for i := range 2 * fewWrites {
				write(s.path(g, fmt.Sprintf("many%d.md", i)), "10")
			}
		}},
	} {
		c.do()
		if got := report(t, calls, c.after); got != g || len(calls) > 0 {
			t.Errorf("after %s: %s, and %d reports more", c.after, got, len(calls))
		}
	}
}

func TestWatchReportsTheProjectsOwnFile(t *testing.T) {
	s := newStand(t)
	must(t, s.Put(inWorkspace, files.ProjectFile, []byte("old"), longAgo))
	must(t, s.Put(inWorkspace, "AGENTS.md", []byte("old"), longAgo))
	looks, _ := s.watched(t, inWorkspace)
	for _, doc := range []string{files.ProjectFile, "AGENTS.md"} {
		must(t, os.WriteFile(filepath.Join(filepath.Dir(s.path(inWorkspace, files.ProjectFile)), "README.md"), []byte("none of ours"), 0o600))
		must(t, s.Put(inWorkspace, doc, []byte("new"), time.Time{}))
		expect(t, looks, true, "an edit of "+doc)
	}
}

// Where the system could not keep up with events, everything is looked at.
func TestWatchThatLostEventsLooksAtEverything(t *testing.T) {
	s, g := newStand(t), strata.Global()
	must(t, s.Put(g, "notes/a.md", []byte("old"), longAgo))
	calls, w := s.reports(t, g)
	// Without its watches nothing is told of what happens.
	for _, dir := range w.notify.WatchList() {
		must(t, w.notify.Remove(dir))
	}
	must(t, s.Put(g, "notes/a.md", []byte("new"), time.Time{}))
	must(t, s.Put(g, "more/b.md", []byte("new"), time.Time{}))
	w.notify.Errors <- fsnotify.ErrEventOverflow
	report(t, calls, "events that were lost")
	must(t, s.Put(g, "more/b.md", []byte("newer"), time.Time{}))
	report(t, calls, "an edit in what came meanwhile")
}

// Whatever people do to files, and however quickly one thing follows another,
// who looks when something is reported knows every file in the end.
func TestWatchMissesNothing(t *testing.T) {
	s, g := newStand(t), strata.Global()
	s.shortQuiet, s.quiet = time.Millisecond, 5*time.Millisecond
	must(t, s.Put(g, "README.md", []byte("always there"), longAgo))
	calls, _ := s.reports(t, g)
	root, _ := s.Directory(g)
	known := make(map[string]files.Stat)
	scan := func(known map[string]files.Stat) files.Changes {
		c, err := s.Scan(context.Background(), g, known)
		must(t, err)
		return c
	}
	for _, f := range scan(nil).Changed {
		known[f.Path] = f.Stat
	}
	// take does with a report what who is told would.
	take := func() {
		found := scan(known)
		for _, f := range found.Changed {
			known[f.Path] = f.Stat
		}
		for _, doc := range found.Removed {
			delete(known, doc)
		}
	}
	there := func() map[string]string {
		out := make(map[string]string)
		must(t, filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".md" {
				return err
			}
			content, err := os.ReadFile(path)
			doc, _ := filepath.Rel(root, path)
			out[filepath.ToSlash(doc)] = files.Hash(content)
			return err
		}))
		return out
	}
	hashes := func() map[string]string {
		out := make(map[string]string)
		for doc, st := range known {
			out[doc] = st.Hash
		}
		return out
	}
	rapid.Check(t, func(rt *rapid.T) {
		dirs := []string{"", "notes", "notes/deep", "other"}
		path := func() string {
			dir := filepath.Join(root, rapid.SampledFrom(dirs).Draw(rt, "dir"))
			return filepath.Join(dir, rapid.SampledFrom([]string{"a.md", "b.md", "c.md"}).Draw(rt, "name"))
		}
		text := func() []byte { return fmt.Append(nil, "text ", rapid.IntRange(0, 9).Draw(rt, "text")) }
		put := func(path string) {
			must(t, os.MkdirAll(filepath.Dir(path), 0o700))
			must(t, os.WriteFile(path, text(), 0o600))
		}
		gone := func(err error) {
			if err != nil && !errors.Is(err, os.ErrNotExist) {
				rt.Fatal(err)
			}
		}
		rt.Repeat(map[string]func(*rapid.T){
			"write":  func(*rapid.T) { put(path()) },
			"twice":  func(*rapid.T) { p := path(); put(p); put(p) },
			"remove": func(*rapid.T) { gone(os.Remove(path())) },
			"rename": func(*rapid.T) { p := path(); must(t, os.MkdirAll(filepath.Dir(p), 0o700)); gone(os.Rename(path(), p)) },
			"save": func(*rapid.T) { // through a file beside it
				p := path()
				put(p + ".tmp")
				must(t, os.Rename(p+".tmp", p))
			},
			"swap": func(*rapid.T) { // with the old one moved away
				p := path()
				put(p)
				must(t, os.Rename(p, p+"~"))
				put(p)
			},
			"move": func(*rapid.T) { // a directory
				if os.Rename(filepath.Join(root, "notes"), filepath.Join(root, "other", "moved")) == nil {
					put(path())
					gone(os.RemoveAll(filepath.Join(root, "other", "moved")))
				}
			},
			"clear": func(*rapid.T) { gone(os.RemoveAll(filepath.Join(root, rapid.SampledFrom(dirs[1:]).Draw(rt, "dir")))) },
			"look": func(*rapid.T) { // in the midst of it
				select {
				case <-calls:
					take()
				default:
				}
			},
		})
		late := time.After(30 * time.Second)
		for !maps.Equal(hashes(), there()) {
			select {
			case <-calls:
				take()
			case <-late:
				rt.Fatalf("known:\n%v\nthere:\n%v", hashes(), there())
			}
		}
	})
}
