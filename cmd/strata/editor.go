package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/strata-memory/strata"
)

// editText lets the user change a text in an editor of their own, and returns it
// without white space around it. interactive gives the editor the terminal.
func (a *app) editText(ctx context.Context, text string, interactive bool) (string, error) {
	path, err := a.textToEdit(text)
	if err != nil {
		return "", err
	}
	defer os.Remove(path)
	return a.editFile(ctx, path, interactive)
}

// textToEdit writes a text to a temporary file, which the caller removes.
func (a *app) textToEdit(text string) (path string, err error) {
	f, err := os.CreateTemp(a.getenv("TMPDIR"), "strata-edit-*.md") // mode 0600
	if err != nil {
		return "", &strata.Error{Code: strata.CodeUnavailable, Message: "there is no room for the text to edit", Err: err,
			Hint: "see that TMPDIR names a directory that can be written"}
	}
	_, err = f.WriteString(strings.TrimRight(text, "\n") + "\n")
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(fmt.Errorf("write the text to edit: %w", err), os.Remove(f.Name()))
	}
	return f.Name(), nil
}

// editFile opens the editor on a file and returns what it holds afterwards.
func (a *app) editFile(ctx context.Context, path string, interactive bool) (string, error) {
	command, err := a.editor()
	if err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, command[0], append(command[1:], path)...)
	if interactive {
		cmd.Stdin, cmd.Stdout = os.Stdin, os.Stdout
	}
	cmd.Stderr = a.stderr
	if err := cmd.Run(); err != nil {
		return "", &strata.Error{Code: strata.CodeUnavailable, Message: "the editor " + quote(command[0]) + " did not end well", Err: err,
			Hint: "set VISUAL or EDITOR to another editor; nothing was changed"}
	}
	changed, err := os.Open(path)
	if err != nil {
		return "", readError(path, err)
	}
	defer changed.Close()
	out, err := readAll(changed, path)
	return strings.TrimSpace(out), err
}

// editor is the user's editor with its arguments, else one that is there.
func (a *app) editor() ([]string, error) {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if words := strings.Fields(a.getenv(name)); len(words) > 0 {
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
