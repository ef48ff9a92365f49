package llmtest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/models/llmtest/scripted"
	"github.com/strata-memory/strata/llm"
)

// This file tests servers that hang, callers that leave, and concurrent calls.

func (s suite) hangBeforeHeaders(t *testing.T) {
	o := quick()
	o.Start = 100 * time.Millisecond
	c, server := s.start(t, o, inTurn(scripted.Reply{Hang: true}))
	_, _, err := ask(t, c, hello())
	wantCode(t, err, strata.CodeUnavailable)
	// On a busy machine, the time may be over before the request arrives.
	if !strings.Contains(err.Error(), "no answer for 100ms") || len(server.Requests()) > 1 {
		t.Errorf("error %v, %d requests", err, len(server.Requests()))
	}
}

func (s suite) hangMidStream(t *testing.T) {
	o := quick()
	o.Idle = 100 * time.Millisecond
	c, server := s.start(t, o, inTurn(scripted.Reply{Parts: []scripted.Part{{Text: "so far"}, {Hang: true}}}))
	reply, streamed, err := ask(t, c, hello())
	wantCode(t, err, strata.CodeUnavailable)
	if reply.Message.Text != "so far" || streamed != "so far" || len(server.Requests()) != 1 {
		t.Errorf("reply %+v, %d requests", reply, len(server.Requests()))
	}
}

func (s suite) limit(t *testing.T) {
	o := quick()
	o.Limit = 100 * time.Millisecond
	c := s.newChatOf(t, o, scripted.Reply{Parts: []scripted.Part{{Text: "so far"}, {Hang: true}}})
	reply, _, err := ask(t, c, hello())
	wantCode(t, err, strata.CodeUnavailable)
	if !strings.Contains(err.Error(), "100ms") {
		t.Errorf("reply %+v, error %v", reply, err)
	}
}

func (s suite) callerCancels(t *testing.T) {
	c, server := s.start(t, quick(), inTurn(scripted.Reply{Parts: []scripted.Part{{Text: "so far"}, {Hang: true}}}))
	ctx, cancel := context.WithCancel(t.Context())
	reply, err := c.Chat(ctx, hello(), func(llm.Delta) error {
		cancel()
		return nil
	})
	wantCode(t, err, strata.CodeCanceled)
	if !errors.Is(err, context.Canceled) || reply.Message.Text != "so far" {
		t.Errorf("reply %+v, error %v", reply, err)
	}
	if _, err := c.Chat(ctx, hello(), nil); strata.CodeOf(err) != strata.CodeCanceled || len(server.Requests()) != 1 {
		t.Errorf("canceled before: %v, %d requests", err, len(server.Requests()))
	}
}

func (s suite) watcherStops(t *testing.T) {
	c := s.serve(t, scripted.Reply{Parts: []scripted.Part{{Text: "a"}, {Text: "b"}, {Hang: true}}})
	enough := errors.New("enough")
	calls := 0
	reply, err := c.Chat(t.Context(), hello(), func(llm.Delta) error {
		calls++
		return enough
	})
	if !errors.Is(err, enough) || calls != 1 || reply.Message.Text != "a" {
		t.Errorf("reply %+v, error %v, %d calls", reply, err, calls)
	}
}

func (s suite) concurrent(t *testing.T) {
	c, _ := s.start(t, quick(), func(r scripted.Request) scripted.Reply { return scripted.Say("You said: " + r.Last().Text) })
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			req := hello()
			req.Messages[0].Text = fmt.Sprint("number ", i)
			reply, err := c.Chat(t.Context(), req, nil)
			if err != nil || reply.Message.Text != fmt.Sprint("You said: number ", i) {
				t.Errorf("reply %+v, error %v", reply, err)
			}
		})
	}
	wg.Wait()
}
