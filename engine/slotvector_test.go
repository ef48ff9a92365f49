package engine_test

import (
	"testing"

	"github.com/strata-memory/strata"
)

// A fact that takes over the slot of the one it updates is found by the same vector
// before and after the index is made anew.
func TestTheVectorOfAnUpdateKnowsItsSlot(t *testing.T) {
	ctx := t.Context()
	e := open(t)
	g := strata.Global()
	first := write(t, e, strata.Candidate{Scope: g, Content: "It is Lena", Type: strata.TypeProject, Entity: "harbor", Attribute: "master"})
	write(t, e, strata.Candidate{Scope: g, Target: first.FactID, Content: "It is Tomás since May"})
	found := func() float64 {
		t.Helper()
		if err := e.Drain(ctx); err != nil {
			t.Fatal(err)
		}
		res, err := e.Recall(ctx, g.View(), "who is the harbor master?")
		if err != nil || len(res.Hits) == 0 {
			t.Fatalf("%+v, %v", res, err)
		}
		return res.Hits[0].Why.Vector
	}
	before := found()
	if _, err := e.Reindex(ctx, nil, nil); err != nil {
		t.Fatal(err)
	}
	if after := found(); before == 0 || before != after {
		t.Errorf("the vector says %v, and %v after reindexing", before, after)
	}
}
