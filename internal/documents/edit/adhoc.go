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

// AdHocNote is something to be set aside for the moment.
type AdHocNote struct {
	RequestID string
	// Scope is who owns it; the zero Scope stands for Workspace, and where that
	// is empty too the error is scope_required.
	Scope     strata.Scope
	Workspace string
	Content   string
	Slug      string // in the name of the file; empty: made of the first line
	Tags      []string
	Origin    strata.Origin
	Agent     string
	Session   string
}

const (
	adHoc = "_system/ad_hoc/"
	// maxAdHocHook is how much of the first line describes an ad-hoc note, in
	// bytes.
	maxAdHocHook = 96
	maxAdHocTags = 64
)

// WriteAdHoc writes an ad-hoc note: a file of its own below _system/ad_hoc, named
// by the time, which is neither recalled nor in the index. Two at the same time
// never share a file.
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
	// The name may be taken by another of the same second.
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

// note is the file of an ad-hoc note.
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
