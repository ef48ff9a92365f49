package documents

import (
	"cmp"
	"context"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

// Entries returns the index lines of a scope, one per note. Those of foreign notes are
// returned separately.
func Entries(ctx context.Context, r store.Reader, scope strata.Scope) (own, foreign []markdown.Entry, err error) {
	notes, err := r.Documents(ctx, scope, strata.DocumentFilter{Kind: strata.DocumentNote, Limit: maxDocuments})
	if err != nil {
		return nil, nil, err
	}
	for _, n := range notes {
		if n.Slug == "" {
			continue
		}
		e := entryOf(n)
		e.At = n.ModifiedAt
		if n.Foreign {
			foreign = append(foreign, e)
		} else {
			own = append(own, e)
		}
	}
	return own, foreign, nil
}

// entryOf returns the index line of a note without its age. A problem of the note follows
// its description.
func entryOf(n strata.Document) markdown.Entry {
	e := markdown.Entry{Title: cmp.Or(n.Name, n.Slug), Path: n.Path, Hook: n.Description}
	if n.Problem != "" {
		const room = markdown.MaxHook / 2 // for each of the two
		problem := "(" + text.Clip(strings.Join(strings.Fields(n.Problem), " "), room) + ")"
		e.Hook = strings.TrimSpace(text.Clip(e.Hook, room-len(" ()")) + " " + problem)
	}
	return e
}
