package documents

import (
	"context"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// KeptOf returns the documents of a workspace and its agents with the content that memory
// has of them, from which lost files can be restored. Documents without any content are
// left out.
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

// keptIn returns the documents of one scope that have content.
func keptIn(ctx context.Context, r store.Reader, scope strata.Scope) (out []strata.Document, err error) {
	for d, err := range allDocuments(ctx, r, scope, strata.DocumentFilter{System: true, Limit: 1000}) {
		if err != nil {
			return nil, err
		}
		if strings.HasPrefix(d.Path, strata.ProjectPrefix) {
			continue // belongs to the project
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
