package mcp

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// post sends a message over HTTP, and returns the answer in it, as JSON or as an event.
func post(t *testing.T, url, session, body string) (res *http.Response, message string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "POST", url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if session != "" {
		req.Header.Set("Mcp-Session-Id", session)
	}
	res, err = http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, "data: "); ok && len(rest) > 2 {
			return res, rest
		}
	}
	return res, string(data)
}

// serveHTTP serves over HTTP, and begins a session that ends with the test.
func serveHTTP(t *testing.T, server *mcp.Server) (url, session string) {
	t.Helper()
	web := httptest.NewServer(Handler(server, nil))
	t.Cleanup(web.Close)
	first, _, _ := strings.Cut(hello, "\n")
	res, _ := post(t, web.URL, "", first)
	session = res.Header.Get("Mcp-Session-Id")
	t.Cleanup(func() {
		req, err := http.NewRequestWithContext(context.Background(), "DELETE", web.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Mcp-Session-Id", session)
		if res, err = http.DefaultClient.Do(req); err != nil || res.StatusCode != http.StatusNoContent {
			t.Fatalf("the session does not end: %v", err)
		}
		res.Body.Close()
	})
	return web.URL, session
}

// What is wrong with a message is said over both transports alike, under the id as it was
// sent.
func TestAMessageIsAnsweredUnderItsOwnID(t *testing.T) {
	long := strings.Repeat("Q", 300_000)
	tests := []struct {
		name, message, id, want string
		code                    int // 0 for an answer
	}{
		{"a fraction", `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, "1.5", "the id", -32600},
		{"one too large", `{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, "9007199254740993", "the id", -32600},
		{"one beyond 64 bits", `{"jsonrpc":"2.0","id":9223372036854775808,"method":"ping"}`, "9223372036854775808", "the id", -32600},
		{"a list", `{"jsonrpc":"2.0","id":[1],"method":"ping"}`, "null", "no message", -32600},
		{"a surrogate without its other half", `{"jsonrpc":"2.0","id":"\ud800","method":"ping"}`, `"\ud800"`, "the id", -32600},
		{"null", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, "null", "the id", -32600},
		{"the largest", `{"jsonrpc":"2.0","id":9007199254740992,"method":"ping"}`, "9007199254740992", "", 0},
		{"the least", `{"jsonrpc":"2.0","id":-9007199254740992,"method":"ping"}`, "-9007199254740992", "", 0},
		{"a text", `{"jsonrpc":"2.0","id":"1.5","method":"ping"}`, `"1.5"`, "", 0},
		{"neither method nor result", `{"jsonrpc":"2.0","id":101}`, "101", "neither a method nor a result", -32600},
		{"an error that is none", `{"jsonrpc":"2.0","id":101,"error":null}`, "101", "neither a method nor a result", -32600},
		{"no parameters", `{"jsonrpc":"2.0","id":7,"method":"tools/call"}`, "7", "params are missing", -32602},
		{"null for parameters", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":null}`, "7", "params are missing", -32602},
		{"the name twice", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"memory_context","arguments":{},"n\u0061me":"memory_forget"}}`, "7", `"name" twice`, -32600},
		{"an argument twice", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"memory_save","arguments":{"content":"a","content":"b"}}}`, "7", `"content" twice`, -32600},
		{"a second beginning", `{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`, "7", "begun before", -32600},
		{"a long method", `{"jsonrpc":"2.0","id":7,"method":"` + long + `"}`, "7", "no such method", -32601},
		{"a long tool", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"` + long + `"}}`, "7", "unknown tool", -32602},
		{"a long prompt", `{"jsonrpc":"2.0","id":7,"method":"prompts/get","params":{"name":"` + long + `"}}`, "7", "unknown prompt", -32602},
		{"a long argument", `{"jsonrpc":"2.0","id":7,"method":"prompts/get","params":{"name":"memory_guide","arguments":{"` + long + `":"a"}}}`, "7", "there is no argument", -32602},
		{"a long scope", `{"jsonrpc":"2.0","id":7,"method":"prompts/get","params":{"name":"memory_context","arguments":{"scope":"` + long + `"}}}`, "7", "scope", -32055},
		{"a long address", `{"jsonrpc":"2.0","id":7,"method":"resources/read","params":{"uri":"memory://root/` + long + `"}}`, "7", "not found", -32002},
		{"an address with a control character", `{"jsonrpc":"2.0","id":7,"method":"resources/read","params":{"uri":"memory://root/\u0007.md"}}`, "7", "not found", -32002},
		{"an address of others", `{"jsonrpc":"2.0","id":7,"method":"resources/read","params":{"uri":"file:///etc/passwd"}}`, "7", "not found", -32002},
	}
	server := New(open(t), Options{})
	url, session := serveHTTP(t, server)
	for _, tt := range tests {
		check := func(message string) {
			t.Helper()
			var got answer
			if len(message) > 1000 {
				t.Errorf("%s: %d bytes: %.200s", tt.name, len(message), message)
			}
			err := json.Unmarshal([]byte(message), &got)
			switch {
			case err != nil || string(got.ID) != tt.id:
			case tt.code == 0 && got.Error == nil:
				return
			case got.Error != nil && got.Error.Code == tt.code && strings.Contains(got.Error.Message, tt.want):
				return
			}
			t.Errorf("%s: %.300s, %v", tt.name, message, err)
		}
		var out strings.Builder
		if err := Serve(t.Context(), server, strings.NewReader(hello+tt.message), &out, nil); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if !strings.Contains(line, `"serverInfo"`) { // the answer to the beginning
				check(line)
			}
		}
		_, message := post(t, url, session, tt.message)
		check(message)
	}
}

// Before a session is begun there is nothing to call but what begins it.
func TestASessionIsBegunFirst(t *testing.T) {
	const list = `{"jsonrpc":"2.0","id":7,"method":"tools/list"}`
	var out strings.Builder
	lines := `{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n" + list + "\n" + hello + strings.Replace(list, "7", "8", 1)
	if err := Serve(t.Context(), New(open(t), Options{}), strings.NewReader(lines), &out, nil); err != nil {
		t.Fatal(err)
	}
	got := answers(t, out.String())
	if got["1"].Error != nil || got["7"].Error == nil || got["7"].Error.Code != -32600 || !strings.Contains(got["7"].Error.Message, "initialize") || got["8"].Error != nil {
		t.Errorf("answers %s", out.String())
	}
	web := httptest.NewServer(Handler(New(open(t), Options{}), nil))
	defer web.Close()
	var early answer
	res, message := post(t, web.URL, "", list)
	if err := json.Unmarshal([]byte(message), &early); err != nil || res.StatusCode != http.StatusBadRequest || string(early.ID) != "7" || early.Error == nil || early.Error.Code != -32600 {
		t.Errorf("over HTTP: %d %s, %v", res.StatusCode, message, err)
	}
}

// The protocol without sessions needs no beginning, and has another code for an address that
// leads nowhere.
func TestVersionsWithoutSessions(t *testing.T) {
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	var out strings.Builder
	lines := `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + meta + `}}
{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"memory://root/none.md",` + meta + "}}\n"
	if err := Serve(t.Context(), New(open(t), Options{}), strings.NewReader(lines), &out, nil); err != nil {
		t.Fatal(err)
	}
	got := answers(t, out.String())
	if got["1"].ID == nil || got["1"].Error != nil || got["2"].Error == nil || got["2"].Error.Code != -32602 {
		t.Errorf("answers %s", out.String())
	}
}

// A notification with the id null, as some clients write it, is one.
func TestANotificationMayHaveTheIDNull(t *testing.T) {
	var begun bool
	if p := readMessage([]byte(`{"jsonrpc":"2.0","id":null,"method":"notifications/initialized"}`), &begun); p.code != 0 {
		t.Errorf("refused: %s", p.reason)
	}
}

// What a prompt is called with wrongly is named as the prompt has it.
func TestPromptsNameTheirArguments(t *testing.T) {
	cs := connect(t, New(open(t), Options{}))
	for _, tt := range []struct {
		prompt, want string
		arguments    map[string]string
	}{
		{"memory_context", "budget is no whole number from 200 to 100000", map[string]string{"budget": "-5"}},
		{"memory_context", "budget is no whole number from 200 to 100000", map[string]string{"budget": "100001"}},
		{"memory_context", `there is no argument "max_tokens"; the arguments are: budget, scope`, map[string]string{"max_tokens": "500"}},
		{"memory_guide", `there is no argument "budget"; the arguments are: none`, map[string]string{"budget": "500"}},
	} {
		_, err := cs.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: tt.prompt, Arguments: tt.arguments})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s %v: %v", tt.prompt, tt.arguments, err)
		}
	}
	if _, err := cs.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "memory_context", Arguments: map[string]string{"budget": "200", "scope": "global"}}); err != nil {
		t.Error(err)
	}
}
