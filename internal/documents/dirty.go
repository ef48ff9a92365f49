package documents

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/store"
)

// A hand edit is settled in one transaction. What is generated from the file, such as the
// index of notes, is rendered later. No decision is outstanding in between, since the
// edited file is already as its decision says, and a process that ends then would leave
// the generated file stale. Therefore the same transaction sets the recorded time of the
// generated file to DirtyTime: the next scan finds that the file differs from its record,
// and has it rendered.

// DirtyTime is the time, in microseconds since 1970, recorded for a file whose generated
// part must be rendered.
const DirtyTime = 0

// DirtiedByHand returns the generated parts that a hand edit makes stale. The decision
// about the edit is already marked as applied.
func DirtiedByHand(d strata.Decision) markdown.Parts {
	if d.Document == nil || d.Origin != strata.OriginFile || !d.Op.Changed() {
		return 0
	}
	before, after := d.Document.Before, d.Document.After
	if before != nil && after != nil && d.Document.RenamedFrom() == "" && after.Kind == strata.DocumentNote &&
		before.Slug == after.Slug && entryOf(*before) == entryOf(*after) {
		return 0 // its line in the index is as it was
	}
	var parts markdown.Parts
	for _, path := range pathsOf(*d.Document) {
		parts |= markdown.PartOf(path)
	}
	return parts
}

// markDirty records durably that what is generated from a document must be rendered. A
// generated file that does not exist yet needs no mark.
func (t *Tx) markDirty(ctx context.Context, w store.Writer, scope strata.Scope, path string) error {
	target := Place{scope, markdown.GeneratedFrom(path)}
	if target.Path == "" || t.dirty[target] && target.Path != path {
		return nil
	}
	d, err := At(ctx, w, scope, target.Path)
	if err != nil || d == nil {
		return err
	}
	t.dirty[target] = true
	return w.TouchDocument(ctx, scope, target.Path, store.DocumentStat{Hash: d.Hash, Size: d.Size, ModifiedAt: DirtyTime})
}
