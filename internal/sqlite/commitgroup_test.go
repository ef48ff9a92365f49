package sqlite

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/store"
)

func openTest(tb testing.TB) *DB {
	tb.Helper()
	db, err := Open(context.Background(), filepath.Join(tb.TempDir(), "strata.db"), nil)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { db.Close() })
	return db
}

// Acknowledged means durable: the connection that writes a home syncs the log at each
// commit.
func TestUpdate_TheLogIsSynced(t *testing.T) {
	db := openTest(t)
	const full = 2
	var level int
	if err := db.writing.QueryRowContext(t.Context(), `PRAGMA synchronous`).Scan(&level); err != nil || level != full {
		t.Errorf("synchronous is %d, %v", level, err)
	}
}

// While one function holds the store, others queue; once it lets go they run in
// one transaction with it.
func TestUpdate_FunctionsThatWaitShareOneCommit(t *testing.T) {
	ctx := context.Background()
	db := openTest(t)
	const waiting = 10
	var groups sync.Map
	var wg sync.WaitGroup
	err := db.Update(ctx, func(w store.Writer) error {
		groups.Store(w.(*tx).group, true)
		for i := range waiting {
			wg.Go(func() {
				err := db.Update(ctx, func(w store.Writer) error {
					groups.Store(w.(*tx).group, true)
					_, err := w.PutFact(ctx, plainFact(fmt.Sprint("fact_", i), "text"))
					return err
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		queued(db, waiting)
		w.(*tx).group.begun = w.(*tx).group.begun.Add(groupTime) // as if it had begun just now
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	wg.Wait()
	n := 0
	groups.Range(func(any, any) bool { n++; return true })
	if n > 2 { // a slow machine may end the first group early
		t.Errorf("%d functions took %d transactions", waiting+1, n)
	}
}

// A scope made by a function that is undone has no number afterwards, though
// others in the same commit go on.
func TestUpdate_ScopeOfAnUndoneFunctionIsNotRemembered(t *testing.T) {
	ctx := context.Background()
	db := openTest(t)
	fail := errors.New("undo")
	first, second := strata.InWorkspace("first"), strata.InWorkspace("second")
	put := func(w store.Writer, s strata.Scope, id string) error {
		f := plainFact(id, "text of "+id)
		f.Scope = s
		_, err := w.PutFact(ctx, f)
		return err
	}
	others := make(chan error, 2)
	err := db.Update(ctx, func(w store.Writer) error {
		for i, s := range []strata.Scope{first, second} {
			go func() {
				others <- db.Update(ctx, func(w store.Writer) error {
					if err := put(w, s, fmt.Sprint("fact_", i)); err != nil {
						return err
					}
					if s == first {
						return fail
					}
					return nil
				})
			}()
			queued(db, i+1)
		}
		return put(w, strata.Global(), "fact_9")
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := <-others; err != nil && err != fail {
			t.Fatal(err)
		}
	}
	if _, ok := db.scopes.get(first); ok {
		t.Error("the scope that was undone is remembered")
	}
	if err := db.Update(ctx, func(w store.Writer) error { return put(w, first, "fact_5") }); err != nil {
		t.Fatal(err)
	}
	err = db.View(ctx, func(r store.Reader) error {
		for _, s := range []strata.Scope{strata.Global(), first, second} {
			list, err := r.Facts(ctx, s, strata.FactFilter{})
			if err != nil {
				return err
			}
			if len(list) != 1 || list[0].Scope != s {
				t.Errorf("%s holds %+v", s, list)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Where the commit of a group fails, all of its functions fail, and what they
// wanted to be called then is called before anybody else begins.
func TestUpdate_ACommitThatFailsIsToldToAll(t *testing.T) {
	ctx := context.Background()
	db := openTest(t)
	undone := 0
	put := func(id string) func(w store.Writer) error {
		return func(w store.Writer) error {
			w.OnUndo(func() { undone++ })
			_, err := w.PutFact(ctx, plainFact(id, "text of "+id))
			return err
		}
	}
	second, third := make(chan error, 1), make(chan error, 1)
	first := db.Update(ctx, func(w store.Writer) error {
		go func() { second <- db.Update(ctx, put("fact_2")) }()
		queued(db, 1)
		go func() {
			third <- db.Update(ctx, func(w store.Writer) error {
				if undone != 2 {
					t.Errorf("the next function begins when %d of 2 are told", undone)
				}
				return put("fact_3")(w)
			})
		}()
		queued(db, 2)
		x := w.(*tx)
		x.group.size = groupMost - 1              // room for one more
		x.group.begun = time.Now().Add(time.Hour) // however long this takes
		if err := x.conn.Control("PRAGMA defer_foreign_keys = ON"); err != nil {
			return err
		}
		_, err := x.exec(ctx, `INSERT INTO access (scope_no, memory_id, accesses, last_access) VALUES (77, 'x', 1, 1)`) // there is no such scope
		return errors.Join(err, put("fact_1")(w))
	})
	if strata.CodeOf(first) != strata.CodeConflict || strata.CodeOf(<-second) != strata.CodeConflict {
		t.Errorf("the commit: %v", first)
	}
	if err := <-third; err != nil || undone != 2 {
		t.Errorf("the next: %v; %d functions are told", err, undone)
	}
	fail := errors.New("undo")
	err := db.Update(ctx, func(w store.Writer) error { return errors.Join(put("fact_4")(w), fail) })
	if !errors.Is(err, fail) || undone != 3 {
		t.Errorf("a function that fails: %v; %d are told, want 3", err, undone)
	}
}

// queued returns once so many functions wait.
func queued(db *DB, n int) {
	for have := -1; have < n; {
		db.commits.mu.Lock()
		have = len(db.commits.waiting)
		db.commits.mu.Unlock()
		runtime.Gosched()
	}
}

// Numbers of a scope are never used twice, whoever is undone in between.
func TestNextNumber_IsNeverUsedTwice(t *testing.T) {
	ctx := context.Background()
	db := openTest(t)
	last := int64(0)
	for i := range 20 {
		err := db.Update(ctx, func(w store.Writer) error {
			number, err := w.PutFact(ctx, plainFact(fmt.Sprint("fact_", i), "text"))
			if err != nil {
				return err
			}
			if i%3 == 1 {
				return errors.New("undo")
			}
			if number <= last || passage.Scope(number) != 1 {
				t.Errorf("number %d follows %d", number, last)
			}
			last = number
			if i%3 == 2 {
				_, err = w.Forget(ctx, strata.Global(), fmt.Sprint("fact_", i), nil)
			}
			return err
		})
		if err != nil && i%3 != 1 {
			t.Fatal(err)
		}
	}
}

// The lists of the port must come from an index in order, not from a sort of
// the whole scope.
func TestLists_AreReadInOrder(t *testing.T) {
	db := openTest(t)
	ctx := context.Background()
	fact := func(f strata.FactFilter) string { c, _ := factCondition(1, f); return factSelect + c }
	for name, query := range map[string]string{
		"facts":             fact(strata.FactFilter{}),
		"facts after one":   fact(strata.FactFilter{After: "x"}),
		"retired facts":     fact(strata.FactFilter{Retired: true}),
		"facts of category": fact(strata.FactFilter{Category: "x"}),
		"decisions":         decisionSelect + `WHERE d.number BETWEEN ? AND ? ORDER BY d.number DESC LIMIT ?`,
		"pending decisions": decisionSelect + `WHERE d.number BETWEEN ? AND ? AND d.applied_at IS NULL AND d.set_aside = '' ORDER BY d.number LIMIT ?`,
		"turns":             turnSelect + `WHERE t.scope_no = ? AND t.session = ? AND t.seq > ? ORDER BY t.seq LIMIT ?`,
		"traces":            `SELECT t.id FROM trace AS t WHERE t.number BETWEEN ? AND ? ORDER BY t.number DESC LIMIT ?`,
		"events":            selectEvents,
	} {
		err := db.view(ctx, func(t *tx) error {
			plan, err := collect(ctx, t, "EXPLAIN QUERY PLAN "+query, make([]any, count(query, '?')), func(scan scanner) (line string, err error) {
				var a, b, c int
				return line, scan(&a, &b, &c, &line)
			})
			for _, line := range plan {
				if line == "USE TEMP B-TREE FOR ORDER BY" || len(line) > 6 && line[:6] == "SCAN f" {
					return fmt.Errorf("plan: %q", plan)
				}
			}
			return err
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func count(s string, c rune) (n int) {
	for _, r := range s {
		if r == c {
			n++
		}
	}
	return n
}

// BenchmarkUpdate measures one durable fact with its decision and event, by
// one writer and by eight.
func BenchmarkUpdate(b *testing.B) {
	for _, writers := range []int{1, 8} {
		b.Run(fmt.Sprint("writers=", writers), func(b *testing.B) {
			db := openTest(b)
			var next sync.Mutex
			n := 0
			b.SetParallelism(writers)
			var wg sync.WaitGroup
			b.ResetTimer()
			for range writers {
				wg.Go(func() {
					for {
						next.Lock()
						i := n
						n++
						next.Unlock()
						if i >= b.N {
							return
						}
						if err := db.Update(context.Background(), func(w store.Writer) error { return putBench(w, i) }); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			wg.Wait()
		})
	}
}

// BenchmarkBatch measures 500 facts in one transaction.
func BenchmarkBatch(b *testing.B) {
	db := openTest(b)
	for n := range b.N {
		err := db.Update(context.Background(), func(w store.Writer) error {
			for i := range 500 {
				if err := putBench(w, n*500+i); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(500*b.N)/b.Elapsed().Seconds(), "facts/s")
}

// putBench writes what the engine writes of one fact.
func putBench(w store.Writer, i int) error {
	ctx := context.Background()
	f := plainFact(fmt.Sprintf("fact_%026d", i), fmt.Sprintf("The deployment of service %d runs in region %d every %d minutes", i, i%17, i%60))
	f.Category = fmt.Sprint("category ", i%40)
	f.RecordedAt = w.Now()
	number, err := w.PutFact(ctx, f)
	if err != nil {
		return err
	}
	v := make([]float32, 384)
	for j := range v {
		v[j] = 1 / float32(1+(i*31+j*17)%97)
	}
	err = w.PutPassage(ctx, store.Passage{Number: number, Kind: strata.KindFact, Ref: f.ID, Scope: f.Scope, Parent: f.Category, Said: f.Text,
		Type: f.Type, Text: f.Text, RecordedAt: f.RecordedAt, Model: "bench", Vector: v})
	if err != nil {
		return err
	}
	err = w.AppendDecision(ctx, strata.Decision{ID: fmt.Sprintf("dec_%026d", i), Scope: f.Scope, Op: strata.OpAdd,
		Reason: "nothing like it known", Rules: []string{"same_text", "slot", "near", "add"}, FactID: f.ID, After: &f})
	if err != nil {
		return err
	}
	return w.AppendEvent(ctx, strata.Event{Kind: strata.EventWriteCommitted, Scope: f.Scope, Ref: f.ID})
}
