// Package editor lets a person change a text from memory in their own editor.
package editor

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/input"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/internal/base/diskfault"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/ops/operation"
)

// An Editor runs the program that VISUAL or EDITOR names, or else one that is installed.
type Editor struct {
	Getenv func(name string) string
	// Interactive means that the editor gets the terminal.
	Interactive bool
	Stderr      io.Writer
}

// Edit lets the person edit a text, and returns the result without surrounding white
// space. The result is also in the file at path, which the caller removes.
func (e Editor) Edit(ctx context.Context, text string) (edited, path string, err error) {
	if path, err = e.write(text); err != nil {
		return "", "", err
	}
	if err = e.run(ctx, path); err == nil {
		edited, err = input.File(path)
	}
	if err != nil {
		return "", "", errors.Join(err, os.Remove(path))
	}
	return strings.TrimSpace(edited), path, nil
}

// run opens the editor on a file and waits for it to exit.
func (e Editor) run(ctx context.Context, path string) error {
	command, err := e.command()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, command[0], append(command[1:], path)...)
	if e.Interactive {
		cmd.Stdin, cmd.Stdout = os.Stdin, os.Stdout
	}
	cmd.Stderr = e.Stderr
	if err := cmd.Run(); err != nil {
		return &strata.Error{Code: strata.CodeUnavailable, Message: "the editor " + terminal.Quote(command[0]) + " did not end well", Err: err,
			Hint: "set VISUAL or EDITOR to another editor; nothing was changed"}
	}
	return nil
}

// write writes a text to a temporary file.
func (e Editor) write(text string) (path string, err error) {
	f, err := os.CreateTemp(e.Getenv("TMPDIR"), "strata-edit-*.md") // mode 0600
	if err != nil {
		return "", noRoom(err)
	}
	_, err = f.WriteString(strings.TrimRight(text, "\n") + "\n")
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(noRoom(err), os.Remove(f.Name()))
	}
	return f.Name(), nil
}

func noRoom(err error) error {
	return diskfault.Explain(&strata.Error{Code: strata.CodeUnavailable, Message: "the text to edit cannot be written", Err: err,
		Hint: "set TMPDIR to a directory that can be written"}, "")
}

// command returns the editor with its arguments.
func (e Editor) command() ([]string, error) {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if words := strings.Fields(e.Getenv(name)); len(words) > 0 {
			return words, nil
		}
	}
	for _, name := range []string{"nano", "vim", "vi"} {
		if path, err := exec.LookPath(name); err == nil {
			return []string{path}, nil
		}
	}
	return nil, &strata.Error{Code: strata.CodeUnavailable, Message: "there is no editor", Hint: "set VISUAL or EDITOR to one"}
}

// Document returns the named document, or the initial content of a new file with that
// path. It returns an error if the file contains a secret, because memory's version of it
// lacks the secret.
func Document(ctx context.Context, env *operation.Env, name string) (ops.Document, error) {
	out, err := ops.Run(ctx, env, "note_show", &ops.NoteNameIn{Name: name})
	switch {
	case err == nil:
		d := out.(ops.Document)
		if len(d.Redacted) > 0 {
			return d, &strata.Error{Code: strata.CodeRejectedSecret, Message: d.Path + " holds a secret, which memory does not keep: a new version would lose it",
				Hint: "edit the file itself, " + location(env, d)}
		}
		return d, nil
	case strata.CodeOf(err) != strata.CodeNotFound || strata.ValidatePath(name) != nil:
		return ops.Document{}, err
	}
	return ops.Document{Path: name, Hash: strata.NoFile, Content: markdown.Starter(name)}, nil
}

// Changed reports whether a text is a new version of a document: it is different and not
// empty.
func Changed(d ops.Document, text string) bool {
	return text != "" && text != strings.TrimSpace(d.Content)
}

// Write writes a new version of a document. It fails if somebody else changed the
// document meanwhile. It returns the output of note_write.
func Write(ctx context.Context, env *operation.Env, d ops.Document, text string) (any, error) {
	in := ops.NoteWriteIn{Name: d.Path, Content: text, Base: d.Hash}
	if d.ID != "" {
		in.Name = d.ID
	}
	return ops.Run(ctx, env, "note_write", &in)
}

// location returns the path of a document on disk.
func location(env *operation.Env, d ops.Document) string {
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
