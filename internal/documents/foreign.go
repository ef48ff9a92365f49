package documents

import (
	"context"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// Foreign lists the foreign documents of a workspace and of all its agents, by scope and
// path, with their content.
func (l *Library) Foreign(ctx context.Context, workspace string) ([]strata.Document, error) {
	return store.Read(ctx, l.store, func(r store.Reader) (out []strata.Document, err error) {
		scopes, err := r.Scopes(ctx)
		if err != nil {
			return nil, err
		}
		for _, s := range scopes {
			if s.Workspace != workspace {
				continue
			}
			list, err := ForeignIn(ctx, r, s, true)
			if err != nil {
				return nil, err
			}
			out = append(out, list...)
		}
		return out, nil
	})
}

// ForeignIn lists the foreign documents of a scope by path, with their content if asked
// to.
func ForeignIn(ctx context.Context, r store.Reader, scope strata.Scope, content bool) ([]strata.Document, error) {
	if scope.Workspace == "" {
		return nil, nil
	}
	return r.Documents(ctx, scope, strata.DocumentFilter{Foreign: true, System: true, Content: content, Limit: maxDocuments})
}

// LastTrusted returns the version of a document that was last trusted, or nil if memory
// does not have one.
func (l *Library) LastTrusted(ctx context.Context, d strata.Document) (*strata.Document, error) {
	f := strata.DecisionFilter{Path: d.Path, Limit: 100}
	list, err := l.Decisions(ctx, d.Scope.View(), f)
	if err != nil {
		return nil, err
	}
	trusted, err := store.Read(ctx, l.store, func(r store.Reader) ([]string, error) { return r.Trusted(ctx, d.Scope, d.Path) })
	if err != nil {
		return nil, err
	}
	for _, decided := range list {
		if decided.Document == nil {
			continue
		}
		for _, v := range []*strata.Document{decided.Document.After, decided.Document.Before} {
			if v != nil && v.Hash != d.Hash && slices.Contains(trusted, v.Hash) {
				return v, nil
			}
		}
	}
	return nil, nil
}
