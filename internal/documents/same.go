package documents

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/store"
)

// eachNote calls f with every note of a scope, by path, and its text below the front
// matter. It skips notes without such text, and those of which memory does not have all
// the text.
func eachNote(ctx context.Context, r store.Reader, scope strata.Scope, f func(d strata.Document, body string)) error {
	for d, err := range allDocuments(ctx, r, scope, strata.DocumentFilter{Kind: strata.DocumentNote, Content: true, Limit: 500}) {
		if err != nil {
			return fmt.Errorf("read notes of %s: %w", scope, err)
		}
		n, _ := markdown.ParseNote(d.Content) // as far as it can be read
		if body := strings.TrimSpace(n.Body); body != "" && !blanked(&d) && len(d.Redacted) == 0 {
			f(d, body)
		}
	}
	return nil
}

// NoteSaying returns the path of the first note of a scope with exactly this text below
// its front matter, or "" if there is none.
func (l *Library) NoteSaying(ctx context.Context, scope strata.Scope, body string) (path string, err error) {
	body = strings.TrimSpace(body)
	err = l.store.View(ctx, func(r store.Reader) error {
		return eachNote(ctx, r, scope, func(d strata.Document, said string) {
			if path == "" && said == body {
				path = d.Path
			}
		})
	})
	return path, err
}

// SameNotes finds the notes of a view that say exactly the same as an earlier one. It
// maps the id of each to the path of the first note that says so. Notes hidden from the
// view are ignored.
func (l *Library) SameNotes(ctx context.Context, view strata.View) (map[string]string, error) {
	first, same := make(map[[sha256.Size]byte]string), make(map[string]string)
	err := l.store.View(ctx, func(r store.Reader) error {
		for _, s := range view.Scopes {
			err := eachNote(ctx, r, s, func(d strata.Document, body string) {
				if isHidden(view, d) {
					return
				}
				sum := sha256.Sum256([]byte(body))
				if path, ok := first[sum]; ok {
					same[d.ID] = path
				} else {
					first[sum] = d.Path
				}
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	return same, err
}
