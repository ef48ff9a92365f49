package sqlite

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/nearest"
	"github.com/strata-memory/strata/internal/sqlite/check"
	"github.com/strata-memory/strata/store"
)

// A bit that changes by itself in anything made of vectors is found, wherever it lies, and a
// new index is rid of it.
func TestAFlippedBitOfAnyVectorIsFound(t *testing.T) {
	places := 64
	if testing.Short() {
		places = 8
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	b := newBed(t)
	list := samples(t, 1, nearest.CodeFrom+200)
	b.fill(strata.Global(), list)
	next := store.Model{Name: "next", Dim: 32}
	b.update(func(ctx context.Context, x *tx) {
		b.ok(x.SetTargetModel(ctx, next))
		s, err := x.NextBackfill(ctx, next, 300)
		b.ok(err)
		for _, u := range s.Missing {
			v := make([]float32, next.Dim)
			for i := range v {
				v[i] = rng.Float32() - 0.5
			}
			b.ok(x.PutVector(ctx, u.Number, next.Name, v))
		}
	})
	b.sound()
	for _, c := range []struct{ table, key, column, where string }{
		{"vector", "place", "embedding", `place >> 34 & 63 = (SELECT number FROM model WHERE name = 'test')`},
		{"vector", "place", "embedding", `place >> 34 & 63 = (SELECT number FROM model WHERE name = 'next')`},
		{"code_block", "id", "numbers", `true`},
		{"code_block", "id", "codes", `true`},
		{"code_head", "id", "center", `center IS NOT NULL`},
		{"parent_vector", "place", "sum", `true`},
	} {
		t.Run(fmt.Sprint(c.table, ".", c.column, " where ", c.where), func(t *testing.T) {
			b := b.in(t)
			b.update(func(ctx context.Context, x *tx) {
				rows, err := x.queryIntegers(ctx, 1, `SELECT `+c.key+` FROM `+c.table+` WHERE `+c.where)
				b.ok(err)
				for range places {
					row := rows[rng.IntN(len(rows))]
					var was []byte
					b.ok(x.queryRow(ctx, `SELECT `+c.column+` FROM `+c.table+` WHERE `+c.key+` = ?`, row).Scan(&was))
					is := append([]byte(nil), was...)
					bit := rng.IntN(8 * len(is))
					is[bit/8] ^= 1 << (bit % 8)
					set := func(to []byte) {
						_, err := x.exec(ctx, `UPDATE `+c.table+` SET `+c.column+` = ? WHERE `+c.key+` = ?`, to, row)
						b.ok(err)
					}
					set(is)
					if list := b.vectorProblems(ctx, x); len(list) == 0 {
						t.Errorf("bit %d of row %d changed unseen", bit, row)
					}
					set(was)
				}
				if list := b.vectorProblems(ctx, x); len(list) > 0 {
					t.Errorf("put back, and found: %v", list)
				}
			})
		})
	}
	b.update(func(ctx context.Context, x *tx) {
		_, err := x.exec(ctx, `UPDATE vector SET embedding = CAST(substr(embedding, 1, 5) || x'01' || substr(embedding, 7) AS BLOB) WHERE place % 97 = 0`)
		b.ok(err)
		if list := b.vectorProblems(ctx, x); len(list) == 0 {
			t.Error("changed vectors are not found")
		}
		b.ok(x.DropIndex(ctx, strata.Global()))
		for _, p := range b.vectorProblems(ctx, x) {
			if strings.HasPrefix(p.Kind, "damaged") {
				t.Errorf("dropped, and still there: %v", p)
			}
		}
	})
}

// vectorProblems are what a check says of vectors and what is made of them.
func (b *bed) vectorProblems(ctx context.Context, x *tx) (list []store.Problem) {
	b.Helper()
	found, err := x.checkVectors(ctx)
	b.ok(err)
	more, err := check.Checker{Conn: x.conn}.Index(ctx)
	b.ok(err)
	for _, p := range append(found, more...) {
		if strings.Contains(p.Kind, "vector") || strings.Contains(p.Kind, "code") {
			list = append(list, p)
		}
	}
	return list
}
