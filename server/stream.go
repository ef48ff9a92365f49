package server

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
	"unicode/utf16"

	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/ops/schema"
)

// Trailers after a stream: the operation's output, and the failure that it amounts to.
const (
	outputTrailer = "Strata-Output"
	errorTrailer  = "Strata-Error"
)

// takeIn runs an operation that reads a stream from the body, with its input in the URL
// query.
func (s *Server) takeIn(w *response, r *http.Request, c *call) error {
	if err := wantType(r, linesType); err != nil {
		return err
	}
	if err := c.query(r.URL.Query()); err != nil {
		return err
	}
	env, err := s.prepare(r, c)
	if err != nil {
		return err
	}
	release, err := s.streams.tryTake(w.grant)
	if err != nil {
		return err
	}
	defer release()
	in := &patientReader{r: r.Body, control: w.control, stall: s.options.Limits.Stall}
	env.In = in
	out, err := c.op.Run(r.Context(), env, c.in)
	switch {
	case err != nil && in.err != nil && in.err != io.EOF:
		return notRead(in.err)
	case err != nil:
		return err
	}
	return w.answer(out)
}

// patientReader reads a body for as long as it makes progress.
type patientReader struct {
	r       io.Reader
	control *http.ResponseController
	stall   time.Duration
	err     error // the error that ended reading
}

// Read reads what arrives in time.
func (p *patientReader) Read(b []byte) (int, error) {
	if p.err != nil {
		return 0, p.err
	}
	_ = p.control.SetReadDeadline(time.Now().Add(p.stall))
	n, err := p.r.Read(b)
	p.err = err
	return n, err
}

// giveOut runs an operation that writes a stream as the answer, byte for byte, followed
// by the output in a trailer. A stream that cannot be finished breaks off.
func (s *Server) giveOut(w *response, r *http.Request, c *call, env *operation.Env) error {
	release, err := s.streams.tryTake(w.grant)
	if err != nil {
		return err
	}
	defer release()
	env.Out = &lines{w: w}
	out, err := c.op.Run(r.Context(), env, c.in)
	if err != nil {
		return err
	}
	data, err := schema.Marshal(out)
	if err != nil {
		return err
	}
	if w.status == 0 {
		_, _ = env.Out.Write(nil) // the stream is empty
	}
	if err := amountsTo(out, nil); err != nil {
		w.note(err)
		if reason, err := schema.Marshal(failureOf(err, w.request)); err == nil {
			w.Header().Set(errorTrailer, ascii(operation.Shown(reason)))
		}
	}
	w.Header().Set(outputTrailer, ascii(operation.Shown(data)))
	return nil
}

// lines starts the answer with the first line written.
type lines struct{ w *response }

// Write passes p on.
func (l *lines) Write(p []byte) (int, error) {
	if l.w.status == 0 {
		h := l.w.Header()
		h.Set("Content-Type", linesType)
		h.Set("Trailer", outputTrailer+", "+errorTrailer)
		l.w.WriteHeader(http.StatusOK)
	}
	return l.w.Write(p)
}

// ascii escapes a JSON document for a header, which allows only ASCII.
func ascii(data []byte) string {
	var out []byte
	for _, r := range string(data) {
		switch {
		case r < 0x20: // occurs only between tokens
		case r < 0x7f:
			out = append(out, byte(r))
		default:
			for _, unit := range utf16.Encode([]rune{r}) {
				out = fmt.Appendf(out, `\u%04x`, unit)
			}
		}
	}
	return string(out)
}

// event is one server-sent event.
type event struct {
	id   string // empty for none
	name string
	data any // written as JSON, on one line
}

// eventStream sends events. It is safe for concurrent use.
type eventStream struct {
	mu  sync.Mutex // guards the fields below
	w   *response
	err error // of the first write that failed: the client is gone
}

// send sends an event. Its error means that the client is gone or the data cannot be
// encoded.
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

// sendRaw sends JSON unchanged, to a command, which cleans what it shows itself.
func (s *eventStream) sendRaw(name string, data []byte) error {
	return s.write(fmt.Appendf(nil, "event: %s\ndata: %s\n\n", name, data))
}

// progress returns a function that reports progress at a limited rate.
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

// beat sends a comment at intervals until the context ends.
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
