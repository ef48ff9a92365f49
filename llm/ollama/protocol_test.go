package ollama_test

import (
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/models/llmtest/scripted"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/llm/ollama"
)

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

func hello() llm.Request {
	return llm.Request{Messages: []llm.Message{{Role: strata.RoleUser, Text: "hello"}}}
}

// Ollama drops messages that do not fit, silently, unless told not to.
func TestServerMayNotDropMessages(t *testing.T) {
	server := serve(t, func(scripted.Request) scripted.Reply { return scripted.Say("ok") })
	if _, err := connect(t, ollama.Options{BaseURL: server.URL(scripted.Ollama)}).Chat("m").Chat(t.Context(), hello(), nil); err != nil {
		t.Fatal(err)
	}
	body := string(server.Requests()[0].Body)
	for _, want := range []string{`"truncate":false`, `"shift":false`, `"stream":true`} {
		if !strings.Contains(body, want) {
			t.Errorf("request %s lacks %s", body, want)
		}
	}
}

// The official client signs requests with the user's key, or goes elsewhere,
// when the environment says so.
func TestEnvironmentHasNoEffect(t *testing.T) {
	for name, value := range map[string]string{
		"OLLAMA_HOST": "http://127.0.0.1:1", "OLLAMA_AUTH": "1", "HTTP_PROXY": "http://127.0.0.1:1", "http_proxy": "http://127.0.0.1:1",
	} {
		t.Setenv(name, value)
	}
	server := serve(t, func(scripted.Request) scripted.Reply { return scripted.Say("ok") })
	c := connect(t, ollama.Options{BaseURL: server.URL(scripted.Ollama)})
	if _, err := c.Chat("m").Chat(t.Context(), hello(), nil); err != nil {
		t.Fatal(err)
	}
	if got := server.Requests()[0].Header.Get("Authorization"); got != "" {
		t.Errorf("Authorization %q", got)
	}
}

func TestBaseURLAsPeopleWriteIt(t *testing.T) {
	server := serve(t, func(scripted.Request) scripted.Reply { return scripted.Say("ok") })
	url := server.URL(scripted.Ollama)
	for _, written := range []string{url, url + "/", strings.TrimPrefix(url, "http://"), " " + url + "// "} {
		if _, err := connect(t, ollama.Options{BaseURL: written}).Chat("m").Chat(t.Context(), hello(), nil); err != nil {
			t.Errorf("%q: %v", written, err)
		}
	}
	for _, written := range []string{"ftp://host", "http://", "::", "http://a b"} {
		if _, err := ollama.New(ollama.Options{BaseURL: written}); strata.CodeOf(err) != strata.CodeInvalid {
			t.Errorf("%q: %v", written, err)
		}
	}
}

func TestUnknownModelSaysHowToGetIt(t *testing.T) {
	server := serve(t, func(scripted.Request) scripted.Reply {
		return scripted.Fail(404, `model "qwen3:4b" not found, try pulling it first`)
	})
	_, err := connect(t, ollama.Options{BaseURL: server.URL(scripted.Ollama)}).Chat("qwen3:4b").Chat(t.Context(), hello(), nil)
	e, ok := err.(*strata.Error)
	if !ok || e.Code != strata.CodeNotFound || e.Hint != "ollama pull qwen3:4b" {
		t.Errorf("error %+v", err)
	}
}

func TestContextLength(t *testing.T) {
	for body, want := range map[string]int{
		`{"model_info":{"general.architecture":"qwen3","qwen3.context_length":40960,"clip.context_length":77}}`: 40960,
		`{"model_info":{"llama.context_length":2048}}`:                                                          2048,
		`{"model_info":{"general.architecture":7,"a.context_length":"x","b.context_length":512}}`:               512,
		`{"model_info":{"a.context_length":-1}}`:                                                                0,
		`{"model_info":{"a.context_length":1e300}}`:                                                             0,
		`{}`: 0,
	} {
		server := serve(t, func(scripted.Request) scripted.Reply {
			return scripted.Reply{Body: body, ContentType: "application/json"}
		})
		got, err := connect(t, ollama.Options{BaseURL: server.URL(scripted.Ollama)}).ContextLength(t.Context(), "m")
		if err != nil || got != want {
			t.Errorf("%s: %d, %v", body, got, err)
		}
	}
	server := serve(t, func(scripted.Request) scripted.Reply { return scripted.Fail(404, "model 'm' not found") })
	if _, err := connect(t, ollama.Options{BaseURL: server.URL(scripted.Ollama)}).ContextLength(t.Context(), "m"); strata.CodeOf(err) != strata.CodeNotFound {
		t.Errorf("error %v", err)
	}
}

func TestToolWhoseParametersOllamaCannotRead(t *testing.T) {
	req := hello()
	req.Tools = []llm.Tool{{Name: "f", Parameters: []byte(`{"type":"object","properties":{"a":true}}`)}}
	_, err := connect(t, ollama.Options{}).Chat("m").Chat(t.Context(), req, nil)
	if strata.CodeOf(err) != strata.CodeInvalid || !strings.Contains(err.Error(), "tool f") {
		t.Errorf("error %v", err)
	}
}

func TestANamelessToolCallIsCorrupt(t *testing.T) {
	server := serve(t, func(scripted.Request) scripted.Reply { return scripted.Call(strata.ToolCall{ID: "a"}) })
	_, err := connect(t, ollama.Options{BaseURL: server.URL(scripted.Ollama)}).Chat("m").Chat(t.Context(), hello(), nil)
	if strata.CodeOf(err) != strata.CodeCorrupt {
		t.Errorf("error %v", err)
	}
}
