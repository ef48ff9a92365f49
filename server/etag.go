package server

import (
	"net/http"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/ops/schema"
)

// baseField is the field that the header If-Match fills: the hash of the version that the
// client saw and that a change is meant for.
const baseField = "base"

// versioned is an output that belongs to one version of a file.
type versioned interface{ Version() string }

// isReadByGet reports whether an operation also answers GET, so that a client can ask for
// a newer version only. The input of such an operation only names a file.
func isReadByGet(info operation.Info) bool { return info.Name == "note_show" }

// get answers a GET for an operation, with its input in the URL query.
func (s *Server) get(op operation.Operation) handler {
	served := newServed(op)
	return func(w *response, r *http.Request) error {
		c := &call{served: served, grant: w.grant}
		if err := caller(c.grant).Permit(c.info); err != nil {
			return err
		}
		if err := c.query(r.URL.Query()); err != nil {
			return err
		}
		env, err := s.prepare(r, c)
		if err != nil {
			return err
		}
		return s.run(w, r, c, env)
	}
}

// tag returns the entity tag of an output; empty for most.
func tag(out any) string {
	if v, ok := out.(versioned); ok && v.Version() != "" {
		return `"` + v.Version() + `"`
	}
	return ""
}

// unchanged reports whether the client already has an output, and answers 304 if so.
func (w *response) unchanged(r *http.Request, out any) bool {
	etag := tag(out)
	if etag == "" {
		return false
	}
	w.Header().Set("ETag", etag)
	if r.Method == http.MethodPost || !slices.ContainsFunc(tags(r.Header.Get("If-None-Match")), func(t string) bool {
		return t == "*" || strings.TrimPrefix(t, "W/") == etag
	}) {
		return false
	}
	w.WriteHeader(http.StatusNotModified)
	return true
}

// tags splits the entity tags of a header.
func tags(header string) []string {
	list := strings.Split(header, ",")
	for i, t := range list {
		list[i] = strings.TrimSpace(t)
	}
	return list
}

// match sets the version that the header If-Match names. If the file has another version,
// the change is a conflict.
func (c *call) match(header string) error {
	if header == "" {
		return nil
	}
	f, ok := c.field(baseField)
	if !ok {
		return strata.Invalid(c.info.Name, c.info.Name+" takes no If-Match", "leave the header out")
	}
	hash, quoted := strings.CutPrefix(header, `"`)
	hash, closed := strings.CutSuffix(hash, `"`)
	if !quoted || !closed || hash == "" || strings.ContainsAny(hash, `",`) {
		return strata.Invalid(c.info.Name, "If-Match names no version", "send the ETag of one answer, in its quotes")
	}
	return c.setBase(f, "If-Match", hash)
}

// matchNone makes the call write only if no version exists, if the header If-None-Match
// says so. For read-only operations the header is a condition on the answer instead.
func (c *call) matchNone(header string) error {
	if header == "" || c.info.ReadOnly {
		return nil
	}
	f, ok := c.field(baseField)
	switch {
	case !ok:
		return strata.Invalid(c.info.Name, c.info.Name+" takes no If-None-Match", "leave the header out")
	case header != "*":
		return strata.Invalid(c.info.Name, "If-None-Match names versions", "send * to write only if there is nothing yet")
	}
	return c.setBase(f, "If-None-Match", strata.NoFile)
}

// setBase sets the field base from a header, unless the input has a different value.
func (c *call) setBase(f schema.Field, header, base string) error {
	if own := f.Get(c.in).(string); own != "" && own != base {
		return strata.Invalid(c.info.Name, "the header "+header+" and the field base differ", "give one of them")
	}
	return f.Set(c.in, base)
}
