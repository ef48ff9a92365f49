package main

import (
	"context"
	"errors"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/document"
	"github.com/strata-memory/strata/ops"
)

// newNoteEditCommand opens an editor on a note. It is note show and note write
// with a person in between, so it has no operation of its own.
func newNoteEditCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "edit NAME",
		Short: "Edit a note or another file in your editor",
		Long: "Edit a note or another file in your editor.\n\n" +
			"Opens $VISUAL or $EDITOR on the text and writes what you saved, if the file is still what you saw. Otherwise nothing is\n" +
			"changed and your text is kept in a file that is named. NAME is a title, slug, type/slug, path, id or memory:// address;\n" +
			"the path of a file that is not there yet makes one. The files can be edited by any other means as well.",
		Example: "  # by its title\n  strata note edit \"How we deploy\"\n  # a file that is not there yet\n  strata note edit SOUL.md",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return strata.Invalid("", "note edit needs one name", "usage: "+cmd.UseLine())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.editNote(cmd.Context(), args[0]) },
	}
	a.completeArgs(cmd, []ops.Field{{Name: "name", Values: "path"}}, false)
	return cmd
}

// editNote has the user edit a file and writes the outcome.
func (a *app) editNote(ctx context.Context, name string) error {
	env, err := a.environment(ctx)
	if err != nil {
		return err
	}
	before, err := a.noteToEdit(ctx, env, name)
	if err != nil {
		return err
	}
	path, err := a.textToEdit(before.Content)
	if err != nil {
		return err
	}
	text, err := a.editFile(ctx, path, isTerminal(a.stdin))
	if err != nil {
		return errors.Join(err, os.Remove(path))
	}
	if text == "" || text == strings.TrimSpace(before.Content) {
		a.note("the text is as it was")
		return os.Remove(path)
	}
	in := ops.NoteWriteIn{Name: before.Path, Content: text, Base: before.Hash}
	if before.ID != "" {
		in.Name = before.ID
	}
	out, err := runOp(ctx, env, "note_write", &in)
	if err != nil {
		// What a person wrote is not thrown away.
		a.note("your text is kept in %s", path)
		return err
	}
	return errors.Join(a.print(out), os.Remove(path))
}

// noteToEdit is the file of a name as it is, or what a new one begins with.
func (a *app) noteToEdit(ctx context.Context, env *ops.Env, name string) (ops.Document, error) {
	out, err := runOp(ctx, env, "note_show", &ops.NoteNameIn{Name: name})
	switch {
	case err == nil:
		d := out.(ops.Document)
		if len(d.Redacted) > 0 {
			return d, &strata.Error{Code: strata.CodeRejectedSecret, Message: d.Path + " holds a secret, which memory does not keep: a new version would lose it",
				Hint: "edit the file itself, " + a.fileOf(env, d)}
		}
		return d, nil
	case strata.CodeOf(err) != strata.CodeNotFound || strata.ValidatePath(name) != nil:
		return ops.Document{}, err
	}
	return ops.Document{Path: name, Hash: strata.NoFile, Content: document.Starter(name)}, nil
}

// fileOf is where a document lies on the disk.
func (a *app) fileOf(env *ops.Env, d ops.Document) string {
	scope, err := strata.ParseScope(d.Scope)
	if err != nil {
		return d.Path
	}
	dir, ok := env.Engine.Directory(scope)
	if !ok {
		return d.Path
	}
	return dir + "/" + d.Path
}

// runOp runs an operation by name.
func runOp(ctx context.Context, env *ops.Env, name string, in any) (any, error) {
	op, ok := ops.Find(name)
	if !ok {
		return nil, &strata.Error{Code: strata.CodeInternal, Message: "no operation " + name}
	}
	return op.Run(ctx, env, in)
}
