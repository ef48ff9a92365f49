package engine

import (
	"context"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/models/embedding"
	"github.com/strata-memory/strata/internal/topics/category"
	"github.com/strata-memory/strata/store"
)

// Categories lists the categories that hold a current fact, by scope in the order of the
// view, largest first.
func (e *Engine) Categories(ctx context.Context, view strata.View) ([]strata.Category, error) {
	return store.ReadEach(ctx, e.store, view, func(r store.Reader, s strata.Scope) ([]strata.Category, error) {
		return category.List(ctx, r, s)
	})
}

// NearestCategories returns the k categories of a scope that are most likely to hold
// facts like a text, the likeliest first. Tier 1 of a recall looks in these. Without an
// embedder it returns none.
func (e *Engine) NearestCategories(ctx context.Context, scope strata.Scope, text string, k int) ([]strata.Category, error) {
	if err := scope.Validate(); err != nil {
		return nil, err
	}
	var out []strata.Category
	err := e.models.View(ctx, text, func(r store.Reader, q embedding.Query, _ store.Embedding) error {
		if q.Vector == nil {
			return nil
		}
		in, err := newLookups(e, r).categoriesOf(ctx, scope)
		if err != nil {
			return err
		}
		out = in.Closest(q.Vector, k)
		return nil
	})
	return out, err
}

// RenameCategory gives a category another name: see [category.Rename].
func (e *Engine) RenameCategory(ctx context.Context, view strata.View, name, to string) (strata.Category, error) {
	return category.Rename(ctx, e.store, view, name, to)
}

// MergeCategory moves the facts of one category into another: see [category.Merge].
func (e *Engine) MergeCategory(ctx context.Context, view strata.View, name, into string) (strata.Category, error) {
	return category.Merge(ctx, e.store, view, name, into)
}

// PinCategory keeps the engine from changing a category: see [category.Pin].
func (e *Engine) PinCategory(ctx context.Context, view strata.View, name string) (strata.Category, error) {
	return category.Pin(ctx, e.store, view, name)
}

// UnpinCategory lets the engine change a category again: see [category.Unpin].
func (e *Engine) UnpinCategory(ctx context.Context, view strata.View, name string) (strata.Category, error) {
	return category.Unpin(ctx, e.store, view, name)
}

// ChooseCategory stores a choice about a category that was made elsewhere: see
// [category.Choose].
func (e *Engine) ChooseCategory(ctx context.Context, scope strata.Scope, topic, name string) error {
	return category.Choose(ctx, e.store, scope, topic, name)
}

// categoriesOf returns the categories of a scope and reads them only once.
func (l *lookups) categoriesOf(ctx context.Context, scope strata.Scope) (*category.Set, error) {
	st, err := l.state(ctx)
	if err != nil {
		return nil, err
	}
	if c := l.categories[scope]; c != nil && c.Model() == st.Serving {
		return c, nil
	}
	c, err := category.Read(ctx, l.reader, scope, st.Serving)
	if err != nil {
		return nil, err
	}
	l.categories[scope] = c
	return c, nil
}

// nearest returns the numbers of the k categories nearest to v, stopping before the first
// one that would raise the number of facts in them above most.
func (l *lookups) nearest(ctx context.Context, scope strata.Scope, v []float32, k, most int) ([]int64, error) {
	for {
		c, err := l.categoriesOf(ctx, scope)
		if err != nil {
			return nil, err
		}
		if numbers, ok := c.Nearest(v, k, most); ok {
			return numbers, nil
		}
		delete(l.categories, scope) // read again, every category has a number
	}
}

// retired updates the lookups after a fact stops being current.
func (l *lookups) retired(f strata.Fact) {
	if c := l.categories[f.Scope]; c != nil {
		c.Remove(f)
	}
}

// added updates the lookups after a fact is stored with its vector, and notes if the
// categories of its scope are due to be regrouped.
func (l *lookups) added(f strata.Fact, v []float32) {
	c := l.categories[f.Scope]
	if c == nil {
		return
	}
	due, valid := c.Add(f, v)
	if due && !slices.Contains(l.due, f.Scope) {
		l.due = append(l.due, f.Scope)
	}
	if !valid {
		delete(l.categories, f.Scope)
	}
}
