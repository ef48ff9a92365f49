package sqlite

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/nearest"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/vector"
)

// sound fails the test if Check finds anything.
func (b *bed) sound() {
	b.Helper()
	problems, err := b.db.Check(context.Background(), nil)
	b.ok(err)
	for i, p := range problems {
		if i < 5 {
			b.Errorf("problem: %+v", p)
		}
	}
}

// bytesOnDisk are those of the database and its log.
func (b *bed) bytesOnDisk() []byte {
	b.Helper()
	all, err := os.ReadFile(b.path)
	b.ok(err)
	log, err := os.ReadFile(b.path + "-wal")
	if err != nil && !os.IsNotExist(err) {
		b.Fatal(err)
	}
	return append(all, log...)
}

// rebuild drops the index of a scope's facts and makes it anew, without vectors.
func (b *bed) rebuild(scope strata.Scope) {
	b.Helper()
	b.update(func(ctx context.Context, x *tx) {
		b.ok(x.DropIndex(ctx, scope))
		list, err := x.Sources(ctx, scope, 0, 10_000)
		b.ok(err)
		for _, s := range list {
			b.ok(x.PutPassage(ctx, passageOf(s.Number, *s.Fact, nil)))
		}
	})
}

// fragments are pieces of a text by which a byte search would find it: five
// characters of the text or of its terms, so that a term stored without the
// beginning it shares with another is found as well.
func fragments(s string) []string {
	var out []string
	for _, part := range append([]string{text.Normalize(s)}, text.Terms(s)...) {
		r := []rune(part)
		for i := 0; i+5 <= len(r); i++ {
			out = append(out, string(r[i:i+5]))
		}
	}
	return out
}

func TestRemovedPassageLeavesNoBytes(t *testing.T) {
	t.Parallel()
	const secret = "Zyxwhqskxrqno quxffs xylqphxnq kqmbxchzz ☃☢☣☮ qjzvkxbw"
	vectorOf := func() []float32 {
		v := make([]float32, 384)
		for i := range v {
			v[i] = float32(math.Sin(float64(i*i) + 0.5))
		}
		return v
	}
	for _, c := range []struct {
		name          string
		before, after int // other facts, each in a transaction of its own or in one
		single, model bool
		again         bool
		rebuilt       bool // the scope's index was dropped and made anew
		cut           bool // no text waits for the index of substrings
	}{
		{name: "alone"},
		{name: "alone and cut", cut: true},
		{name: "among others", before: 700, after: 700},
		{name: "among single saves", before: 60, after: 60, single: true},
		{name: "among single saves, cut with others", before: 250, after: 20, single: true},
		{name: "among single saves, each cut", before: 60, after: 60, single: true, cut: true},
		{name: "with a vector", before: 100, after: 100, model: true},
		{name: "coded", before: 2500, after: 600, model: true},
		{name: "indexed twice", before: 100, after: 100, again: true},
		{name: "indexed twice, cut", before: 100, after: 100, again: true, cut: true},
		{name: "rebuilt alone", before: 100, after: 100, rebuilt: true},
		{name: "rebuilt alone, cut", before: 100, after: 100, rebuilt: true, cut: true},
		{name: "rebuilt among other scopes", before: 100, after: 100, rebuilt: true, single: true},
		{name: "rebuilt among other scopes, cut", before: 100, after: 100, rebuilt: true, single: true, cut: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBed(t)
			if c.cut {
				b.db.MergePendingFrom(1)
			}
			list := samples(t, 1, c.before+c.after)
			others := func(list []sample) {
				for i := range list {
					if !c.model {
						list[i].vector = nil
					}
				}
				if !c.single {
					b.fill(strata.Global(), list)
					return
				}
				for _, s := range list {
					b.save(strata.Global(), s.category, s.text, s.vector)
				}
			}
			others(list[:c.before])
			var v []float32
			if c.model {
				v = vectorOf()
			}
			number := b.save(strata.Global(), "secrets", secret, v)
			if c.again {
				b.update(func(ctx context.Context, x *tx) {
					f, err := x.factByNumber(ctx, number)
					b.ok(err)
					b.ok(x.PutPassage(ctx, passageOf(number, f, v)))
				})
			}
			others(list[c.before:])
			if c.rebuilt {
				if c.single {
					b.save(strata.InWorkspace("w"), "c", "of another scope", nil)
				}
				for range 2 {
					b.rebuild(strata.Global())
				}
			}
			forbidden := [][]byte{}
			for _, s := range fragments(secret) {
				forbidden = append(forbidden, []byte(s))
			}
			if c.model {
				stored := vector.EncodeInt8(v)
				for i := 0; i+16 <= len(stored); i += 16 {
					forbidden = append(forbidden, stored[i:i+16])
				}
				b.view(func(ctx context.Context, x *tx) {
					m, _, err := x.wantedModel(ctx, "test", len(v))
					b.ok(err)
					var center []byte
					b.ok(x.queryRow(ctx, `SELECT center FROM code_head`).Scan(&center))
					if center == nil {
						return
					}
					coder, err := nearest.NewCoder(center, m.dim)
					b.ok(err)
					rounded := make([]float32, len(v))
					for i, x := range stored {
						rounded[i] = float32(int8(x))
					}
					code, err := coder.AppendCode(nil, unit(rounded))
					b.ok(err)
					forbidden = append(forbidden, code)
				})
			}
			there := b.bytesOnDisk()
			if !bytes.Contains(there, forbidden[0]) || !bytes.Contains(there, forbidden[len(forbidden)-1]) {
				t.Fatal("the text was never stored: this test cannot fail")
			}
			b.update(func(ctx context.Context, x *tx) {
				b.ok(x.removePassage(ctx, number))
				_, err := x.exec(ctx, `DELETE FROM fact WHERE number = ?`, number)
				b.ok(err)
			})
			b.ok(b.db.Compact(context.Background()))
			left := b.bytesOnDisk()
			for _, f := range forbidden {
				if at := bytes.Index(left, f); at >= 0 {
					t.Errorf("byte search finds %q at %d", f, at)
				}
			}
			b.sound()
		})
	}
}

func TestPassageSavedAndRemovedInOneTransactionLeavesNoBytes(t *testing.T) {
	const secret = "zyxwhqskxrqno quxffs xylqphxnq kqmbxchzz"
	for _, cut := range []int64{1, pendingTexts} {
		t.Run(fmt.Sprint("cut from ", cut), func(t *testing.T) {
			b := newBed(t)
			b.db.MergePendingFrom(cut)
			b.save(strata.Global(), "c", "something else", nil)
			b.update(func(ctx context.Context, x *tx) {
				number := b.put(ctx, x, strata.Global(), "c", secret, nil)
				b.ok(x.removePassage(ctx, number))
				_, err := x.exec(ctx, `DELETE FROM fact WHERE number = ?`, number)
				b.ok(err)
			})
			b.ok(b.db.Compact(context.Background()))
			left := b.bytesOnDisk()
			for _, f := range fragments(secret) {
				if bytes.Contains(left, []byte(f)) {
					t.Errorf("byte search finds %q", f)
				}
			}
			b.sound()
		})
	}
}

// A savepoint inside of a transaction makes FTS5 write out what it holds in
// memory, and some statements open one by themselves. If one of those that
// index a passage did, a batch would cost a segment for each passage.
func TestBatchIsIndexedAtOnce(t *testing.T) {
	b := newBed(t)
	list := samples(t, 1, 300)
	b.fill(strata.Global(), list[:1])
	b.fill(strata.Global(), list[1:])
	b.view(func(ctx context.Context, x *tx) {
		for _, table := range []string{"term_index", "trigram_index"} {
			var segments int
			b.ok(x.queryRow(ctx, `SELECT count(DISTINCT segid) FROM `+table+`_idx`).Scan(&segments))
			if segments > 2 {
				t.Errorf("%s: two transactions made %d segments", table, segments)
			}
		}
	})
}

func TestIndexingAgainReplacesAPassage(t *testing.T) {
	b := newBed(t)
	number := b.save(strata.Global(), "pets", "the cat is red", []float32{1, 0})
	b.update(func(ctx context.Context, x *tx) {
		p := passageOf(number, strata.Fact{Scope: strata.Global(), Category: "pets", Text: "the cat is red", RecordedAt: x.Now()}, []float32{0, 1})
		p.Text = "the dog is blue"
		b.ok(x.PutPassage(ctx, p))
	})
	same(t, "old word", found(b.match(strata.Global(), store.Filter{}, "cat").Passages), nil)
	m := b.match(strata.Global(), store.Filter{}, "dog")
	same(t, "new word", found(m.Passages), []int64{number})
	if m.Total != 1 || m.Words != int64(m.Passages[0].Words) {
		t.Errorf("counts: %d passages, %d words, want 1 and %d", m.Total, m.Words, m.Passages[0].Words)
	}
	b.view(func(ctx context.Context, x *tx) {
		cats, err := x.Categories(ctx, strata.Global(), planar)
		b.ok(err)
		same(t, "sum", cats[0].Sum, []float32{0, 1})
	})
	b.sound()
}

func TestRetiredPassageIsFoundAsOfEarlierAlone(t *testing.T) {
	b := newBed(t)
	number := b.save(strata.Global(), "pets", "the cat is red", []float32{1, 0})
	var before, after store.Filter
	b.update(func(ctx context.Context, x *tx) {
		earlier, now := x.Now().Add(-1), x.Now()
		before.AsOf, after.AsOf = &earlier, &now
		b.ok(x.retirePassage(ctx, number, micros(now)))
		b.ok(x.retirePassage(ctx, number, micros(now))) // twice is once
		_, err := x.exec(ctx, `UPDATE fact SET retired_at = ? WHERE number = ?`, micros(now), number)
		b.ok(err)
	})
	same(t, "current", found(b.match(strata.Global(), store.Filter{}, "cat").Passages), nil)
	same(t, "after", found(b.match(strata.Global(), after, "cat").Passages), nil)
	m := b.match(strata.Global(), before, "cat")
	same(t, "before", found(m.Passages), []int64{number})
	if m.Total != 1 {
		t.Errorf("total as of before: got %d, want 1", m.Total)
	}
	b.view(func(ctx context.Context, x *tx) {
		cats, err := x.Categories(ctx, strata.Global(), planar)
		b.ok(err)
		if len(cats) != 0 {
			t.Errorf("categories: got %v, want none with a current fact", cats)
		}
	})
	b.sound()
}

func TestBadPassageWritesNothing(t *testing.T) {
	b := newBed(t)
	b.save(strata.Global(), "c", "first", []float32{1, 0})
	nan := float32(math.NaN())
	for name, change := range map[string]func(*store.Passage){
		"wrong length":     func(p *store.Passage) { p.Vector = []float32{1, 2, 3} },
		"NaN":              func(p *store.Passage) { p.Vector = []float32{1, nan} },
		"infinity":         func(p *store.Passage) { p.Vector = []float32{1, float32(math.Inf(1))} },
		"no model":         func(p *store.Passage) { p.Model = "" },
		"empty vector":     func(p *store.Passage) { p.Vector = []float32{} },
		"other scope":      func(p *store.Passage) { p.Scope = strata.InWorkspace("w") },
		"unknown kind":     func(p *store.Passage) { p.Kind = "poem" },
		"number of nobody": func(p *store.Passage) { p.Number = 7 },
	} {
		t.Run(name, func(t *testing.T) {
			err := b.db.Update(context.Background(), func(w store.Writer) error {
				f := strata.Fact{ID: "fact_" + strings.ReplaceAll(name, " ", ""), Scope: strata.Global(), Type: strata.TypeUser,
					Category: "c", Text: "second", Origin: strata.OriginAPI, Generation: 1}
				number, err := w.PutFact(context.Background(), f)
				if err != nil {
					return err
				}
				p := passageOf(number, f, []float32{0, 1})
				change(&p)
				return w.PutPassage(context.Background(), p)
			})
			if strata.CodeOf(err) != strata.CodeInvalid {
				t.Errorf("got %v, want invalid", err)
			}
			if m := b.match(strata.Global(), store.Filter{}, "second"); len(m.Passages) != 0 || m.Total != 1 {
				t.Errorf("something was written: %+v", m)
			}
		})
	}
	b.sound()
}

func TestEmbeddingQueue(t *testing.T) {
	b := newBed(t)
	one := b.save(strata.Global(), "c", "one", nil)
	two := b.save(strata.InWorkspace("w"), "c", "two", nil)
	b.save(strata.Global(), "c", "three", []float32{1, 0})
	waiting := func(limit int) (out []string) {
		b.view(func(ctx context.Context, x *tx) {
			list, err := x.Unembedded(ctx, planar, limit)
			b.ok(err)
			for _, u := range list {
				out = append(out, fmt.Sprint(u.Number, u.Fact.Text, u.Attempts))
			}
		})
		return out
	}
	same(t, "waiting", waiting(10), []string{fmt.Sprint(one, "one", 0), fmt.Sprint(two, "two", 0)})
	b.update(func(ctx context.Context, x *tx) { b.ok(x.DelayEmbedding(ctx, planar, []int64{one, 12345})) })
	same(t, "fewest attempts first", waiting(10), []string{fmt.Sprint(two, "two", 0), fmt.Sprint(one, "one", 1)})
	same(t, "limit", waiting(1), []string{fmt.Sprint(two, "two", 0)})
	b.update(func(ctx context.Context, x *tx) {
		b.ok(x.PutVector(ctx, two, "test", []float32{0, 1}))
		b.ok(x.PutVector(ctx, 987654321, "test", []float32{0, 1})) // went meanwhile
	})
	same(t, "one is done", waiting(10), []string{fmt.Sprint(one, "one", 1)})
	b.update(func(ctx context.Context, x *tx) {
		b.ok(x.removePassage(ctx, one))
		_, err := x.exec(ctx, `DELETE FROM fact WHERE number = ?`, one)
		b.ok(err)
	})
	same(t, "one is gone", waiting(10), nil)
	b.sound()
}
