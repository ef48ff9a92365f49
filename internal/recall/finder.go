package recall

import (
	"github.com/strata-memory/strata/internal/recall/evidence"
	"github.com/strata-memory/strata/internal/text/timeexpr"
	"github.com/strata-memory/strata/store"
)

const (
	// minRead is the fewest candidates whose text is read for the final score, and
	// readPerHit how many are read for each hit of the limit. Source: reading twice as
	// many changes no figure of docs/ranking.md by more than 0.1.
	minRead    = 30
	readPerHit = 2
	// searchReads replaces both in a search, so that the order does not depend on the
	// page. For the same reason a search looks for a fixed number of passages by vector,
	// searchNearest, and by words, searchSeeds. A query that selects by time or directory
	// has selectedSeeds instead.
	searchReads   = 100
	searchNearest = 50
	searchSeeds   = 1200
	selectedSeeds = 10_000
	// messageTerms is the number of terms from which a question counts as a whole message
	// that continues a session: what the session is about then counts as much as its
	// turns.
	messageTerms = 12
)

// finder answers one request, stage by stage.
type finder struct {
	r         store.Reader
	req       Request
	w         Weights
	limit     int
	reads     int // candidates whose text is read in the first round
	mostSeeds int // the most passages of a scope that become candidates by their words
	near      int // passages that each vector search returns

	query      query
	related    expansion       // the terms that expand the question
	subqueries []subquery      // the parts of a question that has several
	event      subquery        // the words of the event that the question's time is relative to
	span       *timeexpr.Range // the time that the question names; nil if none, or not yet known
	base       queryEmbedding  // compares candidates; without a vector nothing does
	model      queryEmbedding  // re-ranks candidates; without a vector nothing does
	vector     float64         // the weight of closeness for this question
	distrust   float64         // how little the vectors of base are trusted, in [0,1]
	// answerWeight is the weight of an assistant's words, in [0,1].
	answerWeight float64
	message      bool // the question continues a session, or is a whole message
	asked        evidence.Question

	selected   bool      // the view has the session or path asked for
	meanLength float64   // mean length of the passages of the view, in terms
	scratch    []float64 // used by scratchSpace
	pools      []*pool   // one for each scope of the view that can have hits
	cands      []*candidate
	unused     []candidate // preallocated, since a question has some hundred

	ranked    []*candidate // the candidates that were read, best first
	taken     int          // candidates that were chosen to be read
	exhausted bool         // no candidates are left to read
	weak      int          // candidates dropped for lack of evidence
	outside   int          // candidates dropped for being outside the time asked for
	shadows   map[shadowKey]bool
}

func newFinder(r store.Reader, req Request) *finder {
	f := &finder{r: r, req: req, w: DefaultWeights(), limit: req.Query.Limit, query: newQuery(req.Analysis), span: req.Analysis.Range}
	if req.Weights != nil {
		f.w = *req.Weights
	}
	f.answerWeight = f.w.Answer
	if req.Query.Sessions {
		f.answerWeight = f.w.SessionAnswer
	}
	if req.Analysis.GoesOn {
		f.answerWeight = 1
	}
	f.message = req.Analysis.GoesOn || len(f.query.terms) >= messageTerms
	n := len(f.query.terms)
	f.asked = evidence.Question{Words: f.query.words[:n], Rarity: f.query.idf[:n], Tags: f.query.tags, Expected: &f.req.Analysis.Expected}
	if f.limit <= 0 {
		f.limit = DefaultLimit
	}
	f.reads = max(minRead, readPerHit*f.limit) + len(req.Query.Seen)
	f.near = max(f.limit, DefaultLimit)
	f.mostSeeds = max(maxSeeds, f.reads)
	if req.Query.Search {
		f.reads, f.near, f.mostSeeds = searchReads, searchNearest, searchSeeds
	}
	f.near += shownTurns(req.Query)
	if selects(req.Query) {
		f.mostSeeds = selectedSeeds
	}
	f.base, f.model = queryEmbeddings(req)
	return f
}

// passages returns the number of passages in the view.
func (f *finder) passages() float64 {
	n := 0.0
	for _, p := range f.pools {
		n += float64(p.total)
	}
	return n
}
