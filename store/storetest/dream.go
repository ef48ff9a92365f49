package storetest

import (
	"fmt"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// promotion returns a promotion with every field set except those of its end.
func (b *bench) promotion(scope strata.Scope, fact string, at time.Time, score float64) strata.Promotion {
	return strata.Promotion{Scope: scope, Fact: fact, Dream: "dream_1", At: at, Score: score, Recalls: 3, Questions: 2, Days: 1}
}

// dreamt returns a dream with every field set except that of its files.
func (b *bench) dreamt(scope strata.Scope, at time.Time, items ...strata.DreamItem) strata.Dream {
	return strata.Dream{ID: b.id("dream"), Scope: scope, Trigger: strata.DreamForced, StartedAt: at, FinishedAt: at.Add(time.Second),
		Considered: 5, Promoted: 2, Archived: 1, Merged: 3, Settled: 4, Asked: 6, Tagged: 7, Items: items}
}

func (b *bench) dream(list ...strata.Dream) {
	b.Helper()
	b.update(func(w store.Writer) {
		for _, d := range list {
			b.ok(w.AppendDream(b.ctx, d))
		}
	})
}

// lease takes a lease for some time.
func (b *bench) lease(scope strata.Scope, owner string, lasts time.Duration) (taken bool) {
	b.Helper()
	b.update(func(w store.Writer) {
		var err error
		taken, err = w.TakeLease(b.ctx, store.Lease{Scope: scope, Name: "dream", Owner: owner, Until: w.Now().Add(lasts)})
		b.ok(err)
	})
	return taken
}

var dreamTests = []test{
	{"recalls that somebody asked for are listed since a time", func(b *bench) {
		at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
		asked := []store.RecallEvent{
			{Scope: global, Memory: "fact_1", Query: "old", Score: 0.5, At: at},
			{Scope: global, Memory: "fact_1", Query: "new", Score: 0.25, Session: "s1", At: at.Add(time.Hour)},
			{Scope: workspace, Memory: "fact_1", Query: "elsewhere", Score: 1, At: at.Add(time.Hour)},
		}
		unasked := store.RecallEvent{Scope: global, Memory: "fact_1", Query: "by itself", Score: 1, Automatic: true, At: at.Add(time.Hour)}
		b.update(func(w store.Writer) { b.ok(w.RecordRecall(b.ctx, append(asked, unasked), 10)) })
		b.view(func(r store.Reader) {
			list, err := r.Recalls(b.ctx, global, time.Time{})
			b.ok(err)
			b.equal("all", list, asked[:2])
			list, err = r.Recalls(b.ctx, global, at.Add(time.Minute))
			b.ok(err)
			b.equal("since", list, asked[1:2])
			list, err = r.Recalls(b.ctx, agent, time.Time{})
			b.ok(err)
			b.equal("of a scope that owns nothing", len(list), 0)
		})
		b.update(func(w store.Writer) { b.ok(w.PruneRecalls(b.ctx, global, at.Add(time.Minute))) })
		b.equal("left after pruning", []int64{b.stats(global).Recalls, b.stats(workspace).Recalls}, []int64{2, 1})
	}},
	{"a promotion is read back, replaced and archived", func(b *bench) {
		at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
		weak, strong, later := b.promotion(global, "fact_1", at, 0.4), b.promotion(global, "fact_2", at, 0.5), b.promotion(global, "fact_3", at.Add(time.Hour), 0.1)
		b.update(func(w store.Writer) {
			for _, p := range []strata.Promotion{weak, strong, later, b.promotion(workspace, "fact_1", at, 1)} {
				b.ok(w.PutPromotion(b.ctx, p))
			}
		})
		b.equal("counted", b.stats(global).Promotions, 3)
		end := at.Add(2 * time.Hour)
		gone := strong
		gone.ArchivedAt, gone.Archived = &end, "no room"
		b.update(func(w store.Writer) { b.ok(w.PutPromotion(b.ctx, gone)) })
		b.view(func(r store.Reader) {
			list, err := r.Promotions(b.ctx, global, false)
			b.ok(err)
			b.equal("newest and strongest first", list, []strata.Promotion{later, weak})
			list, err = r.Promotions(b.ctx, global, true)
			b.ok(err)
			b.equal("archived", list, []strata.Promotion{gone})
		})
		b.equal("counted", b.stats(global).Promotions, 2)
	}},
	{"dreams are listed as they were appended, and stamped", func(b *bench) {
		at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
		first := b.dreamt(global, at, strata.DreamItem{Memory: "fact_1", Outcome: strata.DreamLeft, Reason: "recalled 2 of 3 times",
			Score: 0.25, Recalls: 2, Questions: 2, Days: 1})
		second := b.dreamt(global, at.Add(-time.Hour)) // the clock was set back
		second.Failure = "the disk is full"
		other := b.dreamt(workspace, at)
		b.dream(first, second, other)
		b.code(b.tryUpdate(func(w store.Writer) error { return w.AppendDream(b.ctx, first) }), strata.CodeConflict)
		b.view(func(r store.Reader) {
			list, err := r.Dreams(b.ctx, global, store.DreamFilter{})
			b.ok(err)
			b.equal("all", list, []strata.Dream{second, first})
			got, err := r.Dream(b.ctx, []strata.Scope{agent, global, workspace}, other.ID)
			b.ok(err)
			b.equal("one", got, other)
			_, err = r.Dream(b.ctx, []strata.Scope{global}, other.ID)
			b.code(err, strata.CodeNotFound)
			ids, err := r.IDs(b.ctx, global, "dream", "-", first.ID[len(first.ID)-6:], 5)
			b.ok(err)
			b.equal("by its end", ids, []string{first.ID})
		})
		b.update(func(w store.Writer) { b.ok(w.StampDreams(b.ctx, global, first.ID)) })
		b.view(func(r store.Reader) {
			scopes, err := r.PendingScopes(b.ctx)
			b.ok(err)
			b.equal("scopes", scopes, []strata.Scope{global, workspace})
			list, err := r.Dreams(b.ctx, global, store.DreamFilter{Outstanding: true})
			b.ok(err)
			b.equal("outstanding", list, []strata.Dream{second})
			list, err = r.Dreams(b.ctx, workspace, store.DreamFilter{Outstanding: true, Limit: 1})
			b.ok(err)
			b.equal("elsewhere", list, []strata.Dream{other})
		})
		b.update(func(w store.Writer) { b.ok(w.StampDreams(b.ctx, workspace, other.ID)) })
		b.view(func(r store.Reader) {
			scopes, err := r.PendingScopes(b.ctx)
			b.ok(err)
			b.equal("scopes", scopes, []strata.Scope{global})
		})
	}},
	{"scopes may dream in which something was asked and nothing dreamt lately", func(b *bench) {
		now := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
		b.update(func(w store.Writer) {
			now = w.Now()
			b.ok(w.RecordRecall(b.ctx, []store.RecallEvent{
				{Scope: global, Memory: "fact_1"}, {Scope: workspace, Memory: "fact_1"}, {Scope: agent, Memory: "fact_1", Automatic: true},
				{Scope: agentIn, Memory: "fact_1"},
			}, 10))
		})
		b.dream(b.dreamt(global, now.Add(-time.Hour)), b.dreamt(agentIn, now.Add(-time.Hour)), b.dreamt(agentIn, now.Add(1000*time.Hour)))
		b.view(func(r store.Reader) {
			for _, c := range []struct {
				ago  time.Duration
				want []strata.Scope
			}{
				{2 * time.Hour, []strata.Scope{workspace, agentIn}}, // one dreamt in the future: the clock was set back
				{time.Minute, []strata.Scope{global, workspace, agentIn}},
			} {
				list, err := r.DreamScopes(b.ctx, now.Add(-c.ago), 1, 3)
				b.ok(err)
				b.equal(c.ago.String(), list, c.want)
			}
		})
	}},
	{"one owner has a lease at a time", func(b *bench) {
		b.equal("free", b.lease(global, "a", time.Hour), true)
		b.equal("held", b.lease(global, "b", time.Hour), false)
		b.equal("held and extended by its owner", b.lease(global, "a", 2*time.Hour), true)
		b.equal("of another scope", b.lease(workspace, "b", time.Hour), true)
		b.view(func(r store.Reader) {
			l, err := r.Lease(b.ctx, global, "dream")
			b.ok(err)
			b.equal("owner", l.Owner, "a")
			_, err = r.Lease(b.ctx, global, "other")
			b.code(err, strata.CodeNotFound)
		})
		release := func(owner string) {
			b.update(func(w store.Writer) {
				b.ok(w.ReleaseLease(b.ctx, store.Lease{Scope: global, Name: "dream", Owner: owner}))
			})
		}
		release("b") // not its own
		b.equal("still held", b.lease(global, "b", 2*time.Hour), false)
		b.equal("held since before the clock went back", b.lease(global, "b", time.Minute), true)
		release("b")
		b.equal("given back", b.lease(global, "c", time.Hour), true)
		b.code(b.tryUpdate(func(w store.Writer) error {
			_, err := w.TakeLease(b.ctx, store.Lease{Scope: global, Name: "dream", Owner: "c", Until: w.Now()})
			return err
		}), strata.CodeInvalid)
	}},
	{"concept tags of current facts are counted", func(b *bench) {
		f, g, h := b.fact(global, "one"), b.fact(global, "two"), b.fact(global, "three")
		f.Tags, g.Tags, h.Tags = []string{"cat", "tea"}, []string{"cat"}, nil
		b.save(f, g, h)
		b.view(func(r store.Reader) {
			list, err := r.TagCounts(b.ctx, global, 10)
			b.ok(err)
			b.equal("tags", list, []store.TagCount{{Tag: "cat", Facts: 2}, {Tag: "tea", Facts: 1}})
		})
	}},
	{"forget takes promotions and what dreams say of a memory", func(b *bench) {
		f, g := b.fact(global, "The vault code is in the blue book"), b.fact(global, "Tea is at five")
		b.save(f, g)
		now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
		b.update(func(w store.Writer) {
			b.ok(w.PutPromotion(b.ctx, b.promotion(global, f.ID, now, 1)))
			b.ok(w.PutPromotion(b.ctx, b.promotion(global, g.ID, now, 1)))
		})
		of := func(id string) strata.DreamItem {
			return strata.DreamItem{Memory: id, Outcome: strata.DreamPromoted, Score: 1}
		}
		into := strata.DreamItem{Memory: g.ID, With: f.ID, Outcome: strata.DreamMerged}
		both, one, none := b.dreamt(global, now, of(f.ID), of(g.ID)), b.dreamt(global, now, of(f.ID), into), b.dreamt(global, now)
		b.dream(both, one, none)
		b.update(func(w store.Writer) {
			_, err := w.Forget(b.ctx, global, f.ID, nil)
			b.ok(err)
		})
		both.Items, one.Items = both.Items[1:], nil
		b.view(func(r store.Reader) {
			list, err := r.Promotions(b.ctx, global, false)
			b.ok(err)
			b.equal("promotions", list, []strata.Promotion{b.promotion(global, g.ID, now, 1)})
			dreams, err := r.Dreams(b.ctx, global, store.DreamFilter{})
			b.ok(err)
			b.equal("dreams", dreams, []strata.Dream{none, one, both})
		})
	}},
	{"facts in a slot or with nearly the same words are paired", func(b *bench) {
		cat, cats := b.fact(global, "My cat is called Tom"), b.fact(global, "The name of my cat is Kit")
		cat.Entity, cat.Attribute, cats.Entity, cats.Attribute = "user's cat", "name", "User's cat", "name"
		long := b.fact(global, "Deploys of the shop run on Fridays at noon from Bonn")
		more := b.fact(global, "Deploys of the shop run on Mondays at noon from Bonn")
		other, gone := b.fact(global, "Tea is at five"), b.fact(global, "Tea is at six")
		b.save(cat, long, other, cats, more, gone, b.fact(workspace, "Tea is at five"))
		b.update(func(w store.Writer) { b.ok(w.RetireFact(b.ctx, global, gone.ID, 1, "")) })
		pairs := func(limit int) (out []string) {
			b.view(func(r store.Reader) {
				list, err := r.FactPairs(b.ctx, global, limit)
				b.ok(err)
				for _, p := range list {
					out = append(out, p[0].ID+" "+p[1].ID)
				}
			})
			return out
		}
		want := []string{cat.ID + " " + cats.ID, long.ID + " " + more.ID}
		b.equal("the closest first", pairs(10), want)
		b.equal("up to a limit", pairs(1), want[:1])
	}},
	{"a question is open until it is answered or one of its facts goes", func(b *bench) {
		at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
		f, g, h := b.fact(global, "Tea is at five"), b.fact(global, "Tea is at six"), b.fact(global, "Tea is at seven")
		b.save(f, g, h)
		question := func(x, y strata.Fact, at time.Time) strata.Question {
			return strata.Question{ID: b.id("question"), Scope: global, Facts: [2]strata.FactVersion{x.Version(), y.Version()},
				Reason: "said at the same time", Dream: "dream_1", AskedAt: at}
		}
		first, second, third := question(f, g, at), question(f, h, at.Add(time.Hour)), question(g, h, at.Add(2*time.Hour))
		b.update(func(w store.Writer) {
			for _, q := range []strata.Question{first, second, third} {
				b.ok(w.PutQuestion(b.ctx, q))
			}
		})
		b.code(b.tryUpdate(func(w store.Writer) error { return w.PutQuestion(b.ctx, question(f, g, at)) }), strata.CodeConflict)
		open := func(name string, want ...strata.Question) {
			b.Helper()
			b.view(func(r store.Reader) {
				list, err := r.Questions(b.ctx, global, false, 10)
				b.ok(err)
				b.equal(name, list, want)
			})
		}
		open("all", third, second, first)
		answered := at.Add(3 * time.Hour)
		third.Answer, third.AnsweredAt = strata.AnswerBoth, &answered
		b.update(func(w store.Writer) { b.ok(w.PutQuestion(b.ctx, third)) })
		open("but the answered one", second, first)
		b.update(func(w store.Writer) {
			b.ok(w.RetireFact(b.ctx, global, h.ID, 1, ""))
			b.ok(w.RetireFact(b.ctx, global, g.ID, 1, ""))
			g.Generation++
			b.put(w, g) // says something else now
		})
		open("none of whose versions is current", []strata.Question(nil)...)
		b.view(func(r store.Reader) {
			list, err := r.Questions(b.ctx, global, true, 2)
			b.ok(err)
			b.equal("those that were", list, []strata.Question{third, second})
			got, err := r.Question(b.ctx, []strata.Scope{workspace, global}, first.ID)
			b.ok(err)
			b.equal("one", got, first)
			_, err = r.Question(b.ctx, []strata.Scope{workspace}, first.ID)
			b.code(err, strata.CodeNotFound)
			ids, err := r.IDs(b.ctx, global, "question", "-", first.ID[len(first.ID)-6:], 5)
			b.ok(err)
			b.equal("by its end", ids, []string{first.ID})
		})
		b.update(func(w store.Writer) {
			_, err := w.Forget(b.ctx, global, h.ID, nil)
			b.ok(err)
		})
		b.view(func(r store.Reader) {
			list, err := r.Questions(b.ctx, global, true, 10)
			b.ok(err)
			b.equal("after one was forgotten", list, []strata.Question{first})
		})
	}},
	{"facts are tagged anew from where a version of the tags ends", func(b *bench) {
		f, g, h := b.fact(global, "one"), b.fact(global, "two"), b.fact(global, "three")
		f.Tags = []string{"old"}
		numbers := b.save(f, g, h)
		b.update(func(w store.Writer) { b.ok(w.RetireFact(b.ctx, global, g.ID, 1, "")) })
		untagged := func(version int, want ...strata.Fact) {
			b.Helper()
			b.view(func(r store.Reader) {
				list, err := r.Untagged(b.ctx, global, version, 10)
				b.ok(err)
				var got, ids []string
				for _, s := range list {
					got = append(got, s.Fact.ID)
				}
				for _, f := range want {
					ids = append(ids, f.ID)
				}
				b.equal("untagged", got, ids)
			})
		}
		untagged(1, f, h)
		b.update(func(w store.Writer) {
			p := store.Passage{Number: numbers[0], Kind: strata.KindFact, Ref: f.ID, Scope: global, Parent: f.Category, Type: f.Type,
				Text: "one\nfresh", Said: "one", RecordedAt: w.Now()}
			b.ok(w.Retag(b.ctx, p, []string{"fresh"}))
			b.ok(w.StampTags(b.ctx, global, 1, numbers[0]))
		})
		untagged(1, h)
		untagged(2, f, h)
		b.view(func(r store.Reader) {
			for facts, want := range map[int]int{1: 1, 2: 0} {
				list, err := r.DreamScopes(b.ctx, time.Now(), 1, facts)
				b.equal(fmt.Sprint("scopes that may dream for new facts: ", facts, err), len(list), want)
			}
		})
		b.view(func(r store.Reader) {
			got, err := r.Fact(b.ctx, []strata.Scope{global}, f.ID)
			b.ok(err)
			b.equal("tags", got.Tags, []string{"fresh"})
			m, err := r.Match(b.ctx, global, []string{"fresh"}, store.Filter{}, store.MatchOptions{})
			b.ok(err)
			b.equal("found by its tag", len(m.Passages), 1)
		})
	}},
}
