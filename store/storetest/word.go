package storetest

import (
	"cmp"
	"slices"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

var wordTests = []test{
	{"the match of each term is returned apart", func(b *bench) {
		b.save(b.fact(global, "red red apple"), b.fact(global, "green apple"), b.fact(global, "blue sky"))
		b.view(func(r store.Reader) {
			m, err := r.Match(b.ctx, global, text.Terms("red apple banana"), store.Filter{}, store.MatchOptions{})
			b.ok(err)
			b.equal("passages", len(m.Passages), 2)
			if m.Passages[0].Number >= m.Passages[1].Number {
				b.Error("passages do not ascend")
			}
			b.equal("terms", m.Terms, [][]store.TermHit{
				{{Passage: 0, Count: 2}},
				{{Passage: 0, Count: 1}, {Passage: 1, Count: 1}},
				nil,
			})
			b.equal("total", m.Total, 3)
			b.equal("words", m.Words, 7)
			b.equal("length", m.Passages[0].Words, 3)
		})
	}},
	{"a term asked for twice is answered twice", func(b *bench) {
		b.save(b.fact(global, "red apple"))
		b.view(func(r store.Reader) {
			m, err := r.Match(b.ctx, global, []string{"red", "nothing", "red"}, store.Filter{}, store.MatchOptions{})
			b.ok(err)
			b.equal("passages", len(m.Passages), 1)
			b.equal("hits", []int{len(m.Terms[0]), len(m.Terms[1]), len(m.Terms[2])}, []int{1, 0, 1})
		})
	}},
	{"letters that lie apart are no substring", func(b *bench) {
		f, g := b.fact(global, "a handrail"), b.fact(global, "andrew has a hand")
		h := b.fact(global, "the handrails")
		b.save(f, g, h)
		b.view(func(r store.Reader) {
			all, err := r.MatchSubstring(b.ctx, global, "handr", store.Filter{}, 10)
			b.ok(err)
			b.equal("all", b.refs(r, global, all), []string{h.ID, f.ID})
		})
	}},
	{"no terms match nothing", func(b *bench) {
		b.save(b.fact(global, "red apple"))
		b.view(func(r store.Reader) {
			m, err := r.Match(b.ctx, global, nil, store.Filter{}, store.MatchOptions{})
			b.ok(err)
			b.equal("passages", len(m.Passages), 0)
			list, err := r.MatchPhrase(b.ctx, global, nil, true, store.Filter{}, 10)
			b.ok(err)
			b.equal("phrases", len(list), 0)
		})
	}},
	{"inflected words and one-word queries are found", func(b *bench) {
		f := b.fact(global, "The billing service stores invoices in PostgreSQL 16.")
		b.save(f, b.fact(global, "Lunch is at noon"))
		for _, query := range []string{"billing invoices", "which database does the billing service use?", "invoice", "PostgreSQL", "postgresql", "store"} {
			b.equal(query, b.found(global, query, store.Filter{}), []string{f.ID})
		}
	}},
	{"scripts without spaces are found by parts of their text", func(b *bench) {
		f := b.fact(global, "私の猫の名前はタマです")
		g := b.fact(global, "数据库是PostgreSQL")
		b.save(f, g)
		b.equal("by words", b.found(global, "猫の名前", store.Filter{}), []string{f.ID})
		b.equal("by other words", b.found(global, "数据库", store.Filter{}), []string{g.ID})
		b.view(func(r store.Reader) {
			list, err := r.MatchSubstring(b.ctx, global, "の名前", store.Filter{}, 10)
			b.ok(err)
			b.equal("by substring", b.refs(r, global, list), []string{f.ID})
		})
	}},
	{"a phrase needs its words one after another", func(b *bench) {
		f, g, h := b.fact(global, "the blue door is open"), b.fact(global, "the door is blue"), b.fact(global, "a blue doorway")
		b.save(f, g, h)
		b.view(func(r store.Reader) {
			list, err := r.MatchPhrase(b.ctx, global, text.Terms("blue door"), false, store.Filter{}, 10)
			b.ok(err)
			b.equal("phrase", b.refs(r, global, list), []string{f.ID})
			list, err = r.MatchPhrase(b.ctx, global, text.Terms("blue door"), true, store.Filter{}, 10)
			b.ok(err)
			b.equal("phrase that goes on", len(list), 2)
			list, err = r.MatchPhrase(b.ctx, global, text.Terms("blue"), false, store.Filter{}, 2)
			b.ok(err)
			b.equal("limit", len(list), 2)
		})
	}},
	{"a substring is found anywhere, newest first", func(b *bench) {
		f, g := b.fact(global, "deploy-v2.4.7-hotfix went out"), b.fact(global, "the V2.4.7 notes")
		b.save(f, g, b.fact(global, "v2.4.8"))
		b.view(func(r store.Reader) {
			list, err := r.MatchSubstring(b.ctx, global, "v2.4.7", store.Filter{}, 10)
			b.ok(err)
			b.equal("both", b.refs(r, global, list), []string{g.ID, f.ID})
			list, err = r.MatchSubstring(b.ctx, global, ".4.7-hot", store.Filter{}, 10)
			b.ok(err)
			b.equal("one", b.refs(r, global, list), []string{f.ID})
			list, err = r.MatchSubstring(b.ctx, global, "v2.4", store.Filter{}, 1)
			b.ok(err)
			b.equal("limit", len(list), 1)
			list, err = r.MatchSubstring(b.ctx, global, `100%_"*`, store.Filter{}, 1)
			b.ok(err)
			b.equal("wildcards are plain", len(list), 0)
		})
	}},
	{"filters hold before any cut-off", func(b *bench) {
		f := b.fact(global, "apple one")
		f.Type = strata.TypeUser
		g := b.fact(global, "apple two")
		g.Category = "fruit"
		b.save(f, g)
		u := b.say(global, "s1", "apple three")[0]
		b.equal("all", b.found(global, "apple", store.Filter{}), []string{f.ID, g.ID, u.ID})
		b.equal("facts", b.found(global, "apple", store.Filter{Kinds: []strata.Kind{strata.KindFact}}), []string{f.ID, g.ID})
		b.equal("turns", b.found(global, "apple", store.Filter{Kinds: []strata.Kind{strata.KindTurn}}), []string{u.ID})
		b.equal("user facts", b.found(global, "apple", store.Filter{Types: []strata.Type{strata.TypeUser}}), []string{f.ID})
		b.equal("no user facts", b.found(global, "apple", store.Filter{NotTypes: []strata.Type{strata.TypeUser}}), []string{g.ID, u.ID})
		b.view(func(r store.Reader) {
			parents, err := r.Parents(b.ctx, global, strata.KindFact, nil)
			b.ok(err)
			for _, p := range parents {
				want := map[string]string{"fruit": g.ID, "general": f.ID}[p.Name]
				list, err := r.MatchPhrase(b.ctx, global, []string{"appl"}, false, store.Filter{Parent: p.Number}, 1)
				b.ok(err)
				b.equal("in "+p.Name, b.refs(r, global, list), []string{want})
			}
			m, err := r.Match(b.ctx, global, []string{"appl"}, store.Filter{Kinds: []strata.Kind{strata.KindTurn}}, store.MatchOptions{})
			b.ok(err)
			b.equal("total of turns", m.Total, 1)
		})
	}},
	{"turns say who speaks", func(b *bench) {
		turns := []strata.Turn{
			{Role: strata.RoleUser, Text: "apple one"},
			{Role: strata.RoleAssistant, Text: "apple two"},
			{Role: strata.RoleUser, Speaker: "Ada", Text: "apple three"},
		}
		var numbers []int64
		b.update(func(w store.Writer) {
			b.ok(w.OpenSession(b.ctx, strata.Session{ID: "s1", Scope: global}))
			for _, u := range turns {
				u.ID, u.Scope, u.Session = b.id("turn"), global, "s1"
				u, number, err := w.AppendTurn(b.ctx, u)
				b.ok(err)
				b.ok(w.PutPassage(b.ctx, store.Passage{Number: number, Kind: strata.KindTurn, Ref: u.ID, Scope: global,
					Parent: "s1", Seq: u.Seq, Text: u.Text, RecordedAt: u.RecordedAt}))
				numbers = append(numbers, number)
			}
		})
		want := []store.Speech{store.SpeechUser, store.SpeechAssistant, store.SpeechPeople}
		speech := func(list []store.Meta) []store.Speech {
			slices.SortFunc(list, func(a, b store.Meta) int { return cmp.Compare(a.Number, b.Number) })
			var out []store.Speech
			for _, m := range list {
				out = append(out, m.Speech)
			}
			return out
		}
		b.view(func(r store.Reader) {
			m, err := r.Match(b.ctx, global, []string{"appl"}, store.Filter{}, store.MatchOptions{})
			b.ok(err)
			b.equal("of a term", speech(m.Passages), want)
			list, err := r.MatchPhrase(b.ctx, global, []string{"appl"}, false, store.Filter{}, 10)
			b.ok(err)
			b.equal("of a phrase", speech(list), want)
			list, err = r.MatchSubstring(b.ctx, global, "apple", store.Filter{}, 10)
			b.ok(err)
			b.equal("of a substring", speech(list), want)
			items, err := r.Items(b.ctx, global, numbers)
			b.ok(err)
			list = nil
			for _, it := range items {
				list = append(list, it.Meta)
			}
			b.equal("of items", speech(list), want)
		})
	}},
	{"turns are confined to a kind of session before any cut-off", func(b *bench) {
		f := b.fact(global, "apple pie")
		b.save(f)
		var rare []string
		for range 30 {
			rare = append(rare, "apple quince")
		}
		for range 2000 { // enough for Match to defer common terms
			rare = append(rare, "apple")
		}
		ours := b.inGroup(global, "party", "apple crumble")[0]
		b.say(global, "private", rare...)
		b.say(workspace, "party", "apple of another scope")
		group := store.Filter{SessionKind: strata.SessionGroup}
		b.equal("terms", b.found(global, "apple quince", group), []string{f.ID, ours.ID})
		b.equal("private terms", b.found(global, "quince", group), []string(nil))
		b.equal("the same name in another scope is another session", b.found(workspace, "apple", group), []string(nil))
		b.view(func(r store.Reader) {
			m, err := r.Match(b.ctx, global, text.Terms("apple quince"), group, store.MatchOptions{Limit: 5})
			b.ok(err)
			b.equal("what is left out is not enough", b.refs(r, global, m.Passages), []string{f.ID, ours.ID})
		})
		b.equal("turns of others", len(b.found(global, "apple", store.Filter{SessionKind: strata.SessionMain})), 2031)
		group.Kinds = []strata.Kind{strata.KindTurn}
		b.view(func(r store.Reader) {
			list, err := r.MatchPhrase(b.ctx, global, text.Terms("apple"), false, group, 1)
			b.ok(err)
			b.equal("phrase", b.refs(r, global, list), []string{ours.ID})
			list, err = r.MatchSubstring(b.ctx, global, "pple", group, 1)
			b.ok(err)
			b.equal("substring", b.refs(r, global, list), []string{ours.ID})
			for session, n := range map[string]int{"party": 1, "private": 0} {
				p := b.parent(r, global, strata.KindTurn, session)
				list, err = r.PassagesAt(b.ctx, global, []store.Place{{Parent: p.Number, Seq: 1}}, group)
				b.ok(err)
				b.equal("place in "+session, len(list), n)
			}
			now := time.Now().Add(time.Hour)
			group.AsOf = &now
			list, err = r.MatchPhrase(b.ctx, global, text.Terms("apple"), false, group, 10)
			b.ok(err)
			b.equal("as of a time", b.refs(r, global, list), []string{ours.ID})
		})
	}},
	{"what is retired is found only as of its time", func(b *bench) {
		then := time.Date(2025, 1, 2, 0, 0, 0, 0, time.UTC)
		later := then.Add(time.Hour)
		f := b.fact(global, "apple old")
		f.RecordedAt, f.RetiredAt = then, &later
		b.save(f)
		f.Generation, f.Text, f.RecordedAt, f.RetiredAt = 2, "apple new", later, nil
		b.save(f)
		g := b.fact(global, "apple gone")
		g.RecordedAt = then
		b.save(g)
		b.update(func(w store.Writer) { b.ok(w.RetireFact(b.ctx, global, g.ID, 1, "")) })
		texts := func(f store.Filter) []string {
			var out []string
			b.view(func(r store.Reader) {
				m, err := r.Match(b.ctx, global, []string{"appl"}, f, store.MatchOptions{})
				b.ok(err)
				for _, p := range m.Passages {
					items, err := r.Items(b.ctx, global, []int64{p.Number})
					b.ok(err)
					out = append(out, items[0].Fact.Text)
				}
			})
			return out
		}
		b.equal("now", texts(store.Filter{}), []string{"apple new"})
		between := then.Add(time.Minute)
		b.equal("then", texts(store.Filter{AsOf: &between}), []string{"apple old", "apple gone"})
		b.equal("at the change", texts(store.Filter{AsOf: &later}), []string{"apple new", "apple gone"})
		before := then.Add(-time.Second)
		b.equal("before", texts(store.Filter{AsOf: &before}), []string(nil))
	}},
}
