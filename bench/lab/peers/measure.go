package main

import (
	"context"
	"errors"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/bench"
)

// limit is how many answers each question asks for.
const limit = 10

// lookup is a function of a peer to measure: a whole recall, or a search by vectors or by
// words alone.
type lookup func(ctx context.Context, question string) ([]string, error)

// measure asks for statements in each way, one question after another, after one question
// to warm up. It does not set the fields of the row that identify the peer.
func measure(ctx context.Context, ask lookup, statements []bench.Asked) (row, error) {
	if len(statements) == 0 {
		return row{}, errors.New("there is no question to ask")
	}
	if _, err := ask(ctx, statements[0].Question); err != nil {
		return row{}, err
	}
	ways, took, err := bench.AskWays(statements, func(_ strata.Scope, question string) ([]string, error) { return ask(ctx, question) })
	return row{Asked: len(took), Found10: bench.FoundAllWays(ways), Took: bench.PercentilesOf(took), Ways: ways}, err
}
