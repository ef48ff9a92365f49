package sqlite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/nearest"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/store"
)

// The condition in SQL lets the same passages pass as the filter of package
// passage does.
func TestFilter_IsTheSameInSQLAndInGo(t *testing.T) {
	b, undone := newBed(t), errors.New("undone")
	rapid.Check(t, func(rt *rapid.T) {
		kinds := []strata.SessionKind{strata.SessionMain, strata.SessionGroup, strata.SessionSub}
		err := b.db.Update(context.Background(), func(w store.Writer) error {
			ctx, x := context.Background(), w.(*tx)
			no, _, err := x.scopeNo(ctx, strata.Global(), true)
			b.ok(err)
			for i, kind := range kinds {
				id := fmt.Sprint("session", i)
				b.ok(x.OpenSession(ctx, strata.Session{ID: id, Scope: strata.Global(), Kind: kind}))
				_, err := x.openParent(ctx, no, passage.KindCode(strata.KindTurn), id)
				b.ok(err)
			}
			parents, err := x.queryIntegers(ctx, 1, `SELECT number FROM parent`)
			b.ok(err)
			low, _ := passage.Numbers(no)
			for i := range rapid.IntRange(0, 40).Draw(rt, "passages") {
				var retired any
				if rapid.Bool().Draw(rt, "retired") {
					retired = rapid.Int64Range(1, 6).Draw(rt, "retired at")
				}
				_, err := x.exec(ctx, `
					INSERT INTO passage (number, kind, parent, type, words, recorded_at, retired_at, change) VALUES (?, ?, ?, ?, 1, ?, ?, 0)`,
					low+1000+int64(i), rapid.Int64Range(1, 3).Draw(rt, "kind"), rapid.SampledFrom(parents).Draw(rt, "parent"),
					rapid.Int64Range(0, passage.TypeSystem).Draw(rt, "type"), rapid.Int64Range(1, 6).Draw(rt, "recorded at"), retired)
				b.ok(err)
			}
			for range 20 {
				f := store.Filter{
					Kinds:       rapid.SliceOfN(rapid.SampledFrom([]strata.Kind{strata.KindFact, strata.KindTurn, strata.KindSection}), 0, 2).Draw(rt, "kinds"),
					Types:       rapid.SliceOfN(rapid.SampledFrom(strata.Types()), 0, 2).Draw(rt, "types"),
					NotTypes:    rapid.SliceOfN(rapid.SampledFrom(strata.Types()), 0, 2).Draw(rt, "not types"),
					NotPrivate:  rapid.Bool().Draw(rt, "not private"),
					System:      rapid.Bool().Draw(rt, "system"),
					Parent:      rapid.SampledFrom(append([]int64{0, 0, 99}, parents...)).Draw(rt, "in parent"),
					SessionKind: rapid.SampledFrom(append([]strata.SessionKind{"", "", strata.SessionSystem}, kinds...)).Draw(rt, "session kind"),
				}
				if at := rapid.Int64Range(0, 7).Draw(rt, "as of"); at > 0 {
					asOf := time.UnixMicro(at)
					f.AsOf = &asOf
				}
				bySQL, err := x.queryIntegers(ctx, 1, `SELECT p.number FROM passage AS p WHERE `+passes+` ORDER BY p.number`, filterArgs(no, f)...)
				b.ok(err)
				sessions, err := x.SessionNumbers(ctx, no, f.SessionKind)
				b.ok(err)
				filter := passage.NewFilter(f, sessions)
				var byGo []int64
				b.ok(nearSource{x}.Rows(ctx, nearest.Passages{Scope: no}, func(r *passage.Row) error {
					if filter.Passes(r) {
						byGo = append(byGo, r.Number)
					}
					return nil
				}))
				slices.Sort(byGo)
				if !slices.Equal(bySQL, byGo) {
					rt.Fatalf("%+v: SQL lets %v pass, Go %v", f, bySQL, byGo)
				}
			}
			return undone
		})
		if err != undone {
			rt.Fatal(err)
		}
	})
}
