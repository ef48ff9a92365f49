package edit

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/text"
)

// AdHocNote is a note to set aside for the moment.
type AdHocNote struct {
	RequestID string
	// Scope owns the note. The zero Scope means that of Workspace. If that is empty too,
	// WriteAdHoc returns [strata.CodeScopeRequired].
	Scope     strata.Scope
	Workspace string
	Content   string
	Slug      string // part of the file name; empty means to derive it from the first line
	Tags      []string
	Origin    strata.Origin
	Agent     string
	Session   string
}

const (
	adHoc = "_system/ad_hoc/"
	// maxAdHocHook is the number of bytes of the first line that describe an ad-hoc note.
	maxAdHocHook = 96
	maxAdHocTags = 64
)

// WriteAdHoc writes an ad-hoc note: a file of its own in _system/ad_hoc, named after the
// time, which is neither recalled nor indexed. Concurrent calls never share a file.
func (e *Editor) WriteAdHoc(ctx context.Context, n AdHocNote) (strata.Decision, error) {
	const op = "write ad-hoc note"
	if strings.TrimSpace(n.Content) == "" {
		return strata.Decision{}, strata.Invalid(op, "the note is empty", "write at least one word")
	}
	if len(n.Tags) > maxAdHocTags {
		return strata.Decision{}, strata.Invalid(op, "the note has more than 64 tags", "name fewer")
	}
	for _, tag := range n.Tags {
		if err := strata.ValidateName("tag", tag); err != nil {
			return strata.Decision{}, err
		}
	}
	if n.Scope.IsZero() {
		scope, err := strata.DefaultScope(strata.TypeProject, n.Workspace)
		if err != nil {
			return strata.Decision{}, err
		}
		n.Scope = scope
	}
	now := e.o.Now().UTC()
	note := n.note(now)
	slug := markdown.Slug(cmp.Or(n.Slug, note.Description))
	base := adHoc + "ad_hoc_" + now.Format("20060102T150405Z") + "_" + slug
	// Another note of the same second may have the name.
	for i, path := 0, base+".md"; ; i++ {
		stored, err := e.replayed(ctx, n.Scope, n.RequestID, func(at string, said markdown.Note) bool {
			return strings.HasPrefix(at, adHoc) && strings.Contains(at, "_"+slug) && strings.TrimSpace(said.Body) == strings.TrimSpace(note.Body)
		})
		if err != nil {
			return strata.Decision{}, err
		}
		if stored != nil {
			return *stored, nil
		}
		d, err := e.o.Memory.Write(ctx, strata.Candidate{
			RequestID: n.RequestID, Scope: n.Scope, Path: path, Content: note.Render(), BaseHash: strata.NoFile,
			Origin: n.Origin, Agent: n.Agent, Session: n.Session,
		})
		if strata.CodeOf(err) != strata.CodeConflict || i == composeTries {
			return d, err
		}
		path = base + "_" + strings.ToLower(e.o.IDs.New("", now)[18:]) + ".md"
	}
}

// note returns the content of an ad-hoc note.
func (n AdHocNote) note(now time.Time) markdown.Note {
	hook := text.Clip(firstLine(n.Content), maxAdHocHook-len("…"))
	out := markdown.Note{Front: markdown.Front{
		Name: strings.TrimSuffix(hook, "…"), Description: hook, Type: strata.TypeProject,
		Provenance: markdown.Provenance{Actor: n.Agent, CreatedAt: now},
	}, Body: n.Content}
	if len(n.Tags) > 0 {
		out.Body = strings.TrimRight(out.Body, "\n") + "\n\nTags: " + strings.Join(n.Tags, ", ")
	}
	if n.Session != "" {
		out.Provenance.Sessions = []string{n.Session}
	}
	return out
}
