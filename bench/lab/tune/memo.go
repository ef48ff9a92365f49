package main

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// compared identifies a comparison of the query with a passage under a model.
type compared struct {
	model  string
	number int64
}

// itemKey identifies a passage in any scope.
type itemKey struct {
	scope  strata.Scope
	number int64
}

// items caches the passages of a collection that were read. They hold its texts, so all
// questions share them.
type items struct {
	mu sync.Mutex // guards of, and the reader, which has one connection
	of map[itemKey]*store.Item
}

// memo caches what the store answered for one question, so that running the ranking with
// hundreds of weights costs only its own work. Weights change which passages are read, so
// memo caches passages one by one.
type memo struct {
	store.Reader
	items        *items
	calls        map[string]any
	parents      map[int64]*store.ParentInfo
	places       map[store.Place]*store.Meta
	similarities map[compared]float32
}

func newMemo(r store.Reader, shared *items) *memo {
	return &memo{r, shared, make(map[string]any), make(map[int64]*store.ParentInfo),
		make(map[store.Place]*store.Meta), make(map[compared]float32)}
}

// once returns the result of call, cached by key.
func once[T any](m *memo, key string, call func() (T, error)) (T, error) {
	if v, ok := m.calls[key]; ok {
		return v.(T), nil
	}
	m.items.mu.Lock()
	defer m.items.mu.Unlock()
	v, err := call()
	if err == nil {
		m.calls[key] = v
	}
	return v, err
}

// each returns the value of every key, from known or from a single call of ask for the
// rest. A nil value in known means that there is none.
func each[K comparable, V any](known map[K]*V, keys []K, ask func([]K) ([]V, error), keyOf func(V) K) ([]V, error) {
	var unknown []K
	for _, k := range keys {
		if _, ok := known[k]; !ok {
			unknown = append(unknown, k)
			known[k] = nil
		}
	}
	if len(unknown) > 0 {
		found, err := ask(unknown)
		if err != nil {
			return nil, err
		}
		for _, v := range found {
			known[keyOf(v)] = &v
		}
	}
	var out []V
	for _, k := range keys {
		if v := known[k]; v != nil {
			out = append(out, *v)
		}
	}
	return out, nil
}

func (m *memo) Match(ctx context.Context, s strata.Scope, terms []string, f store.Filter, o store.MatchOptions) (store.Matches, error) {
	return once(m, "match "+strings.Join(terms, " "), func() (store.Matches, error) { return m.Reader.Match(ctx, s, terms, f, o) })
}

func (m *memo) MatchPhrase(ctx context.Context, s strata.Scope, terms []string, prefix bool, f store.Filter, limit int) ([]store.Meta, error) {
	return once(m, fmt.Sprint("phrase ", terms, prefix, limit), func() ([]store.Meta, error) {
		return m.Reader.MatchPhrase(ctx, s, terms, prefix, f, limit)
	})
}

func (m *memo) MatchSubstring(ctx context.Context, s strata.Scope, part string, f store.Filter, limit int) ([]store.Meta, error) {
	return once(m, fmt.Sprint("substring ", part, limit), func() ([]store.Meta, error) {
		return m.Reader.MatchSubstring(ctx, s, part, f, limit)
	})
}

func (m *memo) Nearest(ctx context.Context, s strata.Scope, model string, v []float32, parents []int64, f store.Filter, k int) ([]store.Near, error) {
	return once(m, fmt.Sprint("nearest ", model, parents, k), func() ([]store.Near, error) {
		return m.Reader.Nearest(ctx, s, model, v, parents, f, k)
	})
}

func (m *memo) NearestParents(ctx context.Context, s strata.Scope, model string, v []float32, kind strata.Kind, f store.Filter, k int) ([]store.Near, error) {
	found, err := once(m, fmt.Sprint("parents ", model, kind, k), func() ([]store.Near, error) {
		return m.Reader.NearestParents(ctx, s, model, v, kind, f, k)
	})
	return append([]store.Near(nil), found...), err // a copy, because the ranking sorts it
}

func (m *memo) Similarities(ctx context.Context, s strata.Scope, model string, v []float32, numbers []int64) ([]float32, error) {
	var unknown []int64
	for _, n := range numbers {
		if _, ok := m.similarities[compared{model, n}]; !ok {
			unknown = append(unknown, n)
		}
	}
	if len(unknown) > 0 {
		m.items.mu.Lock()
		found, err := m.Reader.Similarities(ctx, s, model, v, unknown)
		m.items.mu.Unlock()
		if err != nil {
			return nil, err
		}
		for i, x := range found {
			m.similarities[compared{model, unknown[i]}] = x
		}
	}
	out := make([]float32, len(numbers))
	for i, n := range numbers {
		out[i] = m.similarities[compared{model, n}]
	}
	return out, nil
}

func (m *memo) PassagesAt(ctx context.Context, s strata.Scope, places []store.Place, f store.Filter) ([]store.Meta, error) {
	return each(m.places, places,
		func(unknown []store.Place) ([]store.Meta, error) {
			m.items.mu.Lock()
			defer m.items.mu.Unlock()
			return m.Reader.PassagesAt(ctx, s, unknown, f)
		},
		func(v store.Meta) store.Place { return store.Place{Parent: v.Parent, Seq: v.Seq} })
}

func (m *memo) Items(ctx context.Context, s strata.Scope, numbers []int64) ([]store.Item, error) {
	m.items.mu.Lock()
	defer m.items.mu.Unlock()
	known := make(map[int64]*store.Item, len(numbers))
	for _, n := range numbers {
		if item, ok := m.items.of[itemKey{s, n}]; ok {
			known[n] = item
		}
	}
	found, err := each(known, numbers,
		func(unknown []int64) ([]store.Item, error) { return m.Reader.Items(ctx, s, unknown) },
		func(v store.Item) int64 { return v.Number })
	for n, item := range known {
		m.items.of[itemKey{s, n}] = item
	}
	return found, err
}

func (m *memo) Parents(ctx context.Context, s strata.Scope, kind strata.Kind, numbers []int64) ([]store.ParentInfo, error) {
	if len(numbers) == 0 {
		return m.Reader.Parents(ctx, s, kind, numbers)
	}
	return each(m.parents, numbers,
		func(unknown []int64) ([]store.ParentInfo, error) {
			m.items.mu.Lock()
			defer m.items.mu.Unlock()
			return m.Reader.Parents(ctx, s, kind, unknown)
		},
		func(v store.ParentInfo) int64 { return v.Number })
}
