package engine_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/documents/edit"
	"github.com/strata-memory/strata/store/files"
	"github.com/strata-memory/strata/store/files/filestest"
)

// between is a tree that calls a function once before a file is written.
type between struct {
	files.Tree
	path   string
	before func()
}

func (b *between) Write(ctx context.Context, scope strata.Scope, path string, content []byte, base string) (files.File, error) {
	if do := b.before; path == b.path && do != nil {
		b.before = nil
		do()
	}
	return b.Tree.Write(ctx, scope, path, content, base)
}

// A text that is written for a file just when Strata begins it for lines of its
// own gets into it: what it finds there is no edit by hand.
func TestAFileBegunMeanwhileTakesTheTextOfItsFirstWriter(t *testing.T) {
	now := time.Date(2026, 3, 4, 9, 30, 0, 0, time.UTC)
	for _, test := range []struct {
		path, text string
		begins     func(e *engine.Engine) error // what the file is begun for
		generated  string                       // what it says in the end, too
	}{
		{strata.IndexPath, "# Mine\n\nOf the harbor.\n", func(e *engine.Engine) error {
			_, err := e.Remember(context.Background(), edit.Note{Scope: project, Type: strata.TypeProject, Title: "Tides", Body: "High at noon"})
			return err
		}, "notes/project_tides.md"},
		{"memory/2026-03-04.md", "Of the harbor.\n", func(e *engine.Engine) error {
			_, err := e.Save(context.Background(), project, "The ferry leaves at noon")
			return err
		}, "The ferry leaves at noon"},
		{"learnings/errors.md", "Of the harbor.\n", func(e *engine.Engine) error {
			_, err := e.Learn(context.Background(), project, strata.Learning{Kind: strata.LearningError, Key: "ferry:berth", Tool: "ferry", Text: "no berth was free"})
			return err
		}, "no berth was free"},
	} {
		t.Run(test.path, func(t *testing.T) {
			tree := &between{Tree: filestest.NewMemory(), path: test.path}
			e := open(t, func(o *engine.Options) {
				o.Tree = tree
				o.Now = func() time.Time { return now }
			})
			tree.before = func() { write(t, e, strata.Candidate{Scope: project, Path: test.path, Content: test.text}) }
			if err := test.begins(e); err != nil {
				t.Fatal(err)
			}
			for range 2 { // the text may come while the first is under way
				if err := e.Drain(context.Background()); err != nil {
					t.Fatal(err)
				}
			}
			if tree.before != nil {
				t.Fatal("the file was not begun")
			}
			f, err := tree.Read(context.Background(), project, test.path)
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range []string{"Of the harbor.", test.generated} {
				if !strings.Contains(string(f.Content), want) {
					t.Errorf("%q is not in\n%s", want, f.Content)
				}
			}
			for _, d := range history(t, e, project, test.path) {
				if d.AppliedAt == nil || d.SetAside != "" {
					t.Errorf("%s is not applied: %s", d.ID, d.SetAside)
				}
			}
		})
	}
}
