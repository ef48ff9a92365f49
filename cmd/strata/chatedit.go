package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
)

// memoryEdit opens an editor on the text of a fact, and submits what comes out
// through the write path.
func (r *chatRun) memoryEdit(ctx context.Context, id string) error {
	fact, err := r.factToEdit(ctx, id)
	if err != nil {
		return err
	}
	text, err := r.editText(ctx, fact.Text)
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

// editText lets the user change a text in an editor of their own.
func (r *chatRun) editText(ctx context.Context, text string) (string, error) {
	command, err := r.editor()
	if err != nil {
		return "", err
	}
	f, err := os.CreateTemp(r.app.getenv("TMPDIR"), "strata-fact-*.md") // mode 0600
	if err != nil {
		return "", &strata.Error{Code: strata.CodeUnavailable, Message: "there is no room for the text to edit", Err: err,
			Hint: "see that TMPDIR names a directory that can be written"}
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(text + "\n")
	if err = errors.Join(err, f.Close()); err != nil {
		return "", fmt.Errorf("write the text to edit: %w", err)
	}
	cmd := exec.CommandContext(ctx, command[0], append(command[1:], f.Name())...)
	if r.view.interactive {
		cmd.Stdin, cmd.Stdout = os.Stdin, os.Stdout
	}
	cmd.Stderr = r.app.stderr
	if err := cmd.Run(); err != nil {
		return "", &strata.Error{Code: strata.CodeUnavailable, Message: "the editor " + quote(command[0]) + " did not end well", Err: err,
			Hint: "set VISUAL or EDITOR to another editor; nothing was changed"}
	}
	changed, err := os.Open(f.Name())
	if err != nil {
		return "", readError(f.Name(), err)
	}
	defer changed.Close()
	out, err := readAll(changed, f.Name())
	return strings.TrimSpace(out), err
}

// editor is the user's editor with its arguments, else one that is there.
func (r *chatRun) editor() ([]string, error) {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if words := strings.Fields(r.app.getenv(name)); len(words) > 0 {
			return words, nil
		}
	}
	for _, name := range []string{"nano", "vim", "vi"} {
		if path, err := exec.LookPath(name); err == nil {
			return []string{path}, nil
		}
	}
	return nil, &strata.Error{Code: strata.CodeUnavailable, Message: "there is no editor", Hint: "set VISUAL or EDITOR, or use /save"}
}
