package documents

import (
	"cmp"
	"context"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/document"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

// Entries are the lines of the index of a scope: one for each note.
func Entries(ctx context.Context, r store.Reader, scope strata.Scope) ([]document.Entry, error) {
	notes, err := r.Documents(ctx, scope, strata.DocumentFilter{Kind: strata.DocumentNote, Limit: maxDocuments})
	if err != nil {
		return nil, err
	}
	var out []document.Entry
	for _, n := range notes {
		if n.Slug != "" {
			out = append(out, entryOf(n))
		}
	}
	return out, nil
}

// entryOf is the line of a note in the index. Of one whose front matter cannot
// be read it says so.
func entryOf(n strata.Document) document.Entry {
	e := document.Entry{Title: cmp.Or(n.Name, n.Slug), Path: n.Path, Hook: n.Description}
	if n.Problem != "" {
		e.Hook = "(cannot be read: " + text.Clip(strings.Join(strings.Fields(n.Problem), " "), 120) + ")"
	}
	return e
}
