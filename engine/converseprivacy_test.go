package engine_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/contextmgr"
	"github.com/strata-memory/strata/internal/sessions"
	"github.com/strata-memory/strata/llm"
)

// A session of a group stays one, also when it is opened again by somebody who
// does not say so, and for a session that works for it.
func TestAGroupSessionStaysOne(t *testing.T) {
	e, ctx := open(t), context.Background()
	if _, err := e.Write(ctx, strata.Candidate{Scope: strata.Global(), Type: strata.TypeUser, Content: "The user is allergic to peanuts"}); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Talk(ctx, sessions.Options{Session: "team", Kind: strata.SessionGroup}); err != nil {
		t.Fatal(err)
	}
	for _, o := range []sessions.Options{
		{Session: "team"},
		{Session: "team", Kind: strata.SessionMain},
		{Session: "team", View: strata.View{Scopes: []strata.Scope{strata.Global()}, Session: strata.SessionMain}},
		{Session: "helper", Kind: strata.SessionSub, Parent: "team"},
		{Session: "helper"},
	} {
		talk, err := e.Talk(ctx, o)
		if err != nil {
			t.Fatalf("%+v: %v", o, err)
		}
		hits, err := talk.Recall(ctx, contextmgr.RecallRequest{Query: "What is the user allergic to?", Turn: 1, Tokens: 400, Limit: 5})
		if err != nil || len(hits) > 0 {
			t.Errorf("%+v recalls %+v, %v", o, hits, err)
		}
		if strings.Contains(talk.Snapshot().Text, "peanuts") {
			t.Errorf("%+v is shown what is the user's own", o)
		}
	}
	own, err := e.Talk(ctx, sessions.Options{Session: "mine"})
	if err != nil || !strings.Contains(own.Snapshot().Text, "peanuts") {
		t.Errorf("the user's own session is not shown it: %v", err)
	}
}

// leaking is a model whose summaries hold a secret that no turn holds.
type leaking struct{ answering }

const leaked = "AKIAZ7QX3V5N2M4L6K8J"

func (m leaking) Chat(ctx context.Context, req llm.Request, onDelta func(llm.Delta) error) (llm.Reply, error) {
	reply, err := m.answering.Chat(ctx, req, onDelta)
	if isSummary(req) {
		reply.Message.Text += " The key is " + leaked + "."
	}
	return reply, err
}

// No secret reaches the disk through a conversation: not in what is said, not
// in the arguments and results of tools, not in a summary. And the state
// without it is one that can be gone on from.
func TestNoSecretReachesTheDiskThroughAConversation(t *testing.T) {
	dir, ctx := t.TempDir(), context.Background()
	e := openAt(t, filepath.Join(dir, "strata.db"))
	compacted, aside := 0, ""
	watch := func(o *contextmgr.Options) {
		o.Model = leaking{}
		o.OnEvent = func(ev contextmgr.Event) {
			switch ev := ev.(type) {
			case contextmgr.Compacted:
				compacted++
			case contextmgr.StateSetAside:
				aside = ev.Reason
			}
		}
	}
	_, mgr := converse(t, e, watch)
	addTurns(t, mgr,
		strata.Turn{Role: strata.RoleUser, Text: "Use " + leaked + " please."},
		strata.Turn{Role: strata.RoleAssistant, Text: "I do.", Calls: []strata.ToolCall{{ID: "c1", Name: "login", Arguments: `{"key":"` + leaked + `"}`}}},
		strata.Turn{Role: strata.RoleTool, CallID: "c1", Tool: "login", Text: "logged in with " + leaked},
	)
	if strings.Contains(requestOf(t, mgr), leaked) {
		t.Error("the model is sent what the ledger took out")
	}
	talkOn(t, mgr, "And now something else.", 40)
	if compacted == 0 {
		t.Fatal("nothing was summarized")
	}
	if found := grep(t, dir, leaked); len(found) > 0 {
		t.Errorf("the secret is in %v", found)
	}
	_, mgr = converse(t, e, watch)
	if aside != "" {
		t.Errorf("the state was set aside: %s", aside)
	}
	if _, err := mgr.Send(ctx, "Are you there?"); err != nil {
		t.Error(err)
	}
	healthy(t, e)
}
