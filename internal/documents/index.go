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

// Entries are the lines of the index of a scope: one for each note, those of foreign notes
// apart.
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

// entryOf is the line of a note in the index, but for its age. What is wrong with
// its front matter follows what the note says of itself.
func entryOf(n strata.Document) markdown.Entry {
	e := markdown.Entry{Title: cmp.Or(n.Name, n.Slug), Path: n.Path, Hook: n.Description}
	if n.Problem != "" {
		const room = markdown.MaxHook / 2 // for each of the two
		problem := "(" + text.Clip(strings.Join(strings.Fields(n.Problem), " "), room) + ")"
		e.Hook = strings.TrimSpace(text.Clip(e.Hook, room-len(" ()")) + " " + problem)
	}
	return e
}
