package storetest

import (
	"fmt"
	"slices"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

// private are the paths that only main sessions see.
var private = []string{"MEMORY.md", "DREAMS.md", "USER.md", "notes/user_cats.md", "_inbox/new.md", "_system/log.md"}

var sectionTests = []test{
	{"sections are found by words, phrase, part and vector, together with facts and turns", func(b *bench) {
		d := b.write(workspace, "notes/project_x.md", "the invoices go to Oslo", "nothing here")
		f := b.fact(workspace, "an invoice is a bill")
		b.save(f)
		want := d.ID + "/1"
		b.equal("by words", b.found(workspace, "invoice", store.Filter{}), []string{want, f.ID})
		b.equal("of its kind", b.found(workspace, "invoice", store.Filter{Kinds: []strata.Kind{strata.KindSection}}), []string{want})
		b.equal("of its type", b.found(workspace, "invoice", store.Filter{Types: []strata.Type{strata.TypeReference}}), []string(nil))
		b.view(func(r store.Reader) {
			list, err := r.MatchPhrase(b.ctx, workspace, text.Terms("go to Oslo"), false, store.Filter{}, 5)
			b.ok(err)
			b.equal("by phrase", b.refs(r, workspace, list), []string{want})
			list, err = r.MatchSubstring(b.ctx, workspace, "nvoices g", store.Filter{}, 5)
			b.ok(err)
			b.equal("by a part of a word", b.refs(r, workspace, list), []string{want})
			near, err := r.Nearest(b.ctx, workspace, model, vectorOf("the invoices go to Oslo"), nil, store.Filter{}, 1)
			b.ok(err)
			items, err := r.Items(b.ctx, workspace, []int64{near[0].Number})
			b.ok(err)
			plain := d
			plain.Content, plain.RecordedAt = "", items[0].Document.RecordedAt
			b.equal("document of the nearest", *items[0].Document, plain)
			b.equal("section of the nearest", *items[0].Section, strata.Section{Document: d.ID, Path: d.Path, Seq: 1,
				Headings: []string{"Part"}, Line: 1, EndLine: 3, Text: "the invoices go to Oslo"})
			parents, err := r.NearestParents(b.ctx, workspace, model, vectorOf("nothing here"), strata.KindSection, store.Filter{}, 5)
			b.ok(err)
			b.equal("documents", len(parents), 1)
			infos, err := r.Parents(b.ctx, workspace, strata.KindSection, []int64{parents[0].Number})
			b.ok(err)
			b.equal("the document as parent", []any{infos[0].Name, infos[0].Kind, infos[0].Passages}, []any{d.Path, strata.KindSection, 2})
			neighbors, err := r.PassagesAt(b.ctx, workspace, []store.Place{{Parent: parents[0].Number, Seq: 2}}, store.Filter{})
			b.ok(err)
			b.equal("the section after it", b.refs(r, workspace, neighbors), []string{d.ID + "/2"})
		})
	}},
	{"what only main sessions see is left out before any cut-off", func(b *bench) {
		// Far more private matches than are asked for, all of them better.
		query := vectorOf("the question")
		for i, p := range private {
			var many []string
			for j := range 10 {
				many = append(many, fmt.Sprintf("invoice invoice %d %d", i, j))
			}
			d, list := page(b, global, p, many...)
			b.update(func(w store.Writer) {
				stored, err := w.PutDocument(b.ctx, d, list)
				b.ok(err)
				for k, s := range stored {
					pass := sectionPassage(w, d, list[k], s.Number)
					pass.Type, pass.Vector = "", query // who sees it does not depend on who indexes it
					b.ok(w.PutPassage(b.ctx, pass))
				}
			})
		}
		open := b.write(global, "AGENTS.md", "one lonely invoice")
		want := []string{open.ID + "/1"}
		group := store.Filter{NotPrivate: true, System: true}
		b.equal("by words", b.found(global, "invoice", group), want)
		b.view(func(r store.Reader) {
			list, err := r.MatchPhrase(b.ctx, global, text.Terms("invoice"), false, group, 1)
			b.ok(err)
			b.equal("by phrase", b.refs(r, global, list), want)
			list, err = r.MatchSubstring(b.ctx, global, "invoi", group, 1)
			b.ok(err)
			b.equal("by a part of a word", b.refs(r, global, list), want)
			near, err := r.Nearest(b.ctx, global, model, query, nil, group, 5)
			b.ok(err)
			b.equal("nearest", len(near), 1)
			parents, err := r.NearestParents(b.ctx, global, model, query, strata.KindSection, group, 1)
			b.ok(err)
			infos, err := r.Parents(b.ctx, global, strata.KindSection, []int64{parents[0].Number})
			b.ok(err)
			b.equal("nearest document", infos[0].Name, open.Path)
			all, err := r.Parents(b.ctx, global, strata.KindSection, nil)
			b.ok(err)
			var places []store.Place
			for _, p := range all {
				places = append(places, store.Place{Parent: p.Number, Seq: 1})
				near, err := r.Nearest(b.ctx, global, model, query, []int64{p.Number}, group, 5)
				b.ok(err)
				if (len(near) > 0) != (p.Name == open.Path) {
					b.Errorf("inside %s %d are near", p.Name, len(near))
				}
			}
			neighbors, err := r.PassagesAt(b.ctx, global, places, group)
			b.ok(err)
			b.equal("at the places", b.refs(r, global, neighbors), want)
		})
		f := b.fact(global, "an invoice of mine")
		f.Type = strata.TypeUser
		b.save(f)
		b.equal("facts of type user", b.found(global, "mine", group), []string(nil))
	}},
	{"what is the system's is found only on request", func(b *bench) {
		b.write(global, "_system/dreaming/log.md", "the invoice of the system")
		d := b.write(global, "AGENTS.md", "the invoice")
		b.equal("plain", b.found(global, "invoice", store.Filter{}), []string{d.ID + "/1"})
		b.equal("on request", len(b.found(global, "invoice", store.Filter{System: true})), 2)
		b.view(func(r store.Reader) {
			parents, err := r.NearestParents(b.ctx, global, model, vectorOf("the invoice of the system"), strata.KindSection, store.Filter{}, 5)
			b.ok(err)
			b.equal("documents", len(parents), 1)
		})
	}},
	{"a passage stands where its section does", func(b *bench) {
		d, list := page(b, global, "AGENTS.md", "alpha", "beta")
		b.update(func(w store.Writer) {
			stored := b.putPage(w, d, list)
			p := sectionPassage(w, d, list[0], stored[0].Number)
			for _, change := range []func(p *store.Passage){
				func(p *store.Passage) { p.Parent = "SOUL.md" },
				func(p *store.Passage) { p.Seq = 2 },
				func(p *store.Passage) { p.Number = stored[1].Number + 1 },
				func(p *store.Passage) { p.Scope = workspace },
			} {
				wrong := p
				change(&wrong)
				b.code(w.PutPassage(b.ctx, wrong), strata.CodeInvalid)
			}
		})
		b.equal("found", b.found(global, "alpha", store.Filter{}), []string{d.ID + "/1"})
	}},
	{"use is counted by the document and survives edits and a rebuilt index", func(b *bench) {
		d := b.write(global, "notes/project_x.md", "alpha", "beta")
		use := func() {
			b.update(func(w store.Writer) {
				b.ok(w.RecordAccess(b.ctx, global, []string{d.ID, "doc_none"}))
				b.ok(w.RecordRecall(b.ctx, []store.RecallEvent{{Scope: global, Memory: d.ID, Query: "alpha", Score: 1}}, 100))
			})
		}
		use()
		d, _ = b.edit(d, "gamma", "delta")
		use()
		b.rebuild(global)
		b.view(func(r store.Reader) {
			m, err := r.Match(b.ctx, global, text.Terms("gamma"), store.Filter{}, store.MatchOptions{})
			b.ok(err)
			items, err := r.Items(b.ctx, global, []int64{m.Passages[0].Number})
			b.ok(err)
			b.equal("accesses", items[0].Accesses, 2)
			if items[0].LastAccess.IsZero() {
				b.Error("nobody knows when it was of use")
			}
		})
		b.equal("recalls", b.stats(global).Recalls, 2)
	}},
	{"a rebuilt index answers the same and keeps the vectors", func(b *bench) {
		d := b.write(global, "AGENTS.md", "alpha beta", "beta gamma", "gamma")
		b.write(global, "_system/log.md", "beta of the system")
		b.write(global, "USER.md", "beta of the user")
		b.save(b.fact(global, "beta is a fact"))
		b.say(global, "s1", "beta was said")
		answers := func() (out []any) {
			b.view(func(r store.Reader) {
				for _, f := range []store.Filter{{}, {System: true}, {NotPrivate: true}, {Kinds: []strata.Kind{strata.KindSection}}} {
					m, err := r.Match(b.ctx, global, text.Terms("beta gamma"), f, store.MatchOptions{})
					b.ok(err)
					out = append(out, b.refs(r, global, m.Passages), m.Total, m.Words, m.Frequency)
					near, err := r.Nearest(b.ctx, global, model, vectorOf("alpha beta"), nil, f, 5)
					b.ok(err)
					out = append(out, near)
				}
			})
			return out
		}
		want := answers()
		b.update(func(w store.Writer) {
			b.ok(w.DropIndex(b.ctx, global))
			list, err := w.Sources(b.ctx, global, 0, 100)
			b.ok(err)
			for _, s := range list {
				p := sourcePassage(s)
				p.Model, p.Vector = "", nil // those there are serve
				b.ok(w.PutPassage(b.ctx, p))
			}
		})
		b.equal("answers after the rebuild", answers(), want)
		b.equal("sections", b.sections(d), []string{"alpha beta", "beta gamma", "gamma"})
	}},
	{"a section that waits for its vector is handed out with its document", func(b *bench) {
		d, list := page(b, global, "notes/project_x.md", "alpha")
		b.update(func(w store.Writer) {
			stored, err := w.PutDocument(b.ctx, d, list)
			b.ok(err)
			p := sectionPassage(w, d, list[0], stored[0].Number)
			p.Model, p.Vector = "", nil
			b.ok(w.PutPassage(b.ctx, p))
		})
		b.view(func(r store.Reader) {
			waiting, err := r.Unembedded(b.ctx, store.Model{}, 10)
			b.ok(err)
			b.equal("waiting", len(waiting), 1)
			b.equal("section", []string{waiting[0].Section.Text, waiting[0].Document.Name, waiting[0].Document.Content}, []string{"alpha", "x", ""})
		})
	}},
}

// sectionEditTests are apart, for they ask nothing of searches.
var sectionEditTests = []test{
	{"after any edits the sections are those of the last, and only what changed is new", func(b *bench) {
		run := 0
		rapid.Check(b.T, func(r *rapid.T) {
			run++
			path := fmt.Sprintf("run%d.md", run)
			d, list := page(b, global, path)
			b.update(func(w store.Writer) { b.putPage(w, d, list) })
			numbers := make(map[int64]string)
			for range rapid.IntRange(1, 6).Draw(r, "edits") {
				texts := rapid.SliceOfN(rapid.SampledFrom([]string{"one", "two", "three", "four", "猫"}), 0, 6).Draw(r, "sections")
				var stored []store.StoredSection
				d, stored = b.edit(d, texts...)
				now := make(map[int64]string)
				for i, s := range stored {
					if old, known := numbers[s.Number]; s.New == known || known && old != texts[i] {
						r.Fatalf("section %d %q: %+v, was %q", i, texts[i], s, old)
					}
					now[s.Number] = texts[i]
				}
				if len(now) != len(texts) {
					r.Fatalf("%d numbers for %d sections", len(now), len(texts))
				}
				numbers = now
				if got := b.sections(d); !slices.Equal(got, texts) {
					r.Fatalf("sections %q, want %q", got, texts)
				}
			}
			b.sound()
		})
	}},
}

// rebuild drops the index of a scope and puts everything again.
func (b *bench) rebuild(scope strata.Scope) {
	b.Helper()
	b.update(func(w store.Writer) {
		b.ok(w.DropIndex(b.ctx, scope))
		list, err := w.Sources(b.ctx, scope, 0, 10_000)
		b.ok(err)
		for _, s := range list {
			b.ok(w.PutPassage(b.ctx, sourcePassage(s)))
		}
	})
}
