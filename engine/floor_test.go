package engine_test

import (
	"context"
	"testing"

	"github.com/strata-memory/strata"
)

// What is shown only because all was asked for is not of interest.
func TestOnlyHitsWithEvidenceCountAsAccesses(t *testing.T) {
	e := open(t)
	ctx := context.Background()
	write(t, e, strata.Candidate{Scope: strata.Global(), Content: "The piano is tuned by Walter every spring"})
	write(t, e, strata.Candidate{Scope: strata.Global(), Content: "The boiler was serviced in September"})
	ask := func(text string) int {
		t.Helper()
		res, err := e.Query(ctx, strata.Query{View: strata.Global().View(), Text: text, All: true})
		if err != nil || len(res.Hits) == 0 {
			t.Fatalf("%q finds %+v, %v", text, res, err)
		}
		if err := e.Drain(ctx); err != nil {
			t.Fatal(err)
		}
		facts, err := e.Facts(ctx, strata.Global().View(), strata.FactFilter{})
		if err != nil {
			t.Fatal(err)
		}
		accesses := 0
		for _, f := range facts {
			accesses += f.Accesses
		}
		return accesses
	}
	if n := ask("How heavy is the piano?"); n != 0 {
		t.Errorf("%d accesses by a question without an answer", n)
	}
	if n := ask("Who tunes the piano?"); n != 1 {
		t.Errorf("%d accesses by a question with one answer", n)
	}
}
