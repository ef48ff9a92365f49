package chatui

import (
	"context"
	"os"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/editor"
	"github.com/strata-memory/strata/internal/ops"
)

// memoryEdit opens an editor on the text of a fact, a note or another file, and writes
// the result to memory.
func (u *ui) memoryEdit(ctx context.Context, name string) error {
	if name == "" || strings.HasPrefix(name, "fact_") {
		return u.editFact(ctx, name)
	}
	return u.editDocument(ctx, name)
}

// editDocument lets the user edit a note or another file. It fails if somebody else
// changes the file meanwhile.
func (u *ui) editDocument(ctx context.Context, name string) error {
	before, err := editor.Document(ctx, u.Env, name)
	if err != nil {
		return err
	}
	text, err := u.edit(ctx, before.Content)
	if err != nil {
		return err
	}
	if !editor.Changed(before, text) {
		u.view.notice("the text is unchanged")
		return nil
	}
	env := *u.Env
	env.Session = u.agent.Session()
	out, err := editor.Write(ctx, &env, before, text)
	if err != nil {
		return err
	}
	return u.changed(ctx, u.printOutput("memory edit", out))
}

// editFact lets the user edit the text of a fact.
func (u *ui) editFact(ctx context.Context, id string) error {
	fact, err := u.factToEdit(ctx, id)
	if err != nil {
		return err
	}
	text, err := u.edit(ctx, fact.Text)
	if err != nil {
		return err
	}
	if text == "" || text == fact.Text {
		u.view.notice("the text is unchanged")
		return nil
	}
	return u.changed(ctx, u.operation(ctx, "memory edit", "save", &ops.SaveIn{Statement: ops.Statement{
		Content: text, Target: fact.ID, BaseGeneration: fact.Generation, Type: fact.Type,
	}}))
}

// edit lets the user edit a text, and returns the result.
func (u *ui) edit(ctx context.Context, text string) (string, error) {
	edited, path, err := u.Editor.Edit(ctx, text)
	if err != nil {
		return "", err
	}
	return edited, os.Remove(path)
}

// factToEdit returns the named fact, or the one saved last if none is named.
func (u *ui) factToEdit(ctx context.Context, id string) (strata.Fact, error) {
	if id == "" {
		list, err := u.Env.Engine.Facts(ctx, u.Env.View, strata.FactFilter{Limit: 1})
		if err != nil {
			return strata.Fact{}, err
		}
		if len(list) == 0 {
			return strata.Fact{}, &strata.Error{Code: strata.CodeNotFound, Message: "there is no fact yet", Hint: "/save TEXT makes one"}
		}
		return slices.MaxFunc(list, func(a, b strata.Fact) int { return a.RecordedAt.Compare(b.RecordedAt) }), nil
	}
	versions, err := u.Env.Engine.Fact(ctx, u.Env.View, id)
	if err != nil {
		return strata.Fact{}, err
	}
	last := versions[len(versions)-1]
	if !last.Current() {
		return strata.Fact{}, strata.NotFound("", "current fact", id)
	}
	return last, nil
}
