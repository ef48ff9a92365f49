package category

import (
	"cmp"
	"context"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/secrets"
	"github.com/strata-memory/strata/store"
)

// Rename gives a category another name and pins it: facts that the program
// would put into the old one go into the new one from then on.
//
// The category is looked for in the scopes of the view, in their order, as by the
// other methods about one category. Errors: not_found, conflict if there is a
// category of the new name, invalid or rejected_secret for a name that cannot be
// kept. Then nothing changed.
func Rename(ctx context.Context, st store.Store, view strata.View, name, to string) (strata.Category, error) {
	const op = "rename category"
	if err := checkName(op, to); err != nil {
		return strata.Category{}, err
	}
	return edit(ctx, st, view, op, name, func(w store.Writer, c strata.Category) (strata.Category, error) {
		if _, err := find(ctx, w, c.Scope, to); err == nil {
			return c, &strata.Error{Code: strata.CodeConflict, Op: op, Message: "there is a category of that name",
				Hint: "another name, or merge the two: strata categories merge"}
		} else if strata.CodeOf(err) != strata.CodeNotFound {
			return c, err
		}
		return renamed(ctx, w, c, to, strata.EventRenamed)
	})
}

// Merge puts the facts of one category into another of its scope, and pins
// that: facts that the program would put into the first go into it from then on.
// Errors: not_found, invalid if the two are one.
func Merge(ctx context.Context, st store.Store, view strata.View, name, into string) (strata.Category, error) {
	const op = "merge categories"
	if name == into {
		return strata.Category{}, strata.Invalid(op, "a category cannot be merged into itself", "name two categories")
	}
	return edit(ctx, st, view, op, name, func(w store.Writer, c strata.Category) (strata.Category, error) {
		if _, err := find(ctx, w, c.Scope, into); err != nil {
			return c, err
		}
		return renamed(ctx, w, c, into, strata.EventMerged)
	})
}

// Pin has the program leave a category as it is: it is never divided, merged
// or renamed, and no fact leaves it. New facts still come into it. Errors: not_found.
func Pin(ctx context.Context, st store.Store, view strata.View, name string) (strata.Category, error) {
	return edit(ctx, st, view, "pin category", name, func(w store.Writer, c strata.Category) (strata.Category, error) {
		if c.Pinned {
			return c, nil
		}
		if err := w.PutCategoryChoice(ctx, c.Scope, store.CategoryChoice{Topic: name, Name: name}); err != nil {
			return c, err
		}
		return changed(ctx, w, c.Scope, name, strata.EventPinned)
	})
}

// Unpin leaves a category to the program again, and what was decided by
// renaming or merging with it. Errors: not_found, conflict if it is not pinned.
func Unpin(ctx context.Context, st store.Store, view strata.View, name string) (strata.Category, error) {
	const op = "unpin category"
	return edit(ctx, st, view, op, name, func(w store.Writer, c strata.Category) (strata.Category, error) {
		if !c.Pinned {
			return c, &strata.Error{Code: strata.CodeConflict, Op: op, Message: "the category is not pinned",
				Hint: "strata categories shows which are"}
		}
		if err := w.DropCategoryChoices(ctx, c.Scope, name); err != nil {
			return c, err
		}
		return changed(ctx, w, c.Scope, name, strata.EventUnpinned)
	})
}

// Choose keeps what was decided about a category elsewhere: facts that the
// program would put into the one called topic go into the one called name, which is
// pinned. What was decided here for the topic stays. Errors: invalid and
// rejected_secret.
func Choose(ctx context.Context, st store.Store, scope strata.Scope, topic, name string) error {
	if err := scope.Validate(); err != nil {
		return err
	}
	for _, n := range []string{topic, name} {
		if err := checkName("choose category", n); err != nil {
			return err
		}
	}
	return st.Update(ctx, func(w store.Writer) error {
		choices, err := w.CategoryChoices(ctx, scope)
		if err != nil || byTopic(choices)[topic] != "" {
			return err
		}
		return w.PutCategoryChoice(ctx, scope, store.CategoryChoice{Topic: topic, Name: name})
	})
}

// checkName reports whether a category may be called so.
func checkName(op, name string) error {
	if err := strata.ValidateName("category", name); err != nil {
		return err
	}
	if found := secrets.Scan(name); len(found) > 0 {
		return &strata.Error{Code: strata.CodeRejectedSecret, Op: op, Message: "the name holds a secret: " + found[0].Rule,
			Hint: "choose a name without it"}
	}
	return nil
}

// edit changes a category in one transaction.
func edit(ctx context.Context, st store.Store, view strata.View, op, name string,
	change func(w store.Writer, c strata.Category) (strata.Category, error)) (strata.Category, error) {
	if err := view.Validate(); err != nil {
		return strata.Category{}, err
	}
	var c strata.Category
	err := st.Update(ctx, func(w store.Writer) error {
		var err error = strata.NotFound(op, "category", name)
		for _, scope := range view.Scopes {
			if c, err = find(ctx, w, scope, name); strata.CodeOf(err) != strata.CodeNotFound {
				break
			}
		}
		if err != nil {
			return err
		}
		c, err = change(w, c)
		return err
	})
	if err != nil {
		return strata.Category{}, err
	}
	return c, nil
}

// renamed moves all facts of a category under another name, which is there or not,
// and has others like them follow.
func renamed(ctx context.Context, w store.Writer, c strata.Category, to, event string) (strata.Category, error) {
	if err := w.RenameCategory(ctx, c.Scope, c.Name, to); err != nil {
		return c, err
	}
	for _, topic := range []string{c.Name, to} {
		if err := w.PutCategoryChoice(ctx, c.Scope, store.CategoryChoice{Topic: topic, Name: to}); err != nil {
			return c, err
		}
	}
	return changed(ctx, w, c.Scope, to, event)
}

// changed records an event, which does not repeat the name as it may be a word of a
// fact, and returns the category as it is then.
func changed(ctx context.Context, w store.Writer, scope strata.Scope, name, event string) (strata.Category, error) {
	c, err := find(ctx, w, scope, name)
	if err != nil {
		return c, err
	}
	return c, w.AppendEvent(ctx, strata.Event{Kind: event, Scope: scope, At: w.Now()})
}

// find returns a category of a scope that holds a current fact; else not_found.
func find(ctx context.Context, r store.Reader, scope strata.Scope, name string) (strata.Category, error) {
	list, err := List(ctx, r, scope)
	if err != nil {
		return strata.Category{}, err
	}
	for _, c := range list {
		if c.Name == name {
			return c, nil
		}
	}
	return strata.Category{}, strata.NotFound("find category", "category", name)
}

// List returns the categories of a scope that hold a current fact, the
// largest first.
func List(ctx context.Context, r store.Reader, scope strata.Scope) ([]strata.Category, error) {
	parents, err := r.Parents(ctx, scope, strata.KindFact, nil)
	if err != nil {
		return nil, err
	}
	choices, err := r.CategoryChoices(ctx, scope)
	if err != nil {
		return nil, err
	}
	decided := byTopic(choices)
	var out []strata.Category
	for _, p := range parents {
		if p.Passages > 0 {
			out = append(out, strata.Category{Scope: scope, Name: p.Name, Facts: p.Passages, Pinned: isPinned(decided, p.Name)})
		}
	}
	slices.SortFunc(out, func(a, b strata.Category) int {
		return cmp.Or(cmp.Compare(b.Facts, a.Facts), cmp.Compare(a.Name, b.Name))
	})
	return out, nil
}
