package engine

import (
	"context"
	"io"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/backup/transfer"
)

// Export writes the given scopes (all, if none are named) as JSON lines; see
// [transfer.Export].
func (e *Engine) Export(ctx context.Context, scopes []strata.Scope, w io.Writer) (Exported, error) {
	return transfer.Export(ctx, e.store, scopes, nil, w)
}

// Import reads an export and writes its contents through the normal write path; see
// [transfer.Import].
func (e *Engine) Import(ctx context.Context, r io.Reader, o ImportOptions) (Imported, error) {
	report, err := transfer.Import(ctx, e.store, e, r, o)
	e.exports.Wake() // for the sessions that were closed
	return report, err
}
