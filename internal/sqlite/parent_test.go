package sqlite

import (
	"context"
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

func (b *bed) categories(scope strata.Scope) (list []store.CategoryVector) {
	b.Helper()
	b.view(func(ctx context.Context, x *tx) {
		var err error
		list, err = x.Categories(ctx, scope, planar)
		b.ok(err)
	})
	return list
}

// names lists categories with how many facts they hold.
func names(list []store.CategoryVector) (out []string) {
	for _, c := range list {
		out = append(out, fmt.Sprint(c.Name, " ", c.Facts))
	}
	return out
}

func TestNearestParentsCompareMeans(t *testing.T) {
	b := newBed(t)
	b.save(strata.Global(), "wide", "a", angle(0))
	b.save(strata.Global(), "wide", "b", angle(80))
	b.save(strata.Global(), "narrow", "c", angle(60))
	b.save(strata.Global(), "opposed", "d", angle(30))
	b.save(strata.Global(), "opposed", "e", angle(210)) // cancels out: no mean
	b.save(strata.Global(), "blind", "f", nil)
	b.save(strata.InWorkspace("w"), "elsewhere", "g", angle(40))
	b.view(func(ctx context.Context, x *tx) {
		list, err := x.NearestParents(ctx, strata.Global(), "test", angle(42), strata.KindFact, store.Filter{}, 2)
		b.ok(err)
		info, err := x.Parents(ctx, strata.Global(), strata.KindFact, numbersNear(list))
		b.ok(err)
		same(t, "order", []string{info[0].Name, info[1].Name}, []string{"wide", "narrow"})
		if want := math.Cos(2 * math.Pi / 180); math.Abs(float64(list[0].Similarity)-want) > rounding {
			t.Errorf("similarity: got %v, want %v", list[0].Similarity, want)
		}
		if info[0].Passages != 2 || info[0].Words == 0 || info[0].Kind != strata.KindFact {
			t.Errorf("info: %+v", info[0])
		}
		none, err := x.NearestParents(ctx, strata.Global(), "test", angle(42), strata.KindTurn, store.Filter{}, 2)
		b.ok(err)
		if len(none) != 0 {
			t.Errorf("sessions: got %v, want none", none)
		}
	})
}

// Categories are merged and removed, and count what they hold, not what was
// ever put into them.
func TestCategoriesMergeAndGo(t *testing.T) {
	b := newBed(t)
	one := b.save(strata.Global(), "cats", "a cat", angle(0))
	b.save(strata.Global(), "kittens", "a kitten", angle(60))
	retired := b.save(strata.Global(), "kittens", "an old kitten", angle(90))
	b.update(func(ctx context.Context, x *tx) {
		b.ok(x.RetireFact(ctx, strata.Global(), fmt.Sprintf("fact_%026d", 3), 1, ""))
		f, err := x.factByNumber(ctx, one)
		b.ok(err)
		b.ok(x.PutPassage(ctx, passageOf(one, f, angle(0)))) // indexed again: counted once
	})
	list := b.categories(strata.Global())
	same(t, "before", names(list), []string{"cats 1", "kittens 1"})
	b.update(func(ctx context.Context, x *tx) {
		b.ok(x.RenameCategory(ctx, strata.Global(), "kittens", "cats"))
	})
	list = b.categories(strata.Global())
	same(t, "after", names(list), []string{"cats 2"})
	if s := list[0].Sum; math.Abs(float64(s[0])-1.5) > rounding {
		t.Errorf("sum: got %v, want that of both", s)
	}
	b.view(func(ctx context.Context, x *tx) {
		f, err := x.factByNumber(ctx, retired)
		b.ok(err)
		if f.Category != "cats" {
			t.Errorf("the fact says %q: a rebuilt index would undo the merge", f.Category)
		}
	})
	b.sound()
	for _, names := range [][2]string{{"nobody", "cats"}, {"kittens", "cats"}, {"cats", ""}, {"cats", "a\nb"}, {"cats", "a/b"}} {
		err := b.db.Update(context.Background(), func(w store.Writer) error {
			return w.RenameCategory(context.Background(), strata.Global(), names[0], names[1])
		})
		if c := strata.CodeOf(err); c != strata.CodeInvalid && c != strata.CodeNotFound {
			t.Errorf("renaming %q to %q: got %v", names[0], names[1], err)
		}
	}
	b.update(func(ctx context.Context, x *tx) {
		for i := range 3 {
			_, err := x.Forget(ctx, strata.Global(), fmt.Sprintf("fact_%026d", i+1), nil)
			b.ok(err)
		}
	})
	b.view(func(ctx context.Context, x *tx) {
		all, err := x.Parents(ctx, strata.Global(), strata.KindFact, nil)
		b.ok(err)
		if len(all) != 0 {
			t.Errorf("empty categories are left: %v", all)
		}
	})
	b.sound()
}

func TestForgottenWordDoesNotStayAsACategory(t *testing.T) {
	put := func(b *bed, text, category string, tags ...string) string {
		b.facts++
		f := strata.Fact{ID: fmt.Sprintf("fact_%026d", b.facts), Scope: strata.Global(), Type: strata.TypeUser, Category: category,
			Text: text, Tags: tags, Origin: strata.OriginAPI, Generation: 1}
		b.update(func(ctx context.Context, x *tx) {
			number, err := x.PutFact(ctx, f)
			b.ok(err)
			b.ok(x.PutPassage(ctx, passageOf(number, f, nil)))
		})
		return f.ID
	}
	for name, c := range map[string]struct {
		others func(b *bed)
		want   []string
	}{
		"alone":                    {func(b *bed) {}, nil},
		"another has a tag":        {func(b *bed) { put(b, "two dogs", "whiskerino", "whiskerino", "dog") }, []string{"dog 1"}},
		"another has no tag":       {func(b *bed) { put(b, "two dogs", "whiskerino") }, []string{"unsorted 1"}},
		"another has the word too": {func(b *bed) { put(b, "whiskerinos sleep", "whiskerino", "sleep") }, []string{"whiskerino 1"}},
		"the new name is taken": {func(b *bed) {
			put(b, "two dogs", "whiskerino", "dog")
			put(b, "three dogs", "dog", "dog")
		}, []string{"dog 2"}},
		"a name of something else": {func(b *bed) { put(b, "two dogs", "animals", "dog") }, []string{"animals 1"}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBed(t)
			id := put(b, "my cat is called Whiskerino", "whiskerino", "whiskerino", "cat")
			c.others(b)
			b.update(func(ctx context.Context, x *tx) {
				_, err := x.Forget(ctx, strata.Global(), id, nil)
				b.ok(err)
			})
			same(t, "categories", names(b.categories(strata.Global())), c.want)
			b.sound()
		})
	}
}

// Whatever happens to passages, the index stays in agreement with itself, and
// a rebuilt index answers the same.
func TestIndexStaysSound(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		b := newBed(t)
		scopes := []strata.Scope{strata.Global(), strata.InWorkspace("w")}
		live := make(map[int64]strata.Scope)
		current := make(map[int64]bool)
		pick := func() int64 {
			var list []int64
			for n := range live {
				list = append(list, n)
			}
			if len(list) == 0 {
				return 0
			}
			return list[rapid.IntRange(0, len(list)-1).Draw(rt, "which")]
		}
		vectorOf := func() []float32 {
			switch d := rapid.IntRange(-10, 35).Draw(rt, "angle"); {
			case d < -5:
				return nil
			case d < 0:
				return []float32{0, 0}
			default:
				return angle(float64(10 * d))
			}
		}
		for range rapid.IntRange(1, 25).Draw(rt, "steps") {
			b.update(func(ctx context.Context, x *tx) {
				switch n := pick(); rapid.SampledFrom([]string{"put", "put", "put", "retire", "remove", "vector", "merge", "move", "again", "rebuild"}).Draw(rt, "do") {
				case "retire":
					if current[n] {
						delete(current, n)
						_, err := x.exec(ctx, `UPDATE fact SET retired_at = ? WHERE number = ?`, micros(x.Now()), n)
						b.ok(err)
						b.ok(x.retirePassage(ctx, n, micros(x.Now())))
					}
				case "remove":
					b.ok(x.removePassage(ctx, n))
					_, err := x.exec(ctx, `DELETE FROM fact WHERE number = ?`, n)
					b.ok(err)
					delete(live, n)
					delete(current, n)
				case "vector":
					if v := vectorOf(); v != nil {
						b.ok(x.PutVector(ctx, n, "test", v))
					}
				case "merge":
					s := rapid.SampledFrom(scopes).Draw(rt, "scope")
					cats, err := x.Categories(ctx, s, planar)
					b.ok(err)
					if len(cats) > 1 {
						b.ok(x.RenameCategory(ctx, s, cats[0].Name, cats[1].Name))
					}
				case "move":
					s := rapid.SampledFrom(scopes).Draw(rt, "scope")
					cats, err := x.Categories(ctx, s, planar)
					b.ok(err)
					list, err := x.Facts(ctx, s, strata.FactFilter{})
					b.ok(err)
					if len(cats) > 0 && len(list) > 0 {
						f := rapid.SampledFrom(list).Draw(rt, "moved")
						into := rapid.SampledFrom([]string{cats[0].Name, "moved"}).Draw(rt, "into")
						n, err := x.MoveFacts(ctx, s, f.Category, into, []string{f.ID, "nobody"})
						b.ok(err)
						if want := 1; f.Category == into && n != 0 || f.Category != into && n != want {
							rt.Fatalf("moved %d facts", n)
						}
					}
				case "rebuild":
					s := rapid.SampledFrom(scopes).Draw(rt, "scope")
					b.ok(x.DropIndex(ctx, s))
					list, err := x.Sources(ctx, s, 0, 1000)
					b.ok(err)
					for _, source := range list {
						b.ok(x.PutPassage(ctx, passageOf(source.Number, *source.Fact, vectorOf())))
					}
				case "again":
					if live[n] != (strata.Scope{}) {
						f, err := x.factByNumber(ctx, n)
						b.ok(err)
						b.ok(x.PutPassage(ctx, passageOf(n, f, vectorOf())))
					}
				default:
					s := rapid.SampledFrom(scopes).Draw(rt, "scope")
					words := rapid.SliceOfN(rapid.SampledFrom([]string{"cat", "dog", "the", "kittens", "東京"}), 1, 5).Draw(rt, "words")
					number := b.put(ctx, x, s, rapid.SampledFrom([]string{"a", "b", "c"}).Draw(rt, "category"), fmt.Sprint(words), vectorOf())
					live[number] = s
					current[number] = true
				}
			})
		}
		b.sound()
		b.update(func(ctx context.Context, x *tx) { b.ok(x.purgeWords(ctx)) })
		b.sound()
		var total int64
		for _, s := range scopes {
			total += b.match(s, store.Filter{}, "cat").Total
		}
		if total != int64(len(current)) {
			rt.Errorf("the scopes count %d current passages, want %d", total, len(current))
		}
		if t.Failed() {
			rt.FailNow()
		}
	})
}
