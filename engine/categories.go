package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/vector"
)

// scopeCategories are the categories of one scope.
type scopeCategories struct {
	model      store.Model // whose vectors they are of
	numbers    []int64     // 0 for a category that began since they were read
	categories []vector.Category
	grown      bool // a category began since they were looked through
}

// categoriesOf returns the categories of a scope, read once.
func (l *lookups) categoriesOf(ctx context.Context, scope strata.Scope) (*scopeCategories, error) {
	st, err := l.state(ctx)
	if err != nil {
		return nil, err
	}
	if c := l.categories[scope]; c != nil && c.model == st.Serving {
		return c, nil
	}
	found, err := l.reader.Categories(ctx, scope, st.Serving)
	if err != nil {
		return nil, fmt.Errorf("read categories of %s: %w", scope, err)
	}
	c := &scopeCategories{model: st.Serving}
	for _, f := range found {
		c.numbers = append(c.numbers, f.Number)
		c.categories = append(c.categories, vector.Category{
			Name: f.Name, Centroid: vector.Centroid{Sum: f.Sum, Count: int(f.Facts)},
		})
	}
	l.categories[scope] = c
	return c, nil
}

// nearest returns the numbers of the k categories nearest to v, up to the first
// that would bring the facts in them above most.
func (l *lookups) nearest(ctx context.Context, scope strata.Scope, v []float32, k, most int) ([]int64, error) {
	c, err := l.categoriesOf(ctx, scope)
	if err != nil {
		return nil, err
	}
	near := vector.NearestFew(v, c.categories, k, most)
	if slices.ContainsFunc(near, func(m vector.Match) bool { return c.numbers[m.Index] == 0 }) {
		delete(l.categories, scope)
		if c, err = l.categoriesOf(ctx, scope); err != nil {
			return nil, err
		}
		near = vector.NearestFew(v, c.categories, k, most)
	}
	var numbers []int64
	for _, m := range near {
		numbers = append(numbers, c.numbers[m.Index])
	}
	return numbers, nil
}

// subject is what a text is about, by its words.
type subject struct {
	name  string // of a category
	topic bool   // from the fixed list of topics, not merely a word of the text
}

// assign finds the category of a new fact: that of its topic, as long as there
// is room; else the nearest category that is near enough; else a new one,
// named by what the text is about.
func (l *lookups) assign(ctx context.Context, scope strata.Scope, about subject, v []float32) (string, error) {
	if v == nil {
		return about.name, nil
	}
	c, err := l.categoriesOf(ctx, scope)
	if err != nil {
		return "", err
	}
	near, o := c.categories, vector.CategoryOptions{Name: about.name}
	if about.topic {
		// A topic is surer than a likeness; likeness only chooses among the
		// categories of the topic.
		near, o = c.of(about.name), vector.CategoryOptions{Name: about.name, Join: -1, All: c.total()}
	}
	if i, _, ok := vector.Assign(v, near, o); ok {
		return near[i].Name, nil
	}
	if c.unembedded(about.name) {
		return about.name, nil
	}
	return c.freeName(about.name), nil
}

// unembedded reports whether there is a category of that name of which no fact
// has a vector of the model yet: likeness says nothing of it, but its name does.
func (s *scopeCategories) unembedded(name string) bool {
	for _, c := range s.categories {
		if c.Name == name {
			return c.Centroid.Sum == nil
		}
	}
	return false
}

// of returns the categories of a topic: the one of that name and those that
// began when it was full.
func (s *scopeCategories) of(topic string) []vector.Category {
	var out []vector.Category
	prefix := topic + " "
	for i := range s.categories {
		if c := &s.categories[i]; c.Name == topic || strings.HasPrefix(c.Name, prefix) {
			out = append(out, *c)
		}
	}
	return out
}

// total counts the facts of the scope.
func (s *scopeCategories) total() int {
	n := 0
	for i := range s.categories {
		n += s.categories[i].Centroid.Count
	}
	return n
}

// freeName returns name, or with a number where a category has it already.
func (s *scopeCategories) freeName(name string) string {
	taken := func(name string) bool {
		for _, c := range s.categories {
			if c.Name == name {
				return true
			}
		}
		return false
	}
	free := name
	for n := 2; taken(free); n++ {
		free = fmt.Sprintf("%s %d", name, n)
	}
	return free
}

// added keeps the lookups true after a fact was stored with its vector.
func (l *lookups) added(f strata.Fact, v []float32) {
	c := l.categories[f.Scope]
	if c == nil {
		return
	}
	i := slices.IndexFunc(c.categories, func(c vector.Category) bool { return c.Name == f.Category })
	switch {
	case v != nil && i < 0:
		c.numbers = append(c.numbers, 0)
		c.categories = append(c.categories, vector.Category{Name: f.Category, Centroid: vector.Centroid{Sum: slices.Clone(v), Count: 1}})
		c.grown = true
	case v == nil || c.categories[i].Centroid.Add(v) != nil:
		delete(l.categories, f.Scope) // to be read anew
	}
}

// tidy merges categories that have grown alike once there are too many.
func (l *lookups) tidy(ctx context.Context, w store.Writer, scope strata.Scope) error {
	if c := l.categories[scope]; c != nil {
		if !c.grown || len(vector.Merge(c.categories, vector.CategoryOptions{})) == 0 {
			c.grown = false
			return nil
		}
		delete(l.categories, scope) // to be read anew, with all numbers
	}
	c, err := l.categoriesOf(ctx, scope)
	if err != nil {
		return err
	}
	for _, p := range vector.Merge(c.categories, vector.CategoryOptions{}) {
		if err := w.MergeCategories(ctx, scope, c.numbers[p.From], c.numbers[p.Into]); err != nil {
			return fmt.Errorf("merge categories of %s: %w", scope, err)
		}
		event := strata.Event{Kind: strata.EventMerged, Scope: scope, At: w.Now(),
			Detail: fmt.Sprintf("category %d into %d", c.numbers[p.From], c.numbers[p.Into])}
		if err := w.AppendEvent(ctx, event); err != nil {
			return err
		}
	}
	delete(l.categories, scope)
	return nil
}
