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

// IsNamed reports whether a name can be the id or path of a document or the id of a
// learning.
func IsNamed(name string) bool {
	return strings.HasPrefix(name, "doc_") || isLearning(name) || strata.ValidatePath(name) == nil
}

// isLearning reports whether a name is the id of a learning. Learnings are forgotten like
// documents without a file.
func isLearning(name string) bool { return strings.HasPrefix(name, id.Learning+"_") }

// Forgotten is the result of forgetting a document in the database.
type Forgotten struct {
	store.Forgotten
	Change *strata.DocumentChange // for the decision; nil for a learning
	// Texts holds what all versions of the document said, and its paths if they may tell
	// what it is about.
	Texts []string
	// Settled means that no file has to change.
	Settled bool
}

// Forget forgets a document in the database. It reads the document again, since it may
// have changed after [ToForget] found it. within is passed to
// [store.Writer.ForgetDocument].
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

// Before describes something that was forgotten earlier.
type Before struct {
	store.Tombstones
	Scope strata.Scope
	// Decisions holds the ids of the decisions about it. Wherever memory wrote its text,
	// such an id is beside it.
	Decisions []string
}

// ForgottenBefore finds what was forgotten in a view under a name: the id of a fact or
// document, a path or a title. The ID of the result is empty if there is nothing.
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

// TextsOf returns the strings by which a fact is found in files: the texts of its
// versions, and the ids of the decisions about it. Memory writes an id beside the text,
// which may be truncated.
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

// decisionsOn lists the ids of the decisions about a fact, except those to forget it.
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

// Followed returns an error if the files do not reflect a decision yet, or never will.
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

// Standing filters the names of what remains after forgetting something. It removes the
// files that were or will be written and, as they are now, contain none of it according
// to holds.
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

// HeldBy returns a function that reports whether a file contains what was forgotten. If
// unrendered is true, generated parts have yet to be rendered and do not count.
func HeldBy(texts []string, told *forget.Telling, unrendered bool) func(path, content string) bool {
	subject := forget.Quoted(texts, told, nil)
	return func(path, content string) bool {
		own := markdown.Human(path, content)
		return subject.Remains(strata.Turn{Text: own}) || !unrendered && subject.Said.In(content)
	}
}

// ToForget finds a document by its name, including a deleted one, or a learning by its
// id.
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

// forgettable reads a document again within the transaction. there reports whether it
// still exists, rather than being deleted.
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

// sayings holds what a document said.
type sayings struct {
	whole []string // file contents, and the text below their front matter
	parts []string // their sections
	// former holds the versions with another path, title or description, each once.
	former []strata.Document
}

// leastSaid is the minimum length in bytes of a section that is searched for elsewhere. A
// shorter one may occur in other documents too.
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

// name adds the names of version v, unless they are those of d or were added before.
func (s *sayings) name(d, v strata.Document) {
	alike := func(o strata.Document) bool {
		return o.Path == v.Path && o.Name == v.Name && o.Description == v.Description
	}
	if !alike(d) && !slices.ContainsFunc(s.former, alike) {
		s.former = append(s.former, v)
	}
}

// withoutTaken clears the former paths that other documents have now, and returns them:
// mentions of such a path are about the other document. The index lines of the former
// notes are searched for as a whole instead.
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

// Texts returns the texts that go when a file is forgotten: its content, the text below
// its front matter, and its sections.
func Texts(content string) []string {
	var s sayings
	s.add("", content)
	return append(s.whole, s.parts...)
}

// saidIn collects what the versions of a document said, including those in decisions.
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

// blanked reports whether the content of a version was forgotten.
func blanked(d *strata.Document) bool {
	return d != nil && strings.TrimSpace(d.Content) == strata.ForgottenText
}
