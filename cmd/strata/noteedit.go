package main

import (
	"context"
	"errors"
	"os"

	"github.com/spf13/cobra"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/editor"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/internal/ops/schema"
)

// newNoteEditCommand returns the command note edit. It is note show and note write with a
// person in between, so it has no operation of its own.
func newNoteEditCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "edit NAME",
		Short: "Edit a note or another file in your editor",
		Long: "Edit a note or another file in your editor.\n\n" +
			"Opens $VISUAL or $EDITOR on the text and writes what you saved, if the file has not changed meanwhile. Otherwise\n" +
			"nothing changes, and your text is kept in a file that is named. NAME is a title, slug, type/slug, path, id or\n" +
			"memory:// address; the path of a file that does not exist creates one. You can also edit the files in any other way.",
		Example: "  # by its title\n  strata note edit \"How we deploy\"\n  # a file that does not exist yet\n  strata note edit SOUL.md",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return strata.Invalid("", "note edit needs one name", "usage: "+cmd.UseLine())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.editNote(cmd.Context(), args[0]) },
	}
	a.completeArgs(cmd, []schema.Field{{Name: "name", Values: "path"}}, false)
	return cmd
}

// editNote lets the user edit a file and writes the result.
func (a *app) editNote(ctx context.Context, name string) error {
	env, err := a.environment(ctx)
	if err != nil {
		return err
	}
	before, err := editor.Document(ctx, env, name)
	if err != nil {
		return err
	}
	text, path, err := a.editor(terminal.Is(a.stdin)).Edit(ctx, before.Content)
	if err != nil {
		return err
	}
	if !editor.Changed(before, text) {
		a.out.Note("the text is unchanged")
		return os.Remove(path)
	}
	out, err := editor.Write(ctx, env, before, text)
	if err != nil {
		// Keep what a person wrote.
		a.out.Note("your text is kept in %s", path)
		return err
	}
	return errors.Join(a.out.Print(out), os.Remove(path))
}
