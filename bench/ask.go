package bench

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
)

// Depth is how many documents a run lists for each query: enough for the largest k that
// is scored.
const Depth = 100

// Deepest is the most hits that a query can ask for.
const Deepest = 1000

// Ranked is a document in the answer to a query, with its score.
type Ranked struct {
	Document string
	Score    float64
}

// Answer is the answer to one query.
type Answer struct {
	Query  Query
	Ranked []Ranked
	Took   time.Duration // includes embedding
}

// Options tells how to query a collection. The zero value queries it as users do.
type Options struct {
	// Depth is how many hits to ask for; 0 means [Depth]. More are needed if some will be
	// left out or many belong to one session.
	Depth int
	// Sessions ranks sessions instead of turns.
	Sessions bool
	// Flat skips the tiers of categories and sessions, for comparison.
	Flat bool
	// Progress is called with the number of queries asked so far. It may be nil.
	Progress func(done int)
}

// Ask asks all queries, one after another. It leaves no trace in memory.
func Ask(ctx context.Context, mem *engine.Engine, queries []Query, names Names, o Options) ([]Answer, error) {
	answers := make([]Answer, 0, len(queries))
	for i, q := range queries {
		begin := time.Now()
		res, err := mem.Query(ctx, strata.Query{
			View: scopeOf(q.Scope).View(), Text: q.Text, Limit: cmp.Or(o.Depth, Depth), Flat: o.Flat, Sessions: o.Sessions, All: true, Quiet: true,
		})
		if err != nil {
			return nil, fmt.Errorf("query %s: %w", q.ID, err)
		}
		a := Answer{Query: q, Took: time.Since(begin)}
		for _, h := range res.Hits {
			for _, doc := range names[h.ID] {
				a.Ranked = append(a.Ranked, Ranked{Document: doc, Score: h.Score})
			}
		}
		answers = append(answers, a)
		if o.Progress != nil {
			o.Progress(i + 1)
		}
	}
	return answers, nil
}

// WriteRun writes answers in TREC's run format: query, Q0, document, rank from
// 1, score, name of the run.
func WriteRun(w io.Writer, answers []Answer) error {
	out := bufio.NewWriter(w)
	for _, a := range answers {
		for i, r := range a.Ranked {
			fmt.Fprintf(out, "%s Q0 %s %d %.6f strata\n", a.Query.ID, r.Document, i+1, r.Score)
		}
	}
	return out.Flush()
}
