package chatui

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/output"
	"github.com/strata-memory/strata/cmd/strata/internal/table"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/ops/upkeep"
	"github.com/strata-memory/strata/internal/sessions/snapshot"
)

// overview is the output of /memory.
type overview struct {
	Scopes    []overviewScope    `json:"scopes"`
	Newest    []ops.Fact         `json:"newest"`
	Indexes   []ops.Document     `json:"indexes"`
	Notes     []ops.Document     `json:"notes"`
	Learnings []overviewLearning `json:"lessons"`
	Snapshot  snapshot.Snapshot  `json:"snapshot"`
}

type overviewScope struct {
	Scope      string            `json:"scope"`
	Facts      int64             `json:"facts"`
	Categories []upkeep.Category `json:"categories"` // the largest first
}

type overviewLearning struct {
	ID    string              `json:"id"`
	Kind  strata.LearningKind `json:"kind"`
	Text  string              `json:"text"`
	Count int64               `json:"count"`
}

// Bounds on what an overview shows.
const (
	shownFacts      = 10
	shownNotes      = 10
	shownLearnings  = 5
	shownCategories = 12
)

// overview shows what memory holds.
func (u *ui) overview(ctx context.Context) error {
	mem, view := u.Env.Engine, u.Env.View
	out := overview{Newest: []ops.Fact{}, Learnings: []overviewLearning{}, Snapshot: u.agent.Conversation().Snapshot()}
	stats, err := mem.Stats(ctx, view)
	if err != nil {
		return err
	}
	categories, err := mem.Categories(ctx, view)
	if err != nil {
		return err
	}
	for _, s := range stats {
		scope := overviewScope{Scope: s.Scope.Key(), Facts: s.Facts, Categories: []upkeep.Category{}}
		for _, c := range categories {
			if c.Scope == s.Scope {
				scope.Categories = append(scope.Categories, upkeep.CategoryOf(c))
			}
		}
		slices.SortStableFunc(scope.Categories, func(a, b upkeep.Category) int { return int(b.Facts - a.Facts) })
		out.Scopes = append(out.Scopes, scope)
	}
	facts, err := mem.Facts(ctx, view, strata.FactFilter{Limit: shownFacts})
	if err != nil {
		return err
	}
	slices.SortStableFunc(facts, func(a, b strata.Fact) int { return b.RecordedAt.Compare(a.RecordedAt) })
	for _, f := range facts[:min(len(facts), shownFacts)] {
		out.Newest = append(out.Newest, ops.Fact{ID: f.ID, Text: f.Text, Type: f.Type, Category: f.Category, Scope: f.Scope.Key(),
			Current: true, Generation: f.Generation, Confidence: f.Confidence, Origin: f.Origin, RecordedAt: f.RecordedAt})
	}
	if out.Indexes, err = u.documents(ctx, strata.DocumentIndex); err != nil {
		return err
	}
	if out.Notes, err = u.documents(ctx, strata.DocumentNote); err != nil {
		return err
	}
	learnings, err := mem.Learnings(ctx, view, "", shownLearnings)
	if err != nil {
		return err
	}
	for _, l := range learnings {
		out.Learnings = append(out.Learnings, overviewLearning{ID: l.ID, Kind: l.Kind, Text: l.Text, Count: l.Count})
	}
	return u.print("memory", out, out.write)
}

// documents lists the files of a kind in the view.
func (u *ui) documents(ctx context.Context, kind strata.DocumentKind) ([]ops.Document, error) {
	out, err := ops.Run(ctx, u.Env, "note_list", &ops.NoteListIn{Kind: string(kind), Limit: 1000})
	if err != nil {
		return nil, err
	}
	return out.(ops.Documents).Documents, nil
}

// write writes the overview for people.
func (o overview) write(p *output.Page) {
	for _, s := range o.Scopes {
		names := make([]string, 0, shownCategories)
		for _, c := range s.Categories[:min(len(s.Categories), shownCategories)] {
			names = append(names, fmt.Sprintf("%s %d", terminal.Clean(c.Name), c.Facts))
		}
		p.Printf("%s  %s  %s\n", p.Strong(s.Scope), output.Count(s.Facts, "fact"), p.Faint(strings.Join(names, " · ")))
	}
	if len(o.Newest) > 0 {
		p.Printf("\n%s\n", p.Strong("Newest facts"))
		t := table.Table{Elastic: 1, Faint: map[int]bool{0: true, 2: true}}
		for _, f := range o.Newest {
			t.Add("  "+f.ID, terminal.Clean(f.Text), output.Join(string(f.Type), f.Category))
		}
		p.Table(t)
	}
	if len(o.Indexes)+len(o.Notes) > 0 {
		p.Printf("\n%s  %s\n", p.Strong("Notes"), p.Faint(output.Count(len(o.Notes), "note")))
		p.Table(o.notes())
	}
	if len(o.Learnings) > 0 {
		p.Printf("\n%s\n", p.Strong("Learnings"))
		t := table.Table{Elastic: 2, Faint: map[int]bool{0: true}}
		for _, l := range o.Learnings {
			t.Add("  "+l.ID, string(l.Kind), terminal.Clean(l.Text))
		}
		p.Table(t)
	}
	p.Printf("\n%s\n", p.Faint(fmt.Sprintf("the model sees generation %d of the snapshot, %s tokens; /context shows its parts",
		o.Snapshot.Generation, output.Thousands(o.Snapshot.Tokens))))
}

// notes lists the index of each scope and the newest notes.
func (o overview) notes() table.Table {
	t := table.Table{Elastic: 1, Faint: map[int]bool{2: true}}
	for _, d := range o.Indexes {
		t.Add("  "+terminal.Clean(d.Path), "index", d.Scope)
	}
	newest := slices.Clone(o.Notes)
	slices.SortStableFunc(newest, func(a, b ops.Document) int { return b.ModifiedAt.Compare(a.ModifiedAt) })
	for _, d := range newest[:min(len(newest), shownNotes)] {
		t.Add("  "+terminal.Clean(d.Path), output.Join(d.Name, d.Description), d.Scope)
	}
	return t
}
