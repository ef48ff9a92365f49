package sqlite

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/nearest"
	"github.com/strata-memory/strata/store"
)

// Damaged codes are noticed, do not change what a search finds, and are made
// anew with the next save.
func TestDamagedCodesChangeNoAnswerAndAreMadeAnew(t *testing.T) {
	t.Parallel()
	const flip = `CAST(zeroblob(100) || substr(codes, 101) AS BLOB)`
	list := samples(t, 1, nearest.CodeFrom+200)
	filled := newBed(t)
	filled.fill(strata.Global(), list)
	filled.ok(filled.db.Close())
	for _, c := range []struct {
		name, damage string
	}{
		{name: "bits flipped", damage: `UPDATE code_block SET codes = ` + flip + ` WHERE id = 5`},
		{name: "numbers of others", damage: `UPDATE code_block SET numbers = (SELECT numbers FROM code_block WHERE id = 7) WHERE id = 5`},
		{name: "cut short", damage: `UPDATE code_block SET codes = substr(codes, 1, 500) WHERE id = 5`},
		{name: "empty", damage: `UPDATE code_block SET numbers = x'', codes = x'' WHERE id = 5`},
		{name: "too long", damage: `UPDATE code_block SET numbers = CAST(numbers || numbers AS BLOB), codes = CAST(codes || codes AS BLOB), sum = NULL WHERE id = 5`},
		{name: "a block is gone", damage: `DELETE FROM code_block WHERE id = 5`},
		{name: "all blocks are gone", damage: `DELETE FROM code_block`},
		{name: "a block twice", damage: `INSERT INTO code_block SELECT 999, head, low, high, live, change, numbers, codes, sum FROM code_block WHERE id = 5`},
		{name: "counted wrongly", damage: `UPDATE code_head SET coded = coded - 1`},
		{name: "center is gone", damage: `UPDATE code_head SET center = NULL`},
		{name: "center of another length", damage: `UPDATE code_head SET center = x'00000000'`},
		{name: "center without numbers", damage: `UPDATE code_head SET center = CAST(zeroblob(1532) || x'ffffffff' AS BLOB)`},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := filled.copied(t)
			b.update(func(ctx context.Context, x *tx) {
				_, err := x.exec(ctx, c.damage)
				b.ok(err)
			})
			b.reopen()
			questions := samples(t, 2, 10)
			for _, f := range []store.Filter{{}, {Types: []strata.Type{strata.TypeProject}}} {
				if recall := b.agree(questions, f, 10); recall < 0.99 {
					t.Errorf("recall@10 with damaged codes: %.3f", recall)
				}
			}
			found, err := b.db.Check(context.Background(), nil)
			b.ok(err)
			if len(found) == 0 {
				t.Error("the check finds nothing")
			}
			b.save(strata.Global(), "c", "one more", list[0].vector)
			if recall := b.agree(questions, store.Filter{}, 10); recall < 0.99 {
				t.Errorf("recall@10 with codes made anew: %.3f", recall)
			}
			b.compareKeptCodes() // which fails for codes that are damaged still
			b.sound()
		})
	}
}

// copied opens a copy of a store that was closed.
func (b *bed) copied(tb testing.TB) *bed {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "strata.db")
	content, err := os.ReadFile(b.path)
	b.ok(errors.Join(err, os.WriteFile(path, content, 0o600)))
	db, err := Open(context.Background(), path, nil)
	b.ok(err)
	tb.Cleanup(func() { db.Close() })
	return &bed{TB: tb, db: db, path: path, facts: b.facts}
}

// reopen opens the store anew, as another process would.
func (b *bed) reopen() {
	b.Helper()
	b.ok(b.db.Close())
	db, err := Open(context.Background(), b.path, nil)
	b.ok(err)
	b.Cleanup(func() { db.Close() })
	b.db = db
}

// Codes that a process keeps in memory are not asked for what another process
// did to the vectors since.
func TestEveryCommittedVectorIsFoundByTheNextSearchOfAnotherProcess(t *testing.T) {
	b := newBed(t)
	list := samples(t, 1, nearest.CodeFrom+300)
	b.fill(strata.Global(), list[:nearest.CodeFrom])
	db, err := Open(context.Background(), b.path, nil)
	b.ok(err)
	defer db.Close()
	reader := &bed{TB: t, db: db, path: b.path}
	for i, s := range list[nearest.CodeFrom:] {
		number := b.save(strata.Global(), s.category, fmt.Sprint(s.text, i), s.vector)
		got := numbersNear(reader.nearest(strata.Global(), s.vector, nil, store.Filter{}, 3))
		if !slices.Contains(got, number) {
			t.Fatalf("vector %d is not found right after it was saved: %v", i, got)
		}
		if i%50 == 0 {
			b.update(func(ctx context.Context, x *tx) {
				b.ok(x.removePassage(ctx, number))
				_, err := x.exec(ctx, `DELETE FROM fact WHERE number = ?`, number)
				b.ok(err)
			})
			if got := numbersNear(reader.nearest(strata.Global(), s.vector, nil, store.Filter{}, 3)); slices.Contains(got, number) {
				t.Fatalf("vector %d is found after it was removed", i)
			}
		}
	}
}

func TestQueriesThatAreNoDirectionFindNothingOrAreRefused(t *testing.T) {
	b := newBed(t)
	b.fill(strata.Global(), samples(t, 1, nearest.CodeFrom+10))
	nan, zero := make([]float32, 384), make([]float32, 384)
	nan[3] = float32(math.NaN())
	b.view(func(ctx context.Context, x *tx) {
		if list, err := x.Nearest(ctx, strata.Global(), "test", zero, nil, store.Filter{}, 5); err != nil || list != nil {
			t.Errorf("zeros: got %v, %v, want nothing", list, err)
		}
		for name, v := range map[string][]float32{"NaN": nan, "wrong length": zero[:100], "no values": nil} {
			if _, err := x.Nearest(ctx, strata.Global(), "test", v, nil, store.Filter{}, 5); strata.CodeOf(err) != strata.CodeInvalid {
				t.Errorf("%s: got %v, want invalid", name, err)
			}
		}
	})
}
