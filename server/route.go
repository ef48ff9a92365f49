package server

import (
	"net/http"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/page"
)

// version starts the paths of operations. Paths with this version do not change; another
// contract would get another number.
const version = "/v1/"

// Path returns the path for calling an operation with POST.
func Path(info OperationInfo) string { return version + info.Name }

// eventsPath is where events are followed with GET and listed with POST.
const eventsPath = version + "events"

// route is one path of the server.
type route struct {
	path string
	name string // in the log and metrics
	// by maps each method to its handler.
	by map[string]handler
}

// handler answers a request, or returns an error before it has written anything.
type handler func(w *response, r *http.Request) error

// routes returns all routes of a server.
func (s *Server) routes() []*route {
	list := []*route{
		{path: "/", name: "none", by: nil},
		{path: "/{$}", name: "page", by: map[string]handler{http.MethodGet: s.servePage}},
		{path: page.Prefix, name: "page", by: map[string]handler{http.MethodGet: s.servePage}},
		{path: visitPath, name: "visit", by: map[string]handler{http.MethodPost: s.enter, http.MethodDelete: s.leave}},
		{path: "/healthz", name: "healthz", by: map[string]handler{http.MethodGet: s.health}},
		{path: "/metrics", name: "metrics", by: map[string]handler{http.MethodGet: unconfined(s.writeMetrics)}},
		{path: "/openapi.json", name: "openapi", by: map[string]handler{http.MethodGet: s.describe}},
	}
	if s.options.MCP != nil {
		list = append(list, &route{path: "/mcp", name: "mcp", by: map[string]handler{
			http.MethodPost: s.mcpCall, http.MethodGet: s.mcpStream, http.MethodDelete: s.mcpCall,
		}})
	}
	for _, op := range ops.All() {
		r := &route{path: Path(op.About()), name: op.About().Name, by: map[string]handler{http.MethodPost: s.operation(op)}}
		if isReadByGet(op.About()) {
			r.by[http.MethodGet] = s.get(op)
		}
		if r.path == eventsPath {
			r.by[http.MethodGet] = s.followEvents
		}
		list = append(list, r)
	}
	return list
}

// nothingHere returns the error for an unknown path.
func nothingHere() error {
	return &strata.Error{Code: strata.CodeNotFound, Message: "there is nothing at this path",
		Hint: "operations are at POST " + version + "NAME, such as " + version + "recall; GET /openapi.json lists them"}
}

// ServeHTTP answers a request for the path.
func (r *route) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	out := w.(*response) // made by observe
	out.name = r.name
	if err := r.serve(out, req); err != nil {
		out.fail(err)
	}
}

func (r *route) serve(w *response, req *http.Request) error {
	if r.by == nil {
		return nothingHere()
	}
	answer, ok := r.by[req.Method]
	if !ok && req.Method == http.MethodHead {
		answer, ok = r.by[http.MethodGet]
	}
	if !ok {
		var methods []string
		for _, m := range []string{http.MethodGet, http.MethodPost, http.MethodDelete} {
			if r.by[m] != nil {
				methods = append(methods, m)
			}
		}
		allow := strings.Join(methods, ", ")
		w.Header().Set("Allow", allow)
		return &refusal{status: http.StatusMethodNotAllowed, err: strata.Invalid("", "this path does not take "+req.Method, "use "+allow)}
	}
	return answer(w, req)
}
