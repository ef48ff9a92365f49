package storetest

import (
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// fileDecision returns a decision about a file.
func (b *bench) fileDecision(scope strata.Scope, path string, before, after *strata.Document) strata.Decision {
	d := b.decision(scope, strata.OpUpdate, "")
	d.Document = &strata.DocumentChange{Path: path, Before: before, After: after}
	return d
}

var documentDecisionTests = []test{
	{"a decision about a file is read back and found by its path", func(b *bench) {
		one, _ := page(b, workspace, "notes/project_x.md", "alpha")
		two, _ := rewrite(one, "beta")
		add := b.fileDecision(workspace, one.Path, nil, &one)
		add.Op = strata.OpAdd
		change := b.fileDecision(workspace, one.Path, &one, &two)
		gone := b.fileDecision(workspace, one.Path, &two, nil)
		nothing := b.fileDecision(workspace, one.Path, nil, nil)
		nothing.Op = strata.OpNoop
		other := b.fileDecision(workspace, "AGENTS.md", nil, &one)
		fact := b.decision(workspace, strata.OpNoop, "fact_1")
		b.decide(add, change, other, gone, fact, nothing)
		b.view(func(r store.Reader) {
			for _, want := range []strata.Decision{add, change, gone, nothing} {
				got, err := r.Decision(b.ctx, []strata.Scope{workspace}, want.ID)
				b.ok(err)
				want.DecidedAt = got.DecidedAt
				b.equal("decision", got, want)
			}
		})
		b.equal("of the path", b.listed(workspace, strata.DecisionFilter{Path: one.Path}), []string{nothing.ID, gone.ID, change.ID, add.ID})
		b.equal("pending", b.listed(workspace, strata.DecisionFilter{Path: one.Path, Pending: true, Limit: 2}), []string{add.ID, change.ID})
		b.equal("with an operation", b.listed(workspace, strata.DecisionFilter{Path: one.Path, Op: strata.OpAdd}), []string{add.ID})
		b.equal("of another scope", b.listed(global, strata.DecisionFilter{Path: one.Path}), []string(nil))
		b.equal("of a fact", b.listed(workspace, strata.DecisionFilter{FactID: "fact_1"}), []string{fact.ID})
	}},
	{"a path is pending until its decisions are stamped", func(b *bench) {
		d := b.write(global, "notes/project_x.md", "alpha")
		one, two := b.fileDecision(global, d.Path, nil, &d), b.fileDecision(global, "notes/project_y.md", nil, &d)
		b.decide(one, two)
		pending := func() []string {
			var out []string
			b.view(func(r store.Reader) {
				stats, err := r.DocumentStats(b.ctx, global)
				b.ok(err)
				for path, st := range stats {
					if st.Pending {
						out = append(out, path)
					}
				}
			})
			slices.Sort(out)
			return out
		}
		b.equal("pending", pending(), []string{d.Path, "notes/project_y.md"})
		b.update(func(w store.Writer) {
			b.ok(w.StampDecisions(b.ctx, global, []string{one.ID}, ""))
			b.ok(w.StampDecisions(b.ctx, global, []string{two.ID}, "the directory is gone"))
		})
		b.equal("pending after the stamps", pending(), []string(nil))
	}},
	{"a decision is about a fact or a file", func(b *bench) {
		f := b.fact(global, "x")
		for _, change := range []func(d *strata.Decision){
			func(d *strata.Decision) { d.FactID = f.ID },
			func(d *strata.Decision) { d.After = &f },
			func(d *strata.Decision) { d.Document.Path = "../x.md" },
			func(d *strata.Decision) { d.Document.Path = "" },
		} {
			d := b.fileDecision(global, "AGENTS.md", nil, nil)
			change(&d)
			b.code(b.tryUpdate(func(w store.Writer) error { return w.AppendDecision(b.ctx, d) }), strata.CodeInvalid)
		}
	}},
}

var forgetDocumentTests = []test{
	{"a forgotten text leaves documents, their sections and decisions, and its files are named", func(b *bench) {
		f := b.fact(global, secret)
		b.save(f)
		d := b.write(global, "notes/user_pets.md", "we like plants", secret+", I think", "the dog is Bello")
		far := b.write(workspace, "AGENTS.md", strings.ToUpper(secret))
		plain := b.write(global, "AGENTS.md", "nothing of it")
		before := d
		d, _ = b.edit(d, "we like plants", "he said: "+secret+"!\nand the tree is Ash", "the dog is Bello")
		b.decide(b.fileDecision(global, d.Path, &before, &d), b.fileDecision(global, plain.Path, nil, &plain))
		got := b.forget(global, f.ID)
		b.equal("documents", got.Documents, []string{d.Path})
		b.equal("remaining", got.Remaining, []string{d.Path, "workspace/w1/" + far.Path})
		b.equal("decisions", got.Decisions, 1)
		if b.holds(global, "whiskerino") {
			b.Error("the text is still there")
		}
		b.view(func(r store.Reader) {
			now, err := r.Document(b.ctx, global, d.Path)
			b.ok(err)
			b.equal("content", now.Content, strings.ReplaceAll(d.Content, "he said: "+secret+"!", strata.ForgottenText))
			b.equal("the hash is that of the file", now.Hash, d.Hash)
			list, err := r.Sections(b.ctx, global, d.ID)
			b.ok(err)
			var left []any
			for _, s := range list {
				left = append(left, s.Seq, s.Line, s.Text)
			}
			b.equal("sections", left, []any{1, 1, "we like plants", 2, 7, "the dog is Bello"})
			other, err := r.Document(b.ctx, workspace, far.Path)
			b.ok(err)
			b.equal("of another scope", other.Content, far.Content)
		})
		b.equal("what stays is found", b.found(global, "bello", store.Filter{}), []string{d.ID + "/2"})
	}},
	{"a text that spans lines takes its section", func(b *bench) {
		f := b.fact(global, secret)
		b.save(f)
		d := b.write(global, "AGENTS.md", "we like plants", "My cat's name\nis Whiskerino")
		b.forget(global, f.ID)
		if b.holds(global, "whiskerino") {
			b.Error("the text is still there")
		}
		b.equal("what stays is found", b.found(global, "plants", store.Filter{}), []string{d.ID + "/1"})
	}},
	{"a text that spans sections takes the whole content", func(b *bench) {
		f := b.fact(global, "the tree is Ash # Part the dog is Bello")
		b.save(f)
		d := b.write(global, "AGENTS.md", "the tree is Ash", "the dog is Bello")
		b.equal("documents", b.forget(global, f.ID).Documents, []string{d.Path})
		b.equal("sections", b.sections(d), []string(nil))
		b.equal("found", b.found(global, "bello", store.Filter{}), []string(nil))
	}},
	{"a name or heading with the text goes", func(b *bench) {
		f := b.fact(global, secret)
		b.save(f)
		d, list := page(b, global, "notes/user_pets.md", "about it", "about another")
		d.Name, d.Description = secret, "what "+secret+" eats"
		list[0].Headings = []string{secret}
		b.update(func(w store.Writer) { b.putPage(w, d, list) })
		b.forget(global, f.ID)
		b.view(func(r store.Reader) {
			now, err := r.Document(b.ctx, global, d.Path)
			b.ok(err)
			b.equal("name and description", []string{now.Name, now.Description}, []string{strata.ForgottenText, strata.ForgottenText})
		})
		if b.holds(global, "whiskerino") {
			b.Error("the text is still there")
		}
	}},
	{"a word inside another is named, not blanked", func(b *bench) {
		f := b.fact(global, "cat")
		b.save(f)
		d := b.write(global, "AGENTS.md", "concatenate the files")
		got := b.forget(global, f.ID)
		b.equal("documents", got.Documents, []string(nil))
		b.equal("remaining", got.Remaining, []string{d.Path})
		b.equal("sections", b.sections(d), []string{"concatenate the files"})
	}},
	{"a forgotten document can be put again without the text", func(b *bench) {
		f := b.fact(global, secret)
		b.save(f)
		d := b.write(global, "AGENTS.md", "we like plants", secret)
		b.forget(global, f.ID)
		d, stored := b.edit(d, "we like plants", strata.ForgottenText)
		b.equal("kept", stored[0].New, false)
		b.equal("sections", b.sections(d), []string{"we like plants", strata.ForgottenText})
	}},
}
