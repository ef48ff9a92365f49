package server

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/ops/schema"
)

const (
	// progressEvery is the minimum time between two progress reports.
	progressEvery = 200 * time.Millisecond
	// heartbeatEvery is how often an idle stream shows that it is alive, by which
	// disconnected clients are noticed.
	heartbeatEvery = 15 * time.Second
)

// followCall runs a call and streams its progress: events named progress, then one named
// result or error. There is no time limit; the work ends if the client disconnects.
func (s *Server) followCall(w *response, r *http.Request, c *call, env *operation.Env) error {
	release, err := s.streams.tryTake(w.grant)
	if err != nil {
		return err
	}
	defer release()
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	stream := w.events()
	env.Progress = stream.progress()
	var beat sync.WaitGroup
	beat.Go(func() { stream.beat(ctx) })
	out, err := c.op.Run(ctx, env, c.in)
	cancel()
	beat.Wait()
	var data []byte
	if err == nil {
		data, err = schema.Marshal(out)
	}
	if err == nil {
		err = amountsTo(out, data)
	}
	if err != nil {
		w.note(err)
		stream.send(event{name: "error", data: failureOf(err, w.request)})
		return nil
	}
	stream.send(event{name: "result", data: out})
	return nil
}

// progress reports how far long work has come.
type progress struct {
	Done  int64 `json:"done"`
	Total int64 `json:"total,omitempty"` // 0 when unknown
}

// throttle limits the rate of reports, which may come from any goroutine.
type throttle struct {
	mu   sync.Mutex // guards last
	last time.Time
}

func (t *throttle) due(now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if now.Sub(t.last) < progressEvery {
		return false
	}
	t.last = now
	return true
}

// events starts an answer of server-sent events.
func (w *response) events() *eventStream {
	w.Header().Set("Content-Type", eventsType)
	w.WriteHeader(http.StatusOK)
	w.Flush()
	return &eventStream{w: w}
}
