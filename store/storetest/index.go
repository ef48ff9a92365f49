package storetest

import (
	"fmt"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

var indexTests = []test{
	{"items come in the order asked for, those that exist", func(b *bench) {
		f, g := b.fact(global, "one"), b.fact(global, "two")
		numbers := b.save(f, g)
		u := b.say(global, "s1", "three")[0]
		b.view(func(r store.Reader) {
			m, err := r.Match(b.ctx, global, []string{"three"}, store.Filter{}, store.MatchOptions{})
			b.ok(err)
			turn := m.Passages[0]
			items, err := r.Items(b.ctx, global, []int64{turn.Number, 777, numbers[1], numbers[0]})
			b.ok(err)
			b.equal("number of items", len(items), 3)
			b.equal("turn", items[0].Turn, u)
			b.equal("place of the turn", []int64{items[0].Seq, items[0].Parent}, []int64{1, turn.Parent})
			b.equal("facts", []string{items[1].Fact.Text, items[2].Fact.Text}, []string{"two", "one"})
			b.equal("kind", items[1].Kind, strata.KindFact)
			if items[0].Fact != nil || items[1].Turn != nil {
				b.Error("an item is fact and turn at once")
			}
		})
	}},
	{"turns are found by their place in the session", func(b *bench) {
		turns := b.say(global, "s1", "a", "b", "c", "d")
		b.say(global, "s2", "x")
		b.view(func(r store.Reader) {
			p := b.parent(r, global, strata.KindTurn, "s1")
			list, err := r.PassagesAt(b.ctx, global, []store.Place{{Parent: p.Number, Seq: 3}, {Parent: p.Number, Seq: 1}, {Parent: p.Number, Seq: 9}}, store.Filter{})
			b.ok(err)
			got := b.refs(r, global, list)
			slices.Sort(got)
			b.equal("turns", got, []string{turns[0].ID, turns[2].ID})
		})
	}},
	{"parents count their current passages", func(b *bench) {
		f, g := b.fact(global, "red apple"), b.fact(global, "green apple tree")
		b.save(f, g)
		b.say(global, "s1", "hello there friend")
		b.view(func(r store.Reader) {
			p := b.parent(r, global, strata.KindFact, "general")
			b.equal("passages", []int64{p.Passages, p.Words}, []int64{2, 5})
			s := b.parent(r, global, strata.KindTurn, "s1")
			b.equal("turns", s.Passages, 1)
			list, err := r.Parents(b.ctx, global, strata.KindFact, []int64{p.Number, 4711})
			b.ok(err)
			b.equal("named and there", len(list), 1)
			number, err := r.ParentNumber(b.ctx, global, strata.KindTurn, "s1")
			b.ok(err)
			b.equal("number of a session", number, s.Number)
			for _, none := range []struct {
				scope strata.Scope
				kind  strata.Kind
				name  string
			}{{global, strata.KindFact, "s1"}, {global, strata.KindTurn, "s"}, {workspace, strata.KindTurn, "s1"}, {strata.ForAgent("nobody"), strata.KindTurn, "s1"}} {
				number, err := r.ParentNumber(b.ctx, none.scope, none.kind, none.name)
				b.ok(err)
				b.equal("number of "+none.name, number, 0)
			}
		})
		b.update(func(w store.Writer) { b.ok(w.RetireFact(b.ctx, global, f.ID, 1, "")) })
		b.view(func(r store.Reader) {
			p := b.parent(r, global, strata.KindFact, "general")
			b.equal("passages", []int64{p.Passages, p.Words}, []int64{1, 3})
		})
	}},
	{"merging moves every fact into the other category", func(b *bench) {
		f, g, h := b.fact(global, "a cat"), b.fact(global, "a kitten"), b.fact(global, "a train")
		f.Category, g.Category, h.Category = "cats", "kittens", "trains"
		b.save(f, g, h)
		b.update(func(w store.Writer) {
			b.ok(w.RenameCategory(b.ctx, global, "kittens", "cats"))
		})
		b.view(func(r store.Reader) {
			list, err := r.Facts(b.ctx, global, strata.FactFilter{Category: "cats"})
			b.ok(err)
			b.equal("facts", idsOf(list), []string{g.ID, f.ID})
			list, err = r.Facts(b.ctx, global, strata.FactFilter{Category: "kittens"})
			b.ok(err)
			b.equal("left behind", len(list), 0)
			p := b.parent(r, global, strata.KindFact, "cats")
			b.equal("passages", p.Passages, 2)
			categories, err := r.Categories(b.ctx, global, theModel)
			b.ok(err)
			b.equal("categories", len(categories), 2)
			near, err := r.Nearest(b.ctx, global, model, vectorOf("a kitten"), []int64{p.Number}, store.Filter{}, 5)
			b.ok(err)
			b.equal("inside the category", len(near), 2)
		})
	}},
	{"facts move from one category to another", func(b *bench) {
		f, g, h := b.fact(global, "a cat"), b.fact(global, "a kitten"), b.fact(global, "a train")
		f.Category, g.Category, h.Category = "pets", "pets", "travel"
		b.save(f, g, h)
		move := func(from, into string, want int, ids ...string) {
			b.update(func(w store.Writer) {
				n, err := w.MoveFacts(b.ctx, global, from, into, ids)
				b.ok(err)
				b.equal("moved", n, want)
			})
		}
		move("pets", "kittens", 1, g.ID, h.ID, "fact_of_nobody")
		move("pets", "kittens", 0, g.ID)
		move("pets", "pets", 0, f.ID)
		move("nobody", "pets", 0, f.ID)
		b.view(func(r store.Reader) {
			p := b.parent(r, global, strata.KindFact, "kittens")
			b.equal("passages", []int64{p.Passages, p.Words}, []int64{1, 1})
			near, err := r.Nearest(b.ctx, global, model, vectorOf("a cat"), []int64{p.Number}, store.Filter{}, 5)
			b.ok(err)
			b.equal("inside the category", len(near), 1)
		})
		move("pets", "kittens", 1, f.ID)
		b.view(func(r store.Reader) {
			list, err := r.Categories(b.ctx, global, theModel)
			b.ok(err)
			b.equal("the empty one is gone", len(list), 2)
		})
	}},
	{"choices of categories follow their names", func(b *bench) {
		f, g := b.fact(global, "a cat"), b.fact(global, "a train")
		f.Category, g.Category = "pets", "travel"
		b.save(f, g)
		put := func(topic, name string) {
			b.update(func(w store.Writer) {
				b.ok(w.PutCategoryChoice(b.ctx, global, store.CategoryChoice{Topic: topic, Name: name}))
			})
		}
		want := func(what string, want ...store.CategoryChoice) {
			b.view(func(r store.Reader) {
				got, err := r.CategoryChoices(b.ctx, global)
				b.ok(err)
				b.equal(what, got, want)
			})
		}
		put("pets", "pets")
		put("cats", "pets")
		want("two for one name", store.CategoryChoice{Topic: "cats", Name: "pets"}, store.CategoryChoice{Topic: "pets", Name: "pets"})
		b.update(func(w store.Writer) { b.ok(w.RenameCategory(b.ctx, global, "pets", "animals")) })
		want("after the name", store.CategoryChoice{Topic: "animals", Name: "animals"}, store.CategoryChoice{Topic: "cats", Name: "animals"})
		put("cats", "travel")
		want("the newest for a topic", store.CategoryChoice{Topic: "animals", Name: "animals"}, store.CategoryChoice{Topic: "cats", Name: "travel"})
		b.update(func(w store.Writer) { b.ok(w.DropCategoryChoices(b.ctx, global, "travel")) })
		want("without a name", store.CategoryChoice{Topic: "animals", Name: "animals"})
	}},
	{"an index that is dropped is rebuilt to the same answers", func(b *bench) {
		for i := range 8 {
			f := b.fact(global, fmt.Sprintf("apple number %d of %d", i, i*i))
			f.Category = []string{"even", "odd"}[i%2]
			b.save(f)
		}
		b.change(global, b.newest(global), "apple changed")
		b.say(global, "s1", "an apple a day", "keeps")
		f := b.fact(workspace, "another apple")
		b.save(f)
		answers := func() []any {
			var out []any
			b.view(func(r store.Reader) {
				m, err := r.Match(b.ctx, global, []string{"appl", "chang"}, store.Filter{}, store.MatchOptions{})
				b.ok(err)
				near, err := r.Nearest(b.ctx, global, model, vectorOf("apple changed"), nil, store.Filter{}, 20)
				b.ok(err)
				for i := range m.Passages { // parents may have new numbers
					m.Passages[i].Parent = 0
				}
				names := []string{}
				categories, err := r.Categories(b.ctx, global, theModel)
				b.ok(err)
				for _, c := range categories {
					names = append(names, fmt.Sprint(c.Name, c.Facts))
				}
				slices.Sort(names)
				out = append(out, m, near, names)
			})
			return out
		}
		want := answers()
		b.update(func(w store.Writer) { b.ok(w.DropIndex(b.ctx, global)) })
		b.equal("after the drop", b.found(global, "apple", store.Filter{}), []string(nil))
		b.equal("vectors after the drop", b.stats(global).Vectors, 0)
		b.equal("the other scope", b.found(workspace, "apple", store.Filter{}), []string{f.ID})
		b.update(func(w store.Writer) {
			after := int64(0)
			for {
				list, err := w.Sources(b.ctx, global, after, 3)
				b.ok(err)
				if len(list) == 0 {
					return
				}
				for _, s := range list {
					if s.Number <= after {
						b.Fatalf("source %d comes after %d", s.Number, after)
					}
					after = s.Number
					b.ok(w.PutPassage(b.ctx, sourcePassage(s)))
				}
			}
		})
		b.equal("answers after the rebuild", answers(), want)
	}},
	{"accesses survive a rebuilt index", func(b *bench) {
		f := b.fact(global, "one")
		b.save(f)
		b.update(func(w store.Writer) {
			b.ok(w.RecordAccess(b.ctx, global, []string{f.ID}))
			b.ok(w.RecordRecall(b.ctx, []store.RecallEvent{{Scope: global, Memory: f.ID, Query: "one", Score: 1}}, 100))
			b.ok(w.DropIndex(b.ctx, global))
			list, err := w.Sources(b.ctx, global, 0, 10)
			b.ok(err)
			b.ok(w.PutPassage(b.ctx, sourcePassage(list[0])))
		})
		b.view(func(r store.Reader) {
			got, err := r.Fact(b.ctx, []strata.Scope{global}, f.ID)
			b.ok(err)
			b.equal("accesses", got.Accesses, 1)
		})
		b.equal("recalls", b.stats(global).Recalls, 1)
	}},
	{"putting a passage again replaces it", func(b *bench) {
		f := b.fact(global, "one apple")
		numbers := b.save(f)
		b.update(func(w store.Writer) {
			p := factPassage(w, f, numbers[0])
			p.Text = "one pear"
			b.ok(w.PutPassage(b.ctx, p))
		})
		b.equal("by the old word", b.found(global, "apple", store.Filter{}), []string(nil))
		b.equal("by the new word", b.found(global, "pear", store.Filter{}), []string{f.ID})
		b.equal("vectors", b.stats(global).Vectors, 1)
	}},
}

// newest returns the id of the newest fact.
func (b *bench) newest(scope strata.Scope) string {
	b.Helper()
	var id string
	b.view(func(r store.Reader) {
		list, err := r.Facts(b.ctx, scope, strata.FactFilter{Limit: 1})
		b.ok(err)
		id = list[0].ID
	})
	return id
}

// sourcePassage returns the passage of a source as it was first put.
func sourcePassage(s store.Source) store.Passage {
	if u := s.Turn; u != nil {
		return store.Passage{Number: s.Number, Kind: strata.KindTurn, Ref: u.ID, Scope: u.Scope, Parent: u.Session, Seq: u.Seq,
			Text: u.Text, RecordedAt: u.RecordedAt, Model: model, Vector: vectorOf(u.Text)}
	}
	if s.Section != nil {
		d := s.Document
		return store.Passage{Number: s.Number, Kind: strata.KindSection, Ref: d.ID, Scope: d.Scope, Parent: d.Path, Seq: s.Section.Seq,
			Type: d.Type, Text: d.Name + "\n" + s.Section.Text, RecordedAt: d.RecordedAt, Model: model, Vector: vectorOf(s.Section.Text)}
	}
	f := s.Fact
	return store.Passage{Number: s.Number, Kind: strata.KindFact, Ref: f.ID, Scope: f.Scope, Parent: f.Category, Said: f.Text, Type: f.Type,
		Text: f.Text, RecordedAt: f.RecordedAt, RetiredAt: f.RetiredAt, Model: model, Vector: vectorOf(f.Text)}
}
