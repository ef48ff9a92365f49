package bench_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/bench"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/local"
	"github.com/strata-memory/strata/workspace"
)

// manyNotes is the size that is promised.
const manyNotes = 10_000

// project is a workspace with notes that people wrote, and a home.
type project struct {
	home, dir string
	found     workspace.Found
	scope     strata.Scope
	notes     []string // paths of files
}

// sentences is how many a note has.
const sentences = 9

// newProject makes a workspace of n notes of three sections each.
func newProject(b *testing.B, n int) *project {
	b.Helper()
	dir := b.TempDir()
	p := &project{home: filepath.Join(dir, "home"), dir: filepath.Join(dir, "project")}
	if err := os.MkdirAll(p.dir, 0o755); err != nil {
		b.Fatal(err)
	}
	made, err := workspace.Init(p.dir, p.home, workspace.InitOptions{Text: markdown.Starter})
	if err != nil {
		b.Fatal(err)
	}
	p.scope = strata.InWorkspace(made.ID)
	if p.found, err = workspace.Find(p.dir, p.home); err != nil {
		b.Fatal(err)
	}
	root := filepath.Join(p.dir, ".strata", "notes")
	if err := os.MkdirAll(root, 0o700); err != nil {
		b.Fatal(err)
	}
	texts := bench.Generate(sentences*n, 7)
	kinds := []strata.Type{strata.TypeProject, strata.TypeReference, strata.TypeFeedback}
	for i := range n {
		kind := kinds[i%len(kinds)]
		name := fmt.Sprintf("Matter %d of the project", i)
		own := texts[i*sentences : (i+1)*sentences]
		var body strings.Builder
		fmt.Fprintf(&body, "# %s\n", name)
		for s, heading := range []string{"What it is", "Why", "What to do"} {
			fmt.Fprintf(&body, "\n## %s\n\n%s. %s.\n\n- %s\n", heading, own[3*s].Text, own[3*s+1].Text, own[3*s+2].Text)
		}
		note := markdown.Note{Front: markdown.Front{
			Name: name, Description: own[0].Text, Type: kind,
			Provenance: markdown.Provenance{Actor: "person", CreatedAt: written, UpdatedAt: written},
		}, Body: body.String()}
		path := filepath.Join(p.dir, ".strata", filepath.FromSlash(markdown.NotePath(kind, markdown.Slug(name))))
		if err := os.WriteFile(path, []byte(note.Render()), 0o600); err != nil {
			b.Fatal(err)
		}
		p.notes = append(p.notes, path)
	}
	// Files that were changed a moment ago are read again the next time.
	old := time.Now().Add(-time.Hour)
	for _, path := range p.notes {
		if err := os.Chtimes(path, old, old); err != nil {
			b.Fatal(err)
		}
	}
	return p
}

// written is when the notes say that they were.
var written = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

func (p *project) open(b *testing.B) *engine.Engine {
	b.Helper()
	opened, err := local.OpenWith(context.Background(), local.Options{Home: p.home, Project: p.found})
	if err != nil {
		b.Fatal(err)
	}
	mem := opened.Engine()
	return mem
}

func (p *project) close(b *testing.B, mem *engine.Engine) {
	b.Helper()
	if err := mem.Close(); err != nil {
		b.Fatal(err)
	}
}

// edit adds a line to a note by hand.
func (p *project) edit(b *testing.B, i int, line string) {
	b.Helper()
	path := p.notes[(i*31)%len(p.notes)]
	data, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(path, append(data, "\n"+line+"\n"...), 0o600); err != nil {
		b.Fatal(err)
	}
}

// settled opens the memory once, so that everything is indexed and written.
func (p *project) settled(b *testing.B) {
	b.Helper()
	mem := p.open(b)
	if err := mem.Drain(context.Background()); err != nil {
		b.Fatal(err)
	}
	p.close(b, mem)
}

// processor is the processor time that this process has used.
func processor() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// timed runs work again and again and reports its processor time too, which is
// comparable on a machine that others use. What before and after do is not
// measured; either may be nil.
func timed(b *testing.B, before, work, after func(i int)) {
	b.Helper()
	var used time.Duration
	i := 0
	for b.Loop() {
		b.StopTimer()
		if before != nil {
			before(i)
		}
		begin := processor()
		b.StartTimer()
		work(i)
		b.StopTimer()
		used += processor() - begin
		if after != nil {
			after(i)
		}
		b.StartTimer()
		i++
	}
	b.ReportMetric(float64(used.Nanoseconds())/float64(i), "cpu-ns/op")
}

// BenchmarkWorkspaceFirstIndex opens a home that has never seen the 10,000 notes
// of a workspace: they are found by words when it is open.
func BenchmarkWorkspaceFirstIndex(b *testing.B) {
	p := newProject(b, manyNotes)
	var mem *engine.Engine
	fresh := func(i int) { p.home = filepath.Join(b.TempDir(), fmt.Sprint(i)) }
	timed(b, fresh, func(int) { mem = p.open(b) }, func(int) {
		got, err := mem.Documents(context.Background(), p.scope.View(), strata.DocumentFilter{Kind: strata.DocumentNote, Limit: 100_000})
		if err != nil || len(got) != manyNotes {
			b.Fatalf("%d notes, %v", len(got), err)
		}
		p.close(b, mem)
	})
}

// BenchmarkWorkspaceOpen opens a home of which nothing changed.
func BenchmarkWorkspaceOpen(b *testing.B) {
	p := newProject(b, manyNotes)
	p.settled(b)
	var mem *engine.Engine
	timed(b, nil, func(int) { mem = p.open(b) }, func(int) { p.close(b, mem) })
}

// BenchmarkWorkspaceSearch asks for what stands in notes.
func BenchmarkWorkspaceSearch(b *testing.B) {
	p := newProject(b, manyNotes)
	p.settled(b)
	mem := p.open(b)
	defer mem.Close()
	questions := bench.Generate(sentences*manyNotes, 7)
	view := strata.ViewOf(p.scope.Workspace, "")
	ctx := context.Background()
	if _, err := mem.Search(ctx, view, "warm up"); err != nil {
		b.Fatal(err)
	}
	var times latencies
	timed(b, nil, func(i int) {
		times.time(func() {
			res, err := mem.Query(ctx, strata.Query{View: view, Text: questions[(i*7919)%len(questions)].Question, Quiet: true})
			if err != nil || len(res.Hits) == 0 {
				b.Fatalf("%+v, %v", res, err)
			}
		})
	}, nil)
	times.report(b)
}

// BenchmarkWorkspaceEdit is the time from an edit of one note to its being
// found, by a look at all files.
func BenchmarkWorkspaceEdit(b *testing.B) {
	p := newProject(b, manyNotes)
	p.settled(b)
	mem := p.open(b)
	defer mem.Close()
	ctx := context.Background()
	view := p.scope.View()
	word := func(i int) string { return fmt.Sprintf("quokka%dx", i) }
	timed(b, func(i int) { p.edit(b, i, "The "+word(i)+" was added by hand.") }, func(i int) {
		if _, err := mem.Sync(ctx, view); err != nil {
			b.Fatal(err)
		}
		res, err := mem.Query(ctx, strata.Query{View: view, Text: word(i), Quiet: true})
		if err != nil || len(res.Hits) == 0 || !strings.Contains(res.Hits[0].Text, word(i)) {
			b.Fatalf("%s: %+v, %v", word(i), res, err)
		}
	}, func(int) {
		if err := mem.Drain(ctx); err != nil {
			b.Fatal(err)
		}
	})
}

// BenchmarkWorkspaceWatched is the time from an edit of one note to its being
// found, in a process that watches the files: the watcher notices by itself.
func BenchmarkWorkspaceWatched(b *testing.B) {
	p := newProject(b, manyNotes)
	p.settled(b)
	mem := p.open(b)
	defer mem.Close()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	view := p.scope.View()
	if err := mem.Watch(ctx, view); err != nil {
		b.Fatal(err)
	}
	newest := func() string {
		list, err := mem.Decisions(ctx, view, strata.DecisionFilter{Limit: 1})
		if err != nil {
			b.Fatal(err)
		}
		return list[0].ID
	}
	word := func(i int) string { return fmt.Sprintf("bilby%dx", i) }
	var times latencies
	timed(b, nil, func(i int) {
		last := newest()
		times.time(func() {
			p.edit(b, i, "The "+word(i)+" was added by hand.")
			for newest() == last {
				time.Sleep(time.Millisecond) // nothing tells that an edit that was noticed is decided
			}
			res, err := mem.Query(ctx, strata.Query{View: view, Text: word(i), Quiet: true})
			if err != nil || len(res.Hits) == 0 || !strings.Contains(res.Hits[0].Text, word(i)) {
				b.Fatalf("%s: %+v, %v", word(i), res, err)
			}
		})
	}, func(int) {
		if err := mem.Drain(ctx); err != nil {
			b.Fatal(err)
		}
	})
	times.report(b)
}

// BenchmarkWorkspaceNextCommand is the time that the next command takes to find
// an edit of one note, where nobody watched: it opens memory and searches.
func BenchmarkWorkspaceNextCommand(b *testing.B) {
	p := newProject(b, manyNotes)
	p.settled(b)
	ctx := context.Background()
	var mem *engine.Engine
	word := func(i int) string { return fmt.Sprintf("numbat%dx", i) }
	timed(b, func(i int) { p.edit(b, i, "The "+word(i)+" was added by hand.") }, func(i int) {
		mem = p.open(b)
		res, err := mem.Query(ctx, strata.Query{View: p.scope.View(), Text: word(i), Quiet: true})
		if err != nil || len(res.Hits) == 0 || !strings.Contains(res.Hits[0].Text, word(i)) {
			b.Fatalf("%s: %+v, %v", word(i), res, err)
		}
	}, func(int) { p.close(b, mem) })
}

// BenchmarkWorkspaceCheckpoint records one changed file among all.
func BenchmarkWorkspaceCheckpoint(b *testing.B) {
	p := newProject(b, manyNotes)
	p.settled(b)
	mem := p.open(b)
	defer mem.Close()
	ctx := context.Background()
	if _, err := mem.Checkpoint(ctx, p.scope, "all", ""); err != nil {
		b.Fatal(err)
	}
	timed(b, func(i int) {
		p.edit(b, i, fmt.Sprintf("Edit %d.", i))
		if _, err := mem.Sync(ctx, p.scope.View()); err != nil {
			b.Fatal(err)
		}
		if err := mem.Drain(ctx); err != nil {
			b.Fatal(err)
		}
	}, func(int) {
		c, err := mem.Checkpoint(ctx, p.scope, "one", "")
		if err != nil || c.ID == "" || c.Files == 0 {
			b.Fatalf("%+v, %v", c, err)
		}
	}, nil)
}
