package documents

import (
	"context"
	"fmt"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/document"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

// IsNamed reports whether a name is that of a document: its id or path.
func IsNamed(name string) bool {
	return strings.HasPrefix(name, "doc_") || strata.ValidatePath(name) == nil
}

// Forgotten is what became of a document that was forgotten in the database.
type Forgotten struct {
	store.Forgotten
	Change *strata.DocumentChange // for the decision
	// Texts are what the document said, in all its versions.
	Texts []string
	// Settled says that no file has to follow.
	Settled bool
}

// Forget forgets a document in the database. It is read again, for it may have
// changed since it was found by [ToForget].
func Forget(ctx context.Context, w store.Writer, found strata.Document) (Forgotten, error) {
	var out Forgotten
	d, there, err := forgettable(ctx, w, found.Scope, found.Path, found.ID)
	if err != nil {
		return out, err
	}
	said, err := saidIn(ctx, w, d)
	if err != nil {
		return out, err
	}
	out.Texts = said.whole
	if out.Forgotten, err = w.ForgetDocument(ctx, d.Scope, d, said.whole, said.parts); err != nil {
		return out, err
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
		out.Settled = !pending
	}
	return out, nil
}

// ToForget finds the document of a name, also one that was deleted.
func ToForget(ctx context.Context, r store.Reader, view strata.View, name string) (strata.Document, error) {
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

// blanked reports whether what a version of a document said was forgotten.
func blanked(d *strata.Document) bool {
	return d != nil && strings.TrimSpace(d.Content) == strata.ForgottenText
}
