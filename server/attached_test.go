package server

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/client"
	"github.com/strata-memory/strata/internal/home/attach"
	"github.com/strata-memory/strata/internal/home/endpoint"
	"github.com/strata-memory/strata/internal/ops/operation"
)

// serveOn serves a home over its socket until the test ends, or stop is called.
func serveOn(t *testing.T, o Options) (home string, stop func() error) {
	t.Helper()
	home = shortDir(t)
	socket, err := Listen(home)
	if err != nil {
		t.Fatal(err)
	}
	s := New(o)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, Endpoint{socket, s.Open()}) }()
	var stopped error
	done := false
	stop = func() error {
		if !done {
			done = true
			cancel()
			stopped = errors.Join(<-ended, socket.Close())
		}
		return stopped
	}
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
	return home, stop
}

// attachment lets callers with the build "same" in, and speaks by repeating what it hears.
func attachment(e operation.Env) *Attachment {
	return &Attachment{
		Env: func(_ context.Context, c attach.Caller) (*operation.Env, error) {
			if c.Build != "same" {
				return nil, &strata.Error{Code: strata.CodeUnsupported, Message: "another build"}
			}
			env := e
			env.View, env.Origin = strata.Global().View(), strata.Origin(c.Origin)
			return &env, nil
		},
		Begin:  func(context.Context, *operation.Env) {},
		Settle: func(context.Context, *operation.Env, operation.Info) {},
		Converse: func(_ context.Context, c attach.Caller, _ *operation.Env, in io.Reader, out io.Writer) error {
			lines := bufio.NewScanner(in)
			for lines.Scan() {
				if _, err := fmt.Fprintln(out, c.Tools, lines.Text()); err != nil {
					return err
				}
			}
			return lines.Err()
		},
	}
}

// command is a client of a command of the program.
type command struct{ *client.Client }

func attached(t *testing.T, home, build string) command {
	t.Helper()
	c := client.Attached(home, attach.Caller{Home: home, Build: build, Origin: string(strata.OriginCLI), Tools: "core"}.String())
	t.Cleanup(func() { c.Close() })
	return command{c}
}

// call runs an operation and returns its output.
func (c command) call(ctx context.Context, operation string, in []byte) (out json.RawMessage, err error) {
	return out, c.Follow(ctx, operation, json.RawMessage(in), &out, nil)
}

func TestACommandIsServedAsItself(t *testing.T) {
	env := operation.Env{Engine: memory(t)}
	home, _ := serveOn(t, Options{Env: env, Attached: attachment(env)})
	s := attached(t, home, "same")
	if _, err := s.call(t.Context(), "save", []byte(`{"content": "My cat's name is Whiskerino"}`)); err != nil {
		t.Fatal(err)
	}
	data, err := s.call(t.Context(), "facts", []byte(`{"limit": 10}`))
	var listed struct {
		Facts []struct{ Text, Origin string }
	}
	if err != nil || json.Unmarshal(data, &listed) != nil || len(listed.Facts) != 1 || listed.Facts[0].Origin != "cli" {
		t.Errorf("facts %s, %v", data, err)
	}
	_, err = s.call(t.Context(), "fact", []byte(`{"id": "fact_01JD5ZQ9V7M3T8XKQ2R4W6Y0AB"}`))
	var known *strata.Error
	if !errors.As(err, &known) || known.Code != strata.CodeNotFound || known.Hint == "" {
		t.Errorf("a fact that is not there: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.call(ctx, "facts", []byte(`{}`)); !errors.Is(err, context.Canceled) {
		t.Errorf("a call that was canceled: %v", err)
	}
}

func TestWhoIsNotServedKnowsThatNothingWasSent(t *testing.T) {
	env := operation.Env{Engine: memory(t)}
	home, stop := serveOn(t, Options{Env: env, Attached: attachment(env), Limits: Limits{Body: 100}})
	without, _ := serveOn(t, Options{Env: env})
	save := []byte(`{"content": "My cat's name is Whiskerino"}`)
	for name, call := range map[string]func() error{
		"another build": func() error { _, err := attached(t, home, "other").call(t.Context(), "save", save); return err },
		"no operation":  func() error { _, err := attached(t, home, "same").call(t.Context(), "nothing", save); return err },
		"too long": func() error {
			_, err := attached(t, home, "same").call(t.Context(), "save", []byte(`{"content": "`+strings.Repeat("a", 100)+`"}`))
			return err
		},
		"a server without": func() error { _, err := attached(t, without, "same").call(t.Context(), "save", save); return err },
		"no MCP":           func() error { _, err := attached(t, home, "other").Converse(t.Context()); return err },
	} {
		if err := call(); !errors.Is(err, client.ErrNotTaken) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	if _, err := attached(t, home, "same").call(t.Context(), "save", save); !errors.Is(err, client.ErrNotTaken) {
		t.Errorf("nobody: %v", err)
	}
	facts, err := env.Engine.Facts(t.Context(), strata.Global().View(), strata.FactFilter{Limit: 10})
	if err != nil || len(facts) > 0 {
		t.Errorf("there are %d facts, %v", len(facts), err)
	}
}

// Commands are served over the socket alone.
func TestCommandsAreNotServedOverTCP(t *testing.T) {
	env := operation.Env{Engine: memory(t)}
	s := New(Options{Env: env, Attached: attachment(env)})
	l, err := net.Listen("unix", endpoint.Socket(shortDir(t)))
	if err != nil {
		t.Fatal(err)
	}
	home := strings.TrimSuffix(l.Addr().String(), "/strata.sock")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, Endpoint{l, s.Guarded("secret", "strata")}) }()
	if _, err := attached(t, home, "same").call(t.Context(), "facts", []byte(`{}`)); !errors.Is(err, client.ErrNotTaken) {
		t.Errorf("a call: %v", err)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestAConversation(t *testing.T) {
	env := operation.Env{Engine: memory(t)}
	home, stop := serveOn(t, Options{Env: env, Attached: attachment(env)})
	for range 2 {
		c, err := attached(t, home, "same").Converse(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(c, "one\ntwo\n"); err != nil {
			t.Fatal(err)
		}
		if err := c.CloseWrite(); err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(c); err != nil || string(got) != "core one\ncore two\n" {
			t.Errorf("heard %q, %v", got, err)
		}
		c.Close()
	}
	// One that says nothing ends with the server.
	c, err := attached(t, home, "same").Converse(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := stop(); err != nil {
		t.Error(err)
	}
	if got, err := io.ReadAll(c); err != nil || len(got) > 0 {
		t.Errorf("heard %q, %v", got, err)
	}
}

// Connections that begin a request and say no more, or nothing at all, keep nobody waiting.
func TestHalfOpenConnections(t *testing.T) {
	env := operation.Env{Engine: memory(t)}
	home, _ := serveOn(t, Options{Env: env, Attached: attachment(env)})
	for i := range 200 {
		c, err := net.Dial("unix", endpoint.Socket(home))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		begun := []string{"", "POST /v1/recall HTTP/1.1\r\nHost: strata\r\nX-", "POST /v1/recall HTTP/1.1\r\nHost: strata\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"}
		if _, err := io.WriteString(c, begun[i%len(begun)]); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := attached(t, home, "same").call(t.Context(), "facts", []byte(`{}`)); err != nil {
		t.Error(err)
	}
}

func TestAServerThatIsIdleEnds(t *testing.T) {
	socket, err := Listen(shortDir(t))
	if err != nil {
		t.Fatal(err)
	}
	s := New(Options{Env: operation.Env{Engine: memory(t)}, Idle: 10 * time.Millisecond})
	if err := s.Serve(t.Context(), Endpoint{socket, s.Open()}); err != nil {
		t.Error(err)
	}
	if err := socket.Close(); err != nil {
		t.Error(err)
	}
	var a activity
	begun := time.Now()
	if !a.begin() || a.untilQuiet(begun, time.Hour) != time.Hour {
		t.Error("a request under way does not keep the server")
	}
	a.end()
	if left := a.untilQuiet(begun.Add(-2*time.Hour), time.Hour); left <= 0 {
		t.Errorf("after a request the server stays for %v", left)
	}
	if left := new(activity).untilQuiet(begun.Add(-2*time.Hour), time.Hour); left > 0 {
		t.Errorf("without a request the server stays for %v", left)
	}
}
