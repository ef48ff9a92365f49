package edit

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/text/textdiff"
)

// mergedWith returns the content of a note with the changes of a proposal. take decides
// if they cannot be merged.
func (e *Editor) mergedWith(ctx context.Context, note, p strata.Document, proposed markdown.Note, take string) (string, error) {
	base, err := e.o.Library.VersionOf(ctx, note, proposed.Base)
	if err != nil {
		return "", err
	}
	now, err := markdown.ParseNote(note.Content)
	if err != nil {
		return "", strata.Invalid("accept note", "the front matter of "+note.Path+" cannot be read: "+err.Error(), "fix it first")
	}
	merged, ok := mergeNotes(base, now, proposed)
	switch {
	case !ok && take == "":
		return "", disagreement(note, p, now, proposed)
	case !ok && take == TakeNote:
		return note.Content, nil
	case !ok:
		merged = proposed
	}
	if merged.Name == now.Name && merged.Description == now.Description && merged.Body == now.Body {
		return note.Content, nil
	}
	next := now
	next.Name, next.Description, next.Body = merged.Name, merged.Description, merged.Body
	next.Provenance = provenanceOf(now.Provenance, proposed.Provenance, e.o.Now())
	return markdown.EditNote(note.Content, next)
}

// mergeNotes merges the titles, descriptions and bodies of two notes based on the same
// version. It returns false if both changed the same part. base is nil if that version is
// not available.
func mergeNotes(base *strata.Document, a, b markdown.Note) (markdown.Note, bool) {
	var was markdown.Note
	if base != nil {
		was, _ = markdown.ParseNote(base.Content)
	}
	out, ok := a, true
	for _, f := range []struct {
		to        *string
		was, a, b string
	}{
		{&out.Name, was.Name, a.Name, b.Name},
		{&out.Description, was.Description, a.Description, b.Description},
	} {
		if f.b != f.was && f.a != f.b {
			*f.to = f.b
			ok = ok && f.a == f.was
		}
	}
	body, same := textdiff.Merge(lined(was.Body), lined(a.Body), lined(b.Body))
	out.Body = strings.Trim(body, "\n")
	return out, ok && same
}

// lined returns a text with a line end after its last line.
func lined(s string) string {
	if s == "" {
		return s
	}
	return s + "\n"
}

// provenanceOf returns the provenance of a note after a proposal changed it.
func provenanceOf(note, proposal markdown.Provenance, now time.Time) markdown.Provenance {
	note.Actor, note.UpdatedAt, note.SupersededBy = cmp.Or(proposal.Actor, note.Actor), now, ""
	note.Sessions = slices.Clone(note.Sessions)
	for _, s := range proposal.Sessions {
		if !slices.Contains(note.Sessions, s) {
			note.Sessions = append(note.Sessions, s)
		}
	}
	return note
}

// disagreement returns the error for a note and a proposal that cannot be merged. It
// shows their differences word by word.
func disagreement(note, p strata.Document, a, b markdown.Note) *strata.Error {
	const most = 600 // bytes
	var list []string
	for _, pair := range [][2]string{{a.Name, b.Name}, {a.Description, b.Description}, {a.Body, b.Body}} {
		if pair[0] != pair[1] {
			list = append(list, sides(pair[0], pair[1]))
		}
	}
	return &strata.Error{
		Code: strata.CodeConflict, Op: "accept note",
		Message: note.Path + " changed since, in what " + p.Path + " changes. [-The note-], {+the proposal+}: " + text.Clip(strings.Join(list, "; "), most),
		Hint:    "say which to take (--take note or --take proposal), or edit one of the two",
		Details: map[string]string{"path": note.Path, "note": a.Body, "proposal": b.Body},
	}
}

// sides shows the differences of two texts on one line.
func sides(a, b string) string {
	const near = 40 // bytes of context
	var out strings.Builder
	for _, part := range textdiff.Words(a, b) {
		switch s := part.Text; {
		case part.Kind == textdiff.Removed:
			out.WriteString("[-" + s + "-]")
		case part.Kind == textdiff.Added:
			out.WriteString("{+" + s + "+}")
		case len(s) > 2*near:
			out.WriteString(strings.ToValidUTF8(s[:near], "") + " … " + strings.ToValidUTF8(s[len(s)-near:], ""))
		default:
			out.WriteString(s)
		}
	}
	return strings.Join(strings.Fields(out.String()), " ")
}
