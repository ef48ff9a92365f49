package engine_test

import (
	"context"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/llm/builtin"
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

// Preparing beside the transaction decides the same as preparing before it.
func TestABatchPreparedAheadIsDecidedAsAnyOther(t *testing.T) {
	id := regexp.MustCompile(`fact_[0-9A-Z]+`) // drawn anew in each engine
	type outcome struct {
		Op     strata.Op
		Reason string
		Rules  []string
		Notes  []string
		Text   string
	}
	decide := func(emb llm.Embedder) (out []outcome) {
		now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
		e := open(t, func(o *engine.Options) {
			o.Embedder = emb
			o.Now = func() time.Time { return now }
		})
		decisions, err := e.WriteBatch(context.Background(), mixed(333))
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range decisions {
			o := outcome{Op: d.Op, Reason: id.ReplaceAllString(d.Reason, "fact"), Rules: d.Rules, Notes: d.Notes}
			if d.After != nil {
				o.Text = d.After.Text
			}
			out = append(out, o)
		}
		healthy(t, e)
		return out
	}
	apart := decide(struct{ llm.Embedder }{builtin.New()}) // not known to be in the process
	ahead := decide(builtin.New())
	if !reflect.DeepEqual(apart, ahead) {
		t.Errorf("prepared before: %v\nprepared ahead: %v", apart, ahead)
	}
	ops := make(map[strata.Op]int)
	for _, o := range ahead {
		ops[o.Op]++
	}
	for _, op := range []strata.Op{strata.OpAdd, strata.OpSupersede, strata.OpNoop, strata.OpReject} {
		if ops[op] == 0 {
			t.Errorf("no %s among %v", op, ops)
		}
	}
}

func TestABatchPreparedAheadWithABadCandidateChangesNothing(t *testing.T) {
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

// A batch that fails in its middle leaves nothing behind, no worker either.
func TestABatchPreparedAheadThatFailsLeavesNothing(t *testing.T) {
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
