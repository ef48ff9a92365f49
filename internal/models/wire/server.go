// Package wire holds what clients of model servers share: an HTTP client, errors with
// Strata's codes, reading a stream by lines, and normalizing tool calls and vectors. It
// knows no protocol.
//
// A [Server] reads nothing from the environment, including proxy settings; a program that
// wants a proxy passes a transport. It keeps the API key to itself: the transport sets
// the key on each request, sends it only to the server's own host, and redacts it from
// whatever the server says.
package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/llm"
)

// Limits of a connection. The caller's context limits how long an answer may take; these
// only catch a host that does not respond at all.
const (
	dialTimeout      = 10 * time.Second
	handshakeTimeout = 10 * time.Second
	idleTimeout      = 90 * time.Second
	maxIdlePerHost   = 8
)

// Config describes a model server.
type Config struct {
	// BaseURL is the base URL of the server's API. "http://" may be omitted.
	BaseURL string
	// Key is sent as a bearer token; empty sends none.
	Key string
	// Transport carries the requests; nil means a default transport without a proxy.
	Transport http.RoundTripper
	// Guard bounds the calls of each model.
	Guard llm.GuardOptions
	// Batch is the most texts in one embedding request; 0 or less means DefaultBatch.
	Batch, DefaultBatch int
	// Hints are sent along with errors that a user can act on.
	Hints Hints
}

// Hints holds advice for errors that a user can act on. In Missing, %s stands for the
// model.
type Hints struct {
	Down    string // the server cannot be reached
	Missing string // the server has no such model
	Denied  string // the key is refused
}

// Server is a client of a model server. It is safe for concurrent use.
type Server struct {
	base  *url.URL
	http  *http.Client
	hints Hints
	guard llm.GuardOptions
	batch int // at least 1
	// redact is a function rather than the key, so that printing a Server does not reveal
	// the key.
	redact func(string) string
}

// NewServer returns a client for c. It checks c, but makes no connection.
func NewServer(c Config) (*Server, error) {
	base, err := parseBase(c.BaseURL)
	if err != nil {
		return nil, err
	}
	if strings.ContainsFunc(c.Key, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		return nil, strata.Invalid("connect to model server", "the API key holds blanks or control characters",
			"copy the key again, without a line break")
	}
	next := c.Transport
	if next == nil {
		next = &http.Transport{
			DialContext:         (&net.Dialer{Timeout: dialTimeout}).DialContext,
			TLSHandshakeTimeout: handshakeTimeout,
			IdleConnTimeout:     idleTimeout,
			MaxIdleConnsPerHost: maxIdlePerHost,
			DisableCompression:  true, // it delays the parts of a stream
			ForceAttemptHTTP2:   true,
		}
	}
	if c.Batch <= 0 {
		c.Batch = c.DefaultBatch
	}
	redact := redactor(c.Key)
	return &Server{
		base:   base,
		hints:  c.Hints,
		guard:  c.Guard,
		batch:  max(1, c.Batch),
		redact: redact,
		http: &http.Client{Transport: &transport{
			next: next, scheme: base.Scheme, host: base.Host, key: func() string { return c.Key }, redact: redact,
		}},
	}, nil
}

// parseBase parses a base URL as people write it.
func parseBase(raw string) (*url.URL, error) {
	full := strings.TrimSpace(raw)
	if full != "" && !strings.Contains(full, "://") {
		full = "http://" + full
	}
	u, err := url.Parse(full)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, strata.Invalid("connect to model server", "the base URL is not an http or https address",
			"write it as http://127.0.0.1:11434 or https://host/v1")
	}
	u.Path = strings.TrimRight(u.Path, "/")
	u.RawPath, u.RawQuery, u.Fragment = "", "", ""
	return u, nil
}

// redactor returns a function that replaces key in a text.
func redactor(key string) func(string) string {
	if key == "" {
		return func(s string) string { return s }
	}
	return func(s string) string { return strings.ReplaceAll(s, key, "[key]") }
}

// Chat returns a model of the server, guarded as [llm.GuardChat] describes.
func (s *Server) Chat(model llm.Chat) llm.Chat { return llm.GuardChat(model, s.guard) }

// Host returns the server's host and port, for messages.
func (s *Server) Host() string { return s.base.Host }

// Close closes idle connections. Calls in progress continue.
func (s *Server) Close() error {
	s.http.CloseIdleConnections()
	return nil
}

// drainTime is how long Drain waits for the end of an answer.
const drainTime = 50 * time.Millisecond

// Drain reads the rest of an answer after its last part, which should be empty, so that
// the connection can be reused. If the server keeps the stream open, Drain closes body
// and the connection is lost.
func Drain(body io.ReadCloser) {
	late := time.AfterFunc(drainTime, func() { body.Close() })
	defer late.Stop()
	// The answer is complete, so errors do not matter here.
	_, _ = io.Copy(io.Discard, io.LimitReader(body, maxErrorBody))
}

// Post sends body as JSON to path below the base URL. The caller must close the response
// body.
func (s *Server) Post(ctx context.Context, path string, body any) (*http.Response, error) {
	data, err := json.Marshal(body)
	if err != nil {
		return nil, fmt.Errorf("encode request for %s: %w", path, err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.base.JoinPath(path).String(), bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("make request for %s: %w", path, err)
	}
	req.Header.Set("Content-Type", "application/json")
	return s.http.Do(req)
}

// maxBody is the most bytes of an answer in one piece: 64 vectors of 4,096 numbers take
// about 6 MB.
const maxBody = 256 << 20

// Decode reads an answer in one piece as JSON. Its errors are explained (see
// [Server.Explain]).
func (s *Server) Decode(op, model string, body io.Reader, into any) error {
	data, err := io.ReadAll(io.LimitReader(body, maxBody))
	if err != nil {
		return s.Explain(op, model, err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		return s.Corrupt(op, "not the JSON that was expected", err)
	}
	return nil
}

// Get requests path below the base URL. The caller must close the response body.
func (s *Server) Get(ctx context.Context, path string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.base.JoinPath(path).String(), nil)
	if err != nil {
		return nil, fmt.Errorf("make request for %s: %w", path, err)
	}
	return s.http.Do(req)
}
