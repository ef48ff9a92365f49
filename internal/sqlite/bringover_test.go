package sqlite

import (
	"context"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/nearest"
	"github.com/strata-memory/strata/store"
)

// widened makes the vectors of a home what an earlier version stored, with fine codes.
func (b *bed) widened() {
	b.Helper()
	b.update(func(ctx context.Context, x *tx) {
		for _, statement := range []string{
			`UPDATE parent_vector SET sum = vec_sub(sum, sum)`,
			`UPDATE vector SET embedding = narrow(as_float(embedding, 384))`,
			`UPDATE vector SET sum = checksum(embedding)`,
			`UPDATE parent_vector SET sum = (
				SELECT as_float(v.embedding, 384) FROM passage AS p CROSS JOIN vector AS v ON v.place = p.number + (1 << 34)
				WHERE p.parent = parent_vector.place - (1 << 34) AND p.retired_at IS NULL) WHERE count = 1`,
			`UPDATE parent_vector SET crc = checksum(sum)`,
			`INSERT INTO code_fine (block, sum, codes) SELECT id, 0, zeroblob(20000) FROM code_block`,
			`UPDATE embedding SET wide_from = (SELECT min(place) FROM vector)`,
		} {
			_, err := x.exec(ctx, statement)
			b.ok(err)
		}
	})
}

// Vectors of an earlier version are found as those that they become, at every step of
// the way, and afterwards everything is as if they had been stored so.
func TestDropStale_BringsVectorsOver(t *testing.T) {
	b := newBed(t)
	list := samples(t, 1, nearest.CodeFrom+200)
	for i := range list {
		list[i].category = list[i].text // one fact in each: its sum is its vector
	}
	b.fill(strata.Global(), list)
	questions := samples(t, 2, 4)
	ask := func() (out []store.Near) {
		for _, q := range questions {
			out = append(out, b.nearest(strata.Global(), q.vector, nil, store.Filter{}, 20)...)
		}
		return out
	}
	want := ask()
	b.widened()
	b.sound()
	steps, more := 0, true
	for ; more; steps++ {
		b.reopen() // as after a kill
		same(t, "found on the way", ask(), want)
		b.update(func(ctx context.Context, x *tx) {
			m, err := x.Embedding(ctx)
			b.ok(err)
			if !m.Earlier {
				t.Error("nothing is said to be left")
			}
			more, err = x.DropStale(ctx, 4000)
			b.ok(err)
		})
		if steps == 2 { // one that is removed on the way leaves nothing
			b.update(func(ctx context.Context, x *tx) { b.ok(x.removePassage(ctx, want[0].Number)) })
			b.update(func(ctx context.Context, x *tx) {
				_, err := x.exec(ctx, `DELETE FROM fact WHERE number = ?`, want[0].Number)
				b.ok(err)
			})
			want = ask()
		}
		b.sound()
		b.view(func(ctx context.Context, x *tx) {
			m, err := x.Embedding(ctx)
			b.ok(err)
			more = m.Earlier
		})
	}
	if steps < 4 {
		t.Errorf("all is brought over in %d steps", steps)
	}
	same(t, "found", ask(), want)
	b.view(func(ctx context.Context, x *tx) {
		left, err := x.queryInteger(ctx, `SELECT (SELECT count(*) FROM vector WHERE length(embedding) <> 384) + (SELECT count(*) FROM code_fine)`)
		b.ok(err)
		if left != 0 {
			t.Errorf("%d rows are left", left)
		}
	})
}
