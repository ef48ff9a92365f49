package recall

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/recall/question"
	"github.com/strata-memory/strata/llm/builtin"
	"github.com/strata-memory/strata/store"
)

// DefaultLimit is the most hits of a query that sets no limit.
const DefaultLimit = 10

// Request is a question with everything needed to answer it.
type Request struct {
	Query    strata.Query
	Analysis question.Analysis
	// Model and Vector are the embedding of the question. Without a Vector, or with one
	// of zeros, Find ranks by words alone.
	Model  string
	Vector []float32
	// Base and BaseVector are the question's embedding by the built-in embedder, set if
	// the store holds the vectors of both that embedder and Model. Find then ranks by
	// Base and re-ranks by Model. Without a BaseVector, it ranks by Model.
	Base       string
	BaseVector []float32
	// Builtin is the built-in embedder of the home; nil means the one that the program
	// ships with.
	Builtin *builtin.Embedder
	// Now is the time of the question, from which ages are counted.
	Now time.Time
	// Weights of the score; nil means DefaultWeights.
	Weights *Weights
}

// Ranking is the result of [Find], best hit first.
type Ranking struct {
	Hits  []strata.Hit
	Notes []string
	// Steps are "words", "vectors", "rank" and "explain" with the time each took.
	Steps []strata.Step
	// Tokens is the cost of all texts in tokens; 0 without a budget.
	Tokens int
	// Next is the offset of the next page; 0 if there is none.
	Next int
}

// Find answers a request from one consistent state of a store. It looks only at the
// scopes of the view. Its error is that of the store or of the context, or says that the
// view lacks the session or path that the query names.
func Find(ctx context.Context, r store.Reader, req Request) (Ranking, error) {
	r, err := hideShown(ctx, r, req.Query)
	if err != nil {
		return Ranking{}, err
	}
	f := newFinder(r, req)
	var out Ranking
	if f.query.size() > 0 || f.base.vector != nil {
		if err := out.step("words", func() error { return f.searchWords(ctx) }); err != nil {
			return Ranking{}, err
		}
		if err := out.step("vectors", func() error { return f.searchVectors(ctx) }); err != nil {
			return Ranking{}, err
		}
	}
	var found page
	for reads := f.reads; ; reads *= 4 {
		if err := out.step("rank", func() error { return f.rank(ctx, reads) }); err != nil {
			return Ranking{}, err
		}
		_ = out.step("explain", func() error {
			found = f.results()
			return nil
		})
		// If many candidates repeat one another or were seen, more are needed to fill the
		// page.
		if found.full || f.exhausted {
			break
		}
	}
	out.Hits, out.Tokens, out.Next = found.hits, found.tokens, found.next
	out.Notes = f.notes(found)
	return out, nil
}

// searchWords makes candidates of the passages that match the question by words.
func (f *finder) searchWords(ctx context.Context) error {
	if err := f.openPools(ctx); err != nil {
		return err
	}
	for _, stage := range []func(context.Context) error{
		f.matchTerms,
		f.matchPhrases,
		f.expandRelated, // by synonyms and hyponyms of the terms
		f.matchUnknown,  // terms that no passage holds: by prefix, substring and spelling
	} {
		if err := stage(ctx); err != nil {
			return err
		}
	}
	f.weighFeatures()
	if err := f.scoreParents(ctx); err != nil {
		return err
	}
	f.selectCandidates()
	return nil
}

// searchVectors adds the passages nearest to the question to the candidates and
// sets the closeness of all of them.
func (f *finder) searchVectors(ctx context.Context) error {
	if f.base.vector == nil {
		return nil
	}
	f.weighVectors()
	for _, p := range f.pools {
		found, err := f.searchTiers(ctx, p, f.base, baseCloseness)
		if err != nil {
			return err
		}
		if err := f.addNearest(ctx, p, found); err != nil {
			return err
		}
	}
	if err := f.compareCandidates(ctx); err != nil {
		return err
	}
	f.discountVectors()
	f.shareCloseness(f.cands, func(c *candidate) *float64 { return &c.closeness })
	return f.rerank(ctx)
}

// rank reads candidates until the best n are read, orders the new ones by their final
// scores, and appends them to those of earlier calls. It never reorders these, so a later
// page of a search never changes an earlier one.
func (f *finder) rank(ctx context.Context, n int) error {
	f.cands = slices.DeleteFunc(f.cands, func(c *candidate) bool {
		return c.own+c.around <= 0 && c.closeness <= leastCloseness // has nothing in common with the question
	})
	first := f.taken == 0
	top, err := f.readBest(ctx, n)
	if err != nil {
		return err
	}
	top = f.dropUnselected(top)
	if err := f.markShadowed(ctx, top); err != nil {
		return err
	}
	if err := f.substituteBuiltin(ctx, top); err != nil {
		return err
	}
	f.resolveEvent(top)
	top = f.dropOutsideTime(top)
	speakers := f.namedSpeakers(top)
	for _, c := range top {
		f.score(c, speakers)
	}
	slices.SortFunc(top, compareScores)
	top = f.dropEchoes(top)
	if first {
		f.preferValue(top)
	}
	top = f.dropShadowed(f.replaceTurns(top))
	if err := f.markOutdated(ctx, top); err != nil {
		return err
	}
	f.ranked, f.exhausted = append(f.ranked, f.spreadDocuments(top)...), n >= len(f.cands)
	return nil
}

// step runs a part of the recall and adds the time it took to the step of that name.
func (r *Ranking) step(name string, run func() error) error {
	started := time.Now()
	if err := run(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	took := time.Since(started)
	for i := range r.Steps {
		if r.Steps[i].Name == name {
			r.Steps[i].Took += took
			return nil
		}
	}
	r.Steps = append(r.Steps, strata.Step{Name: name, Took: took})
	return nil
}
