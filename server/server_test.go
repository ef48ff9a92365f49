package server

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/ops/schema"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/llm/builtin"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// embedder is read from its file once.
var embedder = sync.OnceValue(builtin.New)

// memory is an engine over a new home that is closed with the test.
func memory(t testing.TB) *engine.Engine {
	t.Helper()
	st, err := sqlite.Open(context.Background(), filepath.Join(t.TempDir(), "strata.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.Open(context.Background(), st, &engine.Options{Embedder: embedder()})
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

// start returns a server over a new memory, and the address where it answers whoever
// comes.
func start(t testing.TB, change ...func(*Options)) (*Server, string) {
	s, url, _ := startWaiting(t, change...)
	return s, url
}

// startWaiting is start, with what waits until the server is done with all requests that it
// has: it ends one only after the client has the answer.
func startWaiting(t testing.TB, change ...func(*Options)) (s *Server, url string, done func()) {
	t.Helper()
	o := Options{Env: operation.Env{Engine: memory(t)}, Version: "1.2.3"}
	for _, c := range change {
		c(&o)
	}
	s = New(o)
	var handling sync.WaitGroup
	handler := s.Open()
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handling.Add(1)
		defer handling.Done()
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		s.endStreams()
		front.Close()
		http.DefaultClient.CloseIdleConnections()
	})
	return s, front.URL, handling.Wait
}

// answer is what came back.
type answer struct {
	status  int
	header  http.Header
	trailer http.Header
	text    string
}

// send sends a request with headers given as name and value in turn.
func send(t testing.TB, method, url, body string, headers ...string) answer {
	t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		if req.Header.Set(headers[i], headers[i+1]); headers[i] == "Host" {
			req.Host = headers[i+1]
		}
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{res.StatusCode, res.Header, res.Trailer, string(text)}
}

// post calls an operation.
func post(t testing.TB, url, name, body string, headers ...string) answer {
	t.Helper()
	return send(t, http.MethodPost, url+"/v1/"+name, body, append([]string{"Content-Type", jsonType}, headers...)...)
}

// called calls an operation that goes well, and reads its output.
func called[T any](t testing.TB, url, name, body string, headers ...string) (out T) {
	t.Helper()
	a := post(t, url, name, body, headers...)
	if a.status != http.StatusOK {
		t.Fatalf("%s %s: %d %s", name, body, a.status, a.text)
	}
	if err := json.Unmarshal([]byte(a.text), &out); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return out
}

// wantFailure wants an error with a status and code, and returns it.
func wantFailure(t testing.TB, a answer, status int, code strata.Code) failure {
	t.Helper()
	var f failure
	if err := json.Unmarshal([]byte(a.text), &f); err != nil {
		t.Fatalf("the error is no JSON: %s", a.text)
	}
	if a.status != status || f.Code != code || f.Message == "" || f.Request == "" || f.Request != a.header.Get(requestHeader) {
		t.Errorf("got %d %s, want %d %s", a.status, a.text, status, code)
	}
	return f
}

// saved and found are outputs, as clients read them.
type (
	saved struct {
		ID         string `json:"id"`
		Decision   string `json:"decision"`
		DecisionID string `json:"decision_id"`
		Scope      string `json:"scope"`
		Replayed   bool   `json:"replayed"`
	}
	found struct {
		Hits []struct {
			ID    string `json:"id"`
			Text  string `json:"text"`
			Scope string `json:"scope"`
		} `json:"hits"`
	}
)

// The story every user tries first.
func TestWhatIsSavedIsRecalled(t *testing.T) {
	_, url := start(t)
	if s := called[saved](t, url, "save", `{"content": "My cat's name is Whiskerino"}`); s.Decision != "add" || s.Scope != "global" {
		t.Errorf("saved %+v", s)
	}
	f := called[found](t, url, "recall", `{"query": "what is my cat called?"}`)
	if len(f.Hits) != 1 || f.Hits[0].Text != "My cat's name is Whiskerino" {
		t.Errorf("found %+v", f)
	}
}

// Every example of every operation is answered: with what the description of the output
// says, or with an error that is the caller's.
func TestEveryExampleIsAnswered(t *testing.T) {
	_, url := start(t)
	called[saved](t, url, "save", `{"content": "My cat's name is Whiskerino", "session": "monday"}`)
	well := 0
	for _, op := range ops.All() {
		info := op.About()
		for _, e := range info.Examples {
			a := example(t, url, info, e.Input)
			switch {
			case a.status == http.StatusOK && info.Writes != "":
				well++
			case a.status == http.StatusOK:
				well++
				var out any
				if err := json.Unmarshal([]byte(a.text), &out); err != nil {
					t.Errorf("%s: %v", info.Name, err)
				}
				fits(t, info.Name, schema.Tree(op.Outputs(), false), out)
			case a.status >= 500 && a.status != strata.CodeUnsupported.HTTPStatus() && a.status != strata.CodeUnavailable.HTTPStatus():
				t.Errorf("%s %s: %d %s", info.Name, e.Input, a.status, a.text)
			default:
				var f failure
				if err := json.Unmarshal([]byte(a.text), &f); err != nil || f.Code.HTTPStatus() != a.status {
					t.Errorf("%s %s: %d %s", info.Name, e.Input, a.status, a.text)
				}
				t.Logf("%s %s: %s", info.Name, e.Input, strings.TrimSpace(a.text))
			}
		}
	}
	if well < 60 {
		t.Errorf("%d examples went well", well)
	}
}

// example calls an operation with one of its examples; a destructive one is confirmed.
func example(t testing.TB, url string, info operation.Info, input string) answer {
	t.Helper()
	var in map[string]any
	if err := json.Unmarshal([]byte(input), &in); err != nil {
		t.Fatal(err)
	}
	if info.Reads != "" {
		query := []string{}
		for name, v := range in {
			text, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			query = append(query, name+"="+strings.Trim(string(text), `"`))
		}
		return send(t, http.MethodPost, url+Path(info)+"?"+strings.Join(query, "&"), "", "Content-Type", linesType)
	}
	if info.Destructive {
		in["yes"] = true
	}
	body, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	return post(t, url, info.Name, string(body))
}

// fits wants a value to be as a schema says.
func fits(t testing.TB, where string, s *schema.Schema, v any) {
	t.Helper()
	switch v := v.(type) {
	case map[string]any:
		for _, p := range s.Properties {
			inner, ok := v[p.Name]
			if ok {
				fits(t, where+"."+p.Name, p.Schema, inner)
			} else if p.Required {
				t.Errorf("%s has no %s", where, p.Name)
			}
		}
		for name := range v {
			if len(s.Properties) > 0 && !declared(s, name) {
				t.Errorf("%s: %s is not declared", where, name)
			}
		}
		if s.Type != "object" {
			t.Errorf("%s is an object, declared as %s", where, s.Type)
		}
	case []any:
		if s.Type != "array" {
			t.Errorf("%s is a list, declared as %s", where, s.Type)
			return
		}
		for _, inner := range v {
			fits(t, where+"[]", s.Items, inner)
		}
	case string:
		if s.Type != "string" {
			t.Errorf("%s is a string, declared as %s", where, s.Type)
		}
	case bool:
		if s.Type != "boolean" {
			t.Errorf("%s is a boolean, declared as %s", where, s.Type)
		}
	case float64:
		if s.Type != "number" && s.Type != "integer" {
			t.Errorf("%s is a number, declared as %s", where, s.Type)
		}
	default:
		t.Errorf("%s is %v", where, v)
	}
}

func declared(s *schema.Schema, name string) bool {
	for _, p := range s.Properties {
		if p.Name == name {
			return true
		}
	}
	return false
}

// No operation has a field of the name of one that every call has.
func TestNoFieldHidesAnother(t *testing.T) {
	for _, op := range ops.All() {
		for _, f := range op.Inputs() {
			if f.Name == scopeField || f.Name == yesField {
				t.Errorf("%s has a field %s of its own", op.About().Name, f.Name)
			}
		}
	}
}

func TestBadRequestsAreRefused(t *testing.T) {
	s, url := start(t, func(o *Options) { o.Limits.Body = 1 << 10 })
	const save, json = "/v1/save", jsonType
	tests := []struct {
		name, method, path, body string
		headers                  []string
		status                   int
		code                     strata.Code
		says                     string
	}{
		{"a form", "POST", save, "content=a", []string{"Content-Type", "application/x-www-form-urlencoded"}, 415, strata.CodeInvalid, "must be application/json"},
		{"no type", "POST", save, `{"content": "a"}`, nil, 415, strata.CodeInvalid, "must be application/json"},
		{"simple type", "POST", save, `{"content": "a"}`, []string{"Content-Type", "text/plain"}, 415, strata.CodeInvalid, ""},
		{"stream of another type", "POST", "/v1/import", `{}`, []string{"Content-Type", json}, 415, strata.CodeInvalid, "x-ndjson"},
		{"broken", "POST", save, `{"content": `, []string{"Content-Type", json}, 400, strata.CodeInvalid, "ends too early"},
		{"null", "POST", save, `null`, []string{"Content-Type", json}, 400, strata.CodeInvalid, "got null"},
		{"a list", "POST", save, `[]`, []string{"Content-Type", json}, 400, strata.CodeInvalid, ""},
		{"two", "POST", save, `{} {}`, []string{"Content-Type", json}, 400, strata.CodeInvalid, "there is more"},
		{"a field twice", "POST", save, `{"content": "a", "content": "b"}`, []string{"Content-Type", json}, 400, strata.CodeInvalid, "field content is there twice"},
		{"the scope twice", "POST", save, `{"content": "a", "scope": "global", "scope": "workspace"}`, []string{"Content-Type", json}, 400, strata.CodeInvalid, "field scope is there twice"},
		{"unknown field", "POST", save, `{"content": "a", "color": 1}`, []string{"Content-Type", json}, 400, strata.CodeInvalid, `no field "color"`},
		{"field in capitals", "POST", save, `{"Content": "a"}`, []string{"Content-Type", json}, 400, strata.CodeInvalid, "no field"},
		{"wrong type of field", "POST", save, `{"content": 5}`, []string{"Content-Type", json}, 400, strata.CodeInvalid, "content"},
		{"NUL", "POST", save, `{"content": "a\u0000b"}`, []string{"Content-Type", json}, 400, strata.CodeInvalid, "NUL"},
		{"not UTF-8", "POST", save, "{\"content\": \"\xff\"}", []string{"Content-Type", json}, 400, strata.CodeInvalid, "UTF-8"},
		{"too long", "POST", save, `{"content": "` + strings.Repeat("a", 2<<10) + `"}`, []string{"Content-Type", json}, 413, strata.CodeTooLarge, "1024 bytes"},
		{"no such scope", "POST", save, `{"content": "a", "scope": "moon"}`, []string{"Content-Type", json}, 400, strata.CodeInvalid, "no such scope"},
		{"scope is a number", "POST", save, `{"content": "a", "scope": 1}`, []string{"Content-Type", json}, 400, strata.CodeInvalid, "scope must be a string"},
		{"unknown workspace", "POST", "/v1/facts", `{"scope": "workspace/01JD5ZQ9V7M3T8XKQ2R4W6Y0AB"}`, []string{"Content-Type", json}, 404, strata.CodeNotFound, "no workspace"},
		{"yes where nothing asks", "POST", save, `{"content": "a", "yes": true}`, []string{"Content-Type", json}, 400, strata.CodeInvalid, `no field "yes"`},
		{"no yes", "POST", "/v1/forget", `{"id": "fact_01JD5ZQ9V7M3T8XKQ2R4W6Y0AB"}`, []string{"Content-Type", json}, 400, strata.CodeInvalid, "needs confirmation"},
		{"missing fact", "POST", "/v1/fact", `{"id": "fact_01JD5ZQ9V7M3T8XKQ2R4W6Y0AB"}`, []string{"Content-Type", json}, 404, strata.CodeNotFound, ""},
		{"GET", "GET", save, "", nil, 405, strata.CodeInvalid, "does not take GET"},
		{"unknown operation", "POST", "/v1/fly", `{}`, []string{"Content-Type", json}, 404, strata.CodeNotFound, "there is nothing at this path"},
		{"no place for a key", "POST", "/v1/learn", `{"kind": "correction", "text": "a"}`, []string{"Content-Type", json, "Idempotency-Key", "k"}, 400, strata.CodeInvalid, ""},
		{"two keys", "POST", save, `{"content": "a", "request_id": "a"}`, []string{"Content-Type", json, "Idempotency-Key", "b"}, 400, strata.CodeInvalid, "differ"},
		{"parameter of a stream", "POST", "/v1/import?color=red", ``, []string{"Content-Type", linesType}, 400, strata.CodeInvalid, `no field "color"`},
		{"parameter twice", "POST", "/v1/import?dry_run=true&dry_run=false", ``, []string{"Content-Type", linesType}, 400, strata.CodeInvalid, "twice"},
		{"event id", "GET", "/v1/events", "", []string{"Last-Event-ID", "x"}, 400, strata.CodeInvalid, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := wantFailure(t, send(t, tt.method, url+tt.path, tt.body, tt.headers...), tt.status, tt.code)
			if !strings.Contains(f.Message, tt.says) {
				t.Errorf("it says %q", f.Message)
			}
		})
	}
	if list, err := s.options.Env.Engine.Facts(t.Context(), strata.Global().View(), strata.FactFilter{}); err != nil || len(list) > 0 {
		t.Errorf("bad requests left %v, %v", list, err)
	}
	if a := send(t, "GET", url+save, ""); a.header.Get("Allow") != "POST" {
		t.Errorf("Allow: %q", a.header.Get("Allow"))
	}
}

func TestGuards(t *testing.T) {
	s := New(Options{Env: operation.Env{Engine: memory(t)}})
	const secret = "0123456789abcdef0123456789abcdef"
	guarded, open := s.Guarded(secret, "memory.example"), s.Open()
	right := "Bearer " + secret
	tests := []struct {
		name    string
		handler http.Handler
		host    string
		headers []string
		status  int
	}{
		{"right token", guarded, "127.0.0.1:80", []string{"Authorization", right}, 200},
		{"scheme in small letters", guarded, "localhost", []string{"Authorization", "bearer " + secret}, 200},
		{"name it listens on", guarded, "Memory.example:7117", []string{"Authorization", right}, 200},
		{"IPv6", guarded, "[::1]:7117", []string{"Authorization", right}, 200},
		{"no token", guarded, "127.0.0.1", nil, 401},
		{"wrong token", guarded, "127.0.0.1", []string{"Authorization", right + "0"}, 401},
		{"token without a scheme", guarded, "127.0.0.1", []string{"Authorization", secret}, 401},
		{"other scheme", guarded, "127.0.0.1", []string{"Authorization", "Basic " + secret}, 401},
		{"rebound name", guarded, "evil.example", []string{"Authorization", right}, 403},
		{"address as part of a name", guarded, "127.0.0.1.evil.example", []string{"Authorization", right}, 403},
		{"no host", guarded, "", []string{"Authorization", right}, 403},
		{"own origin", guarded, "localhost:7117", []string{"Authorization", right, "Origin", "http://localhost:7117"}, 200},
		{"foreign origin", guarded, "localhost:7117", []string{"Authorization", right, "Origin", "http://evil.example"}, 403},
		{"other port", guarded, "localhost:7117", []string{"Authorization", right, "Origin", "http://localhost:8000"}, 403},
		{"null origin", guarded, "localhost:7117", []string{"Authorization", right, "Origin", "null"}, 403},
		{"cross-site", guarded, "localhost", []string{"Authorization", right, "Sec-Fetch-Site", "cross-site"}, 403},
		{"socket", open, "strata", nil, 200},
		{"socket, any host", open, "evil.example", nil, 200},
		{"socket, foreign origin", open, "strata", []string{"Origin", "http://evil.example"}, 403},
		{"a token that is empty is nobody's", s.Guarded(""), "127.0.0.1", []string{"Authorization", "Bearer "}, 401},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := httptest.NewRequest("GET", "/healthz", nil)
			r.Host = tt.host
			for i := 0; i+1 < len(tt.headers); i += 2 {
				r.Header.Set(tt.headers[i], tt.headers[i+1])
			}
			w := httptest.NewRecorder()
			tt.handler.ServeHTTP(w, r)
			if w.Code != tt.status {
				t.Errorf("%d %s, want %d", w.Code, w.Body, tt.status)
			}
			if w.Code == 401 && w.Header().Get("WWW-Authenticate") != "Bearer" {
				t.Error("it does not say what is asked for")
			}
			for name := range w.Header() {
				if strings.HasPrefix(name, "Access-Control-") {
					t.Errorf("%s lets others read", name)
				}
			}
			if strings.Contains(w.Body.String(), secret) {
				t.Error("the answer holds the token")
			}
		})
	}
}

func TestScopes(t *testing.T) {
	const ws = "01JD5ZQ9V7M3T8XKQ2R4W6Y0AB"
	_, url := start(t, func(o *Options) { o.Env.Workspace = ws })
	called[saved](t, url, "save", `{"content": "The ferry leaves at six", "type": "project"}`)
	inProject := called[saved](t, url, "save", `{"content": "Deploys happen on Tuesdays", "type": "project", "scope": "workspace"}`)
	if inProject.Scope != "workspace/"+ws {
		t.Errorf("saved in %s", inProject.Scope)
	}
	for scope, want := range map[string]string{
		"": "The ferry leaves at six", "global": "The ferry leaves at six",
		"workspace": "Deploys happen on Tuesdays", "workspace/" + ws: "Deploys happen on Tuesdays",
	} {
		list := called[struct {
			Facts []struct{ Text string } `json:"facts"`
		}](t, url, "facts", `{"scope": "`+scope+`"}`)
		if len(list.Facts) != 1 || list.Facts[0].Text != want {
			t.Errorf("scope %q sees %+v", scope, list.Facts)
		}
	}
	// The whole home, where that is what an operation is about.
	if a := post(t, url, "export", `{}`); !strings.Contains(a.text, "ferry") || !strings.Contains(a.text, "Tuesdays") {
		t.Errorf("exported %s", a.text)
	}
	if a := post(t, url, "export", `{"scope": "workspace"}`); strings.Contains(a.text, "ferry") || !strings.Contains(a.text, "Tuesdays") {
		t.Errorf("exported of the workspace %s", a.text)
	}
}

func TestAServerOfOneScopeServesNoOther(t *testing.T) {
	_, url := start(t, func(o *Options) { o.Env.Agent, o.Env.Scope = "reviewer", strata.ForAgent("reviewer") })
	if s := called[saved](t, url, "save", `{"content": "Reviews are short"}`); s.Scope != strata.ForAgent("reviewer").Key() {
		t.Errorf("saved in %s", s.Scope)
	}
	wantFailure(t, post(t, url, "facts", `{"scope": "global"}`), 403, strata.CodeDenied)
	wantFailure(t, send(t, "GET", url+"/v1/events?scope=global", ""), 403, strata.CodeDenied)
}

func TestAKeyMakesAWriteRepeatable(t *testing.T) {
	_, url := start(t)
	const body = `{"content": "The ferry leaves at six"}`
	first := called[saved](t, url, "save", body, "Idempotency-Key", "k1")
	again := called[saved](t, url, "save", body, "Idempotency-Key", "k1")
	if !again.Replayed || again.DecisionID != first.DecisionID {
		t.Errorf("first %+v, again %+v", first, again)
	}
	wantFailure(t, post(t, url, "save", `{"content": "The ferry leaves at eight"}`, "Idempotency-Key", "k1"), 409, strata.CodeConflict)
	called[found](t, url, "recall", `{"query": "ferry"}`, "Idempotency-Key", "k1") // what reads needs none
}

func TestWhatRemovesWantsAYes(t *testing.T) {
	_, url := start(t)
	id := called[saved](t, url, "save", `{"content": "The ferry leaves at six"}`).ID
	wantFailure(t, post(t, url, "forget", `{"id": "`+id+`"}`), 400, strata.CodeInvalid)
	called[any](t, url, "forget", `{"id": "`+id+`", "dry_run": true}`)
	if f := called[found](t, url, "recall", `{"query": "when does the ferry leave?"}`); len(f.Hits) != 1 {
		t.Errorf("after the dry run: %+v", f)
	}
	called[any](t, url, "forget", `{"id": "`+id+`", "yes": true}`)
	if f := called[found](t, url, "recall", `{"query": "when does the ferry leave?"}`); len(f.Hits) != 0 {
		t.Errorf("after the yes: %+v", f)
	}
}

// Every error has the status of its code, and tells nothing of its cause.
func TestErrorsHaveTheStatusOfTheirCode(t *testing.T) {
	for _, code := range strata.Codes() {
		w := httptest.NewRecorder()
		out := &response{ResponseWriter: w, control: http.NewResponseController(w), request: "r", log: slog.New(slog.DiscardHandler)}
		out.fail(&strata.Error{Code: code, Op: "open store", Message: "it is so", Hint: "do this", Details: map[string]string{"rule": "x"},
			Err: context.DeadlineExceeded})
		want := `{"code":"` + string(code) + `","message":"it is so","hint":"do this","details":{"rule":"x"},"request_id":"r"}` + "\n"
		if w.Code != code.HTTPStatus() || w.Body.String() != want {
			t.Errorf("%s: %d %s", code, w.Code, w.Body)
		}
		if busy := w.Code == http.StatusServiceUnavailable; busy != (w.Header().Get("Retry-After") != "") {
			t.Errorf("%s: Retry-After %q", code, w.Header().Get("Retry-After"))
		}
	}
}

func TestAPanicTellsTheLogAlone(t *testing.T) {
	var log bytes.Buffer
	s, url := start(t, func(o *Options) { o.Logger = slog.New(slog.NewTextHandler(&log, nil)) })
	s.mux.Handle("/fault", &route{path: "/fault", name: "fault", by: map[string]handler{"GET": func(*response, *http.Request) error {
		panic("the sky fell")
	}}})
	f := wantFailure(t, send(t, "GET", url+"/fault", "", requestHeader, "mine-1"), 500, strata.CodeInternal)
	if f.Request != "mine-1" || strings.Contains(f.Message, "sky") {
		t.Errorf("the client is told %+v", f)
	}
	s.active.stop() // the line of the log is written
	if text := log.String(); !strings.Contains(text, "the sky fell") || !strings.Contains(text, "goroutine") || !strings.Contains(text, "mine-1") {
		t.Errorf("the log says %s", text)
	}
}

// The log names operations and never what was asked.
func TestTheLogHoldsNothingOfWhatWasAsked(t *testing.T) {
	var log bytes.Buffer
	s, url := start(t, func(o *Options) { o.Logger = slog.New(slog.NewJSONHandler(&log, nil)) })
	post(t, url, "recall", `{"query": "the private question"}`, requestHeader, "bad id\twith space")
	send(t, "POST", url+"/private-path?private=1", "")
	s.active.stop()
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	if len(lines) != 2 || strings.Contains(log.String(), "private") || strings.Contains(log.String(), "bad id") {
		t.Fatalf("log:\n%s", log.String())
	}
	var line struct {
		Operation, Request, Code string
		Status                   int
	}
	if err := json.Unmarshal([]byte(lines[0]), &line); err != nil || line.Operation != "recall" || line.Status != 200 || !strings.HasPrefix(line.Request, "req_") {
		t.Errorf("%s: %v", lines[0], err)
	}
}
