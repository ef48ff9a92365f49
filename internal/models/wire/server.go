// Package wire is what the clients of model servers share: an HTTP client of
// our own, errors in Strata's codes, lines of a stream, tool calls and vectors
// brought into order. It knows no protocol.
//
// A [Server] reads nothing from the environment, proxies included; a program
// that wants a proxy passes a transport. It keeps the API key to itself: the
// key is set on the request in the transport, sent to the server's own host
// only, and blotted out of whatever the server says.
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
)

// Bounds of a connection. How long an answer may take is the business of the
// caller's context; these only catch a host that does not answer at all.
const (
	dialTimeout      = 10 * time.Second
	handshakeTimeout = 10 * time.Second
	idleTimeout      = 90 * time.Second
	maxIdlePerHost   = 8
)

// Config describes a model server.
type Config struct {
	// BaseURL is where the server's API begins. "http://" may be left out.
	BaseURL string
	// Key is sent as a bearer token; empty sends none.
	Key string
	// Transport carries the requests; nil means a transport of our own, without
	// a proxy.
	Transport http.RoundTripper
	// Hints are what a user can do about errors.
	Hints Hints
}

// Hints are advice for the errors a user can act on. %s in Missing stands for
// the model.
type Hints struct {
	Down    string // nobody listens
	Missing string // the server has no such model
	Denied  string // the key is refused
}

// Server is a model server that can be asked. It is safe for concurrent use.
type Server struct {
	base  *url.URL
	http  *http.Client
	hints Hints
	// redact is a function, not the key, so that printing a Server does not
	// show the key.
	redact func(string) string
}

// NewServer checks c and makes no connection.
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
	redact := redactor(c.Key)
	return &Server{
		base:   base,
		hints:  c.Hints,
		redact: redact,
		http: &http.Client{Transport: &transport{
			next: next, scheme: base.Scheme, host: base.Host, key: func() string { return c.Key }, redact: redact,
		}},
	}, nil
}

// parseBase reads a base URL as people write it.
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

// redactor returns a function that blots key out of a text.
func redactor(key string) func(string) string {
	if key == "" {
		return func(s string) string { return s }
	}
	return func(s string) string { return strings.ReplaceAll(s, key, "[key]") }
}

// Host is the server's host and port, for messages.
func (s *Server) Host() string { return s.base.Host }

// Close drops idle connections. Calls under way go on.
func (s *Server) Close() error {
	s.http.CloseIdleConnections()
	return nil
}

// drainTime is how long the end of an answer may take to arrive after its last
// part.
const drainTime = 50 * time.Millisecond

// Drain reads what follows the last part of an answer, which is nothing, so
// that the connection can be used again. A server that keeps the stream open
// only costs the connection.
func Drain(body io.ReadCloser) {
	late := time.AfterFunc(drainTime, func() { body.Close() })
	defer late.Stop()
	// Whatever happens here, the answer is whole.
	_, _ = io.Copy(io.Discard, io.LimitReader(body, maxErrorBody))
}

// Post sends body as JSON to path below the base URL. The caller closes the
// response's body.
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

// maxBody bounds an answer that comes in one piece, in bytes: 64 vectors of
// 4,096 numbers are about 6 MB.
const maxBody = 256 << 20

// Decode reads the JSON of an answer that comes in one piece. Its errors are
// explained.
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

// Get asks for path below the base URL.
func (s *Server) Get(ctx context.Context, path string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.base.JoinPath(path).String(), nil)
	if err != nil {
		return nil, fmt.Errorf("make request for %s: %w", path, err)
	}
	return s.http.Do(req)
}
