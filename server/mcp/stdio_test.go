package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/strata-memory/strata/engine"
)

const hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

// answer is a message of the server.
type answer struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  struct {
		Content []struct{ Text string }
		IsError bool
	}
	Error *struct {
		Code    int
		Message string
	}
}

// answers reads what a server wrote: messages and nothing else, one a line.
func answers(t *testing.T, out string) map[string]answer {
	t.Helper()
	all := make(map[string]answer)
	for line := range strings.Lines(out) {
		var a answer
		if err := json.Unmarshal([]byte(line), &a); err != nil || a.Version != "2.0" || !strings.HasSuffix(line, "\n") {
			t.Fatalf("no message: %q, %v", line, err)
		}
		all[string(a.ID)] = a
	}
	return all
}

// run feeds lines to a server, ends the input and returns the answers.
func run(t *testing.T, lines string) map[string]answer {
	t.Helper()
	var out bytes.Buffer
	if err := Serve(t.Context(), New(open(t), Options{}), strings.NewReader(hello+lines), &out, nil); err != nil {
		t.Fatal(err)
	}
	return answers(t, out.String())
}

func TestAnswersComeAlsoAfterTheEndOfTheInput(t *testing.T) {
	got := run(t, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"memory_save","arguments":{"content":"The ferry leaves at six"}}}
{"jsonrpc":"2.0","id":"two","method":"tools/list"}`)
	if len(got) != 3 || !strings.HasPrefix(got["1"].Result.Content[0].Text, "add fact_") || got[`"two"`].Error != nil {
		t.Errorf("answers = %+v", got)
	}
}

func TestABadLineDoesNotEndTheConnection(t *testing.T) {
	const list = `{"jsonrpc":"2.0","id":9,"method":"tools/list"}`
	tests := []struct {
		name, line, id, want string
		code                 int
	}{
		{"no JSON", `hello there`, "null", "not JSON", -32700},
		{"half a document", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name`, "null", "not JSON", -32700},
		{"NUL bytes", "\x00\x00", "null", "not JSON", -32700},
		{"two documents", list + list, "null", "not JSON", -32700},
		{"a number", `5`, "null", "no message", -32600},
		{"an empty object", `{}`, "null", "no message", -32600},
		{"another version", `{"jsonrpc":"1.0","id":7,"method":"tools/list"}`, "7", "no message", -32600},
		{"a batch of nothing", `[]`, "null", "batch is empty", -32600},
		{"deep nesting", `{"jsonrpc":"2.0","id":7,"method":"x","params":` + strings.Repeat("[", 1<<16) + strings.Repeat("]", 1<<16) + `}`, "", "", 0},
		{"too long", `{"jsonrpc":"2.0","id":"long","method":"tools/call","params":{"name":"memory_save","arguments":{"content":"` +
			strings.Repeat("a", maxLine) + `"}}}`, `"long"`, "longer than", -32600},
		{"too long, as the TypeScript SDK writes it", `{"method":"tools/call","params":{"name":"memory_save","arguments":{"id":"no","content":"` +
			strings.Repeat("a", maxLine) + `"}},"jsonrpc":"2.0","id":12}`, "12", "longer than", -32600},
		{"too long and without an id", `{"jsonrpc":"2.0","method":"notifications/x","params":{"id":"no","x":"` + strings.Repeat("a", maxLine) + `"}}`, "null", "longer than", -32600},
		{"an unknown method", `{"jsonrpc":"2.0","id":7,"method":"tools/explode"}`, "7", "", -32601},
		{"a list of parameters", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":[1]}`, "7", "params cannot be of the type array", -32602},
		{"a parameter of another type", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":5}}`, "7", "params.name cannot be of the type number", -32602},
		{"an argument of another type", `{"jsonrpc":"2.0","id":7,"method":"prompts/get","params":{"name":"memory_context","arguments":{"budget":5}}}`, "7", "cannot be of the type number", -32602},
		{"a reference that is none", `{"jsonrpc":"2.0","id":7,"method":"completion/complete","params":{"ref":5,"argument":{"name":"scope","value":""}}}`, "7", "params", -32602},
		{"an unknown tool", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"memory_explode"}}`, "7", "unknown tool", -32602},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := run(t, tt.line+"\n\n"+list+"\n")
			if _, ok := got["9"]; !ok {
				t.Fatalf("the next call has no answer: %+v", got)
			}
			if tt.code == 0 {
				return // refused or ignored, as long as the connection lives
			}
			a, ok := got[tt.id]
			if !ok || a.Error == nil || a.Error.Code != tt.code || !strings.Contains(a.Error.Message, tt.want) {
				t.Errorf("answer %+v, error %+v", a, a.Error)
			}
			if a.Error != nil && strings.Contains(a.Error.Message, "Go ") {
				t.Errorf("it says %q", a.Error.Message)
			}
		})
	}
}

func TestBrokenTextIsAToolError(t *testing.T) {
	tests := []struct{ name, content, want string }{
		{"not UTF-8", "a\xff\xfeb", "not valid UTF-8"},
		{"NUL", `a\u0000b`, "NUL"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := run(t, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"memory_save","arguments":{"content":"`+tt.content+`"}}}`)["1"]
			if !got.Result.IsError || !strings.Contains(got.Result.Content[0].Text, tt.want) {
				t.Errorf("answer %+v, error %+v", got, got.Error)
			}
		})
	}
}

// The batches of the oldest protocol are answered one by one.
func TestABatchIsAnswered(t *testing.T) {
	got := run(t, `[{"jsonrpc":"2.0","id":1,"method":"tools/list"},{},{"jsonrpc":"2.0","id":2,"method":"ping"}]`)
	for _, id := range []string{"1", "2", "null"} {
		if _, ok := got[id]; !ok {
			t.Errorf("no answer %s in %+v", id, got)
		}
	}
}

// pipes are the two ends of a client.
type pipes struct {
	to   *io.PipeWriter
	from *bufio.Reader
	done chan error // what serve returned
}

// start runs a server over pipes. Its timeout is short.
func start(t *testing.T, ctx context.Context, server *mcp.Server) pipes {
	t.Helper()
	in, to := io.Pipe()
	from, out := io.Pipe()
	p := pipes{to: to, from: bufio.NewReader(from), done: make(chan error, 1)}
	go func() {
		err := serve(ctx, server, &stdio{in: in, out: out, log: slog.New(slog.DiscardHandler), timeout: time.Millisecond})
		out.Close()
		p.done <- err
	}()
	t.Cleanup(func() { to.Close(); from.Close() })
	if _, err := io.WriteString(to, hello); err != nil {
		t.Fatal(err)
	}
	if _, err := p.from.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	return p
}

const slowCall = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"memory_recall","arguments":{"query":"ferry"}}}` + "\n"

// A client that disappears in the middle of a call leaves nothing running.
func TestAClientThatDisconnectsEndsItsCalls(t *testing.T) {
	s := newSlow()
	e := open(t, func(o *engine.Options) { o.Embedder, o.EmbedTimeout = s, time.Hour })
	p := start(t, context.Background(), New(e, Options{}))
	go io.Copy(io.Discard, p.from)
	if _, err := io.WriteString(p.to, slowCall); err != nil {
		t.Fatal(err)
	}
	<-s.asked
	p.to.Close()
	if err := <-s.gone; err == nil {
		t.Error("the call went on")
	}
	if err := <-p.done; err != nil {
		t.Errorf("serve returned %v", err)
	}
	close(s.free)
}

func TestTheEndOfTheContextEndsTheServer(t *testing.T) {
	s := newSlow()
	e := open(t, func(o *engine.Options) { o.Embedder, o.EmbedTimeout = s, time.Hour })
	ctx, cancel := context.WithCancel(context.Background())
	p := start(t, ctx, New(e, Options{}))
	go io.Copy(io.Discard, p.from)
	if _, err := io.WriteString(p.to, slowCall); err != nil {
		t.Fatal(err)
	}
	<-s.asked
	cancel()
	if err := <-p.done; err != nil {
		t.Errorf("serve returned %v", err)
	}
	<-s.gone
	close(s.free)
}

// A call that the client canceled keeps nobody at the end of the input.
func TestACanceledCallIsNotWaitedFor(t *testing.T) {
	s := &stdio{in: strings.NewReader(slowCall + `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}` + "\n"),
		out: io.Discard, log: slog.New(slog.DiscardHandler), timeout: time.Hour, begun: true}
	conn, err := s.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := conn.Read(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := conn.Read(t.Context()); err != io.EOF {
		t.Errorf("after the input: %v", err)
	}
	conn.Close()
}

func TestAnOversizedLineNeedsLittleMemory(t *testing.T) {
	r := bufio.NewReader(io.MultiReader(strings.NewReader(`{"x":"`), io.LimitReader(endless{}, 4*maxLine), strings.NewReader("\",\"id\":3}\nnext\n")))
	got, err := readLine(r)
	if !got.long || err != nil || len(got.text) > 0 || string(got.id) != "3" {
		t.Errorf("%d bytes, long %v, id %s, %v", len(got.text), got.long, got.id, err)
	}
	if got, err = readLine(r); string(got.text) != "next\n" || got.long || err != nil {
		t.Errorf("then %q, %v, %v", got.text, got.long, err)
	}
}

func TestTheIDIsThatOfTheMessage(t *testing.T) {
	for message, want := range map[string]string{
		`{"id":1}`: "1", `{"jsonrpc":"2.0" , "id" : "a\"b" , "x":{"id":2}}`: `"a\"b"`, `{"x":[{"id":2}],"id":-7}`: "-7", `{"x":"\"id\":2","id":3`: "3",
		`{"x":"\"id\":2","id":3,`: "3", `{"id":1,"id":2}`: "2", `[{"id":1}]`: "", `{"id":null}`: "", `{"id":{"id":1}}`: "", `{"x":"id","y":4}`: "", `"id"`: "", `{"id":tru}`: "",
		`{"id":"` + strings.Repeat("a", 2*maxID) + `"}`: "",
	} {
		if got := string(idOf([]byte(message))); got != want {
			t.Errorf("%.80s: id %s, want %s", message, got, want)
		}
	}
}

// Of every message that can be read the scanner finds the same id, however its bytes
// arrive.
func FuzzID(f *testing.F) {
	for _, s := range []string{hello, slowCall, `{"x":{"id":1},"id":"a\\"}`, `{"id":1,"id":{}}`, `{"id":[1],"x":""}`} {
		f.Add([]byte(s), 3)
	}
	f.Fuzz(func(t *testing.T, message []byte, at int) {
		var read struct {
			ID json.RawMessage `json:"id"`
		}
		whole := idOf(message)
		at = min(max(at, 0), len(message))
		var s idScanner
		s.feed(message[:at])
		s.feed(message[at:])
		if !bytes.Equal(s.id(), whole) {
			t.Errorf("%q: id %s in parts, %s at once", message, s.id(), whole)
		}
		if whole != nil && !json.Valid(whole) {
			t.Errorf("%q: id %s", message, whole)
		}
		if json.Unmarshal(message, &read) == nil && len(whole) > 0 && !bytes.ContainsAny(message, `\`) && strings.Count(strings.ToLower(string(message)), `"id"`) == 1 && !bytes.Equal(read.ID, whole) {
			t.Errorf("%q: id %s, want %s", message, whole, read.ID)
		}
	})
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a'
	}
	return len(p), nil
}

// lineOf is a line as it is read, or as it would be if it were too long.
func lineOf(text []byte, long bool) line {
	if long {
		return line{long: true, id: idOf(text)}
	}
	return line{text: text}
}

// Whatever stands on a line, the server neither falls nor writes anything but
// messages.
func FuzzLine(f *testing.F) {
	for _, s := range []string{hello, slowCall, `[{}]`, `{"jsonrpc":"2.0","id":{},"method":1}`, "\xff\x00", `{"id":1`, `{"jsonrpc":"2.0","id":1.5,"method":""}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		var out bytes.Buffer
		s := &stdio{out: &out, log: slog.New(slog.DiscardHandler)}
		msgs := s.decode(lineOf(line, false))
		s.decode(lineOf(line, true))
		answers(t, out.String())
		for _, m := range msgs {
			if m == nil {
				t.Error("a message is nil")
			}
		}
	})
}
