package documents

import (
	"context"
	"fmt"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/secrets/fence"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

// Proposal returns a proposed note in _inbox/ with its content. name is its id, its path,
// its title, "type/slug" or slug. If several scopes have it, the first one counts.
// Proposal returns [strata.CodeNotFound], or [strata.CodeConflict] with the choices if
// several have the name.
func (l *Library) Proposal(ctx context.Context, view strata.View, name string) (strata.Document, error) {
	const op = "find proposal"
	if err := view.Validate(); err != nil {
		return strata.Document{}, err
	}
	return store.Read(ctx, l.store, func(r store.Reader) (strata.Document, error) {
		d, err := byIDOrPath(ctx, r, view, name)
		if err == nil && (d == nil || !strings.HasPrefix(d.Path, strata.InboxDir)) {
			d, err = byProposal(ctx, r, view, name)
		}
		if err != nil {
			return strata.Document{}, err
		}
		if d == nil || isHidden(view, *d) {
			return strata.Document{}, &strata.Error{Code: strata.CodeNotFound, Op: op, Message: "no waiting note is called " + fence.Neutral(name, 100),
				Hint: "note list --kind system shows what waits"}
		}
		return *d, nil
	})
}

// byProposal finds a proposed note by its title or slug. It returns nil if there is none.
func byProposal(ctx context.Context, r store.Reader, view strata.View, name string) (*strata.Document, error) {
	for _, s := range view.Scopes {
		waiting, err := proposals(ctx, r, s)
		if err != nil {
			return nil, err
		}
		var hits []strata.Document
		for _, d := range waiting {
			if isCalled(d, name) {
				hits = append(hits, d)
			}
		}
		if len(hits) > 1 {
			return nil, ambiguous("find proposal", "several waiting notes have this name", hits)
		}
		if len(hits) == 1 {
			return &hits[0], nil
		}
	}
	return nil, nil
}

// proposals returns the proposed documents of a scope with their content.
func proposals(ctx context.Context, r store.Reader, scope strata.Scope) ([]strata.Document, error) {
	f := strata.DocumentFilter{Kind: strata.DocumentSystem, System: true, Content: true, After: strata.InboxDir, Limit: 100}
	var out []strata.Document
	for d, err := range allDocuments(ctx, r, scope, f) {
		if err != nil {
			return nil, fmt.Errorf("read proposals of %s: %w", scope, err)
		}
		if !strings.HasPrefix(d.Path, strata.InboxDir) {
			break // paths are in order
		}
		out = append(out, d)
	}
	return out, nil
}

// IsProposal reports whether a path is that of a proposed note that can become a note.
func IsProposal(path string) bool {
	name, ok := strings.CutPrefix(path, strata.InboxDir)
	if ok {
		_, _, ok = markdown.ParseNotePath(strata.NotesDir + name)
	}
	return ok
}

// isCalled reports whether a name is the title or slug of a proposed note.
func isCalled(d strata.Document, name string) bool {
	kind, slug, ok := markdown.ParseNotePath(strata.NotesDir + strings.TrimPrefix(d.Path, strata.InboxDir))
	if ok && (name == slug || name == string(kind)+"/"+slug || markdown.Slug(name) == slug) {
		return true
	}
	n, _ := markdown.ParseNote(d.Content)
	return n.Name != "" && text.Normalize(n.Name) == text.Normalize(name)
}

// ambiguous returns the error for a name that several documents have.
func ambiguous(op, message string, list []strata.Document) *strata.Error {
	var paths []string
	for _, d := range list {
		paths = append(paths, d.Path)
	}
	return &strata.Error{Code: strata.CodeConflict, Op: op, Message: message + ": " + strings.Join(paths, ", "),
		Hint: "name one by its path, such as " + paths[0], Details: map[string]string{"choices": strings.Join(paths, ",")}}
}

// VersionOf returns the version of a document on which a proposal is based, or nil if its
// exact content is not available because it was forgotten or contained a secret.
func (l *Library) VersionOf(ctx context.Context, d strata.Document, base markdown.Base) (*strata.Document, error) {
	if d.ID == base.ID && d.Hash == base.Hash && IsWhole(d) {
		return &d, nil
	}
	f := strata.DecisionFilter{Path: d.Path, Limit: 100}
	for {
		page, err := l.Decisions(ctx, d.Scope.View(), f)
		if err != nil {
			return nil, err
		}
		for _, decided := range page {
			for _, v := range []*strata.Document{decided.Document.After, decided.Document.Before} {
				if v != nil && v.ID == base.ID && v.Hash == base.Hash && IsWhole(*v) {
					return v, nil
				}
			}
			f.After = decided.ID
		}
		if len(page) < f.Limit {
			return nil, nil
		}
	}
}
