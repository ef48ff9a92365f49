package server

import (
	"context"
	"net/http"
	"strings"

	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/ops/schema"
)

// operation answers calls of an operation.
func (s *Server) operation(op operation.Operation) handler {
	served := newServed(op)
	return func(w *response, r *http.Request) error {
		c := &call{served: served, grant: w.grant}
		if err := caller(c.grant).Permit(c.info); err != nil {
			return err
		}
		if c.info.Reads != "" {
			return s.takeIn(w, r, c)
		}
		data, err := s.body(w, r)
		if err != nil {
			return err
		}
		if err := c.decode(data); err != nil {
			return err
		}
		env, err := s.prepare(r, c)
		if err != nil {
			return err
		}
		switch {
		case c.info.Writes != "":
			return s.giveOut(w, r, c, env)
		case accepts(r, eventsType):
			return s.followCall(w, r, c, env)
		}
		return s.run(w, r, c, env)
	}
}

// prepare completes the input of a call and returns its environment.
func (s *Server) prepare(r *http.Request, c *call) (*operation.Env, error) {
	if err := c.idempotent(r.Header.Get("Idempotency-Key")); err != nil {
		return nil, err
	}
	if err := c.match(r.Header.Get("If-Match")); err != nil {
		return nil, err
	}
	if err := c.matchNone(r.Header.Get("If-None-Match")); err != nil {
		return nil, err
	}
	if err := c.confirm(); err != nil {
		return nil, err
	}
	return s.env(r.Context(), c)
}

// run runs a call and answers with its output. It holds no slot while the client sends
// its input or reads the answer.
func (s *Server) run(w *response, r *http.Request, c *call, env *operation.Env) error {
	release, err := s.calls.take(r.Context(), w.grant, s.options.Limits.Wait)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(r.Context(), s.options.Limits.Timeout)
	defer cancel()
	out, err := runAndRelease(ctx, c, env, release)
	switch {
	case err != nil && ctx.Err() != nil:
		return ctx.Err() // whatever was interrupted, this is why
	case err != nil:
		return err
	case w.unchanged(r, out):
		return nil
	}
	return w.answer(out)
}

// runAndRelease runs a call and releases its slot, even if it panics.
func runAndRelease(ctx context.Context, c *call, env *operation.Env, release func()) (any, error) {
	defer release()
	return c.op.Run(ctx, env, c.in)
}

// answer answers with the output of an operation, or with the failure that it amounts to.
func (w *response) answer(out any) error {
	data, err := schema.Marshal(out)
	if err != nil {
		return err
	}
	if err := amountsTo(out, data); err != nil {
		return err
	}
	w.document(http.StatusOK, data)
	return nil
}

// accepts reports whether the Accept header of a request names a media type.
func accepts(r *http.Request, media string) bool {
	for _, line := range r.Header.Values("Accept") {
		for part := range strings.SplitSeq(line, ",") {
			name, _, _ := strings.Cut(part, ";")
			if strings.EqualFold(strings.TrimSpace(name), media) {
				return true
			}
		}
	}
	return false
}
