package server

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// bounds are the upper bounds of the buckets of the duration histogram, in seconds.
var bounds = [...]float64{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120}

// metrics counts requests. The zero value is ready to use. It is safe for concurrent use.
type metrics struct {
	mu       sync.Mutex // guards the fields below
	inFlight int64
	requests map[outcome]int64
	took     map[string]*histogram // by operation
}

// outcome is the key by which requests are counted.
type outcome struct {
	operation string
	code      strata.Code // empty for success
}

// histogram counts durations.
type histogram struct {
	buckets [len(bounds)]int64 // number of durations up to each bound and above the previous one
	count   int64
	sum     float64 // seconds
}

// begin counts a request that starts.
func (m *metrics) begin() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.inFlight++
}

// end counts a request that was answered.
func (m *metrics) end(operation string, code strata.Code, took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.requests == nil {
		m.requests, m.took = make(map[outcome]int64), make(map[string]*histogram)
	}
	m.inFlight--
	m.requests[outcome{operation, code}]++
	h := m.took[operation]
	if h == nil {
		h = new(histogram)
		m.took[operation] = h
	}
	seconds := took.Seconds()
	h.count++
	h.sum += seconds
	if i, _ := slices.BinarySearch(bounds[:], seconds); i < len(bounds) {
		h.buckets[i]++
	}
}

// write writes the metrics in the text format of Prometheus.
func (m *metrics) write(b *bytes.Buffer) {
	m.mu.Lock()
	defer m.mu.Unlock()
	head(b, "strata_http_requests_in_flight", "gauge", "Requests not answered yet.")
	fmt.Fprintf(b, "strata_http_requests_in_flight %d\n", m.inFlight)
	head(b, "strata_http_requests_total", "counter", "Requests by operation and by the code of the error they were answered with, or ok.")
	for _, o := range slices.SortedFunc(maps.Keys(m.requests), compareOutcomes) {
		fmt.Fprintf(b, "strata_http_requests_total{operation=%q,code=%q} %d\n", o.operation, cmp.Or(o.code, "ok"), m.requests[o])
	}
	const name = "strata_http_request_duration_seconds"
	head(b, name, "histogram", "Time from the header of a request to the end of its answer, by operation.")
	for _, operation := range slices.Sorted(maps.Keys(m.took)) {
		h, within := m.took[operation], int64(0)
		for i, bound := range bounds {
			within += h.buckets[i]
			fmt.Fprintf(b, "%s_bucket{operation=%q,le=\"%g\"} %d\n", name, operation, bound, within)
		}
		fmt.Fprintf(b, "%s_bucket{operation=%q,le=\"+Inf\"} %d\n", name, operation, h.count)
		fmt.Fprintf(b, "%s_sum{operation=%q} %g\n%s_count{operation=%q} %d\n", name, operation, h.sum, name, operation, h.count)
	}
}

func compareOutcomes(a, b outcome) int {
	return cmp.Or(cmp.Compare(a.operation, b.operation), cmp.Compare(a.code, b.code))
}

// head writes the description of a metric.
func head(b *bytes.Buffer, name, kind, help string) {
	fmt.Fprintf(b, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

// writeMetrics answers with the metrics.
func (s *Server) writeMetrics(w *response, r *http.Request) error {
	counts, err := s.counts(r.Context())
	if err != nil {
		return err
	}
	var b bytes.Buffer
	head(&b, "strata_build_info", "gauge", "The build that serves; always 1.")
	fmt.Fprintf(&b, "strata_build_info{version=%q} 1\n", s.options.Version)
	for _, c := range counts {
		name := "strata_" + c.name
		head(&b, name, "gauge", c.help)
		fmt.Fprintf(&b, "%s %d\n", name, c.n)
	}
	s.metrics.write(&b)
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = w.Write(b.Bytes()) // an error means that the client is gone
	return nil
}

// count is the number of items of one kind in the home.
type count struct {
	name, help string
	n          int64
}

// counts returns what all scopes hold.
func (s *Server) counts(ctx context.Context) ([]count, error) {
	release, err := s.calls.take(ctx, nil, s.options.Limits.Wait)
	if err != nil {
		return nil, err
	}
	defer release()
	ctx, cancel := context.WithTimeout(ctx, s.options.Limits.Timeout)
	defer cancel()
	scopes, err := s.options.Env.Engine.Scopes(ctx)
	if err != nil {
		return nil, err
	}
	var sum store.Stats
	if len(scopes) > 0 {
		list, err := s.options.Env.Engine.Stats(ctx, strata.View{Scopes: scopes})
		if err != nil {
			return nil, err
		}
		for _, one := range list {
			sum.Facts += one.Facts
			sum.Documents += one.Documents
			sum.Turns += one.Turns
			sum.Sessions += one.Sessions
			sum.Decisions += one.Decisions
			sum.Pending += one.Pending
			sum.Unembedded += one.Unembedded
		}
	}
	return []count{
		{"scopes", "Scopes that own anything.", int64(len(scopes))},
		{"facts", "Current facts.", sum.Facts},
		{"documents", "Notes and other files.", sum.Documents},
		{"turns", "Messages of conversations.", sum.Turns},
		{"sessions", "Conversations.", sum.Sessions},
		{"decisions", "Decisions about memories.", sum.Decisions},
		{"pending_files", "Decisions whose files are not written yet.", sum.Pending},
		{"pending_vectors", "Memories that wait for their vector.", sum.Unembedded},
	}, nil
}

// healthy is the answer of a healthy server.
type healthy struct {
	Status  string `json:"status"`
	Version string `json:"version"`
}

// healthTimeout is how long the memory may take to answer.
const healthTimeout = 5 * time.Second

// health reports whether the memory answers. It does not wait for a slot, so that a busy
// server counts as healthy.
func (s *Server) health(w *response, r *http.Request) error {
	ctx, cancel := context.WithTimeout(r.Context(), healthTimeout)
	defer cancel()
	if _, err := s.options.Env.Engine.Stats(ctx, strata.Global().View()); err != nil {
		w.note(err)
		return &refusal{status: http.StatusServiceUnavailable, err: &strata.Error{Code: strata.CodeUnavailable,
			Message: "the memory does not answer", Hint: "the server's log says why", Err: err}}
	}
	return w.answer(healthy{Status: "ok", Version: s.options.Version})
}
