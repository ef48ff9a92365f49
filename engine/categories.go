package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/concept"
	"github.com/strata-memory/strata/llm/builtin"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/vector"
)

// scopeCategories are the categories of one scope.
type scopeCategories struct {
	model      store.Model // whose vectors they are of
	numbers    []int64     // 0 for a category that began since they were read
	categories []vector.Category
	choices    map[string]string // the names of categories that were decided on, by topic
	facts      int               // in all of them
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
	choices, err := l.reader.CategoryChoices(ctx, scope)
	if err != nil {
		return nil, err
	}
	c := &scopeCategories{model: st.Serving, choices: choicesByTopic(choices)}
	for _, f := range found {
		c.numbers = append(c.numbers, f.Number)
		c.facts += int(f.Facts)
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
	weights concept.Weights // for each topic
	word    string          // a category that is named by a word of the text, where it has no topic
}

// subjects weighs texts. It is made once, as it takes some milliseconds.
var subjects = sync.OnceValue(func() *concept.Classifier { return concept.NewClassifier(builtin.ShippedWords()) })

// assign finds the category of a new fact: that of its topic or of its field, and
// of several of one topic the nearest; without a topic the nearest category that is
// near enough, else [concept.Unsorted], or in a small scope a new one that is named by a
// word of the text. Later the categories of the scope are looked through together
// (regroup.go).
func (l *lookups) assign(ctx context.Context, scope strata.Scope, about subject, v []float32) (string, error) {
	c, err := l.categoriesOf(ctx, scope)
	if err != nil {
		return "", err
	}
	if topic := about.weights.Join(c.exists); topic != "" {
		if name := c.choices[topic]; name != "" {
			return name, nil
		}
		of := c.of(topic)
		if i, _, ok := vector.Assign(v, of, -1); ok {
			return of[i].Name, nil
		}
		return topic, nil
	}
	if i, _, ok := vector.Assign(v, c.categories, vector.JoinFrom); ok {
		return c.categories[i].Name, nil
	}
	if c.facts >= regroupFrom && !c.exists(about.word) {
		return cmp.Or(c.choices[concept.Unsorted], concept.Unsorted), nil
	}
	return cmp.Or(c.choices[about.word], about.word), nil
}

// exists reports whether there is a category of that name, or one that was chosen
// in its place.
func (s *scopeCategories) exists(name string) bool {
	if s.choices[name] != "" {
		return true
	}
	return slices.ContainsFunc(s.categories, func(c vector.Category) bool { return c.Name == name })
}

// of returns the categories of a topic: the one of that name and those that it was
// divided into.
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

// pinned reports whether the program leaves a category as it is.
func (s *scopeCategories) pinned(name string) bool {
	for _, chosen := range s.choices {
		if chosen == name {
			return true
		}
	}
	return false
}

// choicesByTopic returns where the facts of each topic go by choice.
func choicesByTopic(list []store.CategoryChoice) map[string]string {
	out := make(map[string]string, len(list))
	for _, c := range list {
		out[c.Topic] = c.Name
	}
	return out
}

// retired keeps the counts true after a fact stopped being current. Its vector stays
// in the sum until the categories are read anew.
func (l *lookups) retired(f strata.Fact) {
	c := l.categories[f.Scope]
	if c == nil {
		return
	}
	c.facts--
	for i := range c.categories {
		if c.categories[i].Name == f.Category {
			c.categories[i].Centroid.Count--
		}
	}
}

// added keeps the lookups true after a fact was stored with its vector, and notes
// that the categories of the scope are to be looked through.
func (l *lookups) added(f strata.Fact, v []float32) {
	c := l.categories[f.Scope]
	if c == nil {
		return
	}
	if c.facts++; regroupsAt(c.facts) && !slices.Contains(l.due, f.Scope) {
		l.due = append(l.due, f.Scope)
	}
	i := slices.IndexFunc(c.categories, func(c vector.Category) bool { return c.Name == f.Category })
	switch {
	case v != nil && i < 0:
		c.numbers = append(c.numbers, 0)
		c.categories = append(c.categories, vector.Category{Name: f.Category, Centroid: vector.Centroid{Sum: slices.Clone(v), Count: 1}})
	case v == nil || c.categories[i].Centroid.Add(v) != nil:
		delete(l.categories, f.Scope) // to be read anew
	}
}

// chosen returns the category that facts go into which somebody put into the one
// called name: another, if that was renamed or merged.
func (l *lookups) chosen(ctx context.Context, scope strata.Scope, name string) (string, error) {
	c, err := l.categoriesOf(ctx, scope)
	if err != nil {
		return "", err
	}
	return cmp.Or(c.choices[name], name), nil
}

// pin has the program leave a category as it is.
func (l *lookups) pin(ctx context.Context, w store.Writer, scope strata.Scope, name string) error {
	c, err := l.categoriesOf(ctx, scope)
	if err != nil || c.pinned(name) {
		return err
	}
	c.choices[name] = name
	return w.PutCategoryChoice(ctx, scope, store.CategoryChoice{Topic: name, Name: name})
}
