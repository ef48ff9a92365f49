package storetest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

// page returns a document for a test: each section is a heading and a line.
func page(b *bench, scope strata.Scope, path string, sections ...string) (strata.Document, []strata.Section) {
	d := strata.Document{ID: b.id("doc"), Scope: scope, Path: path, Kind: strata.KindOfPath(path), Generation: 1,
		ModifiedAt: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	if d.Kind == strata.DocumentNote {
		kind, slug, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(path, "notes/"), ".md"), "_")
		d.Type, d.Slug, d.Name = strata.Type(kind), slug, slug
	}
	return rewrite(d, sections...)
}

// rewrite returns a page with other sections.
func rewrite(d strata.Document, sections ...string) (strata.Document, []strata.Section) {
	var content strings.Builder
	var out []strata.Section
	for i, s := range sections {
		line := 3*i + 1
		fmt.Fprintf(&content, "# Part\n%s\n\n", s)
		out = append(out, strata.Section{Seq: int64(i + 1), Headings: []string{"Part"}, Line: line, EndLine: line + 2, Text: s})
	}
	d.Content = content.String()
	d.Size = int64(len(d.Content))
	sum := sha256.Sum256([]byte(d.Content))
	d.Hash = hex.EncodeToString(sum[:])
	return d, out
}

// putPage stores a document and indexes its new sections.
func (b *bench) putPage(w store.Writer, d strata.Document, sections []strata.Section) []store.StoredSection {
	b.Helper()
	stored, err := w.PutDocument(b.ctx, d, sections)
	b.ok(err)
	for i, s := range stored {
		if s.New {
			b.ok(w.PutPassage(b.ctx, sectionPassage(w, d, sections[i], s.Number)))
		}
	}
	return stored
}

// sectionPassage returns the passage of a section, with a vector of its text.
func sectionPassage(w store.Writer, d strata.Document, s strata.Section, number int64) store.Passage {
	return store.Passage{Number: number, Kind: strata.KindSection, Ref: d.ID, Scope: d.Scope, Parent: d.Path, Seq: s.Seq,
		Type: d.Type, Text: d.Name + "\n" + s.Text, RecordedAt: w.Now(), Model: model, Vector: vectorOf(s.Text)}
}

// write stores a page in a transaction of its own.
func (b *bench) write(scope strata.Scope, path string, sections ...string) strata.Document {
	b.Helper()
	d, list := page(b, scope, path, sections...)
	b.update(func(w store.Writer) { b.putPage(w, d, list) })
	return d
}

// edit gives a document other sections and returns which of them are new.
func (b *bench) edit(d strata.Document, sections ...string) (strata.Document, []store.StoredSection) {
	b.Helper()
	d, list := rewrite(d, sections...)
	d.Generation++
	var stored []store.StoredSection
	b.update(func(w store.Writer) { stored = b.putPage(w, d, list) })
	return d, stored
}

// sections returns the texts of the sections of a document.
func (b *bench) sections(d strata.Document) []string {
	b.Helper()
	var out []string
	b.view(func(r store.Reader) {
		list, err := r.Sections(b.ctx, d.Scope, d.ID)
		b.ok(err)
		for i, s := range list {
			if s.Seq != int64(i+1) || s.Document != d.ID || s.Path != d.Path || s.Line != 3*i+1 {
				b.Errorf("section %d: %+v", i, s)
			}
			out = append(out, s.Text)
		}
	})
	return out
}

var documentTests = []test{
	{"a document comes back as it was put", func(b *bench) {
		d, list := page(b, workspace, "notes/project_deploys.md", "we deploy on Mondays", "the pager is with Ana")
		d.Description, d.Redacted, d.Problem = "when we deploy", []string{"aws-key"}, "line 2: unknown key"
		b.update(func(w store.Writer) { b.putPage(w, d, list); d.RecordedAt = w.Now() })
		b.view(func(r store.Reader) {
			got, err := r.Document(b.ctx, workspace, d.Path)
			b.ok(err)
			b.equal("by path", got, d)
			got, err = r.DocumentByID(b.ctx, []strata.Scope{global, workspace}, d.ID)
			b.ok(err)
			b.equal("by id", got, d)
			same, err := r.SameIdentity(b.ctx, workspace, d.Identity())
			b.ok(err)
			plain := d
			plain.Content = ""
			b.equal("by identity", same, []strata.Document{plain})
			stats, err := r.DocumentStats(b.ctx, workspace)
			b.ok(err)
			b.equal("stats", stats, map[string]store.DocumentStat{d.Path: {Hash: d.Hash, Size: d.Size, ModifiedAt: d.ModifiedAt.UnixMicro()}})
			n, err := r.Stats(b.ctx, workspace)
			b.ok(err)
			b.equal("counts", []int64{n.Documents, n.Sections}, []int64{1, 2})
		})
		b.equal("sections", b.sections(d), []string{"we deploy on Mondays", "the pager is with Ana"})
	}},
	{"an edit keeps the passages of sections that stay, wherever they stand", func(b *bench) {
		d, list := page(b, global, "AGENTS.md", "alpha", "beta", "gamma")
		var before []store.StoredSection
		b.update(func(w store.Writer) { before = b.putPage(w, d, list) })
		d, after := b.edit(d, "new", "alpha", "gamma")
		b.equal("kept", after[1:], []store.StoredSection{{Number: before[0].Number}, {Number: before[2].Number}})
		if !after[0].New || after[0].Number == before[1].Number {
			b.Errorf("the new section got %+v", after[0])
		}
		b.equal("sections", b.sections(d), []string{"new", "alpha", "gamma"})
		b.equal("the old text finds", b.found(global, "beta", store.Filter{}), []string(nil))
		b.equal("the new text finds", b.found(global, "new", store.Filter{}), []string{d.ID + "/1"})
		b.equal("the moved text finds", b.found(global, "alpha", store.Filter{}), []string{d.ID + "/2"})
	}},
	{"a new name makes all sections new", func(b *bench) {
		d := b.write(global, "notes/project_x.md", "alpha", "beta")
		d.Name = "another"
		_, after := b.edit(d, "alpha", "beta")
		if !after[0].New || !after[1].New {
			b.Errorf("kept %+v", after)
		}
		b.equal("the name finds", len(b.found(global, "another", store.Filter{})), 2)
	}},
	{"sections with the same text are told apart", func(b *bench) {
		d := b.write(global, "AGENTS.md", "twice", "twice", "once")
		d, after := b.edit(d, "once", "twice", "twice", "twice")
		news := 0
		for _, s := range after {
			if s.New {
				news++
			}
		}
		b.equal("new sections", news, 1)
		b.equal("sections", b.sections(d), []string{"once", "twice", "twice", "twice"})
	}},
	{"a removed document leaves nothing behind", func(b *bench) {
		d := b.write(global, "AGENTS.md", "alpha", "beta")
		b.update(func(w store.Writer) {
			b.ok(w.RemoveDocument(b.ctx, global, d.Path))
			b.ok(w.RemoveDocument(b.ctx, global, d.Path))
			b.ok(w.RemoveDocument(b.ctx, agent, d.Path))
		})
		b.equal("found", b.found(global, "alpha beta", store.Filter{}), []string(nil))
		b.view(func(r store.Reader) {
			_, err := r.Document(b.ctx, global, d.Path)
			b.code(err, strata.CodeNotFound)
			_, err = r.DocumentByID(b.ctx, []strata.Scope{global}, d.ID)
			b.code(err, strata.CodeNotFound)
			list, err := r.Sections(b.ctx, global, d.ID)
			b.ok(err)
			b.equal("sections", len(list), 0)
			parents, err := r.Parents(b.ctx, global, strata.KindSection, nil)
			b.ok(err)
			b.equal("parents", len(parents), 0)
			n, err := r.Stats(b.ctx, global)
			b.ok(err)
			b.equal("counts", []int64{n.Documents, n.Sections, n.Vectors, n.Unembedded}, []int64{0, 0, 0, 0})
		})
	}},
	{"a document keeps its id, and versions go forward", func(b *bench) {
		d := b.write(global, "AGENTS.md", "alpha")
		other := d
		other.ID, other.Generation = b.id("doc"), 2
		b.code(b.tryUpdate(func(w store.Writer) error { _, err := w.PutDocument(b.ctx, other, nil); return err }), strata.CodeConflict)
		b.code(b.tryUpdate(func(w store.Writer) error { _, err := w.PutDocument(b.ctx, d, nil); return err }), strata.CodeConflict)
		elsewhere := d
		elsewhere.Path = "SOUL.md"
		b.code(b.tryUpdate(func(w store.Writer) error { _, err := w.PutDocument(b.ctx, elsewhere, nil); return err }), strata.CodeConflict)
		b.equal("sections", b.sections(d), []string{"alpha"})
	}},
	{"a file written again with the same bytes is only touched", func(b *bench) {
		d := b.write(global, "AGENTS.md", "alpha")
		var before int64
		b.view(func(r store.Reader) { before, _ = r.LastChange(b.ctx) })
		b.update(func(w store.Writer) {
			b.ok(w.TouchDocument(b.ctx, global, d.Path, store.DocumentStat{Hash: d.Hash, Size: d.Size, ModifiedAt: 77}))
			b.ok(w.TouchDocument(b.ctx, global, "SOUL.md", store.DocumentStat{Hash: d.Hash, ModifiedAt: 77}))
		})
		b.update(func(w store.Writer) {
			b.ok(w.TouchDocument(b.ctx, global, d.Path, store.DocumentStat{Hash: "other", Size: 1, ModifiedAt: 88}))
		})
		b.view(func(r store.Reader) {
			stats, err := r.DocumentStats(b.ctx, global)
			b.ok(err)
			b.equal("stats", stats, map[string]store.DocumentStat{d.Path: {Hash: d.Hash, Size: d.Size, ModifiedAt: 77}})
			after, err := r.LastChange(b.ctx)
			b.ok(err)
			b.equal("changes of the index", after-before, int64(0))
		})
	}},
	{"documents are listed by path, a page at a time", func(b *bench) {
		var paths []string
		for _, p := range []string{"notes/user_cats.md", "AGENTS.md", "_inbox/new.md", "notes/project_x.md", "skills/deploy/SKILL.md"} {
			b.write(global, p, "text of "+p)
			paths = append(paths, p)
		}
		b.write(agent, "notes/project_x.md", "of the agent")
		list := func(f strata.DocumentFilter) []string {
			var out []string
			b.view(func(r store.Reader) {
				docs, err := r.Documents(b.ctx, global, f)
				b.ok(err)
				for _, d := range docs {
					if (d.Content != "") != f.Content || d.Scope != global {
						b.Errorf("document %+v", d)
					}
					out = append(out, d.Path)
				}
			})
			return out
		}
		b.equal("all", list(strata.DocumentFilter{}), []string{paths[1], paths[3], paths[0], paths[4]})
		b.equal("with the system's", list(strata.DocumentFilter{System: true, Content: true}), []string{paths[1], paths[2], paths[3], paths[0], paths[4]})
		b.equal("the system's", list(strata.DocumentFilter{Kind: strata.DocumentSystem}), []string{paths[2]})
		b.equal("notes", list(strata.DocumentFilter{Kind: strata.DocumentNote}), []string{paths[3], paths[0]})
		b.equal("of a type", list(strata.DocumentFilter{Type: strata.TypeUser}), []string{paths[0]})
		b.equal("a page", list(strata.DocumentFilter{Limit: 2}), []string{paths[1], paths[3]})
		b.equal("the next", list(strata.DocumentFilter{Limit: 2, After: paths[3]}), []string{paths[0], paths[4]})
	}},
	{"a forgotten document is nowhere", func(b *bench) {
		const said = "the whiskerino plan lies in the green folder"
		d := b.write(global, "notes/project_plan.md", said)
		next, list := rewrite(d, said, "and more")
		next.Generation++
		x := b.decision(global, strata.OpUpdate, "")
		x.Reason, x.Document = "a new version", &strata.DocumentChange{Path: d.Path, Before: &d, After: &next}
		b.update(func(w store.Writer) {
			b.putPage(w, next, list)
			b.ok(w.AppendDecision(b.ctx, x))
		})
		turns := b.say(global, "s1", said, "something else")
		other := b.write(workspace, "notes/project_other.md", said)
		var got store.Forgotten
		b.update(func(w store.Writer) {
			var err error
			got, err = w.ForgetDocument(b.ctx, global, next, nil, []string{d.Content, next.Content}, []string{said})
			b.ok(err)
		})
		b.equal("turns", got.Turns, []string{turns[0].ID})
		b.equal("remaining", got.Remaining, []string{workspace.Key() + "/" + other.Path})
		b.view(func(r store.Reader) {
			_, err := r.Document(b.ctx, global, d.Path)
			b.code(err, strata.CodeNotFound)
			y, err := r.Decision(b.ctx, []strata.Scope{global}, x.ID)
			b.ok(err)
			for _, v := range []*strata.Document{y.Document.Before, y.Document.After} {
				if v.Content != strata.ForgottenText || v.Name != "" || v.Hash == "" || v.ID != d.ID {
					b.Errorf("the decision holds %+v", v)
				}
			}
			b.equal("reason", y.Reason, strata.ForgottenText)
			for _, s := range []string{d.Content, next.Content} {
				_, forgotten, err := r.Forgotten(b.ctx, global, text.Analyze(s))
				b.ok(err)
				b.equal("a tombstone", forgotten, true)
			}
			_, forgotten, err := r.Forgotten(b.ctx, global, text.Analyze(said))
			b.ok(err)
			b.equal("a tombstone for a part", forgotten, false)
		})
		b.equal("found", b.found(global, "whiskerino", store.Filter{}), []string(nil))
		b.code(b.tryUpdate(func(w store.Writer) error {
			_, err := w.ForgetDocument(b.ctx, strata.InWorkspace("nobody"), d, nil, nil, nil)
			return err
		}), strata.CodeNotFound)
	}},
	{"a text that the content does not hold in one piece is kept", func(b *bench) {
		d, list := page(b, global, "AGENTS.md", "alpha", "beta")
		list[0].Text = "alpha, put together from two places"
		b.update(func(w store.Writer) { b.putPage(w, d, list) })
		b.equal("sections", b.sections(d), []string{list[0].Text, "beta"})
	}},
}
