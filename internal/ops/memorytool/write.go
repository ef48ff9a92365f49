package memorytool

import (
	"context"
	"fmt"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/decide"
)

// create creates a file that does not exist.
func (t *Tool) create(ctx context.Context, c Call) (string, error) {
	rel, err := parseNew(c.Path)
	if err != nil {
		return "", err
	}
	if c.FileText == nil {
		return "", refuse("Missing required parameter: file_text")
	}
	list, err := t.files(ctx, false)
	if err != nil {
		return "", err
	}
	if len(find(list, rel)) > 0 {
		return "", refuse("File %s already exists", c.Path)
	}
	if err := clear(list, rel); err != nil {
		return "", err
	}
	front := t.newFront(rel, *c.FileText)
	err = t.write(ctx, strata.Candidate{Path: stored(rel), Content: front + *c.FileText, BaseHash: strata.NoFile})
	return "File created successfully at: " + c.Path, err
}

// clear returns an error if a file is in the place of a directory of the path.
func clear(list []file, rel string) error {
	for _, f := range list {
		if strings.HasPrefix(rel, f.rel+"/") {
			return refuse("The path %s is not a directory.", full(f.rel))
		}
	}
	return nil
}

// replace replaces a text that occurs exactly once by another.
func (t *Tool) replace(ctx context.Context, c Call) (string, error) {
	if c.OldStr == nil || *c.OldStr == "" {
		return "", refuse("Missing required parameter: old_str")
	}
	f, err := t.file(ctx, c.Path)
	if err != nil {
		return "", err
	}
	text, old, with := f.text(), *c.OldStr, ""
	if c.NewStr != nil {
		with = *c.NewStr
	}
	if !strings.Contains(text, old) {
		// The model may have quoted the text as it was shown.
		if parts := meant(text, old); len(parts) == 1 {
			old, with = parts[0], restored(with, parts[0])
		}
	}
	switch strings.Count(text, old) {
	case 0:
		return "", refuse("No replacement was performed, old_str `%s` did not appear verbatim in %s.", old, c.Path)
	case 1:
	default:
		return "", refuse("No replacement was performed. Multiple occurrences of old_str `%s` in lines: %s. Please ensure it is unique", old, linesOf(text, old))
	}
	before, after, _ := strings.Cut(text, old)
	text = before + with + after
	if err := t.edit(ctx, f, text); err != nil {
		return "", err
	}
	lines, changed := strings.Split(text, "\n"), strings.Count(before, "\n")+1
	return "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n" +
		numbered(lines, max(changed-around, 1), min(changed+around, len(lines))), nil
}

// around is how many lines are shown before and after a change.
const around = 2

// linesOf lists the numbers of the lines in which the occurrences of a part begin.
func linesOf(text, part string) string {
	var lines []string
	for at := 0; ; {
		i := strings.Index(text[at:], part)
		if i < 0 {
			return strings.Join(lines, ", ")
		}
		at += i
		lines = append(lines, fmt.Sprint(strings.Count(text[:at], "\n")+1))
		at += len(part)
	}
}

// insert inserts a text after a line.
func (t *Tool) insert(ctx context.Context, c Call) (string, error) {
	switch {
	case c.InsertLine == nil:
		return "", refuse("Missing required parameter: insert_line")
	case c.InsertText == nil:
		return "", refuse("Missing required parameter: insert_text")
	}
	f, err := t.file(ctx, c.Path)
	if err != nil {
		return "", err
	}
	lines, at := strings.Split(f.text(), "\n"), *c.InsertLine
	if at < 0 || at > len(lines) {
		return "", refuse("Invalid `insert_line` parameter: %d. It should be within the range of lines of the file: [0, %d]", at, len(lines))
	}
	before, after := lines[:at:at], lines[at:]
	text := strings.Join(append(append(before, strings.TrimSuffix(*c.InsertText, "\n")), after...), "\n")
	return fmt.Sprintf("The file %s has been edited.", c.Path), t.edit(ctx, f, text)
}

// edit replaces the text of a file.
func (t *Tool) edit(ctx context.Context, f file, text string) error {
	if text == f.text() {
		return nil
	}
	return t.write(ctx, strata.Candidate{Path: f.doc.Path, Content: t.renewed(f, f.rel, text), BaseHash: f.doc.Hash})
}

// delete removes a file, or a directory with everything in it.
func (t *Tool) delete(ctx context.Context, c Call) (string, error) {
	rel, err := parsePath(c.Path)
	if err != nil {
		return "", err
	}
	if rel == "" {
		return "", refuse("Cannot delete the %s directory itself", root)
	}
	gone, err := t.found(ctx, rel, c.Path)
	if err != nil {
		return "", err
	}
	var list []strata.Candidate
	for _, f := range gone {
		list = append(list, strata.Candidate{Path: f.doc.Path, Action: strata.ActionDelete, BaseHash: f.doc.Hash})
	}
	return "Successfully deleted " + c.Path, t.write(ctx, list...)
}

// found returns the file at a path, or the files below it, or an error if there are none.
func (t *Tool) found(ctx context.Context, rel, path string) ([]file, error) {
	list, err := t.files(ctx, true)
	if err != nil {
		return nil, err
	}
	out := find(list, rel)
	switch {
	case len(out) == 0:
		return nil, refuse("The path %s does not exist", clip(path))
	case strings.HasSuffix(path, "/") && out[0].rel == rel:
		return nil, refuse("The path %s is not a directory.", clip(path))
	}
	return out, nil
}

// rename moves a file or a directory to a path where nothing is.
func (t *Tool) rename(ctx context.Context, c Call) (string, error) {
	from, err := parsePath(c.OldPath)
	if err != nil {
		return "", err
	}
	to, err := parsePath(c.NewPath)
	switch {
	case err != nil:
		return "", err
	case from == "":
		return "", refuse("Cannot rename the %s directory itself", root)
	case to == "":
		return "", refuse("The destination %s already exists", c.NewPath)
	case strings.HasPrefix(to, from+"/"):
		return "", refuse("The path %s cannot be moved into itself", c.OldPath)
	}
	list, err := t.files(ctx, false)
	if err != nil {
		return "", err
	}
	if len(find(list, to)) > 0 {
		return "", refuse("The destination %s already exists", c.NewPath)
	}
	moved, err := t.found(ctx, from, c.OldPath)
	if err != nil {
		return "", err
	}
	switch isFile := moved[0].rel == from; {
	case isFile && strings.HasSuffix(c.NewPath, "/"):
		return "", refuse("The destination %s is the name of a directory, and %s is a file", c.NewPath, c.OldPath)
	case !isFile && strings.HasSuffix(to, suffix):
		return "", refuse("The destination %s is the name of a file, and %s is a directory", c.NewPath, c.OldPath)
	}
	if err := clear(list, to); err != nil {
		return "", err
	}
	var all []strata.Candidate
	for _, f := range moved {
		rel := to + strings.TrimPrefix(f.rel, from)
		if err := checkNew(rel); err != nil {
			return "", err
		}
		all = append(all, strata.Candidate{Path: stored(rel), RenamedFrom: f.doc.Path, Content: t.renewed(f, rel, f.text()), BaseHash: f.doc.Hash})
	}
	return fmt.Sprintf("Successfully renamed %s to %s", c.OldPath, c.NewPath), t.write(ctx, all...)
}

// write writes candidates about notes of the scope, all or none of them.
func (t *Tool) write(ctx context.Context, list ...strata.Candidate) error {
	o := t.options
	for i := range list {
		list[i].Scope, list[i].Origin, list[i].Agent, list[i].Session = o.Scope, strata.OriginTool, o.Agent, o.Session
		if err := list[i].Validate(); err != nil {
			return err
		}
	}
	decisions, err := t.memory.WriteBatch(ctx, list)
	if err != nil {
		return err
	}
	for _, d := range decisions {
		if d.Op == strata.OpReject {
			return decide.Rejection(d)
		}
	}
	return nil
}
