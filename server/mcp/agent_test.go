package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/text/token"
)

// aboutAPerson are ten facts that have no word in common with the question for them.
var aboutAPerson = []string{
	"My name is Ines Falk", "I live in Porto", "I work as a bridge engineer", "My sister Marta lives in Lyon", "My cat is called Whiskerino",
	"I am allergic to hazelnuts", "I prefer short answers without bullet points", "My birthday is on 3 May", "I play the viola on Thursdays", "I drive a green Fiat Panda",
}

// saveAll saves facts through a client.
func saveAll(t *testing.T, cs *mcp.ClientSession, facts []string) {
	t.Helper()
	for _, f := range facts {
		if _, out := call(t, cs, "memory_save", map[string]any{"content": f}); out["id"] == "" {
			t.Fatalf("%q was not saved: %v", f, out)
		}
	}
}

func TestWhatDoYouKnowAboutMe(t *testing.T) {
	cs := connect(t, New(open(t), Options{}))
	saveAll(t, cs, aboutAPerson)
	call(t, cs, "memory_save", map[string]any{"content": "The staging server is rebuilt every night", "type": "reference", "scope": "global"})
	for _, ask := range []struct {
		tool string
		args map[string]any
	}{
		{"memory_recall", map[string]any{"query": "What do you know about me?"}},
		{"memory_recall", map[string]any{"query": "Tell me everything you know about me."}},
		{"memory_recall", map[string]any{"query": "who am I"}},
		{"memory_list", map[string]any{"subject": "me"}},
		{"memory_list", map[string]any{"subject": "the user"}},
		{"memory_context", map[string]any{}},
	} {
		text, _ := call(t, cs, ask.tool, ask.args)
		for _, f := range aboutAPerson {
			if !strings.Contains(text, f) {
				t.Errorf("%s %v lacks %q:\n%s", ask.tool, ask.args, f, text)
			}
		}
		if ask.tool != "memory_context" && strings.Contains(text, "staging") {
			t.Errorf("%s %v: what is not about them:\n%s", ask.tool, ask.args, text)
		}
		if n := token.Count(text); n > 1500 {
			t.Errorf("%s %v answers with %d tokens", ask.tool, ask.args, n)
		}
	}
}

func TestListSaysWhatIsKnownOfASubject(t *testing.T) {
	cs := connect(t, New(open(t), Options{}))
	if text, out := call(t, cs, "memory_list", nil); out["total"] != 0.0 || text != "nothing is known yet" {
		t.Errorf("an empty memory: %q, %v", text, out)
	}
	saveAll(t, cs, aboutAPerson)
	for subject, want := range map[string][]string{
		"Marta": {aboutAPerson[3]}, "my sister": {aboutAPerson[3]}, "sister": {aboutAPerson[3]}, "cat": {aboutAPerson[4]}, "hazelnuts": {aboutAPerson[5]}, "submarines": nil,
	} {
		text, out := call(t, cs, "memory_list", map[string]any{"subject": subject})
		if got := int(out["total"].(float64)); got != len(want) || len(out["facts"].([]any)) != got {
			t.Errorf("%s: %d facts, want %d:\n%s", subject, got, len(want), text)
		}
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s lacks %q:\n%s", subject, w, text)
			}
		}
	}
	text, out := call(t, cs, "memory_list", map[string]any{})
	sum := 0.0
	for _, c := range out["categories"].([]any) {
		sum += c.(map[string]any)["facts"].(float64)
	}
	if sum != 10 || out["total"] != 10.0 || !strings.Contains(text, "10 facts, by category: ") {
		t.Errorf("categories %v: %s", out, text)
	}
	for _, c := range out["categories"].([]any) {
		group := c.(map[string]any)
		if _, of := call(t, cs, "memory_list", map[string]any{"category": group["name"]}); of["total"] != group["facts"] {
			t.Errorf("category %v has %v facts in its list", group, of["total"])
		}
	}
}

// However much there is to say, an answer is small, and its cursors lead through all of it
// without a gap.
func TestAnswersAreSmallAndGoOn(t *testing.T) {
	e := open(t)
	cs := connect(t, New(e, Options{}))
	all := make(map[string]bool)
	for i := range 60 {
		text := fmt.Sprintf("I planted orchard tree number %d by the %s wall, where the soil is heavy and the wind comes from the %dth field after noon", i, []string{"north", "south", "east"}[i%3], i+100)
		d, err := e.Write(t.Context(), strata.Candidate{Scope: strata.Global(), Content: text, Type: strata.TypeUser})
		if err != nil || d.Op != strata.OpAdd {
			t.Fatalf("%+v, %v", d, err)
		}
		all[d.FactID] = true
	}
	for _, ask := range []struct {
		tool, list string
		args       map[string]any
	}{
		{"memory_list", "facts", map[string]any{"subject": "me"}},
		{"memory_list", "facts", map[string]any{"subject": "orchard"}},
		{"memory_recall", "hits", map[string]any{"query": "what do you know about me?"}},
		{"memory_recall", "hits", map[string]any{"query": "orchard tree"}},
	} {
		seen := make(map[string]bool)
		args := map[string]any{}
		for k, v := range ask.args {
			args[k] = v
		}
		for pages := 0; pages < 61; pages++ {
			text, out := call(t, cs, ask.tool, args)
			if n := token.Count(text); n > 1500 {
				t.Errorf("%s %v: a page of %d tokens", ask.tool, args, n)
			}
			for _, h := range out[ask.list].([]any) {
				id := h.(map[string]any)["id"].(string)
				if seen[id] || !all[id] {
					t.Errorf("%s %v: %s is shown twice, or is not of these", ask.tool, args, id)
				}
				seen[id] = true
			}
			next, ok := out["next_cursor"].(string)
			if !ok {
				break
			}
			if !strings.Contains(text, fmt.Sprintf("repeat the call with cursor %q", next)) {
				t.Errorf("the page does not say how to go on: %s", text)
			}
			args["cursor"] = next
		}
		if len(seen) != len(all) {
			t.Errorf("%s %v: %d of %d on all pages", ask.tool, ask.args, len(seen), len(all))
		}
	}
	if got := refused(t, cs, "memory_recall", map[string]any{"query": "orchard", "cursor": "next"}); got.Code != "invalid" || !strings.Contains(got.Hint, "next_cursor") {
		t.Errorf("a wrong cursor: %+v", got)
	}
}

// A turn, a note and a learning answer as well as a fact does.
func TestRecallLooksThroughEverything(t *testing.T) {
	e := open(t)
	keepFiles(t, e)
	if _, err := e.AppendTurns(t.Context(), strata.Global(), "monday", strata.SessionMain, []strata.Turn{{Role: strata.RoleUser, Text: "The zebra crossing is repainted"}}); err != nil {
		t.Fatal(err)
	}
	cs := connect(t, New(e, Options{}))
	saveAll(t, cs, []string{"I once rode a zebra"})
	_, learning := call(t, cs, "memory_learn", map[string]any{"text": "Write zebra in lower case", "context": "wrote ZEBRA"})
	text, found := call(t, cs, "memory_recall", map[string]any{"query": "zebra", "max_results": 20})
	kinds := make(map[string]bool)
	for _, h := range found["hits"].([]any) {
		hit := h.(map[string]any)
		kinds[hit["kind"].(string)] = true
		if hit["scope"] != "global" || hit["at"] == "" {
			t.Errorf("a hit without scope or date: %v", hit)
		}
		if hit["kind"] == "learning" && hit["id"] != learning["id"] {
			t.Errorf("learning %v, want %v", hit, learning)
		}
	}
	for _, kind := range []string{"fact", "turn", "section", "learning"} {
		if !kinds[kind] {
			t.Errorf("no %s among the hits:\n%s", kind, text)
		}
	}
	if !strings.Contains(text, "Write zebra in lower case (wrote ZEBRA) (learning · ") {
		t.Errorf("the learning is not told:\n%s", text)
	}
}

// What is to be read stands in the text alone; programs get ids and figures.
func TestTextsAreSentOnce(t *testing.T) {
	e := open(t)
	keepFiles(t, e)
	cs := connect(t, New(e, Options{Tools: operation.AllTools}))
	const said = "The quagga enclosure is closed on Mondays"
	_, saved := call(t, cs, "memory_save", map[string]any{"content": said})
	call(t, cs, "memory_append", map[string]any{"session": "monday", "turns": []map[string]any{{"role": "user", "content": said}}})
	call(t, cs, "memory_learn", map[string]any{"text": said})
	call(t, cs, "memory_update", map[string]any{"id": saved["id"], "content": said + " and Tuesdays"})
	for tool, args := range map[string]map[string]any{
		"memory_context": {}, "memory_recall": {"query": "quagga enclosure"}, "memory_list": {"subject": "quagga"}, "memory_search": {"query": "quagga"},
		"memory_think": {"query": "when is the quagga enclosure closed?"}, "memory_expand": {"session": "monday"}, "memory_learnings": {}, "memory_undo": {"dry_run": true},
	} {
		text, structured := call(t, cs, tool, args)
		data, err := json.Marshal(structured)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text, "quagga") || bytes.Contains(data, []byte("quagga")) {
			t.Errorf("%s: text %q, structured %s", tool, text, data)
		}
	}
}

func TestAMistakeIsCorrectedAndTakenBack(t *testing.T) {
	e := open(t)
	server := New(e, Options{})
	cs, other := connect(t, server), connect(t, server)
	_, saved := call(t, cs, "memory_save", map[string]any{"content": "My cat's name is Tom"})
	text, updated := call(t, cs, "memory_update", map[string]any{"id": saved["id"], "content": "My cat's name is Whiskerino"})
	if updated["id"] != saved["id"] || updated["decision"] != "update" || !strings.Contains(text, "no longer current: My cat's name is Tom") {
		t.Errorf("update: %q, %v", text, updated)
	}
	call(t, other, "memory_save", map[string]any{"content": "The harbor opens at nine"})

	text, undone := call(t, cs, "memory_undo", nil) // its own change, not the newest of all
	if list := undone["decisions"].([]any); len(list) != 1 || list[0].(map[string]any)["reverts"] != updated["decision_id"] || !strings.Contains(text, "current again: My cat's name is Tom") {
		t.Errorf("undo: %q, %v", text, undone)
	}
	for query, want := range map[string]string{"what is my cat called?": "My cat's name is Tom", "when does the harbor open?": "The harbor opens at nine"} {
		if text, _ := call(t, cs, "memory_recall", map[string]any{"query": query}); !strings.Contains(text, want) || strings.Contains(text, "Whiskerino") {
			t.Errorf("%s: %s", query, text)
		}
	}
	if got := refused(t, connect(t, server), "memory_undo", nil); got.Code != "not_found" || !strings.Contains(got.Hint, "decision id") {
		t.Errorf("nothing is left to undo: %+v", got)
	}
	// Named by its id a change of another session is taken back too.
	_, theirs := call(t, other, "memory_save", map[string]any{"content": "The pier is closed"})
	if _, undone := call(t, cs, "memory_undo", map[string]any{"what": theirs["decision_id"]}); len(undone["decisions"].([]any)) != 1 {
		t.Errorf("by its id: %v", undone)
	}
	for id, code := range map[string]string{"fact_01JD5ZQ9V7M3T8XKQ2R4W6Y0AB": "not_found", "notes/project_a.md": "invalid"} {
		if got := refused(t, cs, "memory_update", map[string]any{"id": id, "content": "a"}); got.Code != code || got.Hint == "" {
			t.Errorf("update of %s: %+v", id, got)
		}
	}
}

// Outside a project a model is told what it can do about it.
func TestAScopeThatIsMissingIsNamed(t *testing.T) {
	cs := connect(t, New(open(t), Options{}))
	args := map[string]any{"content": "Bleed it first.", "title": "Pump", "type": "project"}
	got := refused(t, cs, "remember", args)
	if got.Code != "scope_required" || got.Hint != "repeat the call with scope set to one of: global" {
		t.Errorf("remember: %+v", got)
	}
	args["scope"] = "global"
	if _, out := call(t, cs, "remember", args); out["scope"] != "global" {
		t.Errorf("in the scope it names: %v", out)
	}
}

// What nobody would see in an answer is shown by its code.
func TestAnswersHoldNoHiddenCharacters(t *testing.T) {
	e := open(t)
	if _, err := e.AppendTurns(t.Context(), strata.Global(), "monday", strata.SessionMain, []strata.Turn{
		{Role: strata.RoleUser, Text: "The \u202emarmalade\u202c is\U000e0041\U000e0042 in the cellar\x1b[31m\u200b"},
	}); err != nil {
		t.Fatal(err)
	}
	cs := connect(t, New(e, Options{}))
	for tool, args := range map[string]map[string]any{"memory_recall": {"query": "marmalade"}, "memory_expand": {"session": "monday"}} {
		text, _ := call(t, cs, tool, args)
		if !strings.Contains(text, `The \u202emarmalade\u202c is\U000e0041\U000e0042 in the cellar\u001b[31m\u200b`) || strings.ContainsAny(text, "\u202e\u202c\U000e0041\x1b\u200b") {
			t.Errorf("%s: %q", tool, text)
		}
	}
}

func TestPrompts(t *testing.T) {
	e := open(t)
	keepFiles(t, e)
	cs := connect(t, New(e, Options{Workspace: "shop"}))
	saveAll(t, cs, aboutAPerson)
	call(t, cs, "memory_save", map[string]any{"content": "Always run the linter before a commit", "type": "feedback"})
	call(t, cs, "memory_save", map[string]any{"content": "The shop closes at six", "type": "project"})
	call(t, cs, "memory_learn", map[string]any{"text": "Use tabs, not spaces"})
	list, err := cs.ListPrompts(t.Context(), nil)
	if err != nil || len(list.Prompts) != 2 {
		t.Fatalf("prompts = %+v, %v", list, err)
	}
	get := func(name string, args map[string]string) (string, error) {
		res, err := cs.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: name, Arguments: args})
		if err != nil {
			return "", err
		}
		return res.Messages[0].Content.(*mcp.TextContent).Text, nil
	}
	text, err := get("memory_context", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"run the linter", "Whiskerino", "Use tabs, not spaces", "The zebra index.", "as a pet", "The shop closes at six"} {
		if !strings.Contains(text, want) {
			t.Errorf("the context lacks %q:\n%s", want, text)
		}
	}
	if n := token.Count(text); n > 1500 {
		t.Errorf("%d tokens", n)
	}
	small, err := get("memory_context", map[string]string{"budget": "300", "scope": "global"})
	if n := token.Count(small); err != nil || n > 300 || !strings.Contains(small, "run the linter") || strings.Contains(small, "The shop closes at six") {
		t.Errorf("within 300 tokens: %d, %v:\n%s", n, err, small)
	}
	for _, args := range []map[string]string{{"budget": "many"}, {"budget": "5"}, {"scope": "workspace/theirs"}} {
		if text, err := get("memory_context", args); err == nil {
			t.Errorf("%v: %s", args, text)
		}
	}
	guide, err := get("memory_guide", nil)
	if err != nil || !strings.Contains(guide, "`memory_list`: ") || !strings.Contains(guide, "memory_context") || strings.Contains(guide, "memory_think") ||
		strings.Contains(guide, "block below") {
		t.Errorf("the guide names tools that are not served, or lacks those that are: %v:\n%s", err, guide)
	}
}

// What is listed is found, in an empty home and in one without files.
func TestTheRootIsInEveryHome(t *testing.T) {
	e := open(t)
	cs := connect(t, New(e, Options{}))
	readAll := func() (all string) {
		t.Helper()
		list, err := cs.ListResources(t.Context(), nil)
		if err != nil || !slices.ContainsFunc(list.Resources, func(r *mcp.Resource) bool { return r.URI == "memory://root" }) {
			t.Fatalf("resources = %+v, %v", list, err)
		}
		for _, r := range list.Resources {
			res, err := cs.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: r.URI})
			if err != nil || res.Contents[0].Text == "" {
				t.Fatalf("%s = %+v, %v", r.URI, res, err)
			}
			all += res.Contents[0].Text
		}
		return all
	}
	readAll()
	saveAll(t, cs, aboutAPerson)
	if text := readAll(); !strings.Contains(text, "Whiskerino") {
		t.Errorf("the root says nothing of what is known:\n%s", text)
	}
	// A group is told nothing of the user there either.
	group := connect(t, New(e, Options{View: strata.View{Session: strata.SessionGroup}}))
	res, err := group.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "memory://root"})
	if err != nil || strings.Contains(res.Contents[0].Text, "Whiskerino") {
		t.Errorf("a group reads %+v, %v", res, err)
	}
	for _, args := range []map[string]any{{"subject": "me"}, {"subject": "Whiskerino"}} {
		if text, _ := call(t, group, "memory_list", args); strings.Contains(text, "is called Whiskerino") {
			t.Errorf("a group is told %s", text)
		}
	}
	if text, _ := call(t, group, "memory_context", nil); strings.Contains(text, "Whiskerino") {
		t.Errorf("a group is told %s", text)
	}
	if text, _ := call(t, group, "memory_recall", map[string]any{"query": "what do you know about me?"}); strings.Contains(text, "Whiskerino") {
		t.Errorf("a group is told %s", text)
	}
}

func TestPathsAndScopesAreCompleted(t *testing.T) {
	e := open(t)
	keepFiles(t, e)
	for _, write := range []strata.Candidate{ // two files of one path, and one more
		{Scope: strata.InWorkspace("shop"), Path: "skills/release/SKILL.md", Content: "---\nname: release\ndescription: How the shop is released\n---\nTag.\n"},
		{Scope: strata.InWorkspace("shop"), Path: "skills/tax/SKILL.md", Content: "---\nname: tax\ndescription: How taxes are paid\n---\nPay.\n"},
	} {
		write.BaseHash, write.Origin = strata.NoFile, strata.OriginCLI
		if _, err := e.Write(t.Context(), write); err != nil {
			t.Fatal(err)
		}
	}
	cs := connect(t, New(e, Options{Workspace: "shop"}))
	complete := func(cs *mcp.ClientSession, ref *mcp.CompleteReference, argument, value string) []string {
		t.Helper()
		res, err := cs.Complete(t.Context(), &mcp.CompleteParams{Ref: ref, Argument: mcp.CompleteParamsArgument{Name: argument, Value: value}})
		if err != nil {
			t.Fatal(err)
		}
		if res.Completion.Total != len(res.Completion.Values) {
			t.Errorf("%d of %s, counted as %d", len(res.Completion.Values), argument, res.Completion.Total)
		}
		return res.Completion.Values
	}
	file := &mcp.CompleteReference{Type: "ref/resource", URI: "memory://root/{+path}"}
	prompt := &mcp.CompleteReference{Type: "ref/prompt", Name: "memory_context"}
	if got := complete(cs, file, "path", "notes/"); !slices.Equal(got, []string{"notes/reference_zebra-paper.md", "notes/user_zebra-habits.md"}) {
		t.Errorf("paths = %v", got)
	}
	if got := complete(cs, file, "path", "skills/"); !slices.Equal(got, []string{"skills/release/SKILL.md", "skills/tax/SKILL.md"}) {
		t.Errorf("paths of two scopes = %v", got)
	}
	if got := complete(cs, prompt, "scope", ""); !slices.Equal(got, []string{"workspace/shop", "global"}) {
		t.Errorf("scopes = %v", got)
	}
	if got := complete(cs, prompt, "budget", "1"); len(got) != 0 {
		t.Errorf("budgets = %v", got)
	}
	group := connect(t, New(e, Options{View: strata.View{Session: strata.SessionGroup}}))
	if got := complete(group, file, "path", ""); slices.Contains(got, "USER.md") || slices.Contains(got, "notes/user_zebra-habits.md") || len(got) == 0 {
		t.Errorf("a group is offered %v", got)
	}
}

func TestSubscribersHearOfChanges(t *testing.T) {
	e := open(t)
	server := New(e, Options{})
	heard := make(chan string, 100)
	there, here := mcp.NewInMemoryTransports()
	if _, err := server.Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ResourceUpdatedHandler: func(_ context.Context, req *mcp.ResourceUpdatedNotificationRequest) { heard <- req.Params.URI },
	})
	// In this version of the protocol a subscription holds when it is answered.
	cs, err := client.Connect(t.Context(), here, &mcp.ClientSessionOptions{ProtocolVersion: "2025-06-18"})
	if err != nil {
		t.Fatal(err)
	}
	defer cs.Close()
	const note = "memory://root/notes/user_harbor.md"
	for _, uri := range []string{rootAddress, note} {
		if err := cs.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); err != nil {
			t.Fatal(err)
		}
	}
	for _, uri := range []string{"file:///etc/passwd", "memory://other", "memory://root/../x.md"} {
		if err := cs.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); err == nil {
			t.Errorf("%s can be subscribed to", uri)
		}
	}
	// Another connection writes.
	writer := connect(t, server)
	call(t, writer, "memory_save", map[string]any{"content": "The ferry leaves at six"})
	if got := <-heard; got != rootAddress {
		t.Errorf("heard of %s", got)
	}
	call(t, writer, "remember", map[string]any{"content": "It opens at nine.", "title": "Harbor", "type": "user"})
	for got := ""; got != note; {
		got = <-heard
	}
	if err := cs.Unsubscribe(t.Context(), &mcp.UnsubscribeParams{URI: note}); err != nil {
		t.Fatal(err)
	}
	call(t, writer, "remember", map[string]any{"content": "It opens at ten.", "title": "Harbor", "type": "user"})
	call(t, writer, "memory_save", map[string]any{"content": "The pier is painted blue"})
	for got := ""; got != rootAddress; { // told after the note would have been
		if got = <-heard; got == note {
			t.Error("heard of what was unsubscribed")
		}
	}
}

// Over HTTP, too, a message that is too long is answered under its id, and the session
// goes on.
func TestALongBodyIsAnsweredUnderItsID(t *testing.T) {
	web := httptest.NewServer(Handler(New(open(t), Options{}), nil))
	defer web.Close()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	cs, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: web.URL}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer cs.Close()
	_, err = cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "memory_save", Arguments: map[string]any{"content": strings.Repeat("a", maxLine)}})
	var wire *jsonrpc.Error
	if !errors.As(err, &wire) || wire.Code != jsonrpc.CodeInvalidRequest || !strings.Contains(wire.Message, "longer than") {
		t.Errorf("a long call: %v", err)
	}
	call(t, cs, "memory_save", map[string]any{"content": "The ferry leaves at six"})

	body := `{"method":"tools/call","params":{"x":"` + strings.Repeat("a", maxLine) + `"},"jsonrpc":"2.0","id":"last"}`
	res, err := http.Post(web.URL, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	var got answer
	if err != nil || json.Unmarshal(data, &got) != nil || string(got.ID) != `"last"` || got.Error == nil {
		t.Errorf("status %d: %s, %v", res.StatusCode, data, err)
	}
}

// What is refused over HTTP is JSON in words of the protocol: a message as an error of
// JSON-RPC, a request as everywhere on the server.
func TestRefusalsOverHTTPAreJSON(t *testing.T) {
	web := httptest.NewServer(Handler(New(open(t), Options{}), nil))
	defer web.Close()
	send := func(method, body string, headers ...string) (*http.Response, []byte) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, web.URL, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		for i := 0; i < len(headers); i += 2 {
			req.Header.Set(headers[i], headers[i+1])
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		data, err := io.ReadAll(res.Body)
		if err != nil || strings.Contains(string(data), "Go ") || strings.Contains(string(data), "jsonrpc2") {
			t.Errorf("%s: %s, %v", body, data, err)
		}
		return res, data
	}
	begun, _ := send("POST", `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`)
	session := begun.Header.Get("Mcp-Session-Id")
	if begun.StatusCode != http.StatusOK || session == "" {
		t.Fatalf("status %d, session %q", begun.StatusCode, session)
	}
	for _, tt := range []struct {
		body         string
		status, code int
		id           string
	}{
		{`{broken`, 400, -32700, "null"},
		{``, 400, -32700, "null"},
		{`"x"`, 400, -32600, "null"},
		{`[]`, 400, -32600, "null"},
		{`{"jsonrpc":"1.0","id":7,"method":"ping"}`, 400, -32600, "7"},
		{`{"jsonrpc":"2.0","id":7,"method":"tools/explode"}`, 400, -32601, "7"},
		{`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":[1]}`, 200, -32602, "7"},
	} {
		res, data := send("POST", tt.body, "Mcp-Session-Id", session)
		var got answer
		if res.StatusCode != tt.status || json.Unmarshal(data, &got) != nil || got.Version != "2.0" || string(got.ID) != tt.id || got.Error == nil || got.Error.Code != tt.code {
			t.Errorf("%s: status %d: %s", tt.body, res.StatusCode, data)
		}
	}
	const ping = `{"jsonrpc":"2.0","id":7,"method":"ping"}`
	for _, tt := range []struct {
		method, header, value string
		status                int
		code                  strata.Code
	}{
		{"POST", "Mcp-Session-Id", "nosuch", 404, strata.CodeNotFound},
		{"DELETE", "Mcp-Session-Id", "nosuch", 404, strata.CodeNotFound},
		{"GET", "Mcp-Session-Id", "", 400, strata.CodeInvalid},
		{"POST", "Accept", "text/html", 400, strata.CodeInvalid},
		{"POST", "Content-Type", "text/plain", 415, strata.CodeInvalid},
		{"POST", "Mcp-Protocol-Version", "1900-01-01", 400, strata.CodeInvalid},
	} {
		res, data := send(tt.method, ping, "Mcp-Session-Id", session, tt.header, tt.value)
		var got operation.Failure
		if res.StatusCode != tt.status || res.Header.Get("Content-Type") != "application/json" || json.Unmarshal(data, &got) != nil ||
			got.Code != tt.code || got.Message == "" || got.Hint == "" {
			t.Errorf("%s %s: status %d: %s", tt.header, tt.value, res.StatusCode, data)
		}
	}
	if res, data := send("POST", ping, "Mcp-Session-Id", session); res.StatusCode != http.StatusOK || !strings.Contains(string(data), `"result"`) {
		t.Errorf("the session ended: %d %s", res.StatusCode, data)
	}
	if res, data := send("DELETE", "", "Mcp-Session-Id", session); res.StatusCode != http.StatusNoContent {
		t.Errorf("the session does not end: %d %s", res.StatusCode, data)
	}
}
