package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/document"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

// namesDocument reports whether a name is that of a document: its id or path.
func namesDocument(name string) bool {
	return strings.HasPrefix(name, "doc_") || strata.ValidatePath(name) == nil
}

// forgetDocument forgets a document in the database and leaves a decision that
// its file has to follow. It returns what the file said, in all its versions.
func (e *Engine) forgetDocument(ctx context.Context, view strata.View, name string, o ForgetOptions) (res ForgetResult, texts []string, err error) {
	d, err := e.toForget(ctx, view, name)
	if err != nil {
		return res, nil, err
	}
	if !o.DryRun {
		// What stands in the file by hand is forgotten with it.
		if err := e.noticeHandEdit(ctx, place{d.Scope, d.Path}); err != nil {
			return res, nil, err
		}
	}
	err = e.store.Update(ctx, func(w store.Writer) error {
		d, there, err := forgettable(ctx, w, d.Scope, d.Path, d.ID)
		if err != nil {
			return err
		}
		said, err := saidIn(ctx, w, d)
		if err != nil {
			return err
		}
		texts = said.whole
		if res.Forgotten, err = w.ForgetDocument(ctx, d.Scope, d, said.whole, said.parts); err != nil {
			return err
		}
		res.Decision = e.forgetDecision(d.Scope, o, w.Now())
		res.Decision.Document = &strata.DocumentChange{Path: d.Path, Before: &strata.Document{
			ID: d.ID, Scope: d.Scope, Path: d.Path, Kind: d.Kind, Hash: d.Hash, Size: d.Size, Content: strata.ForgottenText,
			Generation: d.Generation, ModifiedAt: d.ModifiedAt, RecordedAt: d.RecordedAt,
		}}
		switch {
		case strings.HasPrefix(d.Path, strata.ProjectPrefix):
			res.Remaining = append(res.Remaining, d.Path) // it is not ours to remove
			res.Decision.AppliedAt = &res.Decision.DecidedAt
		case !there:
			pending, err := isPending(ctx, w, d.Scope, d.Path)
			if err != nil {
				return err
			}
			if !pending {
				res.Decision.AppliedAt = &res.Decision.DecidedAt
			}
		}
		return recordForget(ctx, w, res.Decision, d.ID, o)
	})
	return res, texts, err
}

// toForget finds the document of a name, also one that was deleted.
func (e *Engine) toForget(ctx context.Context, view strata.View, name string) (strata.Document, error) {
	var out strata.Document
	err := e.store.View(ctx, func(r store.Reader) error {
		d, err := byIDOrPath(ctx, r, view, name)
		if err != nil {
			return err
		}
		for i := 0; d == nil && i < len(view.Scopes); i++ {
			if d, err = deletedAt(ctx, r, view.Scopes[i], name); err != nil {
				return err
			}
		}
		if d == nil || hiddenDocument(view, *d) {
			return strata.NotFound("forget document", "document", text.Clip(name, 100))
		}
		out = *d
		return nil
	})
	return out, err
}

// deletedAt returns the document that was deleted at a path last; nil if there
// is none.
func deletedAt(ctx context.Context, r store.Reader, scope strata.Scope, path string) (*strata.Document, error) {
	if strata.ValidatePath(path) != nil {
		return nil, nil
	}
	last, err := newestOf(ctx, r, scope, path)
	if err != nil || last.Op != strata.OpDelete || last.Document == nil {
		return nil, err
	}
	return last.Document.Before, nil
}

// forgettable reads the document again, in the transaction.
func forgettable(ctx context.Context, r store.Reader, scope strata.Scope, path, id string) (d strata.Document, there bool, err error) {
	now, err := documentAt(ctx, r, scope, path)
	if err != nil {
		return d, false, err
	}
	if now != nil && now.ID == id {
		return *now, true, nil
	}
	gone, err := deletedAt(ctx, r, scope, path)
	if err != nil {
		return d, false, err
	}
	if gone == nil || gone.ID != id || blanked(gone) {
		return d, false, strata.NotFound("forget document", "document", id)
	}
	return *gone, false, nil
}

// sayings are what a document said.
type sayings struct {
	whole []string // the files, and what is below their front matter
	parts []string // their sections
}

// leastSaid is how long a section must be to be looked for elsewhere, in bytes.
// A shorter one is nothing that only this document says.
const leastSaid = 32

// saidIn collects what a document says and said in the versions that decisions
// hold.
func saidIn(ctx context.Context, r store.Reader, d strata.Document) (sayings, error) {
	var said sayings
	seen := make(map[string]bool)
	add := func(v *strata.Document) {
		if v == nil || v.ID != d.ID || blanked(v) || seen[v.Content] || strings.TrimSpace(v.Content) == "" {
			return
		}
		seen[v.Content] = true
		said.whole = append(said.whole, v.Content)
		if n, err := document.ParseNote(v.Content); err == nil && len(n.Body) >= leastSaid {
			said.whole = append(said.whole, n.Body)
		}
		for _, s := range document.Sections(v.Path, v.Content) {
			if len(s.Text) >= leastSaid {
				said.parts = append(said.parts, s.Text)
			}
		}
	}
	add(&d)
	const pageSize = 100
	for after := ""; ; {
		page, err := r.Decisions(ctx, d.Scope, strata.DecisionFilter{Path: d.Path, After: after, Limit: pageSize})
		if err != nil {
			return said, fmt.Errorf("read decisions of %s: %w", d.Path, err)
		}
		for _, x := range page {
			add(x.Document.Before)
			add(x.Document.After)
			after = x.ID
		}
		if len(page) < pageSize {
			return said, nil
		}
	}
}

// forgetInFiles lets the files of the scope follow at once, and says which of
// them still hold the text: those that people wrote it into.
func (e *Engine) forgetInFiles(ctx context.Context, res *ForgetResult, texts []string) {
	if e.opts.Tree == nil {
		return
	}
	scope := res.Decision.Scope
	if err := e.projectNow(ctx, scope); err != nil {
		e.opts.Logger.Warn("files still hold forgotten text", "scope", scope.Key(), "error", err)
		res.Remaining = append(res.Remaining, "files of "+scope.Key()+", until they can be written: "+reasonOf(err))
		return
	}
	res.Remaining = slices.DeleteFunc(res.Remaining, func(name string) bool {
		if !slices.Contains(res.Documents, name) {
			return false
		}
		f, err := e.opts.Tree.Read(ctx, scope, name)
		if err != nil {
			return strata.CodeOf(err) == strata.CodeNotFound
		}
		return !holdsOne(string(f.Content), texts)
	})
}

// holdsOne reports whether a content holds one of the texts, in whatever case
// and spacing.
func holdsOne(content string, texts []string) bool {
	content = text.Normalize(content)
	return slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(content, text.Normalize(s)) })
}
