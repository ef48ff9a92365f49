package engine_test

import (
	"context"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/sessions"
)

// Turns and a state are kept together or not at all: a state that is refused
// because something was forgotten, or because it holds a secret, brings no turn.
func TestTurnsAndTheirStateAreOneTransaction(t *testing.T) {
	e, ctx := open(t), context.Background()
	talk, err := e.Talk(ctx, sessions.Options{Session: "chat"})
	if err != nil {
		t.Fatal(err)
	}
	turn := []strata.Turn{{Role: strata.RoleUser, Text: "The harbor office closes at six."}}
	has := func(turns int, state string) {
		t.Helper()
		list, err := talk.Turns(ctx, 0, 0)
		if err != nil || len(list) != turns {
			t.Errorf("%d turns, %v, want %d", len(list), err, turns)
		}
		if got, err := talk.LoadState(ctx); err != nil || string(got) != state {
			t.Errorf("the state is %s, %v, want %s", got, err, state)
		}
	}
	const state = `{"n":1}`
	kept, err := talk.AppendWithState(ctx, turn, []byte(state))
	if err != nil || len(kept) != 1 || kept[0].Seq != 1 {
		t.Fatalf("%+v, %v", kept, err)
	}
	has(1, state)
	for _, secret := range []string{`{"n":2,"key":"` + leaked + `"}`, `no JSON, and ` + leaked} {
		if _, err := talk.AppendWithState(ctx, turn, []byte(secret)); strata.CodeOf(err) != strata.CodeRejectedSecret {
			t.Errorf("%s: got %v", secret, err)
		}
	}
	has(1, state)
	if _, err := talk.AppendWithState(ctx, turn, make([]byte, strata.MaxStateBytes+1)); strata.CodeOf(err) != strata.CodeTooLarge {
		t.Errorf("got %v", err)
	}
	has(1, state)
	d := save(t, e, "My cat's name is Whiskerino")
	if _, err := e.Forget(ctx, strata.Global().View(), d.FactID, engine.ForgetOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := talk.AppendWithState(ctx, turn, []byte(`{"n":2}`)); strata.CodeOf(err) != strata.CodeForgotten {
		t.Errorf("got %v", err)
	}
	has(1, state)
	if _, _, forgot, err := talk.Forgot(ctx); err != nil || !forgot {
		t.Fatalf("%t, %v", forgot, err)
	}
	if _, err := talk.AppendWithState(ctx, turn, []byte(`{"n":2}`)); err != nil {
		t.Fatal(err)
	}
	has(2, `{"n":2}`)
	healthy(t, e)
}
