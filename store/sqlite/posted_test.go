package sqlite

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/index/passage"
	"github.com/strata-memory/strata/store"
)

// packedBed is a scope whose passages are packed into small blocks by handles
// that are opened anew.
type packedBed struct {
	*postedBed
	no     int64
	limits packLimits
	loose  []store.Passage // taken out of the index, or not put in yet
}

func newPackedBed(t testing.TB, seed uint64, limits packLimits) *packedBed {
	b := &packedBed{postedBed: newPostedBed(t, seed), limits: limits}
	b.no = mustScope(b.postedBed, b.dbs[0])
	return b
}

// open returns a new handle that searches in memory what it has read.
func (b *packedBed) open(opts *Options) *DB {
	b.Helper()
	db, err := Open(context.Background(), b.dbs[0].path, opts)
	b.ok(err)
	b.Cleanup(func() { db.Close() })
	db.KeepPostingsAtOnce()
	db.postings.limits.beside, db.packs = 1, b.limits
	return db
}

func (b *packedBed) ok(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

func (b *packedBed) view(db *DB, fn func(ctx context.Context, x *tx)) {
	b.Helper()
	b.ok(db.view(context.Background(), func(x *tx) error {
		fn(context.Background(), x)
		return nil
	}))
}

// load reads the scope by a handle, and compares it with what its rows are.
func (b *packedBed) load(db *DB) (todo packing) {
	b.Helper()
	b.view(db, func(ctx context.Context, x *tx) {
		got, found, err := x.loadPassages(ctx, b.no, db.postings.scope(b.no))
		b.ok(err)
		if got == nil {
			b.Fatal("the scope is not kept")
		}
		r := newPostingReader(b.no, got.change, 10, 100)
		b.ok(x.readTo(ctx, r, r.last))
		want := r.set
		want.totals, err = x.kindTotals(ctx, b.no)
		b.ok(err)
		if !slices.Equal(got.passages, want.passages) || !slices.Equal(got.briefs, want.briefs) || got.totals != want.totals ||
			len(got.gone) != 0 || !reflect.DeepEqual(got.order, want.order) {
			b.Fatalf("from blocks: %+v of %+v\nfrom rows: %+v of %+v", got.passages, got.order, want.passages, want.order)
		}
		todo = found
	})
	return todo
}

// blocks are those that are stored.
func (b *packedBed) blocks() (list []postedBlock) {
	b.Helper()
	b.view(b.dbs[0], func(ctx context.Context, x *tx) {
		var err error
		list, err = x.postedBlocks(ctx, b.no)
		b.ok(err)
	})
	return list
}

// wrongBlocks is how many doctor finds.
func (b *packedBed) wrongBlocks() (n int) {
	b.Helper()
	b.view(b.dbs[0], func(ctx context.Context, x *tx) {
		problems, err := x.checkPosted(ctx)
		b.ok(err)
		n = len(problems)
	})
	return n
}

// packed reads and packs the scope, and sees to it that the next reads blocks
// alone.
func (b *packedBed) packed() {
	b.Helper()
	db := b.open(nil)
	b.ok(db.pack(context.Background(), b.no, b.load(db)))
	if todo := b.load(b.open(nil)); todo.wanted || len(b.blocks()) == 0 {
		b.Fatalf("%d blocks, and still %+v", len(b.blocks()), todo)
	}
}

// unsettle takes passages out of the index, puts some in late or again, or
// saves facts that are not indexed yet.
func (b *packedBed) unsettle() {
	b.Helper()
	b.update(func(ctx context.Context, w *tx) error {
		for _, p := range b.loose {
			if err := w.PutPassage(ctx, p); err != nil {
				return err
			}
		}
		b.loose = nil
		for range b.rng.IntN(4) {
			b.n++
			f := plainFact(fmt.Sprint("late_", b.n), b.sentence(5))
			number, err := w.PutFact(ctx, f)
			if err != nil {
				return err
			}
			b.loose = append(b.loose, store.Passage{Number: number, Kind: strata.KindFact, Ref: f.ID, Scope: b.scope, Parent: "c", Type: f.Type, Text: f.Text, Said: f.Text})
		}
		for _, f := range b.some(ctx, w, b.rng.IntN(3)) {
			var number int64
			if err := w.queryRow(ctx, `SELECT number FROM fact WHERE scope_no = ? AND id = ? AND generation = ?`, b.no, f.ID, f.Generation).Scan(&number); err != nil {
				return err
			}
			p := store.Passage{Number: number, Kind: strata.KindFact, Ref: f.ID, Scope: b.scope, Parent: f.Category, Type: f.Type, Text: f.Text, Said: f.Text}
			if slices.ContainsFunc(b.loose, func(l store.Passage) bool { return l.Number == number }) {
				continue
			}
			if b.rng.IntN(2) == 0 {
				if err := w.PutPassage(ctx, p); err != nil {
					return err
				}
				continue
			}
			if err := w.removePassage(ctx, number); err != nil {
				return err
			}
			b.loose = append(b.loose, p)
		}
		return nil
	})
}

// step does one thing to the store, or a few.
func (b *packedBed) step() {
	b.Helper()
	switch b.rng.IntN(6) {
	case 0:
		b.unsettle()
	case 1:
		b.addLong(1 + b.rng.IntN(30))
	case 2:
		b.ok(b.dbs[b.rng.IntN(2)].Compact(context.Background()))
	default:
		for range b.rng.IntN(3) {
			b.change()
		}
	}
	if len(b.loose) > 0 && b.rng.IntN(2) == 0 {
		b.unsettle()
	}
}

// Whatever changed since blocks were written, by any process, and however far
// the writing of others came: what is read from them is what the passages are,
// and finds what the index finds.
func TestPosted_BlocksAreWhatThePassagesAre(t *testing.T) {
	for range 3 {
		seed := rand.Uint64()
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
			ctx := context.Background()
			b := newPackedBed(t, seed, packLimits{block: 7, anew: 12, share: 64, all: 40})
			served, fresh, old := 0, 0, 0
			for range 60 {
				b.step()
				db := b.open(nil)
				todo := b.load(db)
				switch {
				case !todo.wanted:
					fresh++
				case todo.before > 0:
					old++
				}
				if len(todo.damaged) > 0 {
					t.Fatalf("damaged: %v", todo.damaged)
				}
				b.view(db, func(ctx context.Context, x *tx) { served += b.compareMatch(ctx, x, b.rng) })
				switch todo.wanted = todo.wanted || b.rng.IntN(4) == 0; b.rng.IntN(4) {
				case 0: // it ends after a few
					for range b.rng.IntN(20) {
						b.ok(db.Update(ctx, func(w store.Writer) error { _, err := w.(*tx).packNext(ctx, b.no, todo); return err }))
					}
				default:
					b.ok(db.pack(ctx, b.no, todo))
				}
				if n := b.wrongBlocks(); n > 0 {
					t.Fatalf("%d blocks are wrong", n)
				}
				b.ok(db.Close())
			}
			if served < 300 || fresh < 5 || old < 5 {
				t.Errorf("%d searches in memory, %d times from blocks alone, %d times from old ones", served, fresh, old)
			}
		})
	}
}

// Processes that read beside questions find and leave blocks, and two that pack
// at once while a third saves leave what is right.
func TestPosted_SeveralPackAtOnce(t *testing.T) {
	b := newPackedBed(t, 31, packLimits{block: 20, anew: 12, share: 64, all: 40})
	b.addLong(1000)
	var packs []func() error
	for range 2 {
		db := b.open(nil)
		todo := b.load(db)
		if !todo.wanted {
			t.Fatal("nothing is packed, and nothing is to be packed")
		}
		packs = append(packs, func() error { return db.pack(context.Background(), b.no, todo) })
	}
	done := make(chan error, len(packs))
	for _, pack := range packs {
		go func() { done <- pack() }()
	}
	for range 30 {
		b.addLong(3)
		b.change()
	}
	for range 2 {
		b.ok(<-done)
	}
	if len(b.blocks()) == 0 || b.wrongBlocks() > 0 {
		t.Fatalf("%d blocks, %d of them wrong", len(b.blocks()), b.wrongBlocks())
	}
	b.load(b.open(nil))

	b.packed()
	before := b.blocks()
	db := b.open(nil)
	b.loadsBeside(db)
	b.postedBed.load(db)
	same(t, "blocks that are new enough", b.blocks(), before)
	if set := db.postings.scope(b.no).set.Load(); set == nil || set.lists.get("w0") == nil {
		t.Error("the scope is not in memory")
	}
}

// A block that is not what was written is not read, is named by doctor, and is
// made anew.
func TestPosted_DamagedBlocksAreMadeAnew(t *testing.T) {
	// edit changes the passages of a block, and signs them as if they were right.
	edit := func(fn func(b *postedBlock, list []postedPassage) []postedPassage) func(context.Context, *packedBed, *tx, []postedBlock) {
		return func(ctx context.Context, bed *packedBed, w *tx, blocks []postedBlock) {
			b := blocks[2]
			list, ok, err := w.passagesIn(ctx, b, nil)
			bed.ok(err)
			if !ok {
				bed.Fatal("the block was damaged before")
			}
			packed := packPosted(fn(&b, list))
			_, err = w.exec(ctx, `UPDATE posted SET low = ?, high = ?, change = ?, sum = ?, passages = ? WHERE low = ?`,
				b.low, b.high, b.change, b.sumOf(packed), packed, blocks[2].low)
			bed.ok(err)
		}
	}
	run := func(statement string) func(context.Context, *packedBed, *tx, []postedBlock) {
		return func(ctx context.Context, bed *packedBed, w *tx, blocks []postedBlock) {
			_, err := w.exec(ctx, statement, blocks[2].low)
			bed.ok(err)
		}
	}
	for name, damage := range map[string]func(context.Context, *packedBed, *tx, []postedBlock){
		"cut inside a passage": run(`UPDATE posted SET passages = substr(passages, 1, 37) WHERE low = ?`),
		"cut short":            run(`UPDATE posted SET passages = substr(passages, 1, 64) WHERE low = ?`),
		"empty":                run(`UPDATE posted SET passages = x'' WHERE low = ?`),
		"another byte":         run(`UPDATE posted SET passages = CAST(substr(passages, 1, 14) || x'07' || substr(passages, 16) AS BLOB) WHERE low = ?`),
		"a later change":       run(`UPDATE posted SET change = change + 1 WHERE low = ?`),
		"a smaller range":      run(`UPDATE posted SET high = high - 1 WHERE low = ?`),
		"another checksum":     run(`UPDATE posted SET sum = sum + 1 WHERE low = ?`),
		"a range below none":   run(`UPDATE posted SET high = low - 1 WHERE low = ?`),
		"numbers that do not rise": edit(func(_ *postedBlock, list []postedPassage) []postedPassage {
			list[1].number = list[0].number
			return list
		}),
		"a number before its range": edit(func(b *postedBlock, list []postedPassage) []postedPassage {
			list[0].number = uint32(b.low&lowBits) - 1
			return list
		}),
		"a number behind its range": edit(func(b *postedBlock, list []postedPassage) []postedPassage {
			list[len(list)-1].number = uint32(b.high&lowBits) + 1
			return list
		}),
		"a flag that there is not": edit(func(_ *postedBlock, list []postedPassage) []postedPassage {
			list[0].words |= noFlag
			return list
		}),
		"no kind": edit(func(_ *postedBlock, list []postedPassage) []postedPassage {
			list[0].words &^= kindBits
			return list
		}),
		"a change that is to come": edit(func(b *postedBlock, list []postedPassage) []postedPassage {
			b.change += 1000
			return list
		}),
		"the range of others": edit(func(b *postedBlock, list []postedPassage) []postedPassage {
			b.low -= 3
			return list
		}),
	} {
		t.Run(name, func(t *testing.T) {
			b := newPackedBed(t, 37, packLimits{block: 20, anew: 12, share: 64, all: 40})
			b.packed()
			b.addLong(2) // so that a later change may be
			blocks := b.blocks()
			b.update(func(ctx context.Context, w *tx) error {
				damage(ctx, b, w, blocks)
				return nil
			})
			problems, err := b.dbs[0].Check(context.Background())
			b.ok(err)
			if !slices.ContainsFunc(problems, func(p store.Problem) bool { return p.Kind == "wrong_block" && p.Repair == repairIndex }) {
				t.Errorf("doctor finds %+v", problems)
			}
			if todo := b.load(b.open(nil)); len(todo.damaged) == 0 {
				t.Errorf("not noticed: %+v", todo)
			}
			b.packed()
			if n := b.wrongBlocks(); n > 0 {
				t.Errorf("%d blocks are wrong still", n)
			}
			ranges := func(list []postedBlock) (out [][2]int64) {
				for _, p := range list[:5] { // others follow what is new
					out = append(out, [2]int64{p.low, p.high})
				}
				return out
			}
			same(t, "blocks", ranges(b.blocks()), ranges(blocks))
		})
	}
}

// What only doctor can see: passages that are not those of the index.
func TestPosted_DoctorComparesBlocksWithPassages(t *testing.T) {
	for name, statement := range map[string]string{
		"other words":         `UPDATE passage SET words = words + 1 WHERE number = (SELECT low + 3 FROM posted LIMIT 1 OFFSET 2)`,
		"gone without record": `DELETE FROM passage WHERE number = (SELECT low + 3 FROM posted LIMIT 1 OFFSET 2)`,
		"gone at the end":     `DELETE FROM passage WHERE number = (SELECT high FROM posted LIMIT 1 OFFSET 2)`,
		"came without change": `INSERT INTO passage (number, kind, parent, words, recorded_at, change) SELECT min(low) + 1, 2, min(low) + 1, 1, 0, 1 FROM posted`,
	} {
		t.Run(name, func(t *testing.T) {
			b := newPackedBed(t, 41, packLimits{block: 20, anew: 12, share: 64, all: 40})
			b.update(func(ctx context.Context, w *tx) error { return w.removePassage(ctx, b.no<<passage.ScopeBits+1) })
			b.packed()
			if n := b.wrongBlocks(); n > 0 {
				t.Fatalf("%d blocks are wrong before", n)
			}
			b.update(func(ctx context.Context, w *tx) error { _, err := w.exec(ctx, statement); return err })
			if n := b.wrongBlocks(); n != 1 {
				t.Errorf("%d blocks are wrong", n)
			}
		})
	}
}

// Blocks follow what changed when that is much, and are left alone before.
func TestPosted_BlocksFollowWhatChanged(t *testing.T) {
	b := newPackedBed(t, 43, packLimits{block: 20, anew: 30, share: 1 << 20, all: 1000})
	touch := func(n int64) {
		b.update(func(ctx context.Context, w *tx) error {
			list, err := w.numberList(ctx, `SELECT number FROM passage ORDER BY number LIMIT ?`, n)
			if err != nil {
				return err
			}
			return w.touchAll(ctx, list)
		})
	}
	oldest := func() int64 {
		return slices.MinFunc(b.blocks(), func(a, b postedBlock) int { return int(a.change - b.change) }).change
	}
	b.packed()
	before := b.blocks()
	for name, do := range map[string]func(n int64){"changed": touch, "new": func(n int64) { b.addLong(int(n)) }} {
		do(10)
		b.packed()
		same(t, "blocks after a few "+name, b.blocks(), before)
		first := oldest()
		do(31)
		b.packed()
		if oldest() <= first {
			t.Errorf("blocks are as old as before many %s", name)
		}
		before = b.blocks()
	}
	covered := before[len(before)-1].high
	b.addLong(31)
	b.packed()
	if got := b.blocks(); got[len(got)-1].high <= covered {
		t.Error("the last block does not cover what is new")
	}

	// All of a scope is read where nearly all changed, or all was removed.
	b.limits.all = 20
	touch(150)
	if todo := b.load(b.open(nil)); todo.before == 0 {
		t.Errorf("blocks serve, older than most of the scope: %+v", todo)
	}
	b.packed()
	b.update(func(ctx context.Context, w *tx) error { return w.noteRemoval(ctx, b.no, 0) })
	if todo := b.load(b.open(nil)); todo.before == 0 {
		t.Errorf("blocks serve, older than the removal of all: %+v", todo)
	}
	b.packed()
}

// The last block is there no more when its passages are not.
func TestPosted_AnEmptyEndGoes(t *testing.T) {
	b := newPackedBed(t, 47, packLimits{block: 20, anew: 2, share: 1 << 20, all: 1000})
	b.packed()
	last := b.blocks()[len(b.blocks())-1]
	b.update(func(ctx context.Context, w *tx) error {
		list, err := w.numberList(ctx, `SELECT number FROM passage WHERE number BETWEEN ? AND ?`, last.low, last.high)
		for _, number := range list {
			if err == nil {
				err = w.removePassage(ctx, number)
			}
		}
		return err
	})
	b.packed()
	if got := b.blocks(); got[len(got)-1].low == last.low {
		t.Errorf("%+v is still there", last)
	}
}

// Compaction, which ends a forget, leaves no block that says anything of what is
// gone, and all others.
func TestPosted_CompactionDropsWhatIsRemoved(t *testing.T) {
	b := newPackedBed(t, 53, packLimits{block: 20, anew: 30, share: 1 << 20, all: 1000})
	b.addLong(100) // behind the facts
	b.packed()
	before := b.blocks()
	var number int64
	b.update(func(ctx context.Context, w *tx) error {
		f := b.some(ctx, w, 1)[0]
		if err := w.queryRow(ctx, `SELECT number FROM fact WHERE scope_no = ? AND id = ?`, b.no, f.ID).Scan(&number); err != nil {
			return err
		}
		_, err := w.Forget(ctx, b.scope, f.ID)
		return err
	})
	b.ok(b.dbs[0].Compact(context.Background()))
	want := slices.DeleteFunc(slices.Clone(before), func(p postedBlock) bool { return p.low <= number && number <= p.high })
	same(t, "blocks", b.blocks(), want)
	if len(want) != len(before)-1 {
		t.Fatalf("%d of %d blocks hold the fact", len(before)-len(want), len(before))
	}
	if todo := b.load(b.open(nil)); !todo.wanted || todo.before != 0 {
		t.Errorf("the missing block is not to be written alone: %+v", todo)
	}
	b.packed()
	if got := b.blocks(); len(got) != len(before) {
		t.Errorf("%d blocks of %d", len(got), len(before))
	}
}

// An index that is dropped takes its blocks along.
func TestPosted_DroppedWithTheIndex(t *testing.T) {
	b := newPackedBed(t, 59, packLimits{block: 20, anew: 30, share: 1 << 20, all: 1000})
	b.packed()
	b.update(func(ctx context.Context, w *tx) error { return w.DropIndex(ctx, b.scope) })
	if n := len(b.blocks()); n > 0 {
		t.Errorf("%d blocks are left", n)
	}
}

// A handle that only reads is served from blocks, and writes none.
func TestPosted_ReadersWriteNothing(t *testing.T) {
	b := newPackedBed(t, 61, packLimits{block: 20, anew: 12, share: 64, all: 40})
	b.addLong(500)
	ask := func() *DB {
		db := b.open(&Options{ReadOnly: true})
		b.loadsBeside(db)
		b.postedBed.load(db)
		if db.postings.scope(b.no).set.Load() == nil {
			t.Error("the scope is not in memory")
		}
		return db
	}
	ask()
	if n := len(b.blocks()); n > 0 {
		t.Errorf("%d blocks were written", n)
	}
	b.packed()
	before := b.blocks()
	db := ask()
	b.view(db, func(ctx context.Context, x *tx) {
		if b.compareMatch(ctx, x, b.rng) == 0 {
			t.Error("nothing is searched in memory")
		}
	})
	same(t, "blocks", b.blocks(), before)
	if todo := b.load(b.open(&Options{ReadOnly: true})); todo.wanted {
		t.Errorf("not read from blocks: %+v", todo)
	}
}

// A first question is answered from blocks, and has no lists read but its own. The
// second one has those of common words read beside it, and more is packed.
func TestPosted_FirstQuestionIsAnsweredFromBlocks(t *testing.T) {
	b := newPackedBed(t, 71, packLimits{block: 20, anew: 12, share: 64, all: 40})
	b.addLong(500)
	b.packed()
	b.addLong(5) // not in blocks yet
	db := b.open(nil)
	b.loadsBeside(db)
	db.postings.limits.asked = 4
	for i := range 3 {
		b.view(db, func(ctx context.Context, x *tx) {
			if b.compareMatch(ctx, x, b.rng) == 0 {
				t.Errorf("question %d is not answered in memory", i)
			}
		})
		db.besides.Wait()
		common := db.postings.scope(b.no).set.Load().lists.get("w1") != nil && db.postings.scope(b.no).set.Load().lists.get("w0") != nil
		if i == 1 && !common {
			t.Error("lists of common words are not in memory after the second question")
		}
	}
	b.addLong(20) // more than are read beside blocks
	db = b.open(nil)
	b.loadsBeside(db)
	b.view(db, func(ctx context.Context, x *tx) {
		if _, err := x.Match(ctx, b.scope, []string{"w0"}, store.Filter{}); err != nil || x.posted != nil {
			t.Errorf("answered in memory, with more to read than blocks save: %v", err)
		}
	})
}

// Closing ends the writing of blocks, and what was written serves.
func TestPosted_ClosingEndsTheWriting(t *testing.T) {
	b := newPackedBed(t, 67, packLimits{block: 1, anew: 12, share: 64, all: 40})
	b.addLong(3000)
	db := b.open(nil)
	b.loadsBeside(db)
	for range besideAfter + 1 {
		b.view(db, func(ctx context.Context, x *tx) {
			_, err := x.Match(ctx, b.scope, []string{"w0"}, store.Filter{})
			b.ok(err)
		})
	}
	for end := time.Now().Add(time.Minute); len(b.blocks()) == 0; {
		if time.Now().After(end) {
			t.Fatal("no block is written")
		}
	}
	b.ok(db.Close())
	if n := len(b.blocks()); n == 0 || n >= 3000 {
		t.Errorf("%d blocks were written", n)
	}
	b.limits.block = 500
	b.load(b.open(nil))
	b.packed()
	if n := b.wrongBlocks(); n > 0 {
		t.Errorf("%d blocks are wrong", n)
	}
}
