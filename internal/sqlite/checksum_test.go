package sqlite

import (
	"context"
	"slices"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// A vector that is not what was written is found, and is not taken over
// when the index is made anew.
func TestCheck_FindsDamagedVectors(t *testing.T) {
	for name, embedding := range map[string]string{
		"zero":       `zeroblob(length(embedding))`,
		"another":    `CAST(x'0c' || substr(embedding, 2) AS BLOB)`,
		"too short":  `substr(embedding, 2)`,
		"not finite": `CAST(x'0000c07f' || embedding || embedding AS BLOB)`, // as an earlier version stored it
	} {
		t.Run(name, func(t *testing.T) {
			b := newBed(t)
			b.save(strata.Global(), "c", "the moon is far away", []float32{0.6, 0.8})
			ctx := context.Background()
			_, err := b.db.writing.ExecContext(ctx, `UPDATE vector SET embedding = `+embedding)
			b.ok(err)
			damaged := func(p store.Problem) bool { return p.Kind == "damaged_vector" && p.Repair == "strata reindex" }
			problems, err := b.db.Check(ctx, nil)
			b.ok(err)
			if !slices.ContainsFunc(problems, damaged) {
				t.Errorf("found %+v", problems)
			}
			b.update(func(ctx context.Context, t *tx) { b.ok(t.DropIndex(ctx, strata.Global())) })
			problems, err = b.db.Check(ctx, nil)
			b.ok(err)
			if slices.ContainsFunc(problems, damaged) {
				t.Errorf("afterwards %+v", problems)
			}
		})
	}
}
