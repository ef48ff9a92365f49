package category

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/topics"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/vector"
)

// Set holds the categories of one scope as a transaction sees them, and is kept true
// while it writes. It is for one goroutine at a time.
type Set struct {
	scope      strata.Scope
	model      store.Model // whose vectors they are of
	numbers    []int64     // 0 for a category that began since they were read
	categories []vector.Category
	choices    map[string]string // the names of categories that were decided on, by topic
	facts      int               // in all of them
}

// Read returns the categories of a scope, by the vectors of a model.
func Read(ctx context.Context, r store.Reader, scope strata.Scope, model store.Model) (*Set, error) {
	found, err := r.Categories(ctx, scope, model)
	if err != nil {
		return nil, fmt.Errorf("read categories of %s: %w", scope, err)
	}
	choices, err := r.CategoryChoices(ctx, scope)
	if err != nil {
		return nil, err
	}
	s := &Set{scope: scope, model: model, choices: byTopic(choices)}
	for _, f := range found {
		s.numbers = append(s.numbers, f.Number)
		s.facts += int(f.Facts)
		s.categories = append(s.categories, vector.Category{
			Name: f.Name, Centroid: vector.Centroid{Sum: f.Sum, Count: int(f.Facts)},
		})
	}
	return s, nil
}

// Model is the model by whose vectors the set was read.
func (s *Set) Model() store.Model { return s.model }

// Len is the number of categories.
func (s *Set) Len() int { return len(s.categories) }

// Nearest returns the numbers of the k categories nearest to v, up to the first
// that would bring the facts in them above most. It reports false if one of them
// began since the set was read, and has no number yet: then it is to be read anew.
func (s *Set) Nearest(v []float32, k, most int) ([]int64, bool) {
	var numbers []int64
	for _, m := range vector.NearestFew(v, s.categories, k, most) {
		if s.numbers[m.Index] == 0 {
			return nil, false
		}
		numbers = append(numbers, s.numbers[m.Index])
	}
	return numbers, true
}

// Closest returns the k categories nearest to v, the nearest first.
func (s *Set) Closest(v []float32, k int) []strata.Category {
	var out []strata.Category
	for _, m := range vector.Nearest(v, s.categories, k) {
		c := s.categories[m.Index]
		out = append(out, strata.Category{Scope: s.scope, Name: c.Name, Facts: int64(c.Centroid.Count)})
	}
	return out
}

// Assign finds the category of a new fact with the vector v: that of its topic or of
// its field, and of several of one topic the nearest; without a topic the nearest
// category that is near enough, else [concept.Unsorted], or in a small scope a new one
// that is named by a word of the text. Later all are looked through together ([Regroup]).
func (s *Set) Assign(about Subject, v []float32) string {
	if topic := about.weights.Join(s.exists); topic != "" {
		if name := s.choices[topic]; name != "" {
			return name
		}
		of := s.of(topic)
		if i, _, ok := vector.Assign(v, of, -1); ok {
			return of[i].Name
		}
		return topic
	}
	if i, _, ok := vector.Assign(v, s.categories, vector.JoinFrom); ok {
		return s.categories[i].Name
	}
	if s.facts >= regroupFrom && !s.exists(about.word) {
		return s.Chosen(topics.Unsorted)
	}
	return s.Chosen(about.word)
}

// Chosen returns the category that facts go into which somebody put into the one
// called name: another, if that was renamed or merged.
func (s *Set) Chosen(name string) string { return cmp.Or(s.choices[name], name) }

// exists reports whether there is a category of that name, or one that was chosen
// in its place.
func (s *Set) exists(name string) bool {
	if s.choices[name] != "" {
		return true
	}
	return slices.ContainsFunc(s.categories, func(c vector.Category) bool { return c.Name == name })
}

// of returns the categories of a topic: the one of that name and those that it was
// divided into.
func (s *Set) of(topic string) []vector.Category {
	var out []vector.Category
	prefix := topic + " "
	for i := range s.categories {
		if c := &s.categories[i]; c.Name == topic || strings.HasPrefix(c.Name, prefix) {
			out = append(out, *c)
		}
	}
	return out
}

// Pin has the program leave a category as it is.
func (s *Set) Pin(ctx context.Context, w store.Writer, name string) error {
	if isPinned(s.choices, name) {
		return nil
	}
	s.choices[name] = name
	return w.PutCategoryChoice(ctx, s.scope, store.CategoryChoice{Topic: name, Name: name})
}

// Add counts a fact that was stored with a vector. It reports whether the categories
// are now due to be looked through, and whether the set is still true: else it is to be
// read anew.
func (s *Set) Add(f strata.Fact, v []float32) (due, valid bool) {
	s.facts++
	due = regroupDue(s.facts)
	i := slices.IndexFunc(s.categories, func(c vector.Category) bool { return c.Name == f.Category })
	switch {
	case v == nil:
		return due, false
	case i < 0:
		s.numbers = append(s.numbers, 0)
		s.categories = append(s.categories, vector.Category{Name: f.Category, Centroid: vector.Centroid{Sum: slices.Clone(v), Count: 1}})
		return due, true
	}
	return due, s.categories[i].Centroid.Add(v) == nil
}

// Remove counts a fact that stopped being current. Its vector stays in the sum until
// the set is read anew.
func (s *Set) Remove(f strata.Fact) {
	s.facts--
	for i := range s.categories {
		if s.categories[i].Name == f.Category {
			s.categories[i].Centroid.Count--
		}
	}
}

// byTopic returns where the facts of each topic go by choice.
func byTopic(list []store.CategoryChoice) map[string]string {
	out := make(map[string]string, len(list))
	for _, c := range list {
		out[c.Topic] = c.Name
	}
	return out
}

// isPinned reports whether the program leaves a category as it is, by what was chosen.
func isPinned(choices map[string]string, name string) bool {
	for _, chosen := range choices {
		if chosen == name {
			return true
		}
	}
	return false
}
