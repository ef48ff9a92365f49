package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/ops"
	"github.com/strata-memory/strata/session"
)

// memory shows memory, or changes it.
func (r *chatRun) memory(ctx context.Context, rest string) error {
	word, more, _ := strings.Cut(rest, " ")
	more = strings.TrimSpace(more)
	switch word {
	case "":
		return r.memoryView(ctx)
	case "edit":
		return r.memoryEdit(ctx, more)
	case "clear":
		return r.memoryClear(ctx, more)
	case "rebuild":
		return r.memoryRebuild(ctx, more)
	}
	return r.memoryItem(ctx, rest)
}

// memoryOverview is what /memory shows.
type memoryOverview struct {
	Scopes   []memoryScope    `json:"scopes"`
	Newest   []ops.Fact       `json:"newest"`
	Indexes  []ops.Document   `json:"indexes"`
	Notes    []ops.Document   `json:"notes"`
	Lessons  []memoryLesson   `json:"lessons"`
	Snapshot session.Snapshot `json:"snapshot"`
}

type memoryScope struct {
	Scope      string         `json:"scope"`
	Facts      int64          `json:"facts"`
	Categories []ops.Category `json:"categories"`
}

type memoryLesson struct {
	ID    string              `json:"id"`
	Kind  strata.LearningKind `json:"kind"`
	Text  string              `json:"text"`
	Count int64               `json:"count"`
}

// How much of memory an overview shows.
const (
	shownFacts      = 10
	shownNotes      = 10
	shownLessons    = 5
	shownCategories = 12
)

func (r *chatRun) memoryView(ctx context.Context) error {
	mem, view := r.env.Engine, r.env.View
	out := memoryOverview{Newest: []ops.Fact{}, Lessons: []memoryLesson{}, Snapshot: r.agent.Conversation().Snapshot()}
	stats, err := mem.Stats(ctx, view)
	if err != nil {
		return err
	}
	groups, err := mem.Categories(ctx, view)
	if err != nil {
		return err
	}
	for _, s := range stats {
		scope := memoryScope{Scope: s.Scope.Key(), Facts: s.Facts, Categories: []ops.Category{}}
		for _, g := range groups {
			if g.Scope == s.Scope {
				scope.Categories = append(scope.Categories, ops.Category{Name: g.Name, Scope: s.Scope.Key(), Facts: g.Facts})
			}
		}
		slices.SortStableFunc(scope.Categories, func(a, b ops.Category) int { return int(b.Facts - a.Facts) })
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
	if out.Indexes, err = r.documents(ctx, strata.DocumentIndex); err != nil {
		return err
	}
	if out.Notes, err = r.documents(ctx, strata.DocumentNote); err != nil {
		return err
	}
	lessons, err := mem.Learnings(ctx, view, "", shownLessons)
	if err != nil {
		return err
	}
	for _, l := range lessons {
		out.Lessons = append(out.Lessons, memoryLesson{ID: l.ID, Kind: l.Kind, Text: l.Text, Count: l.Count})
	}
	return r.show("memory", out, func(w io.Writer) error { return r.writeOverview(w, out) })
}

// documents lists the files of a kind that the view has.
func (r *chatRun) documents(ctx context.Context, kind strata.DocumentKind) ([]ops.Document, error) {
	out, err := runOp(ctx, r.env, "note_list", &ops.NoteListIn{Kind: string(kind), Limit: 1000})
	if err != nil {
		return nil, err
	}
	return out.(ops.Documents).Documents, nil
}

func (r *chatRun) writeOverview(w io.Writer, o memoryOverview) error {
	st := r.view.st
	for _, s := range o.Scopes {
		names := make([]string, 0, shownCategories)
		for _, g := range s.Categories[:min(len(s.Categories), shownCategories)] {
			names = append(names, fmt.Sprintf("%s %d", clean(g.Name), g.Facts))
		}
		if err := show(w, "%s  %s  %s\n", st.strong(s.Scope), count(s.Facts, "fact"), st.faint(strings.Join(names, " · "))); err != nil {
			return err
		}
	}
	if len(o.Newest) > 0 {
		if err := show(w, "\n%s\n", st.strong("Newest facts")); err != nil {
			return err
		}
		t := table{elastic: 1, faint: map[int]bool{0: true, 2: true}}
		for _, f := range o.Newest {
			t.add("  "+f.ID, clean(f.Text), about(string(f.Type), clean(f.Category)))
		}
		if err := t.write(w, width(w), st); err != nil {
			return err
		}
	}
	if err := r.writeNotes(w, o); err != nil {
		return err
	}
	if len(o.Lessons) > 0 {
		if err := show(w, "\n%s\n", st.strong("Lessons")); err != nil {
			return err
		}
		t := table{elastic: 2, faint: map[int]bool{0: true}}
		for _, l := range o.Lessons {
			t.add("  "+l.ID, string(l.Kind), clean(l.Text))
		}
		if err := t.write(w, width(w), st); err != nil {
			return err
		}
	}
	return show(w, "\n%s\n", st.faint(fmt.Sprintf("the model sees generation %d of the snapshot, %s tokens; /context shows its parts",
		o.Snapshot.Generation, thousands(o.Snapshot.Tokens))))
}

// writeNotes shows the index of each scope and the notes that were written last.
func (r *chatRun) writeNotes(w io.Writer, o memoryOverview) error {
	if len(o.Indexes)+len(o.Notes) == 0 {
		return nil
	}
	st := r.view.st
	if err := show(w, "\n%s  %s\n", st.strong("Notes"), st.faint(count(len(o.Notes), "note"))); err != nil {
		return err
	}
	newest := slices.Clone(o.Notes)
	slices.SortStableFunc(newest, func(a, b ops.Document) int { return b.ModifiedAt.Compare(a.ModifiedAt) })
	t := table{elastic: 1, faint: map[int]bool{2: true}}
	for _, d := range o.Indexes {
		t.add("  "+clean(d.Path), "index", d.Scope)
	}
	for _, d := range newest[:min(len(newest), shownNotes)] {
		t.add("  "+clean(d.Path), clean(about(d.Name, d.Description)), d.Scope)
	}
	return t.write(w, width(w), st)
}

// memoryItem shows a fact or a lesson by its id, the facts of a category, or a
// note or another file by any of its names.
func (r *chatRun) memoryItem(ctx context.Context, name string) error {
	if strings.HasPrefix(name, "lrn_") {
		return r.lesson(ctx, name)
	}
	if !strings.HasPrefix(name, "fact_") {
		groups, err := r.env.Engine.Categories(ctx, r.env.View)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(groups, func(g strata.Category) bool { return g.Name == name }) {
			return r.operation(ctx, "memory", "facts", map[string]any{"category": name})
		}
		err = r.operation(ctx, "memory", "note_show", map[string]any{"name": name})
		if strata.CodeOf(err) == strata.CodeNotFound {
			return strata.NotFound("", "fact, lesson, category or note", name)
		}
		return err
	}
	return r.operation(ctx, "memory", "fact", map[string]any{"id": name})
}

// lesson shows a lesson.
func (r *chatRun) lesson(ctx context.Context, id string) error {
	const most = 1000
	list, err := r.env.Engine.Learnings(ctx, r.env.View, "", most)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(list, func(l strata.Learning) bool { return l.ID == id })
	if i < 0 {
		return strata.NotFound("", "lesson", id)
	}
	l := list[i]
	return r.show("memory", l, func(w io.Writer) error {
		var p pairs
		p.add("lesson", l.ID)
		p.add("kind", string(l.Kind))
		p.add("tool", l.Tool)
		p.add("text", l.Text)
		p.add("context", l.Context)
		p.add("learnt", fmt.Sprintf("%s, last %s", count(l.Count, "time"), when(l.LastAt)))
		p.add("scope", l.Scope.Key())
		return p.write(w, r.view.st)
	})
}

// memoryClear deletes the facts of the scope of this chat. Each deletion is a
// decision that can be reverted.
func (r *chatRun) memoryClear(ctx context.Context, flag string) error {
	scope := r.scope()
	if flag != "" && flag != "--yes" {
		return strata.Invalid("", "/memory clear takes no "+quote(flag), "it deletes the facts of "+scope.Key()+"; --yes does not ask")
	}
	facts, err := r.allFacts(ctx, scope)
	if err != nil {
		return err
	}
	if len(facts) == 0 {
		r.view.notice("%s holds no facts", scope.Key())
		return nil
	}
	question := fmt.Sprintf("Delete %s of the scope %s? Other scopes keep theirs, and strata revert brings each back.", count(len(facts), "fact"), scope.Key())
	if flag == "" {
		if err := r.input.confirm(ctx, question); err != nil {
			return err
		}
	}
	deleted := 0
	for chunk := range slices.Chunk(facts, strata.MaxBatch) {
		candidates := each(chunk, func(f strata.Fact) strata.Candidate {
			return strata.Candidate{Scope: scope, Wish: strata.WishDelete, Target: f.ID, BaseGeneration: f.Generation,
				Origin: strata.OriginCLI, Session: r.agent.Session(), Reason: "cleared in a chat"}
		})
		decisions, err := r.env.Engine.WriteBatch(ctx, candidates)
		if err != nil {
			return err
		}
		for _, d := range decisions {
			if d.Op == strata.OpDelete {
				deleted++
			}
		}
	}
	out := struct {
		Scope   string `json:"scope"`
		Deleted int    `json:"deleted"`
	}{scope.Key(), deleted}
	err = r.show("memory clear", out, func(w io.Writer) error {
		return show(w, "deleted  %s of %s\n", count(deleted, "fact"), scope.Key())
	})
	if err != nil {
		return err
	}
	return r.reload(ctx)
}

// allFacts are the current facts of one scope.
func (r *chatRun) allFacts(ctx context.Context, scope strata.Scope) ([]strata.Fact, error) {
	const page = 1000
	var out []strata.Fact
	for after := ""; ; {
		list, err := r.env.Engine.Facts(ctx, scope.View(), strata.FactFilter{After: after, Limit: page})
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
		if len(list) < page {
			return out, nil
		}
		after = list[len(list)-1].ID
	}
}

// memoryRebuild extracts facts again from what was said, by rules, rebuilds the
// index of the scope, and shows the model what memory holds now.
func (r *chatRun) memoryRebuild(ctx context.Context, which string) error {
	sessions := []string{r.agent.Session()}
	switch which {
	case "":
	case "all":
		list, err := r.sessions(ctx)
		if err != nil {
			return err
		}
		sessions = each(list, func(s strata.Session) string { return s.ID })
	default:
		return strata.Invalid("", "/memory rebuild takes no "+quote(which), "leave it out, or write all")
	}
	if err := r.agent.Flush(ctx); err != nil {
		return err
	}
	out := struct {
		Sessions  int               `json:"sessions"`
		Decisions []strata.Decision `json:"decisions"`
		Index     ops.Reindexed     `json:"index"`
	}{Sessions: len(sessions), Decisions: []strata.Decision{}}
	changed := 0
	for _, id := range sessions {
		decisions, err := r.env.Engine.Extract(ctx, r.scope(), id)
		if err != nil && strata.CodeOf(err) != strata.CodeNotFound { // nothing was said in it yet
			return err
		}
		for _, d := range decisions {
			if d.Op.Changed() {
				changed++
			}
		}
		out.Decisions = append(out.Decisions, decisions...)
	}
	report, err := r.env.Engine.Reindex(ctx, []strata.Scope{r.scope()}, nil)
	if err != nil {
		return err
	}
	out.Index = ops.Reindexed{Scopes: report.Scopes, Passages: report.Passages, Vectors: report.Vectors}
	err = r.show("memory rebuild", out, func(w io.Writer) error {
		return show(w, "rebuilt  %s read, %s; %s indexed\n", count(len(sessions), "session"), count(changed, "change"), count(report.Passages, "passage"))
	})
	if err != nil {
		return err
	}
	return r.reload(ctx)
}

// reload makes a new generation of the snapshot.
func (r *chatRun) reload(ctx context.Context) error {
	if err := r.agent.Reload(ctx); err != nil {
		return err
	}
	r.view.notice("the model sees generation %d of the snapshot from your next message on", r.agent.Conversation().Snapshot().Generation)
	return nil
}
