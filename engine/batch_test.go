package engine_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
)

// mixed is a batch in which later candidates depend on earlier ones.
func mixed(n int) []strata.Candidate {
	out := make([]strata.Candidate, n)
	for i := range out {
		c := strata.Candidate{Scope: strata.Global()}
		switch i % 5 {
		case 0:
			c.Content = fmt.Sprintf("The port of service %d is %d", i, 1000+i)
		case 1:
			c.Content = fmt.Sprintf("The port of service %d is %d", i-1, 2000+i) // replaces the one before
		case 2:
			c.Content = fmt.Sprintf("The port of service %d is %d", i-2, 2000+i-1) // says it again
		case 3:
			c.Content = fmt.Sprintf("My colleague number %d likes hiking near lake %d", i, i*7)
		case 4:
			c.Content = fmt.Sprintf("the key is AKIA%s", strings.Repeat(string(rune('A'+i%26)), 16)) // a secret
		}
		out[i] = c
	}
	return out
}

func TestABatchWithABadCandidateChangesNothing(t *testing.T) {
	e := open(t)
	cs := mixed(200)
	cs[199].Content = " "
	_, err := e.WriteBatch(context.Background(), cs)
	wantCode(t, err, strata.CodeInvalid)
	if err == nil || !strings.Contains(err.Error(), "candidate 200 of 200") {
		t.Errorf("the error does not name the candidate: %v", err)
	}
	if got := current(t, e, strata.Global()); len(got) > 0 {
		t.Errorf("a bad batch left %d facts", len(got))
	}
}

// A batch that fails in its middle leaves nothing behind.
func TestABatchThatFailsLeavesNothing(t *testing.T) {
	e := open(t)
	cs := mixed(2000)
	cs[40].Target = "fact_01ARZ3NDEKTSV4RRFFQ69G5FAV"
	cs[40].BaseGeneration = 7
	if _, err := e.WriteBatch(context.Background(), cs); err == nil {
		t.Fatal("a batch with a target that is not there was written")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := e.WriteBatch(ctx, mixed(2000)); strata.CodeOf(err) != strata.CodeCanceled {
		t.Errorf("a canceled batch: %v", err)
	}
	if got := current(t, e, strata.Global()); len(got) > 0 {
		t.Errorf("batches that failed left %d facts", len(got))
	}
	healthy(t, e)
}
