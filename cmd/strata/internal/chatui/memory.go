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
)

// memory shows memory, or changes it.
func (u *ui) memory(ctx context.Context, rest string) error {
	word, more, _ := strings.Cut(rest, " ")
	more = strings.TrimSpace(more)
	switch word {
	case "":
		return u.overview(ctx)
	case "edit":
		return u.memoryEdit(ctx, more)
	case "clear":
		return u.memoryClear(ctx, more)
	case "rebuild":
		return u.memoryRebuild(ctx, more)
	}
	return u.memoryItem(ctx, rest)
}

// memoryItem shows a fact or a learning by id, the facts of a category, or a note or
// another file by any of its names.
func (u *ui) memoryItem(ctx context.Context, name string) error {
	switch {
	case strings.HasPrefix(name, "lrn_"):
		return u.learning(ctx, name)
	case strings.HasPrefix(name, "fact_"):
		return u.operation(ctx, "memory", "fact", &ops.FactIn{ID: name})
	}
	categories, err := u.Env.Engine.Categories(ctx, u.Env.View)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(categories, func(c strata.Category) bool { return c.Name == name }) {
		return u.operation(ctx, "memory", "facts", &ops.FactsIn{Category: name, Limit: 100})
	}
	err = u.operation(ctx, "memory", "note_show", &ops.NoteNameIn{Name: name})
	if strata.CodeOf(err) == strata.CodeNotFound {
		return strata.NotFound("", "fact, learning, category or note", name)
	}
	return err
}

// learning shows a learning.
func (u *ui) learning(ctx context.Context, id string) error {
	const most = 1000
	list, err := u.Env.Engine.Learnings(ctx, u.Env.View, "", most)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(list, func(l strata.Learning) bool { return l.ID == id })
	if i < 0 {
		return strata.NotFound("", "learning", id)
	}
	l := list[i]
	return u.print("memory", l, func(p *output.Page) {
		var r table.Record
		r.Add("learning", l.ID)
		r.Add("kind", string(l.Kind))
		r.Add("tool", l.Tool)
		r.Add("text", l.Text)
		r.Add("context", l.Context)
		r.Add("learnt", fmt.Sprintf("%s, last %s", output.Count(l.Count, "time"), output.When(l.LastAt)))
		r.Add("scope", l.Scope.Key())
		p.Record(r)
	})
}

// memoryClear deletes the facts of the chat's scope. Each deletion is a decision that can
// be reverted.
func (u *ui) memoryClear(ctx context.Context, flag string) error {
	scope := u.scope()
	if flag != "" && flag != "--yes" {
		return strata.Invalid("", "/memory clear takes no "+terminal.Quote(flag), "it deletes the facts of "+scope.Key()+"; --yes does not ask")
	}
	facts, err := u.allFacts(ctx, scope)
	if err != nil {
		return err
	}
	if len(facts) == 0 {
		u.view.notice("%s holds no facts", scope.Key())
		return nil
	}
	if flag == "" {
		err := u.input.Confirm(fmt.Sprintf("Delete %s of the scope %s? Other scopes keep theirs, and strata revert brings each back.",
			output.Count(len(facts), "fact"), scope.Key()))
		if err != nil {
			return err
		}
	}
	deleted, err := u.deleteFacts(ctx, scope, facts)
	if err != nil {
		return err
	}
	out := struct {
		Scope   string `json:"scope"`
		Deleted int    `json:"deleted"`
	}{scope.Key(), deleted}
	return u.changed(ctx, u.print("memory clear", out, func(p *output.Page) {
		p.Printf("deleted  %s of %s\n", output.Count(deleted, "fact"), scope.Key())
	}))
}

// allFacts returns the current facts of one scope.
func (u *ui) allFacts(ctx context.Context, scope strata.Scope) ([]strata.Fact, error) {
	const page = 1000
	var out []strata.Fact
	for after := ""; ; {
		list, err := u.Env.Engine.Facts(ctx, scope.View(), strata.FactFilter{After: after, Limit: page})
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

// deleteFacts deletes facts that nobody has changed meanwhile, and returns how many.
func (u *ui) deleteFacts(ctx context.Context, scope strata.Scope, facts []strata.Fact) (deleted int, err error) {
	for chunk := range slices.Chunk(facts, strata.MaxBatch) {
		var candidates []strata.Candidate
		for _, f := range chunk {
			candidates = append(candidates, strata.Candidate{Scope: scope, Action: strata.ActionDelete, Target: f.ID, BaseGeneration: f.Generation,
				Origin: strata.OriginCLI, Session: u.agent.Session(), Reason: "cleared in a chat"})
		}
		decisions, err := u.Env.Engine.WriteBatch(ctx, candidates)
		if err != nil {
			return deleted, err
		}
		for _, d := range decisions {
			if d.Op == strata.OpDelete {
				deleted++
			}
		}
	}
	return deleted, nil
}

// memoryRebuild extracts facts again, by rules, from what was said, rebuilds the index of
// the scope, and renews the snapshot that the model sees.
func (u *ui) memoryRebuild(ctx context.Context, which string) error {
	sessions := []string{u.agent.Session()}
	switch which {
	case "":
	case "all":
		list, err := u.sessions(ctx)
		if err != nil {
			return err
		}
		sessions = sessions[:0]
		for _, s := range list {
			sessions = append(sessions, s.ID)
		}
	default:
		return strata.Invalid("", "/memory rebuild takes no "+terminal.Quote(which), "leave it out, or write all")
	}
	if err := u.agent.Flush(ctx); err != nil {
		return err
	}
	out := struct {
		Sessions  int               `json:"sessions"`
		Decisions []strata.Decision `json:"decisions"`
		Index     upkeep.Reindexed  `json:"index"`
	}{Sessions: len(sessions), Decisions: []strata.Decision{}}
	changed := 0
	for _, id := range sessions {
		decisions, err := u.Env.Engine.Extract(ctx, u.scope(), id)
		if err != nil && strata.CodeOf(err) != strata.CodeNotFound { // a session without turns is not found
			return err
		}
		for _, d := range decisions {
			if d.Op.Changed() {
				changed++
			}
		}
		out.Decisions = append(out.Decisions, decisions...)
	}
	report, err := u.Env.Engine.Reindex(ctx, []strata.Scope{u.scope()}, nil)
	if err != nil {
		return err
	}
	out.Index = upkeep.Reindexed{Scopes: report.Scopes, Passages: report.Passages, Vectors: report.Vectors}
	return u.changed(ctx, u.print("memory rebuild", out, func(p *output.Page) {
		p.Printf("rebuilt  %s read, %s; %s indexed\n", output.Count(len(sessions), "session"), output.Count(changed, "change"),
			output.Count(report.Passages, "passage"))
	}))
}

// changed makes a new generation of the snapshot, so that the model sees the current
// memory. It does nothing if the change failed with err.
func (u *ui) changed(ctx context.Context, err error) error {
	if err != nil {
		return err
	}
	if err := u.agent.Reload(ctx); err != nil {
		return err
	}
	u.view.notice("the model sees generation %d of the snapshot from your next message on", u.agent.Conversation().Snapshot().Generation)
	return nil
}
