package llmtest

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/models/llmtest/scripted"
)

// This file tests the circuit breaker around a client.

func (s suite) breaker(t *testing.T) {
	o := quick()
	var mu sync.Mutex
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	o.Now = func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		return now
	}
	o.Cooldown = time.Minute
	broken := scripted.Fail(http.StatusInternalServerError, "broken")
	c, server := s.start(t, o, inTurn(broken, broken, broken, broken, scripted.Say("back")))
	for range 3 {
		_, _, err := ask(t, c, hello())
		wantCode(t, err, strata.CodeUnavailable)
	}
	// Open: nothing reaches the server, and the error names the time.
	_, _, err := ask(t, c, hello())
	wantCode(t, err, strata.CodeUnavailable)
	if len(server.Requests()) != 3 || !strings.Contains(err.Error(), "03:05:05") {
		t.Errorf("%d requests, error %v", len(server.Requests()), err)
	}
	pass := func() { mu.Lock(); now = now.Add(time.Minute); mu.Unlock() }
	// Half open: one call tries. It fails, and the next cooldown begins.
	pass()
	if _, _, err = ask(t, c, hello()); len(server.Requests()) != 4 {
		t.Errorf("%d requests, error %v", len(server.Requests()), err)
	}
	if _, _, err = ask(t, c, hello()); len(server.Requests()) != 4 {
		t.Errorf("%d requests, error %v", len(server.Requests()), err)
	}
	pass()
	for range 2 {
		if reply, _, err := ask(t, c, hello()); err != nil || reply.Message.Text != "back" {
			t.Errorf("reply %+v, error %v", reply, err)
		}
	}
}

func (s suite) breakerCountsFailures(t *testing.T) {
	large := scripted.Fail(http.StatusBadRequest, "the input length exceeds the context length")
	broken := scripted.Fail(http.StatusInternalServerError, "broken")
	c, server := s.start(t, quick(), inTurn(large, large, large, large, broken, broken, large, broken, broken, scripted.Say("fine")))
	for range 9 {
		if _, _, err := ask(t, c, hello()); err == nil {
			t.Fatal("no error")
		}
	}
	if reply, _, err := ask(t, c, hello()); err != nil || reply.Message.Text != "fine" || len(server.Requests()) != 10 {
		t.Errorf("reply %+v, error %v, %d requests", reply, err, len(server.Requests()))
	}
}
