package documents

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/store"
)

// A hand edit is settled in one transaction, and what is generated from it (the
// index of notes, say) follows. No decision is outstanding then, since the file
// is as it says, so a process that ends in between would leave a dirty file. That
// is why the same transaction sets the time of that file to DirtyTime: the next
// look finds that the file differs from what is known of it, and has it rendered.

// DirtyTime is the time, in microseconds since 1970, of a file whose generated
// part is to be rendered anew.
const DirtyTime = 0

// DirtiedByHand is the generated part that an edit by hand leaves dirty: the
// decision about it is stamped already, for the file is as it says.
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

// markDirty notes durably that what is generated from a document is to be
// rendered anew. A file that is not there yet needs no mark.
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
