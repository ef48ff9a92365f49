package documents

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

// maxDocuments is the most documents that one call lists.
const maxDocuments = 100_000

// Documents lists the documents of a view by path, and those with the same path in the
// order of the view. Of several notes with the same type and slug, it lists that of the
// first scope. If f.Shadowed is set, it also lists the others, with Shadowed set. A list
// is never cut between documents with the same path. Group sessions get no private
// documents.
func (l *Library) Documents(ctx context.Context, view strata.View, f strata.DocumentFilter) ([]strata.Document, error) {
	if f.Type != "" {
		if err := f.Type.Validate(); err != nil {
			return nil, err
		}
	}
	limit := f.Limit
	if limit <= 0 {
		limit = 1000
	}
	limit = min(limit, maxDocuments)
	if len(view.Scopes) == 1 {
		f.Limit = limit // nothing can shadow
	} else {
		f.Limit = maxDocuments
	}
	wanted := f.Content
	f.Content = wanted || view.Session == strata.SessionGroup // needed to tell whether a skill is hidden
	holder := make(map[string]strata.Scope)                   // first scope with an identity
	out, err := store.ReadEach(ctx, l.store, view, func(r store.Reader, s strata.Scope) ([]strata.Document, error) {
		var seen []strata.Document
		found, err := r.Documents(ctx, s, f)
		if err != nil {
			return nil, err
		}
		for _, d := range found {
			d.Shadowed = holder[d.Identity()]
			if !isHidden(view, d) && (d.Shadowed.IsZero() || f.Shadowed) {
				if !wanted {
					d.Content = ""
				}
				seen = append(seen, d)
			}
		}
		// Only now, so that two files of one scope do not shadow each other.
		return seen, holdIdentities(ctx, r, s, f, found, holder)
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(out, func(a, b strata.Document) int { return cmp.Compare(a.Path, b.Path) })
	return cutByPath(out, limit), nil
}

// holdIdentities adds the identities of a scope's notes that no earlier scope has,
// including notes before the current page.
func holdIdentities(ctx context.Context, r store.Reader, s strata.Scope, f strata.DocumentFilter, found []strata.Document, holder map[string]strata.Scope) error {
	if f.After != "" {
		var err error
		found, err = r.Documents(ctx, s, strata.DocumentFilter{Kind: strata.DocumentNote, Type: f.Type, Limit: maxDocuments})
		if err != nil {
			return err
		}
	}
	for _, d := range found {
		identity := d.Identity()
		if _, ok := holder[identity]; !ok && identity != "" && !d.Foreign { // foreign documents shadow nothing
			holder[identity] = s
		}
	}
	return nil
}

// cutByPath cuts a list after about limit documents, but not between documents with the
// same path, so that the next page begins where this one ends.
func cutByPath(list []strata.Document, limit int) []strata.Document {
	if len(list) <= limit {
		return list
	}
	n := limit
	for n > 0 && list[n-1].Path == list[limit].Path {
		n--
	}
	for ; n == 0 && limit < len(list) && list[limit].Path == list[0].Path; limit++ {
		// one path fills the page, and is listed to its end
	}
	if n == 0 {
		n = limit
	}
	return list[:n]
}

// isHidden reports whether a document is hidden from the view's kind of session. Group
// sessions do not see daily logs and learnings, which repeat what was said in sessions of
// every kind, or skills that no person has reviewed. d must have its content if it is a
// skill.
func isHidden(view strata.View, d strata.Document) bool {
	if view.Session != strata.SessionGroup {
		return false
	}
	return d.Private() || markdown.IsSetAside(d.Path, d.Content) || d.Kind == strata.DocumentDaily || strings.HasPrefix(d.Path, "learnings/") || d.Path == "memory_summary.md"
}

// Document returns a document of a view with its content. name is its id, its path, its
// title in lists and the index, "type/slug" or the slug alone. If several scopes have it,
// the first one counts. If there is no such note, a proposed note in _inbox/ is returned.
// Document returns [strata.CodeNotFound], or [strata.CodeConflict] with the choices if
// several notes have the title or several types the slug.
func (l *Library) Document(ctx context.Context, view strata.View, name string) (strata.Document, error) {
	const op = "show document"
	if err := view.Validate(); err != nil {
		return strata.Document{}, err
	}
	if strings.TrimSpace(name) == "" || len(name) > 1024 {
		return strata.Document{}, strata.Invalid(op, "the name of a document is empty or too long", "name it by its id, its path, or its slug")
	}
	return store.Read(ctx, l.store, func(r store.Reader) (strata.Document, error) {
		d, err := byIDOrPath(ctx, r, view, name)
		// Try what looks like a slug as one first, which is fast.
		ways := []func(context.Context, store.Reader, strata.View, string) (*strata.Document, error){byTitle, byIdentity}
		if name == markdown.Slug(name) {
			slices.Reverse(ways)
		}
		for _, by := range ways {
			if err == nil && d == nil {
				d, err = by(ctx, r, view, name)
			}
		}
		if err == nil && d == nil {
			d, err = byProposal(ctx, r, view, name)
		}
		if err != nil {
			return strata.Document{}, err
		}
		if d == nil || isHidden(view, *d) {
			return strata.Document{}, strata.NotFound(op, "document", text.Clip(name, 100))
		}
		return *d, nil
	})
}

// byIDOrPath finds a document by its id or path. It returns nil if there is none.
func byIDOrPath(ctx context.Context, r store.Reader, view strata.View, name string) (*strata.Document, error) {
	if strings.HasPrefix(name, "doc_") {
		d, err := r.DocumentByID(ctx, view.Scopes, name)
		if err == nil {
			return &d, nil
		}
		if strata.CodeOf(err) != strata.CodeNotFound {
			return nil, err
		}
	}
	if strata.ValidatePath(name) != nil {
		return nil, nil
	}
	var foreign *strata.Document // foreign documents shadow nothing
	for _, s := range view.Scopes {
		d, err := At(ctx, r, s, name)
		if err != nil || d != nil && !d.Foreign {
			return d, err
		}
		foreign = cmp.Or(foreign, d)
	}
	return foreign, nil
}

// byIdentity finds a note by type and slug, or by a slug or title alone. It returns nil
// if there is none.
func byIdentity(ctx context.Context, r store.Reader, view strata.View, name string) (*strata.Document, error) {
	kinds, slug := strata.Types(), name
	if kind, rest, ok := strings.Cut(name, "/"); ok {
		if strata.Type(kind).Validate() != nil {
			return nil, nil
		}
		kinds, slug = []strata.Type{strata.Type(kind)}, rest
	}
	for _, slug := range []string{slug, markdown.Slug(slug), markdown.FormerSlug(slug)} {
		var found []strata.Document
		for _, kind := range kinds {
			d, err := firstWith(ctx, r, view, string(kind)+"/"+slug)
			if err != nil {
				return nil, err
			}
			if d != nil && !isHidden(view, *d) {
				found = append(found, *d)
			}
		}
		switch {
		case len(found) == 1:
			return At(ctx, r, found[0].Scope, found[0].Path)
		case len(found) > 1:
			var names []string
			for _, d := range found {
				names = append(names, d.Identity())
			}
			return nil, &strata.Error{
				Code: strata.CodeConflict, Op: "show document", Message: "several notes have this name: " + strings.Join(names, ", "),
				Hint: "add the type, such as " + names[0], Details: map[string]string{"names": strings.Join(names, ",")},
			}
		}
	}
	return nil, nil
}

// firstWith returns the note with an identity from the first scope of a view that has
// one, or nil.
func firstWith(ctx context.Context, r store.Reader, view strata.View, identity string) (*strata.Document, error) {
	var foreign *strata.Document // foreign documents shadow nothing
	for _, s := range view.Scopes {
		list, err := r.SameIdentity(ctx, s, identity)
		if err != nil {
			return nil, err
		}
		for i := range list {
			if !list[i].Foreign {
				return &list[i], nil
			}
			foreign = cmp.Or(foreign, &list[i])
		}
	}
	return foreign, nil
}
