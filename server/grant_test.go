package server

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/home/access"
	"github.com/strata-memory/strata/internal/home/endpoint"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/ops/schema/schematest"
	"github.com/strata-memory/strata/local"
)

// canary is in every text of scopes that a confined token must not see, and in nothing that
// is sent with it.
const canary = "zwitscherkanal"

// shared is a server over a home with files, which several programs call by their tokens.
type shared struct {
	handler http.Handler
	home    string
	access  *access.File
	owner   string // the token of the home
}

// share returns a server over a new home. Its callers are programs that rest as little as
// tests do.
func share(t testing.TB) *shared { return shareAt(t, 1<<20) }

// shareAt is share, for callers that send so many requests a second.
func shareAt(t testing.TB, rate int) *shared {
	t.Helper()
	home := t.TempDir()
	opened, err := local.OpenWith(context.Background(), local.Options{Home: home, Embedder: embedder()})
	if err != nil {
		t.Fatal(err)
	}
	e := opened.Engine()
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	sh := &shared{home: home, access: access.Open(home), owner: "the token of the home"}
	s := New(Options{
		Env: operation.Env{Engine: e, Place: operation.Place{Home: home}}, Access: sh.access, Limits: Limits{Timeout: 20 * time.Second, Rate: rate},
		MCP: http.NotFoundHandler(),
		MCPFor: func(g *access.Grant) http.Handler {
			sessions := 0 // of this token
			return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				sessions++
				fmt.Fprintf(w, "%s %v %v %d", g.Name, g.Scopes, g.ReadOnly, sessions)
			})
		},
	})
	sh.handler = s.Guarded(sh.owner)
	return sh
}

// grant makes a token.
func (s *shared) grant(t testing.TB, name string, readOnly bool, scopes ...strata.Scope) string {
	t.Helper()
	token, err := s.access.Add(context.Background(), access.Grant{Name: name, Scopes: scopes, ReadOnly: readOnly})
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// send sends a request with a token.
func (s *shared) send(token, method, path, media, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(context.Background(), method, "http://127.0.0.1"+path, strings.NewReader(body))
	r.Header.Set("Content-Type", media)
	r.Header.Set("Authorization", "Bearer "+token)
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	return w
}

// call calls an operation, which goes well.
func (s *shared) call(t testing.TB, token, name, input string) map[string]any {
	t.Helper()
	w := s.send(token, "POST", "/v1/"+name, jsonType, input)
	var out map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil || w.Code != http.StatusOK {
		t.Fatalf("%s %s: %d %s", name, input, w.Code, w.Body)
	}
	return out
}

// wantDenied wants a call to be refused with what to do instead.
func (s *shared) wantDenied(t testing.TB, token, method, path, body string) {
	t.Helper()
	w := s.send(token, method, path, jsonType, body)
	var f failure
	if err := json.Unmarshal(w.Body.Bytes(), &f); err != nil || w.Code != http.StatusForbidden || f.Code != strata.CodeDenied || f.Hint == "" {
		t.Errorf("%s %s: %d %s", path, body, w.Code, w.Body)
	}
}

// export is all that a scope holds, without the line that says when it was written.
func (s *shared) export(t testing.TB, scope strata.Scope) string {
	t.Helper()
	w := s.send(s.owner, "POST", "/v1/export", jsonType, `{"scope": "`+scope.Key()+`"}`)
	_, rest, _ := strings.Cut(w.Body.String(), "\n")
	if w.Code != http.StatusOK {
		t.Fatalf("export %s: %d %s", scope, w.Code, w.Body)
	}
	return rest
}

// plant puts something of everything into a scope, and returns the names it has.
func (s *shared) plant(t testing.TB, scope strata.Scope, mark string) []string {
	t.Helper()
	in := func(format string, args ...any) string {
		return strings.Replace(fmt.Sprintf(format, args...), "{", `{"scope": "`+scope.Key()+`", `, 1)
	}
	var names []string
	keep := func(out map[string]any, fields ...string) {
		for _, f := range fields {
			if name, ok := out[f].(string); ok && name != "" {
				names = append(names, name)
			}
		}
	}
	for i, text := range []string{"The ferry to Ghent leaves at six", "The cat is called Tom", "The printer needs blue ink"} {
		keep(s.call(t, s.owner, "save", in(`{"content": "%s, %s %d", "type": "user", "category": "%s", "request_id": "%s-%d"}`, text, mark, i, mark, scope.Agent, i)), "id", "decision_id")
	}
	keep(s.call(t, s.owner, "remember", in(`{"title": "How we deploy", "type": "reference", "content": "On Mondays, with %s."}`, mark)), "path", "id", "decision_id")
	keep(s.call(t, s.owner, "note_propose", in(`{"title": "Staging", "type": "reference", "content": "It runs %s."}`, mark)), "path", "id")
	s.call(t, s.owner, "note_adhoc", in(`{"content": "Remember the %s"}`, mark))
	s.call(t, s.owner, "learn", in(`{"text": "npm ci needs %s", "tool": "bash", "context": "%s"}`, mark, mark))
	s.call(t, s.owner, "append", in(`{"session": "monday", "turns": [{"role": "user", "content": "My boat is called %s"}, {"role": "assistant", "content": "Noted, %s"}]}`, mark, mark))
	keep(s.call(t, s.owner, "recall", in(`{"query": "what is the boat called? %s", "session": "monday"}`, mark)), "trace")
	s.call(t, s.owner, "close", in(`{"session": "monday"}`))
	s.call(t, s.owner, "checkpoint", in(`{"note": "%s"}`, mark))
	s.call(t, s.owner, "embed", `{}`) // and all that goes on in the background
	return append(names, "monday", scope.Key(), scope.Agent+"-0", "How we deploy", "Staging", "_inbox/reference_staging.md", "memory://root/notes/reference_how-we-deploy.md", "ferry boat printer npm deploy", "MEMORY.md")
}

var (
	alpha = strata.ForAgent("alpha")
	beta  = strata.ForAgent("beta")
)

// Whatever a program with a token for one scope asks, by names it could have guessed or
// overheard, nothing of another scope is in the answer, and nothing of it is changed.
func TestAConfinedTokenReachesItsScopesAlone(t *testing.T) {
	s := share(t)
	others := []strata.Scope{beta, strata.Global()}
	var lures []string
	for _, scope := range others {
		lures = append(lures, s.plant(t, scope, canary)...)
	}
	s.plant(t, alpha, "own")
	token := s.grant(t, "alpha", false, alpha)
	var before []string
	for _, scope := range others {
		before = append(before, s.export(t, scope))
		if !strings.Contains(before[len(before)-1], canary) {
			t.Fatalf("nothing was planted in %s", scope)
		}
	}
	counts := func() string { // of what an export does not have, such as traces and accesses
		out := s.call(t, s.owner, "stats", `{}`)
		var kept []any
		for _, row := range out["scopes"].([]any) {
			if key := row.(map[string]any)["scope"]; key == beta.Key() || key == "global" {
				delete(row.(map[string]any), "change") // it is counted for the home
				kept = append(kept, row)
			}
		}
		return string(encode(kept))
	}
	counted := counts()
	ran := make(map[string]bool)
	wantBlind := func(t interface{ Fatalf(string, ...any) }, op operation.Operation, w *httptest.ResponseRecorder) {
		name := op.About().Name
		if strings.Contains(w.Body.String()+fmt.Sprint(w.Result().Header, w.Result().Trailer), canary) {
			t.Fatalf("%s shows another scope: %s", name, w.Body)
		}
		if strings.Contains(w.Body.String(), s.home) {
			t.Fatalf("%s shows where the home is: %s", name, w.Body)
		}
		ran[name] = ran[name] || w.Code == http.StatusOK
	}
	for _, op := range ops.All() {
		for _, f := range op.Inputs() {
			if f.Type != "string" || !f.Required && f.Values == "" {
				continue
			}
			for _, lure := range lures {
				in := map[string]any{f.Name: lure}
				for _, other := range op.Inputs() {
					if other.Required && other.Name != f.Name && other.Type == "string" {
						in[other.Name] = "global"
					}
				}
				if op.About().Destructive {
					in[yesField] = true
				}
				wantBlind(t, op, s.send(token, "POST", Path(op.About()), jsonType, string(encode(in))))
			}
		}
		wantBlind(t, op, s.send(token, "POST", Path(op.About()), jsonType, `{}`))
	}
	rapid.Check(t, func(t *rapid.T) {
		op := rapid.SampledFrom(ops.All()).Draw(t, "operation")
		wantBlind(t, op, s.random(t, op, token, lures))
	})
	s.call(t, s.owner, "embed", `{}`)
	for i, scope := range others {
		if after := s.export(t, scope); after != before[i] {
			t.Errorf("%s was changed:\n%s\nit was\n%s", scope, after, before[i])
		}
	}
	if now := counts(); now != counted {
		t.Errorf("other scopes count\n%s\nand counted\n%s", now, counted)
	}
	well := 0
	for _, ok := range ran {
		if ok {
			well++
		}
	}
	if well < 40 {
		t.Errorf("only %d operations went well: the test tries too little: %v", well, ran)
	}
}

// Who may write one scope learns by forgetting nothing of what others hold, and takes
// nothing out of them: a text that he guesses is saved and forgotten in his scope alone.
func TestForgettingStaysWithinTheScopesOfAToken(t *testing.T) {
	s := share(t)
	for _, scope := range []strata.Scope{beta, strata.Global()} {
		s.plant(t, scope, canary)
	}
	token := s.grant(t, "alpha", false, alpha)
	kept := func() string {
		var all []any
		for _, name := range []string{"traces", "decisions", "learnings"} {
			all = append(all, s.call(t, s.owner, name, `{"scope": "`+beta.Key()+`"}`))
		}
		return string(encode(all))
	}
	before := kept()
	for _, guess := range []string{canary, "npm ci needs " + canary, "what is the boat called? " + canary, "The cat is called Tom, " + canary + " 1"} {
		saved := s.call(t, token, "save", `{"content": "`+guess+`", "type": "user"}`)
		for _, input := range []string{`{"id": "` + saved["id"].(string) + `", "dry_run": true}`, `{"id": "` + saved["id"].(string) + `", "yes": true}`} {
			out := s.call(t, token, "forget", input)
			if answer := string(encode(out)); strings.Contains(answer, beta.Key()) || strings.Contains(answer, "global") || out["traces"] != 0.0 {
				t.Errorf("forgetting %q tells of other scopes: %s", guess, answer)
			}
		}
	}
	if now := kept(); now != before {
		t.Errorf("another scope lost what was forgotten:\n%s\nit was\n%s", now, before)
	}
	// The owner of the home sees and forgets everywhere.
	saved := s.call(t, s.owner, "save", `{"scope": "global", "content": "what is the boat called? `+canary+`", "type": "user"}`)
	out := s.call(t, s.owner, "forget", `{"id": "`+saved["id"].(string)+`", "yes": true}`)
	if kept() == before || out["traces"] == 0.0 {
		t.Errorf("the owner forgot in one scope alone: %v", out)
	}
}

// random calls an operation with an input drawn from its schema.
func (s *shared) random(t *rapid.T, op operation.Operation, token string, names []string) *httptest.ResponseRecorder {
	draw := schematest.Drawing{Texts: append(names, words...), Most: 3}
	path, media, body := Path(op.About()), jsonType, string(draw.JSON(t, inputSchema(op), "body"))
	if op.About().Reads != "" {
		path, media = path+"?scope="+alpha.Key(), linesType
	}
	return s.send(token, "POST", path, media, body)
}

// A token that may read changes nothing, whatever it asks.
func TestAReadOnlyTokenChangesNothing(t *testing.T) {
	s := share(t)
	names := s.plant(t, alpha, "own")
	token := s.grant(t, "reader", true)
	before, decisions := s.export(t, alpha), len(s.call(t, s.owner, "decisions", `{"scope": "agent/alpha", "limit": 1000}`)["decisions"].([]any))
	rapid.Check(t, func(t *rapid.T) {
		op := rapid.SampledFrom(ops.All()).Draw(t, "operation")
		if w := s.random(t, op, token, names); !op.About().ReadOnly && op.About().ChangesWith == "" && w.Code != http.StatusForbidden {
			t.Fatalf("%s: %d %s", op.About().Name, w.Code, w.Body)
		}
	})
	if after := s.export(t, alpha); after != before {
		t.Errorf("it was\n%s\nit is\n%s", before, after)
	}
	if now := len(s.call(t, s.owner, "decisions", `{"scope": "agent/alpha", "limit": 1000}`)["decisions"].([]any)); now != decisions {
		t.Errorf("%d decisions were %d", now, decisions)
	}
}

// The look for damage is for who may read, its repair for who may write.
func TestAReadOnlyTokenMendsNothing(t *testing.T) {
	s := share(t)
	token := s.grant(t, "reader", true)
	if err := os.Chmod(s.home, 0o755); err != nil {
		t.Fatal(err)
	}
	w := s.send(token, "POST", "/v1/doctor", jsonType, `{"repair": true}`)
	info, err := os.Stat(s.home)
	if w.Code != http.StatusForbidden || err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("%d %s; the mode is %v, %v", w.Code, w.Body, info.Mode(), err)
	}
	if w := s.send(token, "POST", "/v1/doctor", jsonType, `{}`); w.Code != http.StatusOK {
		t.Errorf("a look: %d %s", w.Code, w.Body)
	}
}

func TestWhatATokenIsNotForIsDenied(t *testing.T) {
	s := share(t)
	fact := s.call(t, s.owner, "save", `{"content": "The ferry leaves at six", "scope": "agent/beta"}`)["id"].(string)
	own := s.grant(t, "alpha", false, alpha, strata.InWorkspace("w1"))
	reader := s.grant(t, "reader", true)
	for name, body := range map[string]string{
		"save":       `{"content": "x", "scope": "agent/beta"}`,
		"recall":     `{"query": "x", "scope": "global"}`,
		"facts":      `{"scope": "workspace/unknown"}`, // and not: no such workspace
		"stats":      `{}`,
		"doctor":     `{}`,
		"backup_now": `{}`,
	} {
		s.wantDenied(t, own, "POST", "/v1/"+name, body)
	}
	s.wantDenied(t, own, "GET", "/v1/events?scope=global", "")
	s.wantDenied(t, own, "GET", "/metrics", "")
	s.wantDenied(t, own, "POST", visitPath, `{"code": ""}`)
	s.wantDenied(t, reader, "POST", "/v1/save", `{"content": "x"}`)
	s.wantDenied(t, reader, "POST", "/v1/forget", `{"id": "`+fact+`", "dry_run": true}`)

	s.wantDenied(t, s.grant(t, "global", false, strata.Global()), "POST", "/v1/recall", `{"query": "x", "scope": "workspace"}`)
	s.wantDenied(t, reader, "POST", "/v1/facts", `{"ids": ["`+fact+`"], "move": "global"}`)
	s.wantDenied(t, reader, "POST", "/v1/facts", `{"ids": ["`+fact+`"], "move": "global", "dry_run": true}`)
	if list := s.call(t, reader, "facts", `{"scope": "agent/beta"}`)["facts"].([]any); len(list) != 1 {
		t.Errorf("who may read is shown the facts %v", list)
	}

	saved := s.call(t, own, "save", `{"content": "The bicycle is green"}`)
	if saved["scope"] != alpha.Key() {
		t.Errorf("without a scope it goes to %v", saved["scope"])
	}
	move := s.send(own, "POST", "/v1/facts", jsonType, `{"ids": ["`+saved["id"].(string)+`"], "move": "global"}`)
	if move.Code != http.StatusForbidden {
		t.Errorf("a fact can be moved away: %d %s", move.Code, move.Body)
	}
	if list := s.call(t, own, "scopes", `{}`)["scopes"].([]any); len(list) != 1 {
		t.Errorf("it lists %v", list)
	}
	if hits := s.call(t, own, "recall", `{"query": "when does the ferry leave?", "above": true}`)["hits"].([]any); len(hits) > 0 {
		t.Errorf("it finds %v", hits)
	}
	if s.send(reader, "POST", "/v1/recall", jsonType, `{"query": "ferry", "scope": "agent/beta"}`).Code != http.StatusOK {
		t.Error("who may read the home cannot recall")
	}
}

// A token of another home, or none, is told from one that was removed by nothing.
func TestARemovedTokenLetsNobodyIn(t *testing.T) {
	s := share(t)
	token := s.grant(t, "alpha", false, alpha)
	s.call(t, token, "facts", `{}`)
	stream, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan string)
	r := httptest.NewRequestWithContext(stream, "GET", "http://127.0.0.1/v1/events", nil)
	r.Header.Set("Authorization", "Bearer "+token)
	go func() {
		w := httptest.NewRecorder()
		s.handler.ServeHTTP(w, r)
		ended <- w.Body.String()
	}()
	if err := s.access.Remove(t.Context(), "alpha"); err != nil {
		t.Fatal(err)
	}
	<-ended // with the token
	for _, token := range []string{token, "none"} {
		if w := s.send(token, "POST", "/v1/facts", jsonType, `{}`); w.Code != http.StatusUnauthorized {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	}
}

// No token goes on with what another began over MCP, and neither does one of the same name.
func TestEveryTokenHasAnMCPOfItsOwn(t *testing.T) {
	s := share(t)
	one, two := s.grant(t, "one", false, alpha), s.grant(t, "two", true, beta)
	for _, want := range []struct{ token, text string }{
		{one, "one [agent/alpha] false 1"}, {two, "two [agent/beta] true 1"}, {one, "one [agent/alpha] false 2"},
	} {
		if w := s.send(want.token, "POST", "/mcp", jsonType, `{}`); w.Body.String() != want.text {
			t.Errorf("got %d %s, want %s", w.Code, w.Body, want.text)
		}
	}
	if err := s.access.Remove(t.Context(), "one"); err != nil {
		t.Fatal(err)
	}
	if w := s.send(s.grant(t, "one", false, beta), "POST", "/mcp", jsonType, `{}`); w.Body.String() != "one [agent/beta] false 1" {
		t.Errorf("got %s", w.Body)
	}
}

// The tokens are of one machine: no copy of a home has them.
func TestTokensAreFilesOfTheServer(t *testing.T) {
	for _, path := range []string{endpoint.Tokens("home"), endpoint.TokensLock("home")} {
		if !endpoint.Is(filepath.Base(path)) {
			t.Errorf("%s is copied", path)
		}
	}
}
