package sqlite

import (
	"context"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/nearest"
	"github.com/strata-memory/strata/store"
)

// A batch of the backfill begins where the last ended: nothing before it is read.
func TestBackfillSearchesByNumber(t *testing.T) {
	b := newBed(t)
	b.fill(strata.Global(), samples(t, 1, 50))
	b.view(func(ctx context.Context, x *tx) {
		plan, err := collect(ctx, x, `EXPLAIN QUERY PLAN `+backfillQuery, []any{0, 0, 0, 10}, func(scan scanner) (s string, err error) {
			var id, parent, unused int
			return s, scan(&id, &parent, &unused, &s)
		})
		b.ok(err)
		for _, line := range plan {
			if strings.HasPrefix(line, "SCAN") || strings.Contains(line, "TEMP B-TREE") {
				t.Errorf("the plan has %q: %q", line, plan)
			}
		}
	})
}

// The rows of a stale model go in bounded steps, also where there are blocks
// of codes, and a forgotten passage's code goes at once.
func TestStaleCodesAreRemovedAndForgotten(t *testing.T) {
	b := newBed(t)
	list := samples(t, 1, nearest.CodeFrom+nearest.BlockCodes)
	b.fill(strata.Global(), list)
	next := store.Model{Name: "next", Dim: 2}
	b.update(func(ctx context.Context, x *tx) {
		b.ok(x.SetTargetModel(ctx, next))
		for {
			s, err := x.NextBackfill(ctx, next, 1000)
			b.ok(err)
			if s.Through == 0 {
				break
			}
			for i, u := range s.Missing {
				b.ok(x.PutVector(ctx, u.Number, "next", angle(float64(i%90))))
			}
			b.ok(x.AdvanceBackfill(ctx, next, s))
		}
		done, err := x.SwitchModel(ctx, next)
		b.ok(err)
		if !done {
			t.Fatal("not complete")
		}
	})
	count := func(table string) (n int) {
		b.view(func(ctx context.Context, x *tx) {
			b.ok(x.queryRow(ctx, `SELECT count(*) FROM `+table).Scan(&n))
		})
		return n
	}
	blocks := count("code_block")
	b.update(func(ctx context.Context, x *tx) {
		_, err := x.Forget(ctx, strata.Global(), "fact_00000000000000000000000001", nil)
		b.ok(err)
	})
	if n := count("code_block"); n >= blocks {
		t.Errorf("%d blocks of %d are left after a passage was forgotten", n, blocks)
	}
	b.sound()
	vectors, most := count("vector"), 0
	for more := true; more; {
		b.update(func(ctx context.Context, x *tx) {
			var err error
			more, err = x.DropStale(ctx, 100)
			b.ok(err)
		})
		left := count("vector")
		most = max(most, vectors-left)
		vectors = left
	}
	if most > 100 || vectors != nearest.CodeFrom+nearest.BlockCodes-1 || count("model") != 1 {
		t.Errorf("up to %d vectors went at once, %d are left, of %d models", most, vectors, count("model"))
	}
	b.sound()
}
