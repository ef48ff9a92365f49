package recall

import (
	"github.com/strata-memory/strata/internal/recall/evidence"
	"github.com/strata-memory/strata/internal/text/timeexpr"
	"github.com/strata-memory/strata/store"
)

const (
	// minRead is the fewest candidates whose text is read for the final score,
	// readPerHit how many are read for each hit wanted. Source: twice as many
	// change no figure of docs/ranking.md by more than 0.1.
	minRead    = 30
	readPerHit = 2
	// searchReads takes their place in a search, so that its order does not depend on
	// the page that is asked for; nor do searchNearest, the passages that are looked
	// for by vector, and searchSeeds, those by words. Where what is found is selected
	// by its time or directory, selectedSeeds are.
	searchReads   = 100
	searchNearest = 50
	searchSeeds   = 1200
	selectedSeeds = 10_000
	// messageTerms is from how many terms on a question is taken for a message that
	// goes on from a session: what the session is about counts as much as its turns.
	messageTerms = 12
)

// finder carries one request through the stages.
type finder struct {
	r         store.Reader
	req       Request
	w         Weights
	limit     int
	reads     int // candidates whose text is read at first
	mostSeeds int // the most passages of a scope that become candidates by their words
	near      int // passages that a tier of vectors returns

	query      query
	related    expansion       // what the question is expanded by
	subqueries []subquery      // of a question with several parts
	event      subquery        // the words of the event from which the question counts a time
	span       *timeexpr.Range // the time the question speaks of; nil: none, or not known yet
	base       queryEmbedding  // by which candidates are compared; without a vector by none
	model      queryEmbedding  // by which they are re-ranked; without a vector they are not
	vector     float64         // the weight of closeness for this question
	distrust   float64         // how far the vectors of base are not trusted, in [0,1]
	// answerWeight is what the words of an assistant count.
	answerWeight float64
	message      bool // the question goes on from a session, or is a whole message
	asked        evidence.Question

	selected   bool      // the view has the session or path asked for
	meanLength float64   // of the passages of the view, in terms
	scratch    []float64 // of scoreTurn
	pools      []*pool   // one for each scope of the view that can hold anything
	cands      []*candidate
	unused     []candidate // allocated many at once, for there are some hundred

	ranked    []*candidate // the candidates that were read, best first
	taken     int          // how many were read for it
	exhausted bool         // there are no others
	weak      int          // candidates dropped for want of evidence
	outside   int          // candidates dropped for lying outside the time asked for
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

// passages returns how many passages the view holds.
func (f *finder) passages() float64 {
	n := 0.0
	for _, p := range f.pools {
		n += float64(p.total)
	}
	return n
}
