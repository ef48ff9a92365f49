package sqlite

import (
	"context"
	"maps"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// loadsBeside has a database read its scopes beside the questions.
func (b *postedBed) loadsBeside(db *DB) {
	db.postings.limits = postingLimits{asked: besideAfter, read: leastRead, beside: 1}
}

// load asks until a database has begun to read, and waits for that.
func (b *postedBed) load(db *DB) {
	b.Helper()
	for range besideAfter + 1 {
		err := db.view(context.Background(), func(x *tx) error {
			_, err := x.Match(context.Background(), b.scope, []string{"w0"}, store.Filter{})
			if x.posted != nil {
				b.Error("answered in memory before it was read")
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

func TestCommonLists_CountAsTheIndex(t *testing.T) {
	newLists := func() *commonLists {
		c := &commonLists{lists: map[string]*postingList{"boat": new(postingList), "öl": new(postingList), "σασ": new(postingList)}}
		c.index()
		return c
	}
	c := newLists()
	for place, terms := range []string{"boat", "", "other öl boat  boat", "ςας σασ", strings.Repeat("boat ", 300)} {
		c.add(uint32(place), []byte(terms))
	}
	for term, want := range map[string]map[uint32]int32{"boat": {0: 1, 2: 2, 4: 300}, "öl": {2: 1}, "σασ": {3: 2}} {
		got := make(map[uint32]int32)
		for _, p := range c.lists[term].postings {
			got[p.place()] = c.lists[term].count(p)
		}
		if !maps.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", term, got, want)
		}
	}
	if c.odd {
		t.Error("these are terms")
	}
	for _, terms := range []string{"boat a-b", "\u0301", "a\u2014b"} {
		if c := newLists(); !c.odd {
			if c.add(0, []byte(terms)); !c.odd {
				t.Errorf("%q may be other terms to the index", terms)
			}
		}
	}
}

// Codes are read beside the search by words, and closing waits for that.
func TestPrepare_HasCodesInMemory(t *testing.T) {
	b := newBed(t)
	list := samples(t, 1, codeFrom+500)
	b.fill(strata.Global(), list)
	b.reopen()
	b.db.prepareFrom = 1
	b.view(func(ctx context.Context, x *tx) {
		x.Prepare(ctx, strata.Global(), "test", len(list[0].vector), store.Filter{})
		x.Prepare(ctx, strata.InWorkspace("unknown"), "test", len(list[0].vector), store.Filter{})
	})
	b.db.besides.Wait()
	kept := 0
	for _, h := range b.db.codes.heads {
		if h.codes.Load() != nil {
			kept++
		}
	}
	if kept != 1 {
		t.Errorf("codes of %d heads are in memory", kept)
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
