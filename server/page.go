package server

import (
	"net/http"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops/operation"
)

// visitPath is where a browser enters with POST and leaves with DELETE.
const visitPath = "/visit"

// Door returns the door for browsers: a browser with one of its codes may use the page.
func (s *Server) Door() *Door { return s.door }

// public reports whether a request needs no token: the page's files contain no memory,
// and a visit starts with a code.
func (s *Server) public(r *http.Request) bool {
	return s.page.Has(r.URL.Path) || r.URL.Path == visitPath
}

// visits reports whether a browser that has entered calls an operation.
func (s *Server) visits(r *http.Request) bool {
	return strings.HasPrefix(r.URL.Path, version) && s.door.Holds(r)
}

// servePage answers with a file of the page.
func (s *Server) servePage(w *response, r *http.Request) error {
	if !s.page.Has(r.URL.Path) {
		return nothingHere()
	}
	s.page.ServeHTTP(w, r)
	return nil
}

// enter lets in a browser that shows a code, or the token as programs do.
func (s *Server) enter(w *response, r *http.Request) error {
	data, err := s.body(w, r)
	if err != nil {
		return err
	}
	var in struct {
		Code string `json:"code"`
	}
	if err := operation.DecodeStrict(data, &in); err != nil {
		return strata.Invalid("", err.Error(), `send {"code": "…"}`)
	}
	if w.grant != nil {
		return &strata.Error{Code: strata.CodeDenied, Message: "a named token is for programs, not for browsers",
			Hint: "use strata ui, or the token in the file server.token of the home"}
	}
	if !w.trusted && !s.door.Redeem(in.Code) {
		return &refusal{status: http.StatusUnauthorized, err: &strata.Error{Code: strata.CodeDenied,
			Message: "this code is not valid", Hint: "a code works once, within ten minutes; run strata ui again, or use the token in the file server.token of the home"}}
	}
	s.door.Enter(w)
	w.document(http.StatusOK, []byte(`{"entered":true}`))
	return nil
}

// leave ends a visit.
func (s *Server) leave(w *response, r *http.Request) error {
	s.door.Leave(w, r)
	w.document(http.StatusOK, []byte(`{"entered":false}`))
	return nil
}
