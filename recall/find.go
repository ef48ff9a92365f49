package recall

import (
	"context"
	"fmt"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/timeexpr"
	"github.com/strata-memory/strata/store"
)

// DefaultLimit is the number of hits of a query that names none.
const DefaultLimit = 10

// Request is a question with everything needed to answer it.
type Request struct {
	Query    strata.Query
	Analysis Analysis
	// Model and Vector are the embedding of the question; a nil Vector means
	// words only. A vector of length zero in the sense of geometry is treated
	// as none.
	Model  string
	Vector []float32
	// Base and BaseVector are the same by the built-in embedder, where its
	// vectors are kept beside those of another model: the ranking is then what
	// it is without that model, and what the model proves to know more is
	// added. A nil BaseVector means that Model stands alone.
	Base       string
	BaseVector []float32
	// Now is the time of the question, by which recency and salience decay.
	Now time.Time
	// Weights of the score; nil means DefaultWeights.
	Weights *Weights
}

// Ranking is what was found, best first.
type Ranking struct {
	Hits  []strata.Hit
	Notes []string
	// Steps are "words", "vectors", "rank" and "explain" with the time each took.
	Steps []strata.Step
	// Tokens is the cost of all texts; 0 without a budget.
	Tokens int
}

// Find answers a request from one consistent state of a store. It looks at the
// scopes of the view and at nothing else. The error is of the store, or the
// context's.
func Find(ctx context.Context, r store.Reader, req Request) (Ranking, error) {
	f := newFinder(r, req)
	var out Ranking
	if f.look.size() > 0 || f.first.vector != nil {
		if err := out.step("words", func() error { return f.findWords(ctx) }); err != nil {
			return Ranking{}, err
		}
		if err := out.step("vectors", func() error { return f.findVectors(ctx) }); err != nil {
			return Ranking{}, err
		}
	}
	dropped := 0
	for reads := f.reads; ; reads *= 4 {
		if err := out.step("rank", func() error { return f.rank(ctx, reads) }); err != nil {
			return Ranking{}, err
		}
		full := false
		_ = out.step("explain", func() error {
			out.Hits, out.Tokens, dropped, full = f.cut()
			return nil
		})
		// Where much says the same, or was seen, more must be read.
		if full || f.exhausted {
			break
		}
	}
	out.Notes = f.notes(dropped)
	return out, nil
}

// step runs a part of the recall and adds its time to the step of that name.
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

// finder carries one request through the steps.
type finder struct {
	r        store.Reader
	req      Request
	w        Weights
	limit    int
	reads    int            // candidates whose text is read at first
	first    queryEmbedding // by which passages are compared; without a vector by none
	second   queryEmbedding // a model that adds to it; without a vector there is none
	look     lookup
	parts    []subset        // of a question with several parts
	distrust float64         // how far the model's vectors are not trusted, in [0,1]
	event    subset          // the words of the event by which the question tells a time
	span     *timeexpr.Range // the time the question speaks of; nil: none, or not known yet
	outside  int             // candidates that lie outside a time that the question insists on
	mean     float64         // length of a passage of the view, in terms
	room     []float64       // scratch of readAround
	pools    []*pool         // one for each scope of the view that can hold anything
	cands    []*candidate
	blank    []candidate // made and not used yet
	// ranked are the candidates that were read, best first; exhausted tells
	// that there are no others.
	ranked    []*candidate
	exhausted bool
	// shadows remembers which identities are shadowed.
	shadows map[shadowKey]bool
}

// lookup are the parts of the question that are looked up: terms, then phrases.
type lookup struct {
	terms   []string // index terms, to ask the store for
	words   []string // as written, of each feature
	weights []float64
	idf     []float64 // weighted, over all scopes of the view
	ideal   float64   // the sum of idf: the most a passage can reach
	df      []int64
	phrases [][]string
}

func (l *lookup) size() int { return len(l.words) }

func newFinder(r store.Reader, req Request) *finder {
	f := &finder{r: r, req: req, w: DefaultWeights(), limit: req.Query.Limit}
	if req.Weights != nil {
		f.w = *req.Weights
	}
	if f.limit <= 0 {
		f.limit = DefaultLimit
	}
	f.reads = max(minRead, readPerHit*f.limit) + len(req.Query.Seen)
	f.span = req.Analysis.Range
	f.first, f.second = queryEmbeddings(req)
	for _, t := range req.Analysis.Terms {
		if t.Weight <= 0 {
			continue
		}
		f.look.terms = append(f.look.terms, t.Term)
		f.look.words = append(f.look.words, t.Word)
		f.look.weights = append(f.look.weights, t.Weight)
	}
	f.look.phrases = req.Analysis.Phrases
	for _, p := range f.look.phrases {
		f.look.words = append(f.look.words, phraseWord(p))
		f.look.weights = append(f.look.weights, phraseWeight)
	}
	f.look.df = make([]int64, f.look.size())
	f.look.idf = make([]float64, f.look.size())
	return f
}

// filter returns the filter of the whole request, before the category of a
// scope is known.
func (f *finder) filter() store.Filter {
	q := f.req.Query
	out := store.Filter{Kinds: q.Kinds, Types: q.Types, AsOf: q.AsOf, System: q.System}
	if len(out.Kinds) == 0 && (len(q.Types) > 0 || q.Category != "") {
		out.Kinds = []strata.Kind{strata.KindFact} // only facts have either
	}
	if q.View.Session == strata.SessionGroup {
		out.NotPrivate = true
		out.SessionKind = strata.SessionGroup
	}
	return out
}

// openPools makes a pool for each scope of the view. A scope without the
// category asked for has none.
func (f *finder) openPools(ctx context.Context) error {
	for i, scope := range f.req.Query.View.Scopes {
		p := &pool{scope: scope, order: i, filter: f.filter(), asks: make(map[int64]bool)}
		if name := f.req.Query.Category; name != "" {
			number, err := f.category(ctx, scope, name)
			if err != nil {
				return err
			}
			if number == 0 {
				continue
			}
			p.filter.Parent = number
		}
		f.pools = append(f.pools, p)
	}
	return nil
}

// category returns the number of the named category of a scope; 0 if there is
// none.
func (f *finder) category(ctx context.Context, scope strata.Scope, name string) (int64, error) {
	parents, err := f.r.Parents(ctx, scope, strata.KindFact, nil)
	if err != nil {
		return 0, fmt.Errorf("find category %s in %s: %w", name, scope, err)
	}
	want := text.Normalize(name)
	for _, p := range parents {
		if text.Normalize(p.Name) == want {
			return p.Number, nil
		}
	}
	return 0, nil
}

func isZero(v []float32) bool {
	for _, x := range v {
		if x != 0 {
			return false
		}
	}
	return true
}
