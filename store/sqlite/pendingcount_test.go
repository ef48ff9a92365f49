package sqlite

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/index/passage"
	"github.com/strata-memory/strata/store"
)

// cutBed are two stores of the same content: one with two handles, and one where
// every text waits until it is cut by plain statements.
type cutBed struct {
	*pendingBed
	slow  *DB
	bound textSize
	drawn map[string]strata.Fact // all there ever were, by id
	facts map[int64]bool         // those that are there, by number
}

func newCutBed(rt *rapid.T, dir string) *cutBed {
	b := &cutBed{pendingBed: &pendingBed{T: rt, now: time.UnixMilli(1), words: pendingWords}, drawn: make(map[string]strata.Fact), facts: make(map[int64]bool)}
	b.bound = textSize{rapid.SampledFrom([]int64{1, 3, 10}).Draw(rt, "cut from"), rapid.SampledFrom([]int64{60, pendingBytes}).Draw(rt, "bytes")}
	for _, name := range []string{"quick", "quick", "slow"} {
		db, err := Open(context.Background(), filepath.Join(dir, name), &Options{Now: func() time.Time { return b.now }})
		b.ok(err)
		db.KeepNoSmallScopes()
		db.MergePendingFrom(b.bound.texts)
		db.MergePendingFromBytes(b.bound.bytes)
		b.dbs = append(b.dbs, db)
	}
	b.slow = b.dbs[2]
	b.slow.MergePendingFrom(math.MaxInt64)
	b.slow.MergePendingFromBytes(math.MaxInt64)
	return b
}

// cutSlowly cuts the texts of scopes in which enough wait.
func (b *cutBed) cutSlowly(ctx context.Context, x *tx) error {
	b.slow.lexical.Drop() // a cut without anything new is not noticed
	scopes, err := x.lookIntegers(ctx, 1, `
		SELECT number >> 40 FROM pending GROUP BY number >> 40 HAVING count(*) >= ? OR sum(octet_length(normal)) >= ?`,
		b.bound.texts, b.bound.bytes)
	for _, no := range scopes {
		low, high := passage.Numbers(no)
		for _, statement := range []string{
			`INSERT INTO word (rowid, terms) SELECT number, terms FROM pending WHERE number BETWEEN ? AND ? AND terms IS NOT NULL`,
			`INSERT INTO piece (rowid, normal) SELECT number, normal FROM pending WHERE number BETWEEN ? AND ?`,
			`DELETE FROM pending WHERE number BETWEEN ? AND ?`,
		} {
			_, more := x.put(ctx, statement, low, high)
			err = errors.Join(err, more)
		}
	}
	return err
}

// cutStep is what a function does: it saves facts, removes one, or just looks.
type cutStep struct {
	save   []strata.Fact
	remove int64
	drop   *strata.Scope // what is indexed of it
}

// cutFunction is one of those that share a transaction.
type cutFunction struct {
	steps []cutStep
	undo  bool
}

func (b *cutBed) anyFunction() (f cutFunction) {
	f.undo = rapid.IntRange(0, 4).Draw(b.T, "undo") == 0
	for range rapid.IntRange(1, 3).Draw(b.T, "steps") {
		var s cutStep
		switch rapid.SampledFrom([]string{"save", "save", "save", "one", "look", "remove", "drop"}).Draw(b.T, "do") {
		case "save":
			s.save = b.anyBatch()
		case "one":
			s.save = []strata.Fact{b.anyFact(rapid.SampledFrom(plainScopes).Draw(b.T, "scope"))}
		case "remove":
			if len(b.facts) > 0 {
				s.remove = rapid.SampledFrom(slices.Sorted(maps.Keys(b.facts))).Draw(b.T, "removed")
			}
		case "drop":
			s.drop = &plainScopes[rapid.IntRange(0, 2).Draw(b.T, "dropped")]
		}
		f.steps = append(f.steps, s)
	}
	return f
}

func (b *cutBed) anyFact(scope strata.Scope) strata.Fact {
	b.ids++
	f := plainFact(fmt.Sprintf("fact_%026d", b.ids), b.anyText()+" end")
	f.Scope, f.Category, f.RecordedAt = scope, "c", b.now
	b.drawn[f.ID] = f
	return f
}

// anyBatch are facts of one or several scopes in turns, some fewer than are cut at
// once and some more.
func (b *cutBed) anyBatch() (list []strata.Fact) {
	most := int(b.bound.texts)
	size := rapid.SampledFrom([]int{0, 1, max(1, most-1), most, most + 1, 2*most + 1})
	var sizes [3]int
	for i := range sizes {
		sizes[i] = size.Draw(b.T, "facts")
	}
	for n := range slices.Max(sizes[:]) {
		for i, scope := range plainScopes {
			if n < sizes[i] {
				list = append(list, b.anyFact(scope))
			}
		}
	}
	return list
}

// do runs a function in a store, and returns the numbers of its facts.
func (b *cutBed) do(ctx context.Context, x *tx, f cutFunction) (numbers []int64, err error) {
	for _, s := range f.steps {
		if s.save == nil { // what looks, or removes, has what is kept written first
			if err := x.writeWords(ctx); err != nil {
				return nil, err
			}
			if x.db == b.slow {
				if err := b.cutSlowly(ctx, x); err != nil {
					return nil, err
				}
			}
		}
		for _, fact := range s.save {
			number, err := x.PutFact(ctx, fact)
			if err != nil {
				return nil, err
			}
			if err := x.PutPassage(ctx, passageOf(number, fact, nil)); err != nil {
				return nil, err
			}
			numbers = append(numbers, number)
		}
		if s.remove != 0 {
			if err := x.removePassage(ctx, s.remove); err != nil {
				return nil, err
			}
			if _, err := x.exec(ctx, `DELETE FROM fact WHERE number = ?`, s.remove); err != nil {
				return nil, err
			}
		}
		if s.drop != nil {
			if err := b.reindex(ctx, x, *s.drop); err != nil {
				return nil, err
			}
		}
	}
	if f.undo {
		return nil, errUndone
	}
	return numbers, nil
}

// reindex indexes a scope anew, the newest first.
func (b *cutBed) reindex(ctx context.Context, x *tx, scope strata.Scope) error {
	if err := x.DropIndex(ctx, scope); err != nil {
		return err
	}
	rows, err := x.query(ctx, `
		SELECT f.number, f.id FROM fact AS f JOIN scope AS s ON s.no = f.scope_no WHERE s.key = ? ORDER BY f.number DESC`, scope.Key())
	if err != nil {
		return err
	}
	list, err := collect(rows, func(scan scanner) (p store.Passage, err error) {
		var number int64
		var id string
		err = scan(&number, &id)
		return passageOf(number, b.drawn[id], nil), err
	})
	for _, p := range list {
		err = errors.Join(err, x.PutPassage(ctx, p))
	}
	return err
}

// run has functions share a transaction of a store, and returns the numbers of the
// facts of each; nil for one that was undone.
func (b *cutBed) run(db *DB, list []cutFunction) [][]int64 {
	numbers, errs := make([][]int64, len(list)), make([]error, len(list))
	var others sync.WaitGroup
	var begin func(i int)
	begin = func(i int) {
		ctx := context.Background()
		errs[i] = db.Update(ctx, func(w store.Writer) (err error) {
			x := w.(*tx)
			x.group.begun = x.group.begun.Add(time.Hour) // so that it stays open
			if i+1 < len(list) {
				others.Go(func() { begin(i + 1) })
				for queued := 0; queued == 0; runtime.Gosched() {
					db.writer.mu.Lock()
					queued = len(db.writer.queue)
					db.writer.mu.Unlock()
				}
			}
			numbers[i], err = b.do(ctx, x, list[i])
			return err
		})
	}
	begin(0)
	others.Wait()
	for i, err := range errs {
		if !list[i].undo || !errors.Is(err, errUndone) {
			b.ok(err)
		}
	}
	if db == b.slow {
		b.ok(db.Update(context.Background(), func(w store.Writer) error { return b.cutSlowly(context.Background(), w.(*tx)) }))
	}
	return numbers
}

// change has both stores do the same.
func (b *cutBed) change() {
	b.now = b.now.Add(time.Millisecond)
	list := make([]cutFunction, rapid.IntRange(1, 4).Draw(b.T, "functions"))
	for i := range list {
		list[i] = b.anyFunction()
	}
	numbers := b.run(b.dbs[rapid.IntRange(0, 1).Draw(b.T, "handle")], list)
	if slow := b.run(b.slow, list); !reflect.DeepEqual(numbers, slow) {
		b.Fatalf("numbers %v, want %v", numbers, slow)
	}
	for i, f := range list {
		if f.undo {
			continue
		}
		for _, s := range f.steps {
			delete(b.facts, s.remove)
		}
		for _, number := range numbers[i] {
			b.facts[number] = true
		}
	}
}

// tables are the rows that hold texts and terms.
func (b *cutBed) tables(db *DB) (rows []string) {
	b.ok(db.view(context.Background(), func(x *tx) error {
		list, err := x.query(context.Background(), `
			SELECT * FROM (SELECT 'pending', number, normal, terms FROM pending ORDER BY number)
			UNION ALL SELECT * FROM (SELECT 'word', id, c0, NULL FROM word_content ORDER BY id)
			UNION ALL SELECT * FROM (SELECT 'piece', id, c0, NULL FROM piece_content ORDER BY id)`)
		if err != nil {
			return err
		}
		rows, err = collect(list, func(scan scanner) (string, error) {
			var table, text string
			var number int64
			var terms *string
			err := scan(&table, &number, &text, &terms)
			if terms != nil {
				text += " with terms " + *terms
			}
			return fmt.Sprintf("%s %d: %s", table, number, text), err
		})
		return err
	}))
	return rows
}

// However many texts come at once, and to how many scopes, the tables are those
// that single steps leave, and readers find the same.
func TestPending_TablesAreThoseOfSingleSteps(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp("", "cut")
		if err != nil {
			rt.Fatal(err)
		}
		defer os.RemoveAll(dir)
		b := newCutBed(rt, dir)
		defer b.close()
		ctx := context.Background()
		for range rapid.IntRange(1, 8).Draw(rt, "transactions") {
			b.change()
			if got, want := b.tables(b.dbs[0]), b.tables(b.slow); !slices.Equal(got, want) {
				rt.Fatalf("the tables are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			for _, db := range b.dbs[:2] {
				b.view(ctx, db, func(p pair) { b.compare(ctx, p) })
			}
		}
		for _, db := range b.dbs {
			problems, err := db.Check(ctx)
			if err != nil || len(problems) > 0 {
				rt.Fatalf("check found %+v, %v", problems, err)
			}
			b.ok(db.Update(ctx, func(w store.Writer) error {
				for _, table := range db.purger.Words {
					if _, err := w.(*tx).exec(ctx, `INSERT INTO `+table+` (`+table+`) VALUES ('integrity-check')`); err != nil {
						return err
					}
				}
				return nil
			}))
		}
	})
}

// How much waits is not looked up again as long as nobody else writes, and never
// taken from a time before somebody did.
func TestPending_AreThoseOfTheTable(t *testing.T) {
	b := newBed(t)
	other, err := Open(context.Background(), b.path, nil)
	b.ok(err)
	defer other.Close()
	theirs := &bed{TB: t, db: other, facts: 1000}
	counted := func(when string, known bool, texts int64) {
		t.Helper()
		b.update(func(ctx context.Context, x *tx) {
			if _, ok := b.db.pending.scopes[1]; ok != known {
				t.Errorf("%s: known: %t, want %t", when, ok, known)
			}
			n, err := x.pendingOf(ctx, 1)
			b.ok(err)
			stored, err := x.lookIntegers(ctx, 2, `SELECT count(*), sum(octet_length(normal)) FROM pending`)
			b.ok(err)
			if want := (textSize{stored[0], stored[1]}); n != want || n.texts != texts {
				t.Errorf("%s: %+v are counted, want %+v and %d texts", when, n, want, texts)
			}
		})
	}
	global := strata.Global()
	number := b.save(global, "c", "the first text", nil)
	b.save(global, "c", "the second text", nil)
	counted("after two saves", true, 2)
	b.update(func(ctx context.Context, x *tx) {
		b.ok(x.RetireFact(ctx, global, "fact_00000000000000000000000002", 1, ""))
	})
	counted("after one was retired", true, 2)
	theirs.save(global, "c", "a text of another process", nil)
	counted("after another process wrote", false, 3)
	theirs.save(global, "c", "another text of theirs", nil)
	b.update(func(ctx context.Context, x *tx) {
		b.ok(x.RetireFact(ctx, global, "fact_00000000000000000000001001", 1, ""))
	})
	counted("after it wrote, and no text came since", false, 4)
	b.update(func(ctx context.Context, x *tx) { b.ok(x.removePassage(ctx, number)) })
	counted("after a removal", false, 3)
	err = b.db.Update(context.Background(), func(w store.Writer) error {
		b.put(context.Background(), w.(*tx), global, "c", "a text that is undone", nil)
		b.ok(w.(*tx).writeWords(context.Background()))
		return errUndone
	})
	if !errors.Is(err, errUndone) {
		t.Error(err)
	}
	counted("after one that was undone", false, 3)
	theirs.update(func(ctx context.Context, x *tx) {
		_, err := x.Forget(ctx, global, "fact_00000000000000000000000002")
		theirs.ok(err)
	})
	counted("after another process removed", false, 2)
}
