package documents

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/forget"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/files"
)

// IsNamed reports whether a name is that of a document: its id or path, or that of a
// learning, its id.
func IsNamed(name string) bool {
	return strings.HasPrefix(name, "doc_") || isLearning(name) || strata.ValidatePath(name) == nil
}

// isLearning reports whether a name is the id of a learning. A learning is forgotten as a
// document without a file.
func isLearning(name string) bool { return strings.HasPrefix(name, id.Learning+"_") }

// Forgotten is what became of a document that was forgotten in the database.
type Forgotten struct {
	store.Forgotten
	Change *strata.DocumentChange // for the decision; nil of a learning
	// Texts are what the document said, in all its versions, and its paths if they
	// say what it is about.
	Texts []string
	// Settled says that no file has to follow.
	Settled bool
}

// Forget forgets a document in the database. It is read again, for it may have
// changed since it was found by [ToForget]. Within are the scopes that are looked through,
// as [store.Writer.ForgetDocument] takes them.
func Forget(ctx context.Context, w store.Writer, found strata.Document, within ...strata.Scope) (Forgotten, error) {
	var out Forgotten
	if isLearning(found.ID) {
		var err error
		out.Texts = []string{found.Content}
		out.Forgotten, err = w.ForgetDocument(ctx, found.Scope, found, nil, out.Texts, nil, within...)
		return out, err
	}
	d, there, err := forgettable(ctx, w, found.Scope, found.Path, found.ID)
	if err != nil {
		return out, err
	}
	said, err := saidIn(ctx, w, d)
	if err != nil {
		return out, err
	}
	taken, err := said.withoutTaken(ctx, w, d)
	if err != nil {
		return out, err
	}
	out.Texts = append(slices.Clone(said.whole), said.parts...)
	for _, v := range append([]strata.Document{d}, said.former...) {
		if v.Kind == strata.DocumentNote && v.Path != "" && !slices.Contains(out.Texts, v.Path) {
			out.Texts = append(out.Texts, v.Path)
		}
	}
	if out.Forgotten, err = w.ForgetDocument(ctx, d.Scope, d, said.former, said.whole, said.parts, within...); err != nil {
		return out, err
	}
	for _, path := range taken {
		out.Remaining = append(out.Remaining, path+", its former path, which another file has now")
	}
	out.Change = &strata.DocumentChange{Path: d.Path, Before: &strata.Document{
		ID: d.ID, Scope: d.Scope, Path: d.Path, Kind: d.Kind, Hash: d.Hash, Size: d.Size, Content: strata.ForgottenText,
		Generation: d.Generation, ModifiedAt: d.ModifiedAt, RecordedAt: d.RecordedAt,
	}}
	switch {
	case strings.HasPrefix(d.Path, strata.ProjectPrefix):
		out.Remaining = append(out.Remaining, d.Path) // it is not ours to remove
		out.Settled = true
	case !there:
		pending, err := IsPending(ctx, w, d.Scope, d.Path)
		if err != nil {
			return out, err
		}
		if out.Settled = !pending; out.Settled {
			out.Change.Path, out.Change.Before.Path = forget.Path(d.ID), forget.Path(d.ID)
			return out, w.ForgetPath(ctx, d.Scope, d.ID)
		}
	}
	return out, nil
}

// Before is something that was forgotten before.
type Before struct {
	store.Tombstones
	Scope strata.Scope
	// Decisions are the ids of the decisions on it, which stand beside the text
	// wherever memory wrote it.
	Decisions []string
}

// ForgottenBefore finds what was forgotten in a view under a name: the id of a fact
// or document, or a path or title. Its ID is empty if nothing was.
func ForgottenBefore(ctx context.Context, r store.Reader, view strata.View, name string) (Before, error) {
	for _, scope := range view.Scopes {
		gone, err := r.Tombstones(ctx, scope, name)
		if err != nil {
			return Before{}, err
		}
		if gone.ID == "" {
			continue
		}
		ids, err := decisionsOn(ctx, r, scope, gone.ID)
		return Before{Tombstones: gone, Scope: scope, Decisions: ids}, err
	}
	return Before{}, nil
}

// TextsOf returns by what the text of a fact is found in files: what its versions
// say, and the ids of the decisions on it, which stand beside it wherever memory
// wrote it, also where it was cut short.
func TextsOf(ctx context.Context, r store.Reader, scope strata.Scope, fact string) ([]string, error) {
	out, err := decisionsOn(ctx, r, scope, fact)
	if err != nil {
		return nil, err
	}
	versions, err := r.FactVersions(ctx, scope, fact)
	for _, v := range versions {
		out = append(out, v.Text)
	}
	return out, err
}

// decisionsOn lists the ids of the decisions on a fact, but for those to forget it.
func decisionsOn(ctx context.Context, r store.Reader, scope strata.Scope, fact string) (ids []string, err error) {
	const most = 10_000
	list, err := r.Decisions(ctx, scope, strata.DecisionFilter{FactID: fact, Limit: most})
	for _, d := range list {
		if d.Op != strata.OpForget {
			ids = append(ids, d.ID)
		}
	}
	return ids, err
}

// Followed returns an error if files do not stand yet as a decision says, or never
// will.
func Followed(ctx context.Context, s store.Store, d strata.Decision) error {
	now, err := store.Read(ctx, s, func(r store.Reader) (strata.Decision, error) {
		return r.Decision(ctx, []strata.Scope{d.Scope}, d.ID)
	})
	switch {
	case err != nil:
		return err
	case now.SetAside != "":
		return &strata.Error{Code: strata.CodeConflict, Op: "write files", Message: "decision " + d.ID + " was set aside: " + now.SetAside,
			Hint: "delete the file, or take the text out of it"}
	case now.AppliedAt == nil:
		return &strata.Error{Code: strata.CodeUnavailable, Op: "write files", Message: "the files do not follow decision " + d.ID + " yet",
			Hint: "run strata doctor to see why"}
	}
	return nil
}

// Standing returns, of the names of what remains of what is forgotten, those that still hold
// some of it once files were written: a file that was written, or will be, and holds none is
// left out. Holds reports whether a file does.
func Standing(ctx context.Context, tree files.Tree, scope strata.Scope, remaining, written []string, holds func(path, content string) bool) []string {
	return slices.DeleteFunc(remaining, func(name string) bool {
		if !slices.Contains(written, name) {
			return false
		}
		f, err := tree.Read(ctx, scope, name)
		if err != nil {
			return strata.CodeOf(err) == strata.CodeNotFound
		}
		return !holds(name, string(f.Content))
	})
}

// HeldBy returns what tells whether a file holds what was forgotten. Where what memory
// writes into it is still to be rendered, only the rest counts.
func HeldBy(texts []string, told *forget.Telling, unrendered bool) func(path, content string) bool {
	subject := forget.Quoted(texts, told, nil)
	return func(path, content string) bool {
		own := markdown.Human(path, content)
		return subject.Remains(strata.Turn{Text: own}) || !unrendered && subject.Said.In(content)
	}
}

// ToForget finds the document of a name, also one that was deleted, or a learning.
func ToForget(ctx context.Context, r store.Reader, view strata.View, name string) (strata.Document, error) {
	if isLearning(name) {
		return learningOf(ctx, r, view, name)
	}
	d, err := byIDOrPath(ctx, r, view, name)
	for i := 0; err == nil && d == nil && i < len(view.Scopes) && strata.ValidatePath(name) == nil; i++ {
		d, err = deletedAt(ctx, r, view.Scopes[i], name)
	}
	if err != nil {
		return strata.Document{}, err
	}
	if d == nil || isHidden(view, *d) {
		return strata.Document{}, strata.NotFound("forget document", "document", text.Clip(name, 100))
	}
	return *d, nil
}

// learningOf finds a learning by its id.
func learningOf(ctx context.Context, r store.Reader, view strata.View, learning string) (strata.Document, error) {
	const most = 10_000
	for _, scope := range view.Scopes {
		list, err := r.Learnings(ctx, scope, store.LearningFilter{SessionKind: view.OnlySessions(), Limit: most})
		if err != nil {
			return strata.Document{}, err
		}
		for _, l := range list {
			if l.ID == learning {
				return strata.Document{ID: l.ID, Scope: l.Scope, Content: l.Text}, nil
			}
		}
	}
	return strata.Document{}, strata.NotFound("forget learning", "learning", text.Clip(learning, 100))
}

// forgettable reads the document again, in the transaction.
func forgettable(ctx context.Context, r store.Reader, scope strata.Scope, path, id string) (d strata.Document, there bool, err error) {
	now, err := At(ctx, r, scope, path)
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
	// former are versions that had another path, title or description, one of each.
	former []strata.Document
}

// leastSaid is how long a section must be to be looked for elsewhere, in bytes.
// A shorter one is nothing that only this document says.
const leastSaid = 32

// add adds a version.
func (s *sayings) add(path, content string) {
	s.whole = append(s.whole, content)
	if body := markdown.Below(content); len(body) >= leastSaid {
		s.whole = append(s.whole, body)
	}
	for _, part := range markdown.Sections(path, content) {
		if len(part.Text) >= leastSaid {
			s.parts = append(s.parts, part.Text)
		}
	}
}

// name adds the names of a version of d, unless it has them or one of the others does.
func (s *sayings) name(d, v strata.Document) {
	alike := func(o strata.Document) bool {
		return o.Path == v.Path && o.Name == v.Name && o.Description == v.Description
	}
	if !alike(d) && !slices.ContainsFunc(s.former, alike) {
		s.former = append(s.former, v)
	}
}

// withoutTaken takes the paths out that other documents have now, and returns them: what
// stands there, and what names it, is about those. Lines in an index are looked for whole.
func (s *sayings) withoutTaken(ctx context.Context, r store.Reader, d strata.Document) (taken []string, err error) {
	for i, v := range s.former {
		now, err := At(ctx, r, d.Scope, v.Path)
		if err != nil {
			return nil, err
		}
		if now == nil || now.ID == d.ID {
			continue
		}
		if v.Kind == strata.DocumentNote {
			s.parts = append(s.parts, entryOf(v).Line())
		}
		s.former[i].Path = ""
		if !slices.Contains(taken, v.Path) {
			taken = append(taken, v.Path)
		}
	}
	return taken, nil
}

// Texts are what of a file goes when it is forgotten: the file, what is below its
// front matter, and its sections.
func Texts(content string) []string {
	var s sayings
	s.add("", content)
	return append(s.whole, s.parts...)
}

// saidIn collects what a document says and said in the versions that decisions
// hold.
func saidIn(ctx context.Context, r store.Reader, d strata.Document) (sayings, error) {
	var said sayings
	seen := make(map[string]bool)
	add := func(v *strata.Document) {
		if v == nil || v.ID != d.ID || blanked(v) {
			return
		}
		said.name(d, *v)
		if seen[v.Content] || strings.TrimSpace(v.Content) == "" {
			return
		}
		seen[v.Content] = true
		said.add(v.Path, v.Content)
	}
	add(&d)
	names, err := formerNames(ctx, r, d.Scope, d.Path)
	if err != nil {
		return said, err
	}
	const pageSize = 100
	for _, n := range append([]formerName{{path: d.Path}}, names...) {
		for after, more := n.until, true; more; {
			page, err := r.Decisions(ctx, d.Scope, strata.DecisionFilter{Path: n.path, After: after, Limit: pageSize})
			if err != nil {
				return said, fmt.Errorf("read decisions of %s: %w", n.path, err)
			}
			for _, x := range page {
				add(x.Document.Before)
				add(x.Document.After)
				after = x.ID
			}
			more = len(page) == pageSize
		}
	}
	return said, nil
}

// blanked reports whether what a version of a document said was forgotten.
func blanked(d *strata.Document) bool {
	return d != nil && strings.TrimSpace(d.Content) == strata.ForgottenText
}
