package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/contextmgr"
	"github.com/strata-memory/strata/llm"
)

// requestOf is the request that a conversation would send, as bytes.
func requestOf(t *testing.T, mgr *contextmgr.Manager) string {
	t.Helper()
	req, err := mgr.Prompt(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(req)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// addTurns adds turns to a conversation.
func addTurns(t *testing.T, mgr *contextmgr.Manager, turns ...strata.Turn) {
	t.Helper()
	if err := mgr.Append(context.Background(), turns...); err != nil {
		t.Fatal(err)
	}
}

func picture(t *testing.T) strata.Image {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 64, 64))); err != nil {
		t.Fatal(err)
	}
	return strata.Image{MediaType: "image/png", Data: b.Bytes()}
}

// A conversation with everything in it looks the same to the byte after its
// program ended and began again: summary, recalled memory, images, groups of
// tool calls, an interrupted one, a shortened result.
func TestAConversationIsTheSameAfterARestart(t *testing.T) {
	db, ctx := filepath.Join(t.TempDir(), "strata.db"), context.Background()
	e := openAt(t, db)
	for _, s := range []string{"My cat's name is Whiskerino", "The harbor office closes at six"} {
		save(t, e, s)
	}
	var compacted, stubbed, recalled int
	change := func(o *contextmgr.Options) {
		o.Window, o.NoRecall = 4096, false
		o.OnEvent = func(ev contextmgr.Event) {
			switch ev.(type) {
			case contextmgr.Compacted:
				compacted++
			case contextmgr.Stubbed:
				stubbed++
			case contextmgr.Recalled:
				recalled++
			}
		}
	}
	talk, mgr := converse(t, e, change)
	for n := range 30 {
		if _, err := mgr.Send(ctx, chatText(2*n)+strings.Repeat(" It is a long story.", 20)); err != nil {
			t.Fatal(err)
		}
	}
	addTurns(t, mgr, strata.Turn{Role: strata.RoleUser, Text: "What is this, and when does the harbor office close?", Images: []strata.Image{picture(t)}})
	requestOf(t, mgr)
	addTurns(t, mgr,
		strata.Turn{Role: strata.RoleAssistant, Text: "I look.", Calls: []strata.ToolCall{
			{ID: "c1", Name: "look", Arguments: `{"at":"picture"}`}, {ID: "c2", Name: "read", Arguments: `{"file":"log"}`}}},
		strata.Turn{Role: strata.RoleTool, CallID: "c2", Tool: "read", Text: strings.Repeat("line of a log\n", 2000)},
		strata.Turn{Role: strata.RoleUser, Text: "My cat's name, I mean: who is Whiskerino?"},
	)
	before := requestOf(t, mgr)
	if compacted == 0 || stubbed == 0 || recalled == 0 {
		t.Fatalf("%d compactions, %d stubs, %d recalls: the test proves too little", compacted, stubbed, recalled)
	}
	for _, part := range []string{"<conversation-summary", "<recalled-memory>", "is shortened", "no result was recorded", `"media_type":"image/png"`} {
		if !strings.Contains(strings.ReplaceAll(before, `\u003c`, "<"), part[:len(part)-1]) {
			t.Errorf("the request has no %s", part)
		}
	}
	snapshot := talk.Snapshot().Text
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	e = openAt(t, db)
	save(t, e, "Something new that is not in the snapshot")
	talk, mgr = converse(t, e, change)
	if talk.Snapshot().Text != snapshot {
		t.Error("the snapshot is another")
	}
	if after := requestOf(t, mgr); after != before {
		t.Errorf("after the restart\n%s\nbefore\n%s", after, before)
	}
}

// A state that cannot be used is set aside with a message, and the conversation
// goes on from the ledger.
func TestAnUnusableStateIsSetAside(t *testing.T) {
	for name, state := range map[string]string{
		"damaged":   `{"version":1,"sha256":"00","state":{}}`,
		"no JSON":   `it was here a moment ago`,
		"oversized": `{"version":1,"sha256":"00","state":"` + strings.Repeat("x", 5<<20) + `"}`,
		"too new":   `{"version":99,"sha256":"","state":{}}`,
	} {
		t.Run(name, func(t *testing.T) {
			e, ctx := open(t), context.Background()
			talk, mgr := converse(t, e, nil)
			for n := range 20 {
				if _, err := mgr.Send(ctx, chatText(2*n)); err != nil {
					t.Fatal(err)
				}
			}
			if err := talk.SaveState(ctx, []byte(state)); err != nil {
				t.Fatal(err)
			}
			var reason string
			_, mgr = converse(t, e, func(o *contextmgr.Options) {
				o.OnEvent = func(ev contextmgr.Event) {
					if aside, ok := ev.(contextmgr.StateSetAside); ok {
						reason = aside.Reason
					}
				}
			})
			if reason == "" {
				t.Error("nobody was told")
			}
			kept, err := e.StatesAside(ctx, strata.Global(), "chat")
			if err != nil || len(kept) != 1 || string(kept[0].Data) != state {
				t.Errorf("%d states are kept aside, %v", len(kept), err)
			}
			if u := mgr.Usage(); u.Last != 40 {
				t.Errorf("the conversation has %d turns", u.Last)
			}
			if _, err := mgr.Send(ctx, "Are you still there?"); err != nil {
				t.Error(err)
			}
			healthy(t, e)
		})
	}
}

// stalling is a model that answers the user and never comes back from anything
// else.
type stalling struct{ answering }

func (m stalling) Chat(ctx context.Context, req llm.Request, onDelta func(llm.Delta) error) (llm.Reply, error) {
	if req.Schema == nil && !isSummary(req) {
		return m.answering.Chat(ctx, req, onDelta)
	}
	<-ctx.Done()
	return llm.Reply{}, &strata.Error{Code: strata.CodeUnavailable, Op: "chat", Message: "timed out", Err: ctx.Err()}
}

// A model that hangs during a flush costs the turn its time limit and no more:
// rules find the facts.
func TestAHangingModelCostsNoTurnAndNoFact(t *testing.T) {
	e, ctx := open(t), context.Background()
	var fell, compacted int
	talk, mgr := converse(t, e, func(o *contextmgr.Options) {
		o.Model, o.ModelTimeout = stalling{}, 10*time.Millisecond
		o.OnEvent = func(ev contextmgr.Event) {
			switch ev := ev.(type) {
			case contextmgr.FellBack:
				fell++
			case contextmgr.Compacted:
				compacted++
				if ev.ByModel {
					t.Error("a model that hangs made a summary")
				}
			}
		}
	})
	if _, err := mgr.Send(ctx, "My cat's name is Whiskerino."); err != nil {
		t.Fatal(err)
	}
	const exchanges = 40
	for n := range exchanges {
		if _, err := mgr.Send(ctx, fmt.Sprintf("And then, on day %d, it rained again. %s", n, strings.Repeat("It would not stop. ", 8))); err != nil {
			t.Fatal(err)
		}
	}
	if fell == 0 || compacted == 0 {
		t.Fatalf("%d fallbacks, %d compactions", fell, compacted)
	}
	turns, err := talk.Turns(ctx, 0, 0)
	if err != nil || len(turns) != 2*exchanges+2 {
		t.Errorf("%d turns, %v", len(turns), err)
	}
	res, err := e.Recall(ctx, strata.Global().View(), "What is my cat's name?")
	if err != nil || len(res.Hits) == 0 || !strings.Contains(res.Hits[0].Text, "Whiskerino") {
		t.Errorf("recalled %+v, %v", res, err)
	}
	healthy(t, e)
}

// Two managers on one session, in one program or two: no turn is lost or takes
// the place of another.
func TestTwoManagersOnOneSession(t *testing.T) {
	e, ctx := open(t), context.Background()
	_, one := converse(t, e, nil)
	_, two := converse(t, e, nil)
	done := make(chan error, 2)
	for name, mgr := range map[string]*contextmgr.Manager{"one": one, "two": two} {
		go func() {
			var err error
			for n := 0; n < 30 && err == nil; n++ {
				_, err = mgr.Send(ctx, fmt.Sprintf("My cat %s number %d is called Tom%s%d. %s", name, n, name, n, strings.Repeat("More of it. ", 10)))
			}
			done <- err
		}()
	}
	for range 2 {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	talk, mgr := converse(t, e, nil)
	turns, err := talk.Turns(ctx, 0, 0)
	if err != nil || len(turns) != 120 {
		t.Fatalf("%d turns, %v", len(turns), err)
	}
	if err := mgr.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	facts, err := e.Facts(ctx, strata.Global().View(), strata.FactFilter{Limit: 1000})
	if err != nil || len(facts) != 60 {
		t.Errorf("%d facts of 60, %v", len(facts), err)
	}
	if u := mgr.Usage(); u.Last != 120 || u.Level > 1 {
		t.Errorf("%+v", u)
	}
	healthy(t, e)
}
