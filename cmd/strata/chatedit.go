package main

import (
	"context"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
)

// memoryEdit opens an editor on the text of a fact, a note or another file, and
// submits what comes out through the write path.
func (r *chatRun) memoryEdit(ctx context.Context, name string) error {
	if name == "" || strings.HasPrefix(name, "fact_") {
		return r.editFact(ctx, name)
	}
	return r.editDocument(ctx, name)
}

// editDocument changes a note or another file, unless somebody else changed it
// meanwhile.
func (r *chatRun) editDocument(ctx context.Context, name string) error {
	before, err := r.app.noteToEdit(ctx, r.env, name)
	if err != nil {
		return err
	}
	text, err := r.app.editText(ctx, before.Content, r.view.interactive)
	if err != nil {
		return err
	}
	if text == "" || text == strings.TrimSpace(before.Content) {
		r.view.notice("the text is as it was")
		return nil
	}
	target := before.Path
	if before.ID != "" {
		target = before.ID
	}
	err = r.operation(ctx, "memory edit", "note_write", map[string]any{"name": target, "content": text, "base": before.Hash})
	if err != nil {
		return err
	}
	return r.reload(ctx)
}

// editFact changes the text of a fact.
func (r *chatRun) editFact(ctx context.Context, id string) error {
	fact, err := r.factToEdit(ctx, id)
	if err != nil {
		return err
	}
	text, err := r.app.editText(ctx, fact.Text, r.view.interactive)
	if err != nil {
		return err
	}
	if text == "" || text == fact.Text {
		r.view.notice("the text is as it was")
		return nil
	}
	err = r.operation(ctx, "memory edit", "save", map[string]any{
		"content": text, "target": fact.ID, "base_generation": fact.Generation, "type": fact.Type,
	})
	if err != nil {
		return err
	}
	return r.reload(ctx)
}

// factToEdit is the fact that was named, or the one that was saved last.
func (r *chatRun) factToEdit(ctx context.Context, id string) (strata.Fact, error) {
	if id == "" {
		list, err := r.env.Engine.Facts(ctx, r.env.View, strata.FactFilter{Limit: 1})
		if err != nil {
			return strata.Fact{}, err
		}
		if len(list) == 0 {
			return strata.Fact{}, &strata.Error{Code: strata.CodeNotFound, Message: "there is no fact yet", Hint: "/save TEXT makes one"}
		}
		return slices.MaxFunc(list, func(a, b strata.Fact) int { return a.RecordedAt.Compare(b.RecordedAt) }), nil
	}
	versions, err := r.env.Engine.Fact(ctx, r.env.View, id)
	if err != nil {
		return strata.Fact{}, err
	}
	last := versions[len(versions)-1]
	if !last.Current() {
		return strata.Fact{}, strata.NotFound("", "current fact", id)
	}
	return last, nil
}
