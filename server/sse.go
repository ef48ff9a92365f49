package server

import (
	"bytes"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/strata-memory/strata/ops/operation"
	"github.com/strata-memory/strata/ops/schema"
)

// event is one server-sent event.
type event struct {
	id   string // empty: none
	name string
	data any // written as JSON, on one line
}

// eventStream sends events. It is safe for concurrent use.
type eventStream struct {
	mu  sync.Mutex // guards what follows
	w   *response
	err error // of the first write that failed: the client is gone
}

// send sends an event, and returns why the client cannot be reached any more.
func (s *eventStream) send(e event) error {
	data, err := schema.Marshal(e.data)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if e.id != "" {
		fmt.Fprintf(&text, "id: %s\n", e.id)
	}
	fmt.Fprintf(&text, "event: %s\ndata: %s\n\n", e.name, operation.Shown(data))
	return s.write(text.Bytes())
}

// sendRaw sends JSON as it is, to a command, which itself looks at what it shows.
func (s *eventStream) sendRaw(name string, data []byte) error {
	return s.write(fmt.Appendf(nil, "event: %s\ndata: %s\n\n", name, data))
}

// progress returns what tells of progress now and then.
func (s *eventStream) progress() func(done, total int64) {
	var reported throttle
	return func(done, total int64) {
		if reported.due(time.Now()) {
			_ = s.send(event{name: "progress", data: progress{Done: done, Total: total}})
		}
	}
}

func (s *eventStream) write(text []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		_, s.err = s.w.Write(text)
		s.w.Flush()
	}
	return s.err
}

// beat sends a comment now and then until the context ends.
func (s *eventStream) beat(ctx context.Context) {
	tick := time.NewTicker(heartbeatEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if s.write([]byte(": still here\n\n")) != nil {
				return
			}
		}
	}
}
