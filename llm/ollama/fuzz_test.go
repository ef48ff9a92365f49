package ollama

import (
	"errors"
	"io"
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
		"{\"message\":{\"content\":\"a\"}}\n{\"done\":true,\"done_reason\":\"stop\"}\n",
		"{\"message\":{\"tool_calls\":[{\"function\":{\"name\":\"f\",\"arguments\":{\"a\":1}}}]},\"done\":true}",
		"{\"message\":{\"tool_calls\":[{\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]}}\n",
		"{\"error\":\"x\"}\n", "{\"error\":{\"message\":\"x\"}}\n", "\n\r\n", "[]", "null\n", "{\"done\":true}", "{\"mess",
	} {
		f.Add(seed)
	}
	server, err := wire.NewServer(wire.Config{BaseURL: "http://host"})
	if err != nil {
		f.Fatal(err)
	}
	req := llm.Request{Messages: []llm.Message{{Role: strata.RoleUser, Text: "hello"}}}
	f.Fuzz(func(t *testing.T, body string) {
		read := func(r io.Reader) (llm.Reply, string, error) {
			var parts strings.Builder
			s := stream{server: server, model: "m", onDelta: func(d llm.Delta) error {
				parts.WriteString(d.Text)
				return nil
			}}
			reply, err := s.read(io.NopCloser(r), req)
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
