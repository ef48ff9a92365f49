package storetest

import (
	"slices"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/decide/neardup"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

var factTests = []test{
	{"a fact is read back with every field", func(b *bench) {
		since := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
		f := strata.Fact{ID: b.id("fact"), Scope: agentIn, Type: strata.TypeUser, Category: "pets",
			Text: "My cat's name is “Whiskerino”\n— ñ 猫", Entity: "User's  cat", Attribute: "Name",
			Sources: []string{"turn_1", "turn_2"}, Tags: []string{"cat", "名前"}, Confidence: 0.75,
			Origin: strata.OriginExtractor, Generation: 1, ValidFrom: &since, Supersedes: "fact_0"}
		b.update(func(w store.Writer) {
			b.put(w, f)
			f.RecordedAt = w.Now()
		})
		b.view(func(r store.Reader) {
			got, err := r.Fact(b.ctx, []strata.Scope{global, agentIn}, f.ID)
			b.ok(err)
			b.equal("fact", got, f)
		})
	}},
	{"the latest version is returned, current or retired", func(b *bench) {
		f := b.fact(global, "The build needs Go 1.25")
		b.save(f)
		b.change(global, f.ID, "The build needs Go 1.26")
		last := b.change(global, f.ID, "The build needs Go 1.27")
		b.view(func(r store.Reader) {
			got, err := r.Fact(b.ctx, []strata.Scope{global}, f.ID)
			b.ok(err)
			b.equal("text", got.Text, last.Text)
			b.equal("generation", got.Generation, 3)
		})
		b.update(func(w store.Writer) { b.ok(w.RetireFact(b.ctx, global, f.ID, 3, "fact_9")) })
		b.view(func(r store.Reader) {
			got, err := r.Fact(b.ctx, []strata.Scope{global}, f.ID)
			b.ok(err)
			b.equal("generation", got.Generation, 3)
			b.equal("superseded by", got.SupersededBy, "fact_9")
			if got.Current() {
				b.Error("a retired fact is current")
			}
			versions, err := r.FactVersions(b.ctx, global, f.ID)
			b.ok(err)
			b.equal("versions", textsOf(versions),
				[]string{"The build needs Go 1.25", "The build needs Go 1.26", "The build needs Go 1.27"})
		})
	}},
	{"one version ends where the next begins", func(b *bench) {
		f := b.fact(global, "one")
		b.save(f)
		b.change(global, f.ID, "two")
		b.view(func(r store.Reader) {
			v, err := r.FactVersions(b.ctx, global, f.ID)
			b.ok(err)
			b.equal("retired and recorded", v[0].RetiredAt, v[1].RecordedAt)
			at := v[1].RecordedAt
			list, err := r.Facts(b.ctx, global, strata.FactFilter{AsOf: &at})
			b.ok(err)
			b.equal("as of the change", textsOf(list), []string{"two"})
			at = at.Add(-time.Microsecond)
			list, err = r.Facts(b.ctx, global, strata.FactFilter{AsOf: &at})
			b.ok(err)
			if v[0].RecordedAt.After(at) {
				b.equal("as of before both", textsOf(list), []string(nil))
			} else {
				b.equal("as of just before the change", textsOf(list), []string{"one"})
			}
		})
	}},
	{"a fact that is missing is not found", func(b *bench) {
		b.save(b.fact(global, "something"))
		b.view(func(r store.Reader) {
			_, err := r.Fact(b.ctx, []strata.Scope{global, workspace}, "fact_none")
			b.code(err, strata.CodeNotFound)
			_, err = r.Fact(b.ctx, nil, "fact_none")
			b.code(err, strata.CodeNotFound)
			versions, err := r.FactVersions(b.ctx, global, "fact_none")
			b.ok(err)
			b.equal("versions", len(versions), 0)
		})
		b.code(b.tryUpdate(func(w store.Writer) error { return w.RetireFact(b.ctx, global, "fact_none", 1, "") }),
			strata.CodeNotFound)
	}},
	{"a wrong generation is a conflict", func(b *bench) {
		f := b.fact(global, "first")
		b.save(f)
		b.change(global, f.ID, "second")
		for _, generation := range []int64{0, 1, 3} {
			b.code(b.tryUpdate(func(w store.Writer) error { return w.RetireFact(b.ctx, global, f.ID, generation, "") }),
				strata.CodeConflict)
		}
		b.update(func(w store.Writer) { b.ok(w.RetireFact(b.ctx, global, f.ID, 2, "")) })
		b.code(b.tryUpdate(func(w store.Writer) error { return w.RetireFact(b.ctx, global, f.ID, 2, "") }),
			strata.CodeConflict)
	}},
	{"a second current version is a conflict", func(b *bench) {
		f := b.fact(global, "first")
		b.save(f)
		for _, generation := range []int64{1, 2} {
			f.Generation = generation
			b.code(b.tryUpdate(func(w store.Writer) error { _, err := w.PutFact(b.ctx, f); return err }), strata.CodeConflict)
		}
	}},
	{"facts are found by their text whatever case and space it has", func(b *bench) {
		f, g := b.fact(global, "The  Build needs Go"), b.fact(global, "The build needs go 2")
		b.save(f, g)
		b.view(func(r store.Reader) {
			for _, s := range []string{"the build needs go", " THE BUILD\tneeds\nGo ", "Ｔhe build needs Go"} {
				list, err := r.FactsByText(b.ctx, global, text.Analyze(s))
				b.ok(err)
				b.equal("found by "+s, idsOf(list), []string{f.ID})
			}
			list, err := r.FactsByText(b.ctx, global, text.Analyze("the build"))
			b.ok(err)
			b.equal("found by a part", len(list), 0)
		})
		b.update(func(w store.Writer) { b.ok(w.RetireFact(b.ctx, global, f.ID, 1, "")) })
		b.view(func(r store.Reader) {
			list, err := r.FactsByText(b.ctx, global, text.Analyze(f.Text))
			b.ok(err)
			b.equal("found when retired", len(list), 0)
		})
	}},
	{"facts are found by their slot", func(b *bench) {
		f := b.fact(global, "My cat is called Whiskerino")
		f.Entity, f.Attribute = "User's Cat", "name"
		g := b.fact(global, "My cat is black")
		g.Entity, g.Attribute = "user's cat", "color"
		b.save(f, g, b.fact(global, "no slot"))
		b.view(func(r store.Reader) {
			list, err := r.FactsBySlot(b.ctx, global, "user's  cat", "NAME")
			b.ok(err)
			b.equal("found", idsOf(list), []string{f.ID})
			list, err = r.FactsBySlot(b.ctx, global, "", "")
			b.ok(err)
			b.equal("found by no slot", len(list), 0)
			list, err = r.FactsBySlot(b.ctx, global, "user's cat name", "")
			b.ok(err)
			b.equal("found by words in the wrong place", len(list), 0)
		})
	}},
	{"facts are found that say nearly the same", func(b *bench) {
		known := b.fact(global, "The build runner needs forty gigabytes of memory")
		gone := b.fact(global, "The build runner needs fifty gigabytes of memory")
		b.save(known, gone, b.fact(global, "The garden gate needs paint"), b.fact(workspace, "The build runner needs ten gigabytes of memory"))
		b.update(func(w store.Writer) { b.ok(w.RetireFact(b.ctx, global, gone.ID, 1, "")) })
		b.view(func(r store.Reader) {
			for _, s := range []string{
				"the build runner needs forty gigabytes of memory",       // the same
				"The build runner needs sixty gigabytes of memory",       // one changed
				"The build runner never needs forty gigabytes of memory", // one added
				"The runner needs forty gigabytes of memory",             // one omitted
			} {
				list, err := r.FactsLike(b.ctx, global, neardup.Of(text.Analyze(s)), 5)
				b.ok(err)
				b.equal("like "+s, idsOf(list), []string{known.ID})
			}
			for _, s := range []string{"The garden runner needs paint and memory", "", "the of and"} {
				list, err := r.FactsLike(b.ctx, global, neardup.Of(text.Analyze(s)), 5)
				b.ok(err)
				b.equal("like "+s, len(list), 0)
			}
		})
	}},
	{"facts are found that hold all of some words", func(b *bench) {
		older, newer := b.fact(global, "Rex sleeps in the kitchen"), b.fact(global, "The vet of Rex is in the kitchen street")
		gone := b.fact(global, "Rex has a kitchen bowl")
		b.save(older, gone, newer, b.fact(workspace, "Rex guards the kitchen"), b.fact(global, "The kitchen is blue"), b.fact(global, "Rexy likes kitchens"))
		b.update(func(w store.Writer) {
			b.ok(w.RetireFact(b.ctx, global, gone.ID, 1, ""))
			u := strata.Turn{ID: "turn_rex", Scope: global, Session: "s", Role: strata.RoleUser, Text: "Rex is in the kitchen"}
			b.ok(w.OpenSession(b.ctx, strata.Session{ID: "s", Scope: global}))
			u, number, err := w.AppendTurn(b.ctx, u)
			b.ok(err)
			b.ok(w.PutPassage(b.ctx, store.Passage{Number: number, Kind: strata.KindTurn, Ref: u.ID, Scope: global, Parent: "s", Seq: u.Seq, Text: u.Text, Said: u.Text}))
		})
		b.view(func(r store.Reader) {
			for _, c := range []struct {
				terms []string
				limit int
				want  []string
			}{
				{[]string{"rex", "kitchen"}, 5, []string{newer.ID, older.ID}},
				{[]string{"kitchen", "rex"}, 1, []string{newer.ID}},
				{[]string{"rex", "garden"}, 5, nil},
				{[]string{`"`}, 5, nil},
				{nil, 5, nil},
			} {
				list, err := r.FactsHolding(b.ctx, global, c.terms, c.limit)
				b.ok(err)
				b.equal("holding "+strings.Join(c.terms, " "), idsOf(list), c.want)
			}
		})
	}},
	{"facts are found by a word that ends in a sigma of either form", func(b *bench) {
		final, other := b.fact(global, "cat Λόγος"), b.fact(global, "cat λόγοσ")
		b.save(final, other)
		b.view(func(r store.Reader) {
			for _, term := range []string{"λογος", "λογοσ"} {
				list, err := r.FactsHolding(b.ctx, global, []string{term}, 5)
				b.ok(err)
				b.equal("holding "+term, idsOf(list), []string{other.ID, final.ID})
			}
		})
	}},
	{"a list is newest first and can be narrowed", func(b *bench) {
		var want []string
		for i := range 12 {
			f := b.fact(global, "fact "+string(rune('a'+i)))
			if i%3 == 0 {
				f.Category, f.Type = "pets", strata.TypeUser
				want = append(want, f.ID)
			}
			b.save(f)
		}
		slices.Reverse(want)
		b.view(func(r store.Reader) {
			for _, f := range []strata.FactFilter{{Category: "pets"}, {Type: strata.TypeUser}, {Category: "pets", Type: strata.TypeUser}} {
				list, err := r.Facts(b.ctx, global, f)
				b.ok(err)
				b.equal("list", idsOf(list), want)
			}
			list, err := r.Facts(b.ctx, global, strata.FactFilter{Category: "pets", Type: strata.TypeReference})
			b.ok(err)
			b.equal("nothing fits", len(list), 0)
			list, err = r.Facts(b.ctx, global, strata.FactFilter{Limit: 2, Category: "pets"})
			b.ok(err)
			b.equal("limit", idsOf(list), want[:2])
		})
	}},
	{"pages show each fact once", func(b *bench) {
		var want []string
		for i := range 23 {
			f := b.fact(global, "fact "+string(rune('a'+i)))
			want = append(want, f.ID)
			b.save(f)
		}
		for _, id := range want[:5] {
			b.change(global, id, "changed "+id)
		}
		slices.Reverse(want)
		for _, retired := range []bool{false, true} {
			var got []string
			after, versions := "", 0
			for {
				var page []strata.Fact
				b.view(func(r store.Reader) {
					var err error
					page, err = r.Facts(b.ctx, global, strata.FactFilter{Limit: 4, After: after, Retired: retired})
					b.ok(err)
				})
				if len(page) == 0 {
					break
				}
				versions += len(page)
				got = append(got, idsOf(page)...)
				after = page[len(page)-1].ID
			}
			b.equal("facts over all pages", slices.Compact(got), want)
			b.equal("versions over all pages", versions, map[bool]int{false: 23, true: 28}[retired])
		}
	}},
	{"accesses are counted and outlive an update", func(b *bench) {
		f, g := b.fact(global, "one"), b.fact(global, "two")
		b.save(f, g)
		var at time.Time
		b.update(func(w store.Writer) {
			b.ok(w.RecordAccess(b.ctx, global, []string{f.ID, "fact_none", f.ID}))
			b.ok(w.RecordAccess(b.ctx, workspace, []string{f.ID}))
			at = w.Now()
		})
		b.change(global, f.ID, "one, changed")
		b.view(func(r store.Reader) {
			got, err := r.Fact(b.ctx, []strata.Scope{global}, f.ID)
			b.ok(err)
			b.equal("accesses", got.Accesses, 2)
			b.equal("last access", got.LastAccess, at)
			got, err = r.Fact(b.ctx, []strata.Scope{global}, g.ID)
			b.ok(err)
			b.equal("accesses of the other", got.Accesses, 0)
			if !got.LastAccess.IsZero() {
				b.Error("a fact nobody accessed has a last access")
			}
		})
	}},
	{"what was said again and what was opened is known, and counts as no access", func(b *bench) {
		f := b.fact(global, "one")
		b.save(f)
		d := b.write(global, "skills/deploy/SKILL.md", "# Deploy")
		var at time.Time
		b.update(func(w store.Writer) {
			b.ok(w.RecordMark(b.ctx, global, f.ID, store.MarkConfirmed))
			b.ok(w.RecordMark(b.ctx, global, d.ID, store.MarkOpened))
			b.ok(w.RecordMark(b.ctx, global, "fact_none", store.MarkOpened))
			at = w.Now()
		})
		b.view(func(r store.Reader) {
			got, err := r.Fact(b.ctx, []strata.Scope{global}, f.ID)
			b.ok(err)
			b.equal("confirmed", got.ConfirmedAt, &at)
			b.equal("accesses", got.Accesses == 0 && got.LastAccess.IsZero(), true)
			opened, err := r.Opened(b.ctx, global)
			b.ok(err)
			b.equal("opened", opened, []store.Opening{{Document: d.ID, At: at}})
		})
	}},
	{"a retired version can be put, as an import does", func(b *bench) {
		then := time.Date(2025, 1, 2, 3, 4, 5, 6000, time.UTC)
		later := then.Add(time.Hour)
		f := b.fact(global, "the old way")
		f.RecordedAt, f.RetiredAt = then, &later
		b.save(f)
		f.Generation, f.Text, f.RecordedAt, f.RetiredAt = 2, "the new way", later, nil
		b.save(f)
		at := then.Add(time.Minute)
		b.view(func(r store.Reader) {
			list, err := r.Facts(b.ctx, global, strata.FactFilter{AsOf: &at})
			b.ok(err)
			b.equal("as of then", textsOf(list), []string{"the old way"})
			list, err = r.Facts(b.ctx, global, strata.FactFilter{})
			b.ok(err)
			b.equal("now", textsOf(list), []string{"the new way"})
		})
	}},
}
