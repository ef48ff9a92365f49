package sqlite

import (
	"context"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/index/nearest"
	"github.com/strata-memory/strata/store"
)

// loadsBeside has a database read its scopes beside the questions.
func (b *postedBed) loadsBeside(db *DB) {
	db.postings.limits = postingLimits{asked: besideAfter, read: leastRead, beside: 1}
}

// load asks until a database has begun to read, and waits for that. Where blocks
// tell nearly all, the first question is answered from them.
func (b *postedBed) load(db *DB) {
	b.Helper()
	no, packed := mustScope(b, db), false
	for i := range besideAfter + 1 {
		err := db.view(context.Background(), func(x *tx) (err error) {
			if i == 0 {
				if packed, err = x.inBlocks(context.Background(), no); err != nil {
					return err
				}
			}
			_, err = x.Match(context.Background(), b.scope, []string{"w0"}, store.Filter{})
			if inMemory := x.posted != nil; inMemory != packed {
				b.Errorf("question %d: answered in memory %v, from blocks %v", i, inMemory, packed)
			}
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	db.besides.Wait()
}

// A scope that was read beside the questions answers as the index does, and the
// lists of its common words are there before they are asked for.
func TestPostings_ReadBesideQuestionsAnswerAsTheIndex(t *testing.T) {
	b := newPostedBed(t, 17)
	db := b.dbs[0]
	b.loadsBeside(db)
	b.addLong(3000)
	served := 0
	for i := range 6 {
		for range 4 {
			b.change()
		}
		db.postings.drop()
		b.load(db)
		set := db.postings.scope(mustScope(b, db)).set.Load()
		if set == nil || set.lists.get("w0") == nil || set.lists.get("w1") == nil {
			t.Fatalf("round %d: common words are not in memory: %+v", i, set)
		}
		served += b.compareInAll(b.rng.Uint64())
		b.addLong(20) // behind what was read
		served += b.compareInAll(b.rng.Uint64())
	}
	if served < 100 {
		t.Errorf("only %d searches were answered in memory", served)
	}
}

// Lists of common words that are read while passages come and go hold what is
// there.
func TestPostings_CommonWordsHoldWhatChangedMeanwhile(t *testing.T) {
	b := newPostedBed(t, 23)
	db := b.dbs[0]
	b.loadsBeside(db)
	b.addLong(3000)
	ctx := context.Background()
	served := 0
	for i := range 8 {
		db.postings.drop()
		no := mustScope(b, db)
		kept := db.postings.scope(no)
		kept.asked.Store(besideAfter)
		var common []string
		err := db.view(ctx, func(x *tx) error {
			set, _, err := x.loadPassages(ctx, no, kept)
			if err == nil {
				common, err = x.commonTerms(ctx, no, int64(len(set.passages)))
			}
			return err
		})
		if err != nil || len(common) < 4 {
			t.Fatalf("round %d: %v, %v", i, common, err)
		}
		for n, term := range common {
			switch n % 4 {
			case 0:
				b.change()
				b.addLong(5)
			case 1: // questions see the changes
				served += b.compareInAll(b.rng.Uint64())
			}
			if err := db.view(ctx, func(x *tx) error { return x.warm(ctx, no, kept, term) }); err != nil {
				t.Fatal(err)
			}
			if n == 11 {
				break
			}
		}
		if set := kept.set.Load(); set == nil || set.lists.get("w0") == nil {
			t.Fatalf("round %d: common words are not in memory: %+v", i, set)
		}
		served += b.compareInAll(b.rng.Uint64())
	}
	if served < 100 {
		t.Errorf("only %d searches were answered in memory", served)
	}
}

func mustScope(b *postedBed, db *DB) (no int64) {
	b.Helper()
	err := db.view(context.Background(), func(x *tx) (err error) {
		no, _, err = x.scopeNo(context.Background(), b.scope, false)
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return no
}

// Codes are read beside the search by words, and closing waits for that.
func TestPrepare_HasCodesInMemory(t *testing.T) {
	b := newBed(t)
	list := samples(t, 1, nearest.CodeFrom+500)
	b.fill(strata.Global(), list)
	b.reopen()
	b.db.prepareFrom = 1
	b.view(func(ctx context.Context, x *tx) {
		x.Prepare(ctx, strata.Global(), "test", len(list[0].vector), store.Filter{})
		x.Prepare(ctx, strata.InWorkspace("unknown"), "test", len(list[0].vector), store.Filter{})
	})
	b.db.besides.Wait()
	if b.db.near.Bytes() == 0 {
		t.Error("no codes are in memory")
	}
	b.agree(list[:5], store.Filter{}, 10)
	b.reopen()
	b.db.prepareFrom = 1
	b.view(func(ctx context.Context, x *tx) {
		x.Prepare(ctx, strata.Global(), "test", len(list[0].vector), store.Filter{})
	})
	b.ok(b.db.Close())
	if b.db.beside(func(context.Context) { t.Error("read from a closed database") }) {
		t.Error("a closed database reads")
	}
	b.reopen()
}
