package contextmgr

import (
	"context"
	"testing"

	"github.com/strata-memory/strata"
)

// A result answers the call of its id; else the first open call of its tool; and one that
// names neither, the first that is open.
func TestResultsFindTheirCalls(t *testing.T) {
	calls := []strata.ToolCall{{ID: "1", Name: "look"}, {ID: "2", Name: "read"}, {ID: "3", Name: "read"}}
	for _, tc := range []struct {
		name   string
		result strata.Turn
		want   string
	}{
		{"by id", strata.Turn{CallID: "3", Tool: "read"}, "c3"},
		{"by the id that was given to the model", strata.Turn{CallID: "c2"}, "c2"},
		{"by its tool", strata.Turn{Tool: "read"}, "c2"},
		{"by its tool, under another id", strata.Turn{CallID: "gone", Tool: "read"}, "c2"},
		{"by nothing", strata.Turn{}, "c1"},
		{"of another tool", strata.Turn{Tool: "write"}, ""},
		{"of another id", strata.Turn{CallID: "gone"}, ""},
	} {
		it := &item{turn: strata.Turn{Calls: calls}, open: []bool{true, true, true}, ids: []string{"c1", "c2", "c3"}}
		if got := it.answer(strata.Turn{Role: strata.RoleTool, CallID: tc.result.CallID, Tool: tc.result.Tool}); got != tc.want {
			t.Errorf("%s: answers %q, want %q", tc.name, got, tc.want)
		}
		if again := it.answer(tc.result); tc.want != "" && again == tc.want {
			t.Errorf("%s: a call is answered twice", tc.name)
		}
	}
}

// What waits to be taken by memory is saved with the place it reaches to, one fact too.
func TestOnePendingFactIsSavedWithItsPlace(t *testing.T) {
	m := &Manager{pending: []strata.Candidate{{Content: "The ferry leaves at six"}}, pendingTo: 7}
	if got := m.state().PendingTo; got != 7 {
		t.Errorf("pending up to %d, want 7", got)
	}
}

// The newest turn is asked for by who said it; a summary is nobody's.
func TestTheNewestTurnIsOfItsRole(t *testing.T) {
	turn := func(role strata.Role) *item { return &item{kind: kindTurn, from: 3, turn: strata.Turn{Role: role}} }
	for _, tc := range []struct {
		last *item
		want int64
	}{{turn(strata.RoleUser), 3}, {turn(strata.RoleAssistant), 0}, {&item{kind: kindSummary, from: 3, turn: strata.Turn{Role: strata.RoleUser}}, 0}} {
		m := &Manager{win: window{items: []*item{turn(strata.RoleUser), tc.last}}}
		if got := m.newest(strata.RoleUser); got != tc.want {
			t.Errorf("after a %s: %d, want %d", tc.last.turn.Role, got, tc.want)
		}
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
