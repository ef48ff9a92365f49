package openai

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/models/wire"
	"github.com/strata-memory/strata/llm"
)

// FuzzStream: whatever a server sends, reading it ends with a reply or an
// error with a code, and the parts are the text.
func FuzzStream(f *testing.F) {
	for _, seed := range []string{
		"data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: [DONE]\n\n",
		"data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"x\",\"function\":{\"name\":\"f\",\"arguments\":\"{\"}}]}}]}\n\n",
		"data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"function\":{\"name\":\"f\",\"arguments\":{\"a\":1}}}]},\"finish_reason\":\"tool_calls\"}]}\n\n",
		"data: {\"choices\":[{\"delta\":{\"function_call\":{\"name\":\"f\"}}}]}\n\n",
		"data: {\"error\":{\"message\":\"x\"}}\n\n", ": ping\n\n", "{\"object\":\"error\"}\n", "data: {\ndata: }\n\n", "data:\n\n", "\r\n", "data: [DONE]",
	} {
		f.Add(seed, false)
		f.Add(seed, true)
	}
	server, err := wire.NewServer(wire.Config{BaseURL: "http://host/v1"})
	if err != nil {
		f.Fatal(err)
	}
	req := llm.Request{Messages: []llm.Message{{Role: strata.RoleUser, Text: "hello"}}}
	f.Fuzz(func(t *testing.T, body string, whole bool) {
		read := func(r io.Reader) (llm.Reply, string, error) {
			var parts strings.Builder
			s := stream{server: server, model: "m", onDelta: func(d llm.Delta) error {
				parts.WriteString(d.Text)
				return nil
			}}
			resp := &http.Response{Header: http.Header{}, Body: io.NopCloser(r)}
			if whole {
				resp.Header.Set("Content-Type", "application/json")
			}
			reply, err := s.read(resp, req)
			return reply, parts.String(), err
		}
		reply, parts, err := read(strings.NewReader(body))
		if parts != reply.Message.Text {
			t.Fatalf("the parts are %q, the text is %q", parts, reply.Message.Text)
		}
		var e *strata.Error
		if err != nil && (!errors.As(err, &e) || e.Code == "" || e.Code == strata.CodeInternal) {
			t.Fatalf("error %v has no code", err)
		}
		for _, c := range reply.Message.Calls {
			if err == nil && (c.ID == "" || c.Name == "") {
				t.Fatalf("call %+v", c)
			}
		}
		again, _, err2 := read(iotest.OneByteReader(strings.NewReader(body)))
		if again.Message.Text != reply.Message.Text || len(again.Message.Calls) != len(reply.Message.Calls) || strata.CodeOf(err) != strata.CodeOf(err2) {
			t.Fatalf("read byte by byte it is another answer: %+v, %v; %+v, %v", reply, err, again, err2)
		}
	})
}

// FuzzCalls: however the arguments of a call are cut, they come out whole.
func FuzzCalls(f *testing.F) {
	f.Add(`{"query":"世界"}`, uint8(3), uint8(0))
	f.Add(`not json`, uint8(1), uint8(1))
	f.Add(``, uint8(0), uint8(2))
	f.Fuzz(func(t *testing.T, arguments string, size, shape uint8) {
		index := 0
		var l callList
		cut := max(1, int(size))
		name := "f"
		for rest := arguments; ; {
			n := min(cut, len(rest))
			piece, err := json.Marshal(rest[:n])
			if err != nil {
				t.Fatal(err)
			}
			fr := fragment{Function: calledFunction{Name: name, Arguments: piece}}
			if name != "" {
				fr.ID = "x"
			}
			if shape%2 == 0 {
				fr.Index = &index
			}
			l.add(part{ToolCalls: []fragment{fr}})
			rest, name = rest[n:], ""
			if rest == "" {
				break
			}
		}
		got := l.finished()
		want := joinedJSON(t, arguments, cut)
		if len(got) != 1 || got[0].ID != "x" || got[0].Name != "f" || got[0].Arguments != want {
			t.Fatalf("calls %+v, want arguments %q", got, want)
		}
	})
}

// joinedJSON is text after its pieces went through JSON, which replaces bytes
// that are no UTF-8.
func joinedJSON(t *testing.T, text string, cut int) string {
	var out strings.Builder
	for rest := text; rest != ""; {
		n := min(cut, len(rest))
		data, err := json.Marshal(rest[:n])
		if err != nil {
			t.Fatal(err)
		}
		out.WriteString(wire.ArgumentsText(data))
		rest = rest[n:]
	}
	return out.String()
}
