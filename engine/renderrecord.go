package engine

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/document"
	"github.com/strata-memory/strata/files"
	"github.com/strata-memory/strata/secretscan"
	"github.com/strata-memory/strata/store"
)

// recorded is what memory keeps of a file as it was rendered. known is what it
// kept before; the zero value where there was none.
func (r *rendering) recorded(w store.Writer, known strata.Document, f files.File) strata.Document {
	now := w.Now()
	d := strata.Document{
		ID: known.ID, Scope: r.scope, Path: f.Path, Kind: strata.KindOfPath(f.Path), Hash: f.Hash, Size: f.Size,
		Generation: known.Generation + 1, ModifiedAt: f.ModifiedAt, RecordedAt: now,
	}
	if d.ID == "" {
		d.ID = r.ids.New("doc", now)
	}
	var found []secretscan.Finding
	d.Content, found = secretscan.Redact(string(f.Content))
	for _, s := range found {
		d.Redacted = append(d.Redacted, s.Rule)
	}
	document.Describe(&d)
	return d
}

// putGenerated records a file with the sections that people wrote. Their words
// are as before, or were never seen before: then they wait for their vectors.
func (r *rendering) putGenerated(ctx context.Context, w store.Writer, d strata.Document) error {
	sections := document.Sections(d.Path, d.Content)
	stored, err := w.PutDocument(ctx, d, sections)
	if err != nil {
		return err
	}
	for i, s := range stored {
		if !s.New {
			continue
		}
		err := w.PutPassage(ctx, store.Passage{
			Number: s.Number, Kind: strata.KindSection, Ref: d.ID, Scope: d.Scope, Parent: d.Path, Seq: sections[i].Seq,
			Text: document.IndexText(d, sections[i]), RecordedAt: d.RecordedAt,
		})
		if err != nil {
			return err
		}
	}
	return nil
}
