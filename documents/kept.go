package documents

import (
	"context"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// KeptOf returns the documents of a workspace and of its agents, with their
// content, as memory keeps them: with them files that are lost can be written
// again. One of which nothing is kept is left out.
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
			page := strata.DocumentFilter{System: true, Limit: 1000}
			for {
				list, err := r.Documents(ctx, s, page)
				if err != nil {
					return nil, err
				}
				for _, d := range list {
					page.After = d.Path
					if strings.HasPrefix(d.Path, strata.ProjectPrefix) {
						continue // of the project itself, and none of memory's
					}
					d, err := r.Document(ctx, s, d.Path)
					if err != nil {
						return nil, err
					}
					if d.Content != "" && d.Content != strata.ForgottenText {
						out = append(out, d)
					}
				}
				if len(list) < page.Limit {
					break
				}
			}
		}
		return out, nil
	})
}
