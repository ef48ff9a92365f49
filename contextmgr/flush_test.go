package contextmgr

import (
	"context"
	"testing"

	"github.com/strata-memory/strata"
)

// What waits to be taken by memory is saved with the place it reaches to, one fact too.
func TestOnePendingFactIsSavedWithItsPlace(t *testing.T) {
	m := &Manager{pending: []strata.Candidate{{Content: "The ferry leaves at six"}}, pendingTo: 7}
	if got := m.state().PendingTo; got != 7 {
		t.Errorf("pending up to %d, want 7", got)
	}
}

// refusing is a memory that answers each save with the same error.
type refusing struct {
	Memory
	err   error
	saves []int // how many facts each save had
}

func (r *refusing) Save(_ context.Context, cs []strata.Candidate) ([]strata.Decision, error) {
	r.saves = append(r.saves, len(cs))
	return nil, r.err
}

// Facts are tried one by one where memory refuses what they say, and not where it is down.
func TestFactsAreTriedOneByOneWhereOneIsRefused(t *testing.T) {
	for code, want := range map[strata.Code]int{strata.CodeInvalid: 3, strata.CodeUnavailable: 1} {
		r := &refusing{err: &strata.Error{Code: code, Op: "save", Message: "no"}}
		m := &Manager{opt: Options{Memory: r, OnEvent: func(Event) {}}}
		_, err := m.saveFacts(t.Context(), []strata.Candidate{{Content: "one"}, {Content: "two"}})
		if (err == nil) != (code == strata.CodeInvalid) || len(r.saves) != want {
			t.Errorf("%s: %v after saves of %v", code, err, r.saves)
		}
	}
}
