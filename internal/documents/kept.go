package documents

import (
	"context"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// KeptOf returns the documents of a workspace and of its agents, with their
// content, as memory keeps them: files that are lost are written again from them.
// A document of which nothing is kept is left out.
func (l *Library) KeptOf(ctx context.Context, workspace string) ([]strata.Document, error) {
	return store.Read(ctx, l.store, func(r store.Reader) ([]strata.Document, error) {
		scopes, err := r.Scopes(ctx)
		if err != nil {
			return nil, err
		}
		var out []strata.Document
		for _, s := range scopes {
			if s.Workspace != workspace {
				continue
			}
			kept, err := keptIn(ctx, r, s)
			if err != nil {
				return nil, err
			}
			out = append(out, kept...)
		}
		return out, nil
	})
}

// keptIn returns the documents of one scope of which something is kept.
func keptIn(ctx context.Context, r store.Reader, scope strata.Scope) (out []strata.Document, err error) {
	for d, err := range allDocuments(ctx, r, scope, strata.DocumentFilter{System: true, Limit: 1000}) {
		if err != nil {
			return nil, err
		}
		if strings.HasPrefix(d.Path, strata.ProjectPrefix) {
			continue // of the project itself, and none of memory's
		}
		d, err := r.Document(ctx, scope, d.Path)
		if err != nil {
			return nil, err
		}
		if d.Content != "" && d.Content != strata.ForgottenText {
			out = append(out, d)
		}
	}
	return out, nil
}
