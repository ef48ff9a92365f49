package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/documents"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/vector"
)

// shelf holds the categories of the scopes that a transaction touches, so that
// a batch reads them once.
type shelf struct {
	engine *Engine
	reader store.Reader
	racks  map[strata.Scope]*rack
	models *store.Embedding // as the transaction sees them; nil until asked for
	docs   *documents.Tx
}

// rack is the categories of one scope.
type rack struct {
	model      store.Model // whose vectors they are of
	numbers    []int64     // 0 for a category that began since they were read
	categories []vector.Category
	grown      bool // a category began since they were looked through
}

func newShelf(e *Engine, r store.Reader) *shelf {
	s := &shelf{engine: e, reader: r, racks: make(map[strata.Scope]*rack)}
	s.docs = documents.NewTx(r, &e.ids, s.indexSection)
	return s
}

// state returns which embedding models are wanted, read once.
func (s *shelf) state(ctx context.Context) (store.Embedding, error) {
	if s.models == nil {
		st, err := s.engine.models.Look(ctx, s.reader)
		if err != nil {
			return st, err
		}
		s.models = &st
	}
	return *s.models, nil
}

// rack returns the categories of a scope, read once.
func (s *shelf) rack(ctx context.Context, scope strata.Scope) (*rack, error) {
	st, err := s.state(ctx)
	if err != nil {
		return nil, err
	}
	if r := s.racks[scope]; r != nil && r.model == st.Serving {
		return r, nil
	}
	found, err := s.reader.Categories(ctx, scope, st.Serving)
	if err != nil {
		return nil, fmt.Errorf("read categories of %s: %w", scope, err)
	}
	r := &rack{model: st.Serving}
	for _, c := range found {
		r.numbers = append(r.numbers, c.Number)
		r.categories = append(r.categories, vector.Category{
			Name: c.Name, Centroid: vector.Centroid{Sum: c.Sum, Count: int(c.Facts)},
		})
	}
	s.racks[scope] = r
	return r, nil
}

// nearest returns the numbers of the k categories nearest to v, up to the first
// that would bring the facts in them above most.
func (s *shelf) nearest(ctx context.Context, scope strata.Scope, v []float32, k, most int) ([]int64, error) {
	r, err := s.rack(ctx, scope)
	if err != nil {
		return nil, err
	}
	near := vector.NearestFew(v, r.categories, k, most)
	if slices.ContainsFunc(near, func(m vector.Match) bool { return r.numbers[m.Index] == 0 }) {
		delete(s.racks, scope)
		if r, err = s.rack(ctx, scope); err != nil {
			return nil, err
		}
		near = vector.NearestFew(v, r.categories, k, most)
	}
	var numbers []int64
	for _, m := range near {
		numbers = append(numbers, r.numbers[m.Index])
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
func (s *shelf) assign(ctx context.Context, scope strata.Scope, about subject, v []float32) (string, error) {
	if v == nil {
		return about.name, nil
	}
	r, err := s.rack(ctx, scope)
	if err != nil {
		return "", err
	}
	near, o := r.categories, vector.CategoryOptions{Name: about.name}
	if about.topic {
		// A topic is surer than a likeness; likeness only chooses among the
		// categories of the topic.
		near, o = r.of(about.name), vector.CategoryOptions{Name: about.name, Join: -1, All: r.total()}
	}
	if i, _, ok := vector.Assign(v, near, o); ok {
		return near[i].Name, nil
	}
	if r.unembedded(about.name) {
		return about.name, nil
	}
	return r.freeName(about.name), nil
}

// unembedded reports whether there is a category of that name of which no fact
// has a vector of the model yet: likeness says nothing of it, but its name does.
func (r *rack) unembedded(name string) bool {
	for _, c := range r.categories {
		if c.Name == name {
			return c.Centroid.Sum == nil
		}
	}
	return false
}

// of returns the categories of a topic: the one of that name and those that
// began when it was full.
func (r *rack) of(topic string) []vector.Category {
	var out []vector.Category
	prefix := topic + " "
	for i := range r.categories {
		if c := &r.categories[i]; c.Name == topic || strings.HasPrefix(c.Name, prefix) {
			out = append(out, *c)
		}
	}
	return out
}

// total counts the facts of the scope.
func (r *rack) total() int {
	n := 0
	for i := range r.categories {
		n += r.categories[i].Centroid.Count
	}
	return n
}

// freeName returns name, or with a number where a category has it already.
func (r *rack) freeName(name string) string {
	taken := func(name string) bool {
		for _, c := range r.categories {
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

// added keeps the shelf true after a fact was stored with its vector.
func (s *shelf) added(f strata.Fact, v []float32) {
	r := s.racks[f.Scope]
	if r == nil {
		return
	}
	i := slices.IndexFunc(r.categories, func(c vector.Category) bool { return c.Name == f.Category })
	switch {
	case v != nil && i < 0:
		r.numbers = append(r.numbers, 0)
		r.categories = append(r.categories, vector.Category{Name: f.Category, Centroid: vector.Centroid{Sum: slices.Clone(v), Count: 1}})
		r.grown = true
	case v == nil || r.categories[i].Centroid.Add(v) != nil:
		delete(s.racks, f.Scope) // to be read anew
	}
}

// tidy merges categories that have grown alike once there are too many.
func (s *shelf) tidy(ctx context.Context, w store.Writer, scope strata.Scope) error {
	if r := s.racks[scope]; r != nil {
		if !r.grown || len(vector.Merge(r.categories, vector.CategoryOptions{})) == 0 {
			r.grown = false
			return nil
		}
		delete(s.racks, scope) // to be read anew, with all numbers
	}
	r, err := s.rack(ctx, scope)
	if err != nil {
		return err
	}
	for _, p := range vector.Merge(r.categories, vector.CategoryOptions{}) {
		if err := w.MergeCategories(ctx, scope, r.numbers[p.From], r.numbers[p.Into]); err != nil {
			return fmt.Errorf("merge categories of %s: %w", scope, err)
		}
		event := strata.Event{Kind: strata.EventMerged, Scope: scope, At: w.Now(),
			Detail: fmt.Sprintf("category %d into %d", r.numbers[p.From], r.numbers[p.Into])}
		if err := w.AppendEvent(ctx, event); err != nil {
			return err
		}
	}
	delete(s.racks, scope)
	return nil
}
