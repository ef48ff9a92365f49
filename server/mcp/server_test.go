package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"weak"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/internal/text/token"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/llm/builtin"
	"github.com/strata-memory/strata/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// open returns an engine over a new home that is closed with the test.
func open(t testing.TB, change ...func(*engine.Options)) *engine.Engine {
	t.Helper()
	st, err := sqlite.Open(context.Background(), filepath.Join(t.TempDir(), "strata.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	opts := &engine.Options{Embedder: builtin.New()}
	for _, c := range change {
		c(opts)
	}
	e, err := engine.Open(context.Background(), st, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return e
}

// connect returns the SDK's own client, connected to a server in memory.
func connect(t *testing.T, server *mcp.Server) *mcp.ClientSession {
	t.Helper()
	ctx := context.Background()
	there, here := mcp.NewInMemoryTransports()
	ss, err := server.Connect(ctx, there, nil)
	if err != nil {
		t.Fatal(err)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	cs, err := client.Connect(ctx, here, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cs.Close(); err != nil {
			t.Errorf("close client: %v", err)
		}
		_ = ss.Wait() // the client closed it
	})
	return cs
}

// call calls a tool and returns its text and structured content.
func call(t *testing.T, cs *mcp.ClientSession, name string, args any) (text string, structured map[string]any) {
	t.Helper()
	res, err := cs.CallTool(context.Background(), &mcp.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	text = textOf(t, res)
	if res.IsError {
		t.Fatalf("%s %v: %s", name, args, text)
	}
	structured, ok := res.StructuredContent.(map[string]any)
	if !ok {
		t.Fatalf("%s: structured content is %T", name, res.StructuredContent)
	}
	return text, structured
}

// refused calls a tool and returns the error it answers with.
func refused(t *testing.T, cs *mcp.ClientSession, name string, args any) (out struct{ Code, Message, Hint string }) {
	t.Helper()
	res, err := cs.CallTool(context.Background(), &mcp.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	text := textOf(t, res)
	if !res.IsError || res.StructuredContent != nil {
		t.Fatalf("%s: no error, or one with structured content: %s", name, text)
	}
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatalf("%s: the error is no JSON: %s", name, text)
	}
	return out
}

func textOf(t *testing.T, res *mcp.CallToolResult) string {
	t.Helper()
	if len(res.Content) != 1 {
		t.Fatalf("%d contents, want 1", len(res.Content))
	}
	text, ok := res.Content[0].(*mcp.TextContent)
	if !ok {
		t.Fatalf("content is %T", res.Content[0])
	}
	return text.Text
}

// Every definition is sent with every request of an agent. A small model must
// not be swamped by them.
func TestDefinitionsStaySmall(t *testing.T) {
	e := open(t)
	for set, limit := range map[operation.Toolset]int{operation.NoTools: 2500, operation.CoreTools: 2500, operation.AllTools: 4500} {
		cs := connect(t, New(e, Options{Tools: set}))
		list, err := cs.ListTools(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(list)
		if err != nil {
			t.Fatal(err)
		}
		n := token.Count(string(data))
		if n >= limit {
			t.Errorf("the definitions of %q are %d tokens, the limit is %d", set, n, limit)
		}
		t.Logf("%q: %d tools, %d tokens", set, len(list.Tools), n)
	}
	if n := token.Count((&service{options: Options{Tools: operation.AllTools}}).instructions()); n > 100 {
		t.Errorf("the instructions are %d tokens, the limit is 100", n)
	}
}

func TestToolsAreAnnotated(t *testing.T) {
	cs := connect(t, New(open(t), Options{Version: "1.2.3", Tools: operation.AllTools}))
	if info := cs.InitializeResult(); info.ServerInfo.Name != "strata" || info.ServerInfo.Version != "1.2.3" || info.Instructions == "" {
		t.Errorf("initialize = %+v", info)
	}
	list, err := cs.ListTools(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	writes := map[string]bool{
		"memory_save": true, "remember": true, "memory_append": true, "memory_update": true, "memory_undo": true, "memory_forget": true, "memory_learn": true,
		"memory_checkpoint": true, "memory_questions_answer": true,
	}
	for _, tool := range list.Tools {
		a := tool.Annotations
		if a.ReadOnlyHint == writes[tool.Name] || a.OpenWorldHint == nil || *a.OpenWorldHint {
			t.Errorf("%s: annotations %+v", tool.Name, a)
		}
		destructive := a.DestructiveHint != nil && *a.DestructiveHint
		if want := tool.Name == "memory_forget" || tool.Name == "memory_undo"; destructive != want || !a.ReadOnlyHint && a.DestructiveHint == nil {
			t.Errorf("%s: destructive %v, want %v", tool.Name, destructive, want)
		}
	}
}

// The story every user tries first, over two connections.
func TestWhatOneConnectionSavesAnotherRecalls(t *testing.T) {
	server := New(open(t), Options{Tools: operation.AllTools})
	monday := connect(t, server)
	text, saved := call(t, monday, "memory_save", map[string]any{"content": "My cat's name is Whiskerino"})
	if saved["decision"] != "add" || saved["category"] != "pets" || !strings.HasPrefix(text, "add fact_") {
		t.Errorf("saved %v: %s", saved, text)
	}
	tuesday := connect(t, server)
	text, found := call(t, tuesday, "memory_recall", map[string]any{"query": "What is my cat's name?", "max_results": 3})
	hits := found["hits"].([]any)
	if len(hits) != 1 || hits[0].(map[string]any)["id"] != saved["id"] || !strings.Contains(text, "My cat's name is Whiskerino") {
		t.Errorf("found %v: %s", found, text)
	}
	// Forget asks nobody, but can be tried.
	id := saved["id"]
	if text, dry := call(t, tuesday, "memory_forget", map[string]any{"id": id, "dry_run": true}); dry["dry_run"] != true || !strings.HasPrefix(text, "would forget") {
		t.Errorf("dry run %v: %s", dry, text)
	}
	if _, found := call(t, tuesday, "memory_search", map[string]any{"query": "cat"}); len(found["hits"].([]any)) != 1 {
		t.Error("the dry run forgot it")
	}
	if text, gone := call(t, tuesday, "memory_forget", map[string]any{"id": id}); gone["versions"] != 1.0 || !strings.HasPrefix(text, "forgot fact_") {
		t.Errorf("forgot %v: %s", gone, text)
	}
	if _, found := call(t, tuesday, "memory_search", map[string]any{"query": "cat"}); len(found["hits"].([]any)) != 0 {
		t.Errorf("still found: %v", found)
	}
}

func TestSearchLeadsToExpand(t *testing.T) {
	e := open(t)
	var turns []strata.Turn
	for i := range 30 {
		turns = append(turns, strata.Turn{Role: strata.RoleUser, Text: fmt.Sprintf("Remark %d about the weather", i+1)})
	}
	turns[11].Text = "The blue tiles are for the bathroom"
	if _, err := e.AppendTurns(t.Context(), strata.Global(), "monday", strata.SessionMain, turns); err != nil {
		t.Fatal(err)
	}
	cs := connect(t, New(e, Options{Tools: operation.AllTools}))
	_, found := call(t, cs, "memory_search", map[string]any{"query": "blue tiles"})
	hit := found["hits"].([]any)[0].(map[string]any)
	seq := hit["seq"].(float64)
	text, page := call(t, cs, "memory_expand", map[string]any{"session": hit["session"], "from": seq - 1, "to": seq + 1})
	if opened := page["turns"].([]any); len(opened) != 3 || !strings.Contains(text, "--- turn 11 ·") || !strings.Contains(text, "blue tiles") {
		t.Errorf("%d turns: %s", len(opened), text)
	}
	text, page = call(t, cs, "memory_expand", map[string]any{"session": "monday", "max_tokens": 200})
	next, ok := page["next"].(string)
	if !ok || !strings.Contains(text, fmt.Sprintf("repeat the call with after %q", next)) {
		t.Errorf("the page does not say how to go on: %s", text)
	}
}

func TestMistakesAreToolErrors(t *testing.T) {
	cs := connect(t, New(open(t), Options{}))
	tests := []struct {
		name, tool string
		args       any
		code, want string
	}{
		{"unknown field", "memory_save", map[string]any{"content": "a", "colour": "red"}, "invalid", "colour"},
		{"wrong type", "memory_save", map[string]any{"content": 5}, "invalid", "content must be a string"},
		{"missing field", "memory_save", map[string]any{}, "invalid", "content is missing"},
		{"no input", "memory_recall", nil, "invalid", "query is missing"},
		{"outside the list", "memory_save", map[string]any{"content": "a", "type": "pet"}, "invalid", "pet"},
		{"NUL", "memory_save", map[string]any{"content": "a\x00b"}, "invalid", "NUL"},
		{"blank", "memory_save", map[string]any{"content": " \n "}, "invalid", "empty"},
		{"huge text", "memory_save", map[string]any{"content": strings.Repeat("a ", 1<<20)}, "too_large", "longer than the limit"},
		{"huge question", "memory_recall", map[string]any{"query": strings.Repeat("a ", 1<<20)}, "too_large", "longer than 1 MiB"},
		{"no such fact", "memory_forget", map[string]any{"id": "fact_0"}, "not_found", "fact_0"},
		{"no such session", "memory_expand", map[string]any{"session": "never"}, "not_found", "never"},
		{"no session of its own", "memory_expand", nil, "not_found", "your own session"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := refused(t, cs, tt.tool, tt.args)
			if got.Code != tt.code || !strings.Contains(got.Message, tt.want) || got.Hint == "" {
				t.Errorf("got %+v", got)
			}
		})
	}
	// The connection lives on.
	call(t, cs, "memory_save", map[string]any{"content": "The ferry leaves at six"})
	if _, err := cs.CallTool(context.Background(), &mcp.CallToolParams{Name: "memory_explode"}); err == nil {
		t.Error("a tool that does not exist answers")
	}
}

// What is inside an internal error is for the log.
func TestInternalErrorsSayNothingOfTheInside(t *testing.T) {
	f := &service{options: Options{}.withDefaults()}
	for _, tt := range []struct {
		err  error
		want string
	}{
		{errors.New("open /home/ann/.strata/strata.db: broken"), `{"code":"internal","message":"it failed; the server's log says why"}`},
		{fmt.Errorf("read: %w", strata.Invalid("x", "too odd", "make it even")), `{"code":"invalid","message":"too odd","hint":"make it even"}`},
		{fmt.Errorf("read: %w", context.Canceled), `{"code":"canceled","message":"the call was canceled"}`},
		{fmt.Errorf("read: %w", context.DeadlineExceeded), `{"code":"canceled","message":"time ran out"}`},
	} {
		if res := f.refusal("memory_save", tt.err); textOf(t, res) != tt.want || !res.IsError {
			t.Errorf("%v: %s, want %s", tt.err, textOf(t, res), tt.want)
		}
	}
}

func TestEveryConnectionIsASessionOfItsOwn(t *testing.T) {
	e := open(t)
	server := New(e, Options{})
	ctx, view := context.Background(), strata.Global().View()
	seen := make(map[string]bool)
	for i := range 2 {
		cs := connect(t, server)
		_, saved := call(t, cs, "memory_save", map[string]any{"content": fmt.Sprintf("Door %d is painted red", i)})
		call(t, cs, "memory_recall", map[string]any{"query": "door"})
		list, err := e.Decisions(ctx, view, strata.DecisionFilter{FactID: saved["id"].(string)})
		if err != nil || len(list) != 1 || list[0].Origin != strata.OriginTool || !strings.HasPrefix(list[0].Session, "session_") {
			t.Fatalf("decisions = %+v, %v", list, err)
		}
		traces, err := e.Traces(ctx, view, store.TraceFilter{Session: list[0].Session, Limit: 10})
		if err != nil || len(traces) != 1 || traces[0].Query != "door" {
			t.Errorf("traces of %s = %+v, %v", list[0].Session, traces, err)
		}
		seen[list[0].Session] = true
	}
	if len(seen) != 2 {
		t.Errorf("sessions = %v", seen)
	}
	_, saved := call(t, connect(t, New(e, Options{Session: "session_given"})), "memory_save", map[string]any{"content": "The gate is painted green"})
	list, err := e.Decisions(ctx, view, strata.DecisionFilter{FactID: saved["id"].(string)})
	if err != nil || len(list) != 1 || list[0].Session != "session_given" {
		t.Errorf("of a given session: %+v, %v", list, err)
	}
}

// Every tool takes a scope, sees and writes that alone, and says which it was. It
// chooses among the scopes of the server and reaches no other.
func TestToolsTakeAScope(t *testing.T) {
	e := open(t)
	cs := connect(t, New(e, Options{Workspace: "shop", Agent: "coder", Tools: operation.AllTools}))
	save := func(content, scope string) string {
		t.Helper()
		text, out := call(t, cs, "memory_save", map[string]any{"content": content, "scope": scope, "type": "project"})
		key, _ := out["scope"].(string)
		if !strings.Contains(text, " · "+key+")") {
			t.Errorf("%q does not name the scope %s", text, key)
		}
		return key
	}
	for scope, want := range map[string]string{
		"": "workspace/shop", "workspace": "workspace/shop", "workspace/shop": "workspace/shop", "global": "global",
		"agent": "workspace/shop/agent/coder", "agent:global": "agent/coder",
	} {
		if got := save("The lighthouse is known as "+scope, scope); got != want {
			t.Errorf("scope %q: saved in %s, want %s", scope, got, want)
		}
	}
	text, note := call(t, cs, "remember", map[string]any{"content": "Lighthouse keepers sign the log.", "title": "Log", "type": "project", "scope": "global"})
	if note["scope"] != "global" || !strings.Contains(text, "(global)") {
		t.Errorf("remember: %q, %v", text, note)
	}
	for _, tool := range []string{"memory_recall", "memory_search"} {
		for scope, want := range map[string]string{"global": "global", "workspace": "workspace/shop", "agent": "workspace/shop/agent/coder"} {
			text, found := call(t, cs, tool, map[string]any{"query": "lighthouse", "scope": scope})
			hits := found["hits"].([]any)
			for _, h := range hits {
				if got := h.(map[string]any)["scope"]; got != want {
					t.Errorf("%s in %s: a hit of %s", tool, scope, got)
				}
			}
			if len(hits) == 0 || strings.Count(text, " · "+want+" · ") != len(hits) {
				t.Errorf("%s in %s: %d hits, %q", tool, scope, len(hits), text)
			}
		}
	}
	write := strata.Candidate{Content: "The lighthouse of the others", Scope: strata.InWorkspace("theirs")}
	if _, err := e.Write(t.Context(), write); err != nil {
		t.Fatal(err)
	}
	for _, tool := range []string{"memory_recall", "memory_save", "remember", "memory_forget", "memory_list"} {
		for _, scope := range []string{"workspace/theirs", "elsewhere"} {
			args := map[string]any{"memory_recall": map[string]any{"query": "a"}, "memory_forget": map[string]any{"id": "a"}, "memory_list": map[string]any{}}[tool]
			in, ok := args.(map[string]any)
			if !ok {
				in = map[string]any{"content": "a"}
			}
			in["scope"] = scope
			got := refused(t, cs, tool, in)
			if got.Code != "scope_required" || !strings.Contains(got.Hint, "workspace/shop, global") {
				t.Errorf("%s in %s: %+v", tool, scope, got)
			}
		}
	}
}

func TestAConnectionThatIsGoneIsForgotten(t *testing.T) {
	var s sessions
	ss := new(mcp.ServerSession)
	first := s.id(ss)
	if again := s.id(ss); again != first {
		t.Errorf("one connection has the ids %s and %s", first, again)
	}
	s.drop(weak.Make(ss))
	if len(s.ids) != 0 {
		t.Errorf("%d ids are kept", len(s.ids))
	}
}

func TestAServerSeesItsViewAlone(t *testing.T) {
	e := open(t)
	everybody := connect(t, New(e, Options{}))
	reviewer := connect(t, New(e, Options{Agent: "reviewer", Scope: strata.ForAgent("reviewer"), View: strata.ForAgent("reviewer").View()}))
	call(t, everybody, "memory_save", map[string]any{"content": "The red door is open"})
	call(t, reviewer, "memory_save", map[string]any{"content": "The blue door is shut"})
	for _, tt := range []struct {
		cs   *mcp.ClientSession
		want string
	}{{everybody, "The red door is open"}, {reviewer, "The blue door is shut"}} {
		text, found := call(t, tt.cs, "memory_recall", map[string]any{"query": "door"})
		if hits := found["hits"].([]any); len(hits) != 1 || !strings.Contains(text, tt.want) {
			t.Errorf("found %v, want %s: %s", hits, tt.want, text)
		}
	}
	// In the view of a group, what is about the user does not exist.
	call(t, everybody, "memory_save", map[string]any{"content": "I am allergic to peanuts"})
	group := connect(t, New(e, Options{View: strata.View{Session: strata.SessionGroup}, Tools: operation.AllTools}))
	if _, found := call(t, group, "memory_search", map[string]any{"query": "who is allergic to peanuts"}); len(found["hits"].([]any)) != 0 {
		t.Errorf("a group sees %v", found)
	}
	// Nor does what was said in private.
	turns := []strata.Turn{{Role: strata.RoleUser, Text: "I hid the presents in the attic"}}
	for session, kind := range map[string]strata.SessionKind{"private": strata.SessionMain, "party": strata.SessionGroup} {
		if _, err := e.AppendTurns(context.Background(), strata.Global(), session, kind, turns); err != nil {
			t.Fatal(err)
		}
	}
	_, found := call(t, group, "memory_search", map[string]any{"query": "where are the presents"})
	if hits := found["hits"].([]any); len(hits) != 1 || hits[0].(map[string]any)["session"] != "party" {
		t.Errorf("a group sees %v", hits)
	}
}

func TestConcurrentCalls(t *testing.T) {
	e := open(t)
	cs := connect(t, New(e, Options{}))
	const n = 40
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			args := map[string]any{"content": fmt.Sprintf("Locker %d belongs to person %c%c", i, 'a'+i%26, 'a'+i/26)}
			res, err := cs.CallTool(context.Background(), &mcp.CallToolParams{Name: "memory_save", Arguments: args})
			if err != nil || res.IsError {
				t.Errorf("save %d: %+v, %v", i, res, err)
			}
			res, err = cs.CallTool(context.Background(), &mcp.CallToolParams{Name: "memory_recall", Arguments: map[string]any{"query": "locker"}})
			if err != nil || res.IsError {
				t.Errorf("recall %d: %+v, %v", i, res, err)
			}
		})
	}
	wg.Wait()
	facts, err := e.Facts(context.Background(), strata.Global().View(), strata.FactFilter{Limit: 100})
	if err != nil || len(facts) != n {
		t.Errorf("%d facts, want %d: %v", len(facts), n, err)
	}
}

// slow is an embedder that says when it is asked and answers when its context
// ends or it is let go.
type slow struct {
	opened atomic.Bool
	llm.Embedder
	asked chan struct{}
	gone  chan error // why it returned
	free  chan struct{}
}

func newSlow() *slow {
	return &slow{Embedder: builtin.New(), asked: make(chan struct{}, 1), gone: make(chan error, 1), free: make(chan struct{})}
}

func (s *slow) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if !s.opened.Swap(true) { // memory looks at an embedder when it opens
		return s.Embedder.Embed(ctx, texts)
	}
	select {
	case <-s.free:
		return s.Embedder.Embed(ctx, texts)
	default:
	}
	s.asked <- struct{}{}
	<-ctx.Done()
	s.gone <- ctx.Err()
	return nil, ctx.Err()
}

func TestACanceledCallStops(t *testing.T) {
	s := newSlow()
	cs := connect(t, New(open(t, func(o *engine.Options) { o.Embedder, o.EmbedTimeout = s, 1<<40 }), Options{}))
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() {
		_, err := cs.CallTool(ctx, &mcp.CallToolParams{Name: "memory_recall", Arguments: map[string]any{"query": "ferry"}})
		done <- err
	}()
	<-s.asked
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("the call returned %v", err)
	}
	if err := <-s.gone; !errors.Is(err, context.Canceled) {
		t.Errorf("the work ended with %v", err)
	}
	close(s.free)
	call(t, cs, "memory_recall", map[string]any{"query": "ferry"})
}
