package llmtest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/models/llmtest/scripted"
	"github.com/strata-memory/strata/llm"
)

// This file tests errors of the server and which requests are sent again after them.

// waits returns guard options that record how long a guard would wait, and a function
// that returns these waits.
func waits(o llm.GuardOptions) (llm.GuardOptions, func() []time.Duration) {
	var mu sync.Mutex
	var all []time.Duration
	o.Wait = func(ctx context.Context, d time.Duration) error {
		mu.Lock()
		defer mu.Unlock()
		all = append(all, d)
		return ctx.Err()
	}
	return o, func() []time.Duration {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(all)
	}
}

func (s suite) tooManyRequests(t *testing.T) {
	o, waited := waits(quick())
	busy := scripted.Fail(http.StatusTooManyRequests, "slow down")
	busy.RetryAfter = "7"
	c, server := s.start(t, o, inTurn(busy, scripted.Say("now")))
	reply, streamed, err := ask(t, c, hello())
	if err != nil || reply.Message.Text != "now" || streamed != "now" {
		t.Fatalf("reply %+v, error %v", reply, err)
	}
	if got := waited(); !slices.Equal(got, []time.Duration{7 * time.Second}) || len(server.Requests()) != 2 {
		t.Errorf("waited %v, %d requests", got, len(server.Requests()))
	}
}

func (s suite) longWait(t *testing.T) {
	o, waited := waits(quick())
	busy := scripted.Fail(http.StatusTooManyRequests, "slow down")
	busy.RetryAfter = "3600"
	c, server := s.start(t, o, inTurn(busy))
	_, _, err := ask(t, c, hello())
	wantCode(t, err, strata.CodeUnavailable)
	if len(waited()) != 0 || len(server.Requests()) != 1 {
		t.Errorf("waited %v, %d requests", waited(), len(server.Requests()))
	}
	if !strings.Contains(err.Error(), "1h0m0s") {
		t.Errorf("the error does not name the wait: %v", err)
	}
}

func (s suite) notNow(t *testing.T) {
	o, waited := waits(quick())
	c, server := s.start(t, o, inTurn(scripted.Fail(http.StatusServiceUnavailable, "server busy, please try again")))
	_, _, err := ask(t, c, hello())
	wantCode(t, err, strata.CodeUnavailable)
	got := waited()
	if len(server.Requests()) != 3 || len(got) != 2 {
		t.Fatalf("%d requests, waited %v", len(server.Requests()), got)
	}
	if got[0] < 250*time.Millisecond || got[0] > 500*time.Millisecond || got[1] < 500*time.Millisecond || got[1] > time.Second {
		t.Errorf("waited %v", got)
	}
}

func (s suite) serverError(t *testing.T) {
	c, server := s.start(t, quick(), inTurn(scripted.Fail(http.StatusInternalServerError, "llama runner process has terminated")))
	_, _, err := ask(t, c, hello())
	wantCode(t, err, strata.CodeUnavailable)
	if len(server.Requests()) != 1 {
		t.Errorf("%d requests", len(server.Requests()))
	}
	if !strings.Contains(err.Error(), "llama runner process has terminated") {
		t.Errorf("the server's words are missing: %v", err)
	}
}

func (s suite) cutBeforeAnswer(t *testing.T) {
	c, server := s.start(t, quick(), inTurn(scripted.Reply{Cut: true}, scripted.Say("again")))
	reply, _, err := ask(t, c, hello())
	if err != nil || reply.Message.Text != "again" || len(server.Requests()) != 2 {
		t.Errorf("reply %+v, error %v, %d requests", reply, err, len(server.Requests()))
	}
}

func (s suite) notThere(t *testing.T) {
	o, waited := waits(quick())
	c, server := s.start(t, o, inTurn(scripted.Say("never")))
	if err := server.Close(); err != nil {
		t.Fatal(err)
	}
	_, _, err := ask(t, c, hello())
	wantCode(t, err, strata.CodeUnavailable)
	var e *strata.Error
	if !errors.As(err, &e) || !strings.Contains(e.Hint, "start") {
		t.Errorf("no hint to start the server: %+v", e)
	}
	if len(waited()) != 2 {
		t.Errorf("a refused connection was tried with waits %v", waited())
	}
}

func (s suite) errors(t *testing.T) {
	for _, test := range []struct {
		status        int
		message, kind string
		code          strata.Code
	}{
		{400, "the input length exceeds the context length", "", strata.CodeTooLarge},
		{400, "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.", "context_length_exceeded", strata.CodeTooLarge},
		{500, "the request exceeds the available context size. try increasing the context size", "", strata.CodeTooLarge},
		{413, "payload too large", "", strata.CodeTooLarge},
		{404, `model "scripted" not found, try pulling it first`, "model_not_found", strata.CodeNotFound},
		{404, "model 'scripted' not found", "", strata.CodeNotFound},
		{400, `registry.ollama.ai/library/scripted does not support tools`, "", strata.CodeUnsupported},
		{400, `"scripted" does not support chat`, "", strata.CodeUnsupported},
		{400, "missing messages", "", strata.CodeInvalid},
		{422, "unknown field", "", strata.CodeInvalid},
		{401, "Incorrect API key provided: sk-1234*5678", "invalid_api_key", strata.CodeDenied},
		{403, "this country is not served", "", strata.CodeDenied},
		{502, "bad gateway", "", strata.CodeUnavailable},
		{504, "gateway time-out", "", strata.CodeUnavailable},
	} {
		reply := scripted.Fail(test.status, test.message)
		reply.Code = test.kind
		c, server := s.start(t, quick(), inTurn(reply))
		_, _, err := ask(t, c, hello())
		if strata.CodeOf(err) != test.code {
			t.Errorf("%d %s: code %q, want %q", test.status, test.message, strata.CodeOf(err), test.code)
		}
		if n := len(server.Requests()); n != 1 {
			t.Errorf("%d %s: %d requests", test.status, test.message, n)
		}
		var e *strata.Error
		if errors.As(err, &e) && e.Hint == "" && test.code != strata.CodeInvalid {
			t.Errorf("%d %s: no hint", test.status, test.message)
		}
		if strings.Contains(fmt.Sprint(err), "sk-1234") {
			t.Errorf("the error shows a part of the key: %v", err)
		}
	}
}
