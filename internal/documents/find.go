package documents

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/files"
)

// At returns the document at a path in a scope, or nil if there is none.
func At(ctx context.Context, r store.Reader, scope strata.Scope, path string) (*strata.Document, error) {
	d, err := r.Document(ctx, scope, path)
	switch strata.CodeOf(err) {
	case "":
		return &d, nil
	case strata.CodeNotFound:
		return nil, nil
	}
	return nil, err
}

// allDocuments iterates over all documents of a scope that f selects, sorted by path. It
// reads f.Limit documents at a time, and stops after the first error.
func allDocuments(ctx context.Context, r store.Reader, scope strata.Scope, f strata.DocumentFilter) iter.Seq2[strata.Document, error] {
	return func(yield func(strata.Document, error) bool) {
		for {
			page, err := r.Documents(ctx, scope, f)
			if err != nil {
				yield(strata.Document{}, err)
				return
			}
			for _, d := range page {
				if !yield(d, nil) {
					return
				}
				f.After = d.Path
			}
			if len(page) < f.Limit {
				return
			}
		}
	}
}

// ByKey returns scopes in the order of their keys.
func ByKey(scopes iter.Seq[strata.Scope]) []strata.Scope {
	return slices.SortedFunc(scopes, func(a, b strata.Scope) int { return cmp.Compare(a.Key(), b.Key()) })
}

// HashOf returns the hash of a version of a file, or [strata.NoFile] if d is nil.
func HashOf(d *strata.Document) string {
	if d == nil {
		return strata.NoFile
	}
	return d.Hash
}

// IsWhole reports whether memory has the exact content of a file, without redacted
// secrets or forgotten lines.
func IsWhole(d strata.Document) bool { return files.Hash([]byte(d.Content)) == d.Hash }

// IsPending reports whether a file is still to follow a decision.
func IsPending(ctx context.Context, r store.Reader, scope strata.Scope, path string) (bool, error) {
	pending, err := r.Decisions(ctx, scope, strata.DecisionFilter{Path: path, Pending: true, Limit: 1})
	if err != nil {
		return false, fmt.Errorf("read pending decisions of %s: %w", path, err)
	}
	return len(pending) > 0, nil
}

// newest returns the newest decision about a path, or the zero decision if there is none.
func newest(ctx context.Context, r store.Reader, scope strata.Scope, path string) (strata.Decision, error) {
	list, err := r.Decisions(ctx, scope, strata.DecisionFilter{Path: path, Limit: 1})
	if err != nil || len(list) == 0 {
		return strata.Decision{}, err
	}
	return list[0], nil
}

// deletedAt returns the document that was deleted from a path by the newest decision, or
// nil if there is none.
func deletedAt(ctx context.Context, r store.Reader, scope strata.Scope, path string) (*strata.Document, error) {
	last, err := newest(ctx, r, scope, path)
	if err != nil || last.Op != strata.OpDelete || last.Document == nil {
		return nil, err
	}
	return last.Document.Before, nil
}

// byTitle finds a note by the title in its front matter, ignoring case and white space.
// It returns nil if there is none.
func byTitle(ctx context.Context, r store.Reader, view strata.View, title string) (*strata.Document, error) {
	title = text.Normalize(title)
	var found []strata.Document
	for _, s := range view.Scopes {
		list, err := r.Documents(ctx, s, strata.DocumentFilter{Kind: strata.DocumentNote, Limit: maxDocuments})
		if err != nil {
			return nil, fmt.Errorf("read titles of %s: %w", s, err)
		}
		for _, d := range list {
			shadowed := slices.ContainsFunc(found, func(f strata.Document) bool { return f.Scope != d.Scope && f.Identity() == d.Identity() })
			if !shadowed && text.Normalize(d.Name) == title && !isHidden(view, d) {
				found = append(found, d)
			}
		}
	}
	if len(found) > 1 {
		return nil, ambiguous("find note", "several notes have this title", found)
	}
	if len(found) == 0 {
		return nil, nil
	}
	return At(ctx, r, found[0].Scope, found[0].Path)
}

// PathOfTitle returns the path of the note with a type and title in a scope, or "" if
// there is none. It finds a note again whose title was changed by hand.
func (l *Library) PathOfTitle(ctx context.Context, scope strata.Scope, kind strata.Type, title string) (string, error) {
	return store.Read(ctx, l.store, func(r store.Reader) (string, error) {
		d, err := byTitle(ctx, r, scope.View(), title)
		if err != nil || d == nil || d.Type != kind {
			return "", err
		}
		return d.Path, nil
	})
}
