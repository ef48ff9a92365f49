package engine

import (
	"cmp"
	"context"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/document"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

// The block of MEMORY.md with what was extracted from conversations.
const (
	extractedTitle = "Extracted"
	// extractedLook is how many of the newest facts of a scope are looked
	// through for those that were.
	extractedLook = 2000
)

// index renders the index of notes and the block of extracted facts into
// MEMORY.md. A scope with neither has no MEMORY.md for it.
func (r *rendering) index(ctx context.Context) error {
	if r.what&partIndex == 0 {
		return nil
	}
	var entries []document.Entry
	var extracted []document.Item
	err := r.store.View(ctx, func(v store.Reader) error {
		var err error
		if entries, err = entriesOf(ctx, v, r.scope); err != nil {
			return err
		}
		extracted, err = r.extracted(ctx, v)
		return err
	})
	if err != nil {
		return err
	}
	err = r.rewrite(ctx, strata.IndexPath, func(content string) string {
		if content == "" && len(entries) == 0 && len(extracted) == 0 {
			return ""
		}
		if content == "" {
			content = document.Starter(strata.IndexPath)
		}
		content = document.Without(document.Without(content, r.gone), r.past)
		return document.PutBlock(document.PutIndex(content, entries), extractedTitle, extracted, document.BlockBudget)
	})
	if err != nil {
		r.fail(err, r.concerning(partIndex)...)
	}
	return nil
}

// entriesOf are the lines of the index of a scope.
func entriesOf(ctx context.Context, r store.Reader, scope strata.Scope) ([]document.Entry, error) {
	notes, err := r.Documents(ctx, scope, strata.DocumentFilter{Kind: strata.DocumentNote, Limit: mostNotes})
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

// mostNotes is how many notes of a scope are listed.
const mostNotes = 100_000

// entryOf is the line of a note in the index. Of one whose front matter cannot
// be read it says so.
func entryOf(n strata.Document) document.Entry {
	e := document.Entry{Title: cmp.Or(n.Name, n.Slug), Path: n.Path, Hook: n.Description}
	if n.Problem != "" {
		e.Hook = "(cannot be read: " + text.Clip(oneLine(n.Problem), 120) + ")"
	}
	return e
}

// extracted are the newest current facts that were found in conversations, as
// many as the block may hold.
func (r *rendering) extracted(ctx context.Context, v store.Reader) ([]document.Item, error) {
	facts, err := v.Facts(ctx, r.scope, strata.FactFilter{Limit: extractedLook})
	if err != nil {
		return nil, err
	}
	var out []document.Item
	size := 0
	for _, f := range facts {
		if f.Origin != strata.OriginExtractor {
			continue
		}
		if size += len(f.Text); size > document.BlockBudget {
			break
		}
		id, err := decisionOf(ctx, v, f)
		if err != nil {
			return nil, err
		}
		out = append(out, document.Item{Text: f.Text, Decision: id, At: f.RecordedAt})
	}
	return out, nil
}

// decisionOf is the decision that brought the version of a fact.
func decisionOf(ctx context.Context, r store.Reader, f strata.Fact) (string, error) {
	list, err := r.Decisions(ctx, f.Scope, strata.DecisionFilter{FactID: f.ID, Limit: 20})
	if err != nil {
		return "", err
	}
	for _, d := range list {
		if d.After != nil && d.After.Generation == f.Generation {
			return d.ID, nil
		}
	}
	return f.ID, nil // an imported fact may come without
}

// concerning are the decisions of the batch that wait for a generated part.
func (r *rendering) concerning(what parts) []strata.Decision {
	return slices.DeleteFunc(slices.Clone(r.pending), func(d strata.Decision) bool {
		if d.Document != nil {
			return partOf(d.Document.Path)&what == 0
		}
		return factParts(d)&what == 0
	})
}
