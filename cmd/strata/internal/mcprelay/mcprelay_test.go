package mcprelay

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
)

// agent writes messages and reads answers, line by line.
type agent struct {
	t   *testing.T
	in  *io.PipeWriter
	out *bufio.Reader
}

func (a *agent) say(line string) {
	a.t.Helper()
	if _, err := io.WriteString(a.in, line+"\n"); err != nil {
		a.t.Fatal(err)
	}
}

func (a *agent) hear(want string) {
	a.t.Helper()
	line, err := a.out.ReadString('\n')
	if err != nil || !strings.Contains(line, want) {
		a.t.Fatalf("heard %q, %v; want %q", line, err, want)
	}
}

// conversation is a pipe whose end of writing is an end of it all.
type conversation struct{ net.Conn }

func (c conversation) CloseWrite() error { return c.Close() }

// begin runs a relay to a server, which is at the other end of the pipe.
func begin(t *testing.T, next Serve) (a *agent, server net.Conn, lines *bufio.Reader, ended func() error) {
	t.Helper()
	in, say := io.Pipe()
	hear, out := io.Pipe()
	near, far := net.Pipe()
	var err error
	var running sync.WaitGroup
	running.Go(func() {
		err = Run(context.Background(), conversation{near}, in, out, func(tool string) bool { return tool == "look" }, next)
		out.Close()
	})
	t.Cleanup(func() {
		say.Close()
		far.Close()
		hear.Close()
		running.Wait()
	})
	return &agent{t, say, bufio.NewReader(hear)}, far, bufio.NewReader(far), func() error {
		running.Wait()
		return err
	}
}

// introduce has an agent introduce itself, and the server answer.
func introduce(t *testing.T, a *agent, server net.Conn, lines *bufio.Reader) {
	t.Helper()
	a.say(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}`)
	if line, err := lines.ReadString('\n'); err != nil || !strings.Contains(line, "initialize") {
		t.Fatal(line, err)
	}
	if _, err := io.WriteString(server, `{"jsonrpc":"2.0","id":0,"result":{"first":true}}`+"\n"); err != nil {
		t.Fatal(err)
	}
	a.hear(`"first"`)
	a.say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	if line, err := lines.ReadString('\n'); err != nil || !strings.Contains(line, "initialized") {
		t.Fatal(line, err)
	}
}

// A server that ends: what was under way is answered with an error, what comes after by
// the next server, and the agent is introduced once.
func TestAnotherServerTakesOver(t *testing.T) {
	var mu sync.Mutex
	var heard []string
	next := func(in io.Reader, out io.Writer) error {
		lines := bufio.NewScanner(in)
		for lines.Scan() {
			mu.Lock()
			heard = append(heard, lines.Text())
			mu.Unlock()
			switch {
			case strings.Contains(lines.Text(), `"initialize"`):
				_, _ = io.WriteString(out, `{"jsonrpc":"2.0","id":0,"result":{"second":true}}`+"\n")
			case strings.Contains(lines.Text(), `"id":3`):
				_, _ = io.WriteString(out, `{"jsonrpc":"2.0","id":3,"result":{"by":"again"}}`+"\n")
			case strings.Contains(lines.Text(), `"id":2`):
				_, _ = io.WriteString(out, `{"jsonrpc":"2.0","id":2,"result":{"by":"next"}}`+"\n")
			}
		}
		return lines.Err()
	}
	a, server, lines, ended := begin(t, next)
	introduce(t, a, server, lines)
	for _, call := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"save"}}`, `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"look"}}`,
	} {
		a.say(call)
		if _, err := lines.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := io.WriteString(server, `{"jsonrpc":"2.0","id":1,"res`); err != nil { // half an answer is none
		t.Fatal(err)
	}
	server.Close()
	a.hear(`"error"`)
	a.hear(`"again"`)
	a.say(`{"jsonrpc":"2.0","id":2,"method":"tools/call"}`)
	a.hear(`"by":"next"`)
	a.in.Close()
	if err := ended(); err != nil {
		t.Error(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(heard) != 4 || !strings.Contains(heard[1], "notifications/initialized") {
		t.Errorf("the next server heard %q", heard)
	}
}

// What the agent subscribed to, the next server is told without being asked; what it gave up,
// or what was refused or canceled, it is not. The agent hears of a change, not of an answer.
func TestSubscriptionsAreHandedOver(t *testing.T) {
	heard := make(chan string, 10)
	next := func(in io.Reader, out io.Writer) error {
		lines := bufio.NewScanner(in)
		for lines.Scan() {
			heard <- lines.Text()
			var m message
			if json.Unmarshal(lines.Bytes(), &m) == nil && m.ID != nil {
				_, _ = fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":{"by":"next"}}`+"\n", m.ID)
			}
		}
		close(heard)
		return lines.Err()
	}
	a, server, lines, ended := begin(t, next)
	introduce(t, a, server, lines)
	for i, call := range []struct{ method, uri, answer string }{
		{"resources/subscribe", "memory://root/a.md", `"result":{}`},
		{"resources/subscribe", "memory://root/b.md", `"result":{}`},
		{"resources/subscribe", "memory://elsewhere", `"error":{"code":-32002,"message":"resource not found"}`},
		{"resources/unsubscribe", "memory://root/b.md", `"result":{}`},
		{"resources/read", "memory://root/c.md", ""},
	} {
		a.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"%s","params":{"uri":"%s"}}`, i+1, call.method, call.uri))
		if _, err := lines.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
		if call.answer != "" {
			if _, err := fmt.Fprintf(server, `{"jsonrpc":"2.0","id":%d,%s}`+"\n", i+1, call.answer); err != nil {
				t.Fatal(err)
			}
			a.hear(call.answer)
		}
	}
	a.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`)
	if _, err := lines.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	server.Close()
	a.hear(`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"memory://root/a.md"}}`)
	a.say(`{"jsonrpc":"2.0","id":6,"method":"ping"}`)
	a.hear(`"id":6`)
	a.in.Close()
	if err := ended(); err != nil {
		t.Error(err)
	}
	var all []string
	for line := range heard {
		all = append(all, line)
	}
	if len(all) != 4 || !strings.Contains(all[2], "memory://root/a.md") || !strings.Contains(all[3], "ping") {
		t.Errorf("the next server heard %q", all)
	}
}

// An agent that goes ends the server's part, and nobody takes over.
func TestTheAgentGoes(t *testing.T) {
	a, server, lines, ended := begin(t, func(io.Reader, io.Writer) error {
		t.Error("somebody took over")
		return nil
	})
	introduce(t, a, server, lines)
	a.in.Close()
	if rest, err := io.ReadAll(lines); err != nil || len(rest) > 0 {
		t.Errorf("the server hears %q, %v", rest, err)
	}
	if err := ended(); err != nil {
		t.Error(err)
	}
}

// A line that is longer than what is looked into passes whole.
func TestALongLinePasses(t *testing.T) {
	a, server, lines, _ := begin(t, func(io.Reader, io.Writer) error { return nil })
	introduce(t, a, server, lines)
	long := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":"` + strings.Repeat("x", 3*maxLine) + `"}`
	go func() { _, _ = io.WriteString(a.in, long+"\n") }()
	got, err := lines.ReadBytes('\n')
	if err != nil || !bytes.Equal(got, []byte(long+"\n")) {
		t.Errorf("%d bytes of %d came, %v", len(got), len(long)+1, err)
	}
}
