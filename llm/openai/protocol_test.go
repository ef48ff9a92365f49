package openai_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/models/llmtest/scripted"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/llm/openai"
)

const key = "sk-test-0123456789abcdef"

func hello() llm.Request {
	return llm.Request{Messages: []llm.Message{{Role: strata.RoleUser, Text: "hello"}}}
}

func serve(t *testing.T, script scripted.Script) *scripted.Server {
	t.Helper()
	server, err := scripted.Start("", script)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	return server
}

// Everything that the library reads from the environment by itself must stay
// without effect, and so must the proxy settings that net/http reads.
func TestEnvironmentHasNoEffect(t *testing.T) {
	for name, value := range map[string]string{
		"OPENAI_API_KEY": "sk-from-environment", "OPENAI_ADMIN_KEY": "sk-admin", "OPENAI_ORG_ID": "org-x",
		"OPENAI_PROJECT_ID": "proj-x", "OPENAI_BASE_URL": "http://127.0.0.1:1/v1", "OPENAI_WEBHOOK_SECRET": "w",
		"OPENAI_CUSTOM_HEADERS": "X-From-Environment: yes", "HTTP_PROXY": "http://127.0.0.1:1", "http_proxy": "http://127.0.0.1:1",
	} {
		t.Setenv(name, value)
	}
	server := serve(t, func(scripted.Request) scripted.Reply { return scripted.Say("ok") })
	c := connect(t, openai.Options{BaseURL: server.URL(scripted.OpenAI)})
	if _, err := c.Chat("m").Chat(t.Context(), hello(), nil); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Embedder("m", 0).Embed(t.Context(), []string{"a"}); err != nil {
		t.Fatal(err)
	}
	for _, r := range server.Requests() {
		for name, values := range r.Header {
			switch name {
			case "Accept", "Content-Length", "Content-Type":
			case "User-Agent":
				if values[0] != "strata" {
					t.Errorf("User-Agent %q", values)
				}
			default:
				t.Errorf("the header %s is sent: %q", name, values)
			}
		}
	}
}

func TestKeyIsSentAndNowhereShown(t *testing.T) {
	for _, reply := range []scripted.Reply{
		scripted.Fail(401, "Incorrect API key provided: "+key),
		scripted.Fail(403, "the key "+key+" may not use this model"),
		scripted.Fail(500, "panic: bearer "+key),
		{Parts: []scripted.Part{{Error: "bad key " + key}}},
		{Parts: []scripted.Part{{Raw: "data: junk " + key + "\n\n"}}},
		{Body: key + "\n", ContentType: "application/json"},
	} {
		server := serve(t, func(scripted.Request) scripted.Reply { return reply })
		c := connect(t, openai.Options{BaseURL: server.URL(scripted.OpenAI), APIKey: key})
		_, err := c.Chat("m").Chat(t.Context(), hello(), nil)
		if err == nil {
			t.Fatal("no error")
		}
		if got := server.Requests()[0].Header.Get("Authorization"); got != "Bearer "+key {
			t.Errorf("Authorization %q", got)
		}
		for e := err; e != nil; e = errors.Unwrap(e) {
			for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
				if shown := fmt.Sprintf(verb, e); strings.Contains(shown, key) {
					t.Errorf("%T shows the key: %s", e, shown)
				}
			}
		}
		for _, verb := range []string{"%v", "%+v", "%#v"} {
			if shown := fmt.Sprintf(verb, c); strings.Contains(shown, key) {
				t.Errorf("the client shows the key: %s", shown)
			}
		}
	}
}

func TestKeyDoesNotFollowARedirect(t *testing.T) {
	var mu sync.Mutex
	var seen []string
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		seen = append(seen, r.Header.Get("Authorization"))
		mu.Unlock()
		w.WriteHeader(http.StatusTeapot)
	}))
	defer other.Close()
	first := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL+r.URL.Path, http.StatusTemporaryRedirect)
	}))
	defer first.Close()
	c := connect(t, openai.Options{BaseURL: first.URL + "/v1", APIKey: key})
	if _, err := c.Chat("m").Chat(t.Context(), hello(), nil); err == nil {
		t.Error("no error")
	}
	if _, err := c.ContextLength(t.Context(), "m"); err == nil {
		t.Error("no error")
	}
	mu.Lock()
	defer mu.Unlock()
	for _, authorization := range seen {
		if authorization != "" {
			t.Errorf("another host got %q", authorization)
		}
	}
}

func TestOptionsThatCannotWork(t *testing.T) {
	for _, o := range []openai.Options{
		{}, {BaseURL: "ftp://host/v1"}, {BaseURL: "http://"}, {BaseURL: "http://host:port:1"}, {BaseURL: "::"},
		{BaseURL: "http://host/v1", APIKey: "two\nlines"}, {BaseURL: "http://host/v1", APIKey: "a b"},
	} {
		_, err := openai.New(o)
		if strata.CodeOf(err) != strata.CodeInvalid {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// A server's habit costs one refused request, and is remembered.
func TestHabitsAreLearnt(t *testing.T) {
	cold := 0.0
	limited := hello()
	limited.MaxTokens, limited.Temperature = 9, &cold
	for _, test := range []struct {
		name, refusal, hated, wanted string
	}{
		{"max_completion_tokens", "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
			`"max_tokens":`, `"max_completion_tokens":9`},
		{"no stream_options", "unknown field stream_options", `"stream_options"`, `"stream":true`},
		{"no temperature", "Unsupported value: 'temperature' does not support 0 with this model.", `"temperature"`, `"max_tokens":9`},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := serve(t, func(r scripted.Request) scripted.Reply {
				if strings.Contains(string(r.Body), test.hated) {
					return scripted.Fail(400, test.refusal)
				}
				return scripted.Say("ok")
			})
			c := connect(t, openai.Options{BaseURL: server.URL(scripted.OpenAI)}).Chat("m")
			for range 2 {
				if _, err := c.Chat(t.Context(), limited, nil); err != nil {
					t.Fatal(err)
				}
			}
			requests := server.Requests()
			if len(requests) != 3 {
				t.Fatalf("%d requests, want 3", len(requests))
			}
			if body := string(requests[2].Body); !strings.Contains(body, test.wanted) {
				t.Errorf("request %s lacks %s", body, test.wanted)
			}
		})
	}
}

// A server that refuses whatever is sent must not be asked for ever.
func TestHabitsEnd(t *testing.T) {
	server := serve(t, func(scripted.Request) scripted.Reply {
		return scripted.Fail(400, "max_completion_tokens, stream_options and temperature are all wrong")
	})
	cold := 0.0
	req := hello()
	req.MaxTokens, req.Temperature = 9, &cold
	_, err := connect(t, openai.Options{BaseURL: server.URL(scripted.OpenAI)}).Chat("m").Chat(t.Context(), req, nil)
	if strata.CodeOf(err) != strata.CodeInvalid || len(server.Requests()) != 4 {
		t.Errorf("%d requests, error %v", len(server.Requests()), err)
	}
}

func TestSchemaIsStrictWhereItCanBe(t *testing.T) {
	server := serve(t, func(scripted.Request) scripted.Reply { return scripted.Say("{}") })
	c := connect(t, openai.Options{BaseURL: server.URL(scripted.OpenAI)}).Chat("m")
	const closed = `"additionalProperties":false`
	for _, test := range []struct {
		schema string
		strict bool
	}{
		{`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],` + closed + `}`, true},
		{`{"type":"object","properties":{"a":{"type":"array","items":{"type":"object","properties":{},"required":[],` + closed + `}}},"required":["a"],` + closed + `}`, true},
		{`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`, false},
		{`{"type":"object","properties":{"a":{"type":"string"}},"required":[],` + closed + `}`, false},
		{`{"type":"object","properties":{"a":{"type":"array","items":{"type":"object"}}},"required":["a"],` + closed + `}`, false},
		{`{"type":"object"}`, false},
		{`{"anyOf":[{"type":"object"},{"type":"string"}]}`, false},
		{`{"$ref":"#/x"}`, false},
	} {
		req := hello()
		req.Schema = []byte(test.schema)
		if _, err := c.Chat(t.Context(), req, nil); err != nil {
			t.Fatal(err)
		}
		requests := server.Requests()
		body := string(requests[len(requests)-1].Body)
		if strings.Contains(body, `"strict":true`) != test.strict || !strings.Contains(body, `"schema":`+test.schema) {
			t.Errorf("%s was sent as %s", test.schema, body)
		}
	}
}

func TestSchemaThatTheServerDoesNotTakeIsUnsupported(t *testing.T) {
	server := serve(t, func(scripted.Request) scripted.Reply {
		return scripted.Fail(400, "response_format.type must be 'text' or 'json_object'")
	})
	req := hello()
	req.Schema = []byte(`{"type":"object"}`)
	_, err := connect(t, openai.Options{BaseURL: server.URL(scripted.OpenAI)}).Chat("m").Chat(t.Context(), req, nil)
	if strata.CodeOf(err) != strata.CodeUnsupported {
		t.Errorf("error %v", err)
	}
}

func TestAnswersOfOtherServers(t *testing.T) {
	const text = "hello"
	for name, body := range map[string]string{
		"no empty lines":             "data: {\"choices\":[{\"delta\":{\"content\":\"hel\"}}]}\ndata: {\"choices\":[{\"delta\":{\"content\":\"lo\"},\"finish_reason\":\"stop\"}]}\ndata: [DONE]\n",
		"no blank after the colon":   "data:{\"choices\":[{\"delta\":{\"content\":\"hello\"},\"finish_reason\":\"stop\"}]}\n\ndata:[DONE]\n\n",
		"carriage returns":           "data: {\"choices\":[{\"delta\":{\"content\":\"hello\"}}]}\r\n\r\ndata: [DONE]\r\n\r\n",
		"comments and other fields":  ": OPENROUTER PROCESSING\n\nevent: x\nid: 7\nretry: 10\ndata: {\"choices\":[{\"delta\":{\"content\":\"hello\"}}]}\n\ndata: [DONE]\n\n",
		"an event over two lines":    "data: {\"choices\":[{\"delta\":\ndata: {\"content\":\"hello\"}}]}\n\ndata: [DONE]\n\n",
		"error is null":              "data: {\"error\":null,\"choices\":[{\"delta\":{\"content\":\"hello\"}}]}\n\ndata: [DONE]\n\n",
		"no end but a finish_reason": "data: {\"choices\":[{\"delta\":{\"content\":\"hello\"},\"finish_reason\":\"stop\"}]}\n\n",
		"the last event has no end":  "data: {\"choices\":[{\"delta\":{\"content\":\"hello\"},\"finish_reason\":\"stop\"}]}",
		"content in parts":           "data: {\"choices\":[{\"delta\":{\"content\":[{\"type\":\"text\",\"text\":\"hel\"},{\"type\":\"text\",\"text\":\"lo\"}]}}]}\n\ndata: [DONE]\n\n",
		"other choices":              "data: {\"choices\":[{\"index\":1,\"delta\":{\"content\":\"no\"}},{\"index\":0,\"delta\":{\"content\":\"hello\"}}]}\n\ndata: [DONE]\n\n",
		"null everywhere":            "data: {\"choices\":[{\"delta\":{\"content\":\"hello\",\"tool_calls\":null,\"function_call\":null,\"refusal\":null,\"reasoning\":null},\"finish_reason\":null}],\"usage\":null}\n\ndata: [DONE]\n\n",
	} {
		server := serve(t, func(scripted.Request) scripted.Reply { return scripted.Reply{Body: body} })
		reply, err := connect(t, openai.Options{BaseURL: server.URL(scripted.OpenAI)}).Chat("m").Chat(t.Context(), hello(), nil)
		if err != nil || reply.Message.Text != text || reply.Message.Calls != nil {
			t.Errorf("%s: %+v, %v", name, reply, err)
		}
	}
}

func TestRefusalIsShownAndMarked(t *testing.T) {
	server := serve(t, func(scripted.Request) scripted.Reply {
		return scripted.Reply{Body: "data: {\"choices\":[{\"delta\":{\"refusal\":\"I will not.\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"}
	})
	reply, err := connect(t, openai.Options{BaseURL: server.URL(scripted.OpenAI)}).Chat("m").Chat(t.Context(), hello(), nil)
	if err != nil || reply.Message.Text != "I will not." || reply.Stop != llm.StopFilter {
		t.Errorf("%+v, %v", reply, err)
	}
}

func TestErrorsInAnyForm(t *testing.T) {
	for body, want := range map[string]string{
		`{"error":{"message":"boom","type":"x","code":7}}`: "boom",
		`{"error":"boom"}`: "boom",
		`{"object":"error","message":"boom","code":"x"}`: "boom",
		`{"detail":"boom"}`:                          "boom",
		`{"detail":[{"loc":["body"],"msg":"boom"}]}`: "boom",
		`boom`:                          "boom",
		`<html>secret page</html>`:      "status 400",
		``:                              "status 400",
		`null`:                          "status 400",
		`{"error":null}`:                "status 400",
		`{"error":{}}`:                  "status 400",
		`"` + strings.Repeat("ö", 2000): " …",
	} {
		backend := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write([]byte(body))
		}))
		_, err := connect(t, openai.Options{BaseURL: backend.URL}).Chat("m").Chat(t.Context(), hello(), nil)
		if strata.CodeOf(err) != strata.CodeInvalid || !strings.Contains(err.Error(), want) || len(err.Error()) > 1000 {
			t.Errorf("%.60s: error %v", body, err)
		}
		backend.Close()
	}
}

func TestQuotaIsNotWaitedFor(t *testing.T) {
	broke := scripted.Fail(429, "You exceeded your current quota")
	broke.Code = "insufficient_quota"
	server := serve(t, func(scripted.Request) scripted.Reply { return broke })
	_, err := connect(t, openai.Options{BaseURL: server.URL(scripted.OpenAI)}).Chat("m").Chat(t.Context(), hello(), nil)
	if strata.CodeOf(err) != strata.CodeUnavailable || len(server.Requests()) != 1 {
		t.Errorf("%d requests, error %v", len(server.Requests()), err)
	}
}

func TestEmbeddingsOutOfOrder(t *testing.T) {
	for name, test := range map[string]struct {
		body string
		code strata.Code
		want float32 // the first number of the first vector
	}{
		"out of order": {`{"data":[{"index":1,"embedding":[0,1]},{"index":0,"embedding":[1,0]}]}`, "", 1},
		"unnumbered":   {`{"data":[{"embedding":[1,0]},{"embedding":[0,1]}]}`, "", 1},
		"twice":        {`{"data":[{"index":1,"embedding":[1,0]},{"index":1,"embedding":[0,1]}]}`, strata.CodeCorrupt, 0},
		"beyond":       {`{"data":[{"index":0,"embedding":[1,0]},{"index":2,"embedding":[0,1]}]}`, strata.CodeCorrupt, 0},
		"negative":     {`{"data":[{"index":-1,"embedding":[1,0]},{"index":0,"embedding":[0,1]}]}`, strata.CodeCorrupt, 0},
	} {
		server := serve(t, func(scripted.Request) scripted.Reply {
			return scripted.Reply{Body: test.body, ContentType: "application/json"}
		})
		vectors, err := connect(t, openai.Options{BaseURL: server.URL(scripted.OpenAI)}).Embedder("m", 0).Embed(t.Context(), []string{"a", "b"})
		if strata.CodeOf(err) != test.code || err == nil && vectors[0][0] != test.want {
			t.Errorf("%s: %v, %v", name, vectors, err)
		}
	}
}

func TestContextLength(t *testing.T) {
	for body, want := range map[string]int{
		`{"data":[{"id":"other","context_length":1},{"id":"m","context_length":131072}]}`: 131072,
		`{"data":[{"id":"m","max_model_len":4096}]}`:                                      4096,
		`{"data":[{"id":"m","meta":{"n_ctx_train":8192,"n_ctx":2048}}]}`:                  2048,
		`{"data":[{"id":"m","context_window":-5}]}`:                                       0,
		`{"data":[{"id":"m"}]}`:                                                           0,
	} {
		server := serve(t, func(scripted.Request) scripted.Reply {
			return scripted.Reply{Body: body, ContentType: "application/json"}
		})
		c := connect(t, openai.Options{BaseURL: server.URL(scripted.OpenAI)})
		if got, err := c.ContextLength(t.Context(), "m"); err != nil || got != want {
			t.Errorf("%s: %d, %v", body, got, err)
		}
		if _, err := c.ContextLength(t.Context(), "nobody"); strata.CodeOf(err) != strata.CodeNotFound {
			t.Errorf("unlisted model: %v", err)
		}
	}
}
