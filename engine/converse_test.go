package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/contextmgr"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/documents/edit"
	"github.com/strata-memory/strata/internal/sessions"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/store"
)

// converse opens the conversation "chat" of a memory in a small window.
func converse(t testing.TB, e *engine.Engine, change func(*contextmgr.Options)) (*engine.Conversation, *contextmgr.Manager) {
	t.Helper()
	ctx := context.Background()
	talk, err := e.Talk(ctx, sessions.Options{Session: "chat"})
	if err != nil {
		t.Fatal(err)
	}
	o := contextmgr.Options{
		Model: answering{}, Window: 2048, System: "Be brief.", Snapshot: talk.Snapshot().Text, NoRecall: true,
		Ledger: talk, Memory: talk,
	}
	if change != nil {
		change(&o)
	}
	mgr, err := contextmgr.New(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	return talk, mgr
}

// chatText is the n-th turn, one of the user.
func chatText(n int) string {
	return fmt.Sprintf("My cat number %d is called Tom%dor. %s", n, n, strings.Repeat("And there is more to say of it. ", 5))
}

// answering is a model that answers at once, and honestly where it is to
// extract or to summarize.
type answering struct{}

func (answering) Model() string { return "answering" }

func (answering) Chat(_ context.Context, req llm.Request, _ func(llm.Delta) error) (llm.Reply, error) {
	last := req.Messages[len(req.Messages)-1].Text
	text := "Understood, and noted."
	switch {
	case req.Schema != nil:
		text = namesOf(last)
	case isSummary(req):
		text = firstWords(strings.TrimPrefix(strings.TrimPrefix(last, "Summary so far:\n"), "(none)\n\n"), 40)
	}
	return llm.Reply{Message: llm.Message{Role: "assistant", Text: text}, Stop: llm.StopEnd}, nil
}

func isSummary(req llm.Request) bool { return strings.HasPrefix(req.Messages[0].Text, "You shorten") }

func firstWords(s string, n int) string {
	words := strings.Fields(s)
	return strings.Join(words[:min(len(words), n)], " ")
}

// namesOf are the facts of the material, as the schema wants them: the first
// sentence of what the user said.
func namesOf(material string) string {
	operations := []map[string]any{}
	for line := range strings.Lines(material) {
		number, said, ok := strings.Cut(strings.TrimPrefix(line, "["), "] user: ")
		seq, err := strconv.ParseInt(number, 10, 64)
		if sentence, _, whole := strings.Cut(said, "."); ok && whole && err == nil {
			operations = append(operations, map[string]any{
				"op": "add", "fact": 0, "text": sentence + ".", "type": "user", "turn": seq, "quote": sentence,
			})
		}
	}
	out, err := json.Marshal(map[string]any{"operations": operations})
	if err != nil {
		return fmt.Sprint(err)
	}
	return string(out)
}

// What a conversation recalls by itself are facts and notes. The index of the notes,
// which its snapshot holds, is not among them.
func TestAConversationRecallsNotes(t *testing.T) {
	e, _ := withTree(t)
	ctx := context.Background()
	if _, err := e.Remember(ctx, edit.Note{Scope: project, Type: strata.TypeProject, Title: "How we deploy", Body: "Deploys go through staging first."}); err != nil {
		t.Fatal(err)
	}
	write(t, e, strata.Candidate{Scope: project, Type: strata.TypeProject, Content: "The deploy script lives in scripts/deploy.sh"})
	talk, err := e.Talk(ctx, sessions.Options{Session: "chat", View: strata.View{Scopes: []strata.Scope{project, strata.Global()}, Session: strata.SessionMain}})
	if err != nil {
		t.Fatal(err)
	}
	hits, err := talk.Recall(ctx, contextmgr.RecallRequest{Query: "How do we deploy?", Turn: 1, Tokens: 400, Limit: 8})
	if err != nil {
		t.Fatal(err)
	}
	var note, fact bool
	for _, h := range hits {
		note = note || h.Section != nil && h.Section.Path == "notes/project_how-we-deploy.md"
		fact = fact || h.Kind == strata.KindFact
		if h.Section != nil && (h.Section.Path == strata.IndexPath || h.Section.Path == "AGENTS.md") {
			t.Errorf("%s is recalled", h.Section.Path)
		}
	}
	if !note || !fact {
		t.Errorf("recalled %+v, want the note and the fact", hits)
	}
}

// Turns that the window shows are no memory; those that left it, and those of other
// sessions, are, unless a fact says the same.
func TestAConversationRecallsTurnsThatItDoesNotShow(t *testing.T) {
	e, _ := withTree(t)
	ctx := context.Background()
	say := func(session string, texts ...string) []strata.Turn {
		var turns []strata.Turn
		for _, text := range texts {
			turns = append(turns, strata.Turn{Role: strata.RoleUser, Text: text})
		}
		kept, err := e.AppendTurns(ctx, strata.Global(), session, strata.SessionMain, turns)
		if err != nil {
			t.Fatal(err)
		}
		return kept
	}
	say("before", "The marmot moved into the shed in May")
	talk, err := e.Talk(ctx, sessions.Options{Session: "now"})
	if err != nil {
		t.Fatal(err)
	}
	now := say("now", "The marmot in the shed is called Friedrich", "The marmot likes to eat dandelions", "Where does the marmot in the shed eat?")
	recalled := func(shown ...strata.TurnRange) map[string]string {
		hits, err := talk.Recall(ctx, contextmgr.RecallRequest{Query: now[2].Text, Turn: 3, Tokens: 400, Limit: 8, Shown: shown})
		if err != nil {
			t.Fatal(err)
		}
		texts := make(map[string]string)
		for _, h := range hits {
			if h.Scope != strata.Global() || h.At.IsZero() || h.Kind == strata.KindTurn && h.Role != strata.RoleUser {
				t.Errorf("%s has scope %q, time %v and role %q", h.ID, h.Scope, h.At, h.Role)
			}
			texts[h.Text] = h.ID
		}
		return texts
	}
	got := recalled(strata.TurnRange{From: 2, To: 3})
	if got[now[0].Text] == "" || got["The marmot moved into the shed in May"] == "" || got[now[1].Text] != "" || got[now[2].Text] != "" {
		t.Errorf("recalled %v", got)
	}
	fact := write(t, e, strata.Candidate{Content: "The marmot in the shed is called Friedrich.", Sources: []string{now[0].ID}})
	got = recalled(strata.TurnRange{From: 2, To: 3})
	if got["The marmot in the shed is called Friedrich."] != fact.FactID || got[now[0].Text] != "" {
		t.Errorf("beside its fact recalled %v", got)
	}
}

// What a search shows is not of use by that: the next page would be another.
func TestASearchIsNoAccess(t *testing.T) {
	e, _ := withTree(t)
	d := write(t, e, strata.Candidate{Content: "The heron database lives in Frankfurt"})
	for _, ask := range []func() (*strata.Result, error){
		func() (*strata.Result, error) { return e.Search(context.Background(), strata.Global().View(), "heron") },
		func() (*strata.Result, error) { return e.Recall(context.Background(), strata.Global().View(), "heron") },
	} {
		if res, err := ask(); err != nil || len(res.Hits) != 1 {
			t.Fatalf("%+v, %v", res, err)
		}
	}
	if _, err := e.Traces(context.Background(), strata.Global().View(), store.TraceFilter{}); err != nil { // writes what waits
		t.Fatal(err)
	}
	versions, err := e.Fact(context.Background(), d.Scope.View(), d.FactID)
	if err != nil || versions[0].Accesses != 1 {
		t.Errorf("%d accesses, %v; want that of the recall", versions[0].Accesses, err)
	}
}
