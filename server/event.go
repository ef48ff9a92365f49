package server

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/ops/schema"
)

// eventsEvery is how often the event log is polled: other processes write to it, too.
const eventsEvery = 250 * time.Millisecond

// happened is the part of the output of the operation events that is used here.
type happened struct {
	Events []json.RawMessage `json:"events"`
	Next   int64             `json:"next"`
}

// eventLog returns the operation whose list is followed.
var eventLog = sync.OnceValue(func() *served {
	op, _ := ops.Find("events")
	return newServed(op)
})

// followEvents streams the events that the operation events lists, from any process. The
// id of an event is its change: a client that reconnects with it in Last-Event-ID misses
// nothing. Other clients start with new events.
func (s *Server) followEvents(w *response, r *http.Request) error {
	c := &call{served: eventLog(), grant: w.grant}
	after := r.Header.Get("Last-Event-ID")
	values := r.URL.Query()
	if after == "" {
		after = values.Get("after")
	}
	if after != "" {
		if n, err := strconv.ParseInt(after, 10, 64); err != nil || n < 0 {
			return strata.Invalid("events", "Last-Event-ID is not the number of a change", "send the id of the last event, or leave it out")
		}
	}
	for name := range values {
		if !slices.Contains([]string{scopeField, aboveField, "kind", "after"}, name) {
			return strata.Invalid("events", "there is no such parameter", "the parameters are: scope, above, kind, after")
		}
	}
	values.Del("after")
	if err := c.query(values); err != nil {
		return err
	}
	env, err := s.env(r.Context(), c)
	if err != nil {
		return err
	}
	if r.Method == http.MethodHead { // the headers of a stream without its body
		w.Header().Set("Content-Type", eventsType)
		w.WriteHeader(http.StatusOK)
		return nil
	}
	release, err := s.streams.tryTake(w.grant)
	if err != nil {
		return err
	}
	defer release()
	f := follower{call: c, env: env, after: after}
	if after == "" {
		if err := f.skip(r); err != nil {
			return err
		}
	}
	return s.follow(w, r, &f)
}

// follow sends events until the client disconnects or the server stops.
func (s *Server) follow(w *response, r *http.Request, f *follower) error {
	found, err := f.look(r)
	if err != nil {
		return err
	}
	ctx, cancel := s.untilStopped(r.Context(), w.grant)
	defer cancel()
	stream := w.events()
	tick := time.NewTicker(eventsEvery)
	defer tick.Stop()
	quiet := time.Now()
	for {
		for _, e := range found {
			if stream.send(e) != nil {
				return nil
			}
		}
		switch {
		case len(found) > 0:
			quiet = time.Now()
		case time.Since(quiet) >= heartbeatEvery:
			quiet = time.Now()
			if stream.write([]byte(": still here\n\n")) != nil {
				return nil
			}
		}
		if len(found) == 0 { // otherwise there may be more than one list holds
			select {
			case <-ctx.Done():
				return nil
			case <-tick.C:
			}
		}
		if found, err = f.look(r); err != nil {
			if ctx.Err() == nil {
				w.note(err)
				_ = stream.send(event{name: "error", data: failureOf(err, w.request)}) // the stream ends either way
			}
			return nil
		}
	}
}

// follower reads the event log from a given position.
type follower struct {
	*call
	env   *operation.Env
	after string // the last change seen
}

// skip moves to the end of the log.
func (f *follower) skip(r *http.Request) error {
	out, err := f.list(r, "1")
	f.after = strconv.FormatInt(out.Next, 10)
	return err
}

// look returns the events since the last look.
func (f *follower) look(r *http.Request) ([]event, error) {
	since, _ := f.field("since")
	if err := since.Set(f.in, f.after); err != nil {
		return nil, err
	}
	out, err := f.list(r, "1000")
	if err != nil {
		return nil, err
	}
	var found []event
	for _, data := range out.Events {
		var e struct {
			Change int64  `json:"change"`
			Kind   string `json:"kind"`
		}
		if err := json.Unmarshal(data, &e); err != nil {
			return nil, err
		}
		found = append(found, event{id: strconv.FormatInt(e.Change, 10), name: e.Kind, data: data})
	}
	f.after = strconv.FormatInt(out.Next, 10)
	return found, nil
}

// list runs the operation.
func (f *follower) list(r *http.Request, most string) (out happened, err error) {
	limit, _ := f.field("limit")
	if err := limit.Set(f.in, most); err != nil {
		return out, err
	}
	listed, err := f.op.Run(r.Context(), f.env, f.in)
	if err != nil {
		return out, err
	}
	data, err := schema.Marshal(listed)
	if err != nil {
		return out, err
	}
	return out, json.Unmarshal(data, &out)
}
