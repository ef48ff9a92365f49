package client

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Event is something that happened to memory. It does not contain the text of a memory.
type Event struct {
	Change int64     `json:"change"` // position in the order of all changes
	Kind   string    `json:"kind"`   // such as write.committed
	Scope  string    `json:"scope"`
	Ref    string    `json:"ref,omitempty"` // id of what it is about
	Detail string    `json:"detail,omitempty"`
	At     time.Time `json:"at"`
}

// EventOptions say which events to follow. The zero value means those of the global scope
// from now on.
type EventOptions struct {
	Scope string
	Kinds []string // kinds, or families of kinds such as write
	// After is the Change of the last event seen; 0 means from now on.
	After int64
}

// Events calls handle for each change to memory, by any process, until ctx ends, the
// server shuts down or handle returns an error, which Events then returns. To resume
// without missing events, set After to the Change of the last one handled.
func (c *Client) Events(ctx context.Context, o EventOptions, handle func(Event) error) error {
	const operation = "events"
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	query := url.Values{"kind": o.Kinds}
	if o.Scope != "" {
		query.Set("scope", o.Scope)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+"events?"+query.Encode(), nil)
	if err != nil {
		return err
	}
	if o.After > 0 {
		req.Header.Set("Last-Event-ID", strconv.FormatInt(o.After, 10))
	}
	res, err := c.send(operation, req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return readOutput(operation, res, nil)
	}
	events := newReader(res.Body)
	for {
		e, err := events.next()
		switch {
		case errors.Is(err, io.EOF):
			return nil // the server ended
		case err != nil:
			return broken(ctx, operation, err)
		case e.name == "error":
			return failureOf(operation, http.StatusInternalServerError, e.data, nil)
		}
		var happened Event
		if err := json.Unmarshal(e.data, &happened); err != nil {
			return broken(ctx, operation, err)
		}
		if err := handle(happened); err != nil {
			return err
		}
	}
}

// event is one server-sent event.
type event struct {
	name string
	data []byte
}

// reader reads server-sent events.
type reader struct{ lines *bufio.Reader }

func newReader(r io.Reader) *reader { return &reader{bufio.NewReader(r)} }

// next reads the next event. It expects the data of an event on one line, as the server
// writes it.
func (r *reader) next() (event, error) {
	var e event
	for {
		line, err := r.lines.ReadString('\n')
		if err != nil {
			return e, err
		}
		line = strings.TrimRight(line, "\r\n")
		if line == "" && e.name != "" {
			return e, nil
		}
		field, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch field {
		case "event":
			e.name = value
		case "data":
			e.data = []byte(value)
		}
	}
}
