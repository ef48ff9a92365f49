package projection

import (
	"context"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/secrets"
	"github.com/strata-memory/strata/store"
)

// record records the state of a file. A file with a hand edit that memory has not seen is
// left to the next scan.
func (r *rendering) record(ctx context.Context, w store.Writer, tx *documents.Tx, f writtenFile) error {
	path := f.file.Path
	known, err := documents.At(ctx, w, r.scope, path)
	if err != nil {
		return err
	}
	if known != nil && known.Hash == f.file.Hash {
		return w.TouchDocument(ctx, r.scope, path, store.DocumentStat{
			Hash: f.file.Hash, Size: f.file.Size, ModifiedAt: f.file.ModifiedAt.UnixMicro()})
	}
	if !f.generated {
		return nil // a later decision, or a hand, was faster
	}
	next := f.version
	next.RecordedAt = w.Now()
	if known != nil {
		next.ID, next.Generation, next.Foreign = known.ID, known.Generation+1, known.Foreign
	} else {
		next.ID, next.Generation = r.o.IDs.New(id.Document, next.RecordedAt), 1
	}
	if f.base != documents.HashOf(known) {
		if trusted, err := r.wroteOver(ctx, w, f); err != nil || !trusted {
			return err // the next scan tells what came with a repository
		}
		was := f.human
		if known != nil {
			was = markdown.Human(path, known.Content)
		}
		if !markdown.SameHuman(markdown.Human(path, next.Content), was) {
			return nil
		}
	}
	// People's text is unchanged. In a new file, its vectors are added later.
	return tx.Record(ctx, w, next, f.sections, nil)
}

// wroteOver reports whether the previous content of a generated file is known to be
// memory's own or trusted.
func (r *rendering) wroteOver(ctx context.Context, w store.Writer, f writtenFile) (bool, error) {
	if f.base == strata.NoFile || !r.judges() {
		return true, nil
	}
	trusted, err := w.Trusted(ctx, r.scope, f.file.Path)
	return slices.Contains(trusted, f.base), err
}

// judges reports whether files of the scope may have come with a repository.
func (r *rendering) judges() bool {
	return r.o.Origins != nil && r.scope.Workspace != "" && !r.o.Origins.Home(r.scope)
}

// describe determines what memory stores about a generated file, except for what depends
// on the transaction. It reads the whole file several times.
func (f *writtenFile) describe(scope strata.Scope) {
	if !f.generated {
		return
	}
	path := f.file.Path
	d := strata.Document{
		Scope: scope, Path: path, Kind: strata.KindOfPath(path), Hash: f.file.Hash, Size: f.file.Size,
		ModifiedAt: f.file.ModifiedAt,
	}
	d.Content, d.Redacted = secrets.RedactLines(string(f.file.Content))
	markdown.Describe(&d)
	f.version, f.sections = d, markdown.Sections(path, d.Content)
}
