package client

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/home/attach"
	"github.com/strata-memory/strata/internal/home/endpoint"
	"github.com/strata-memory/strata/internal/home/homedir"
)

// Options say where the server is. The zero value means the socket in the default home.
type Options struct {
	// Home is the directory of the home whose socket is used; empty means $STRATA_HOME,
	// or .strata in the user's home directory.
	Home string
	// URL is the address of a server on TCP, such as http://127.0.0.1:7117. If it is set,
	// Home is not used.
	URL string
	// Token authenticates at URL: it is the content of the server's file server.token.
	Token string
	// Start makes the client start a server of Home in a separate process if none
	// answers. The server ends after it gets no call for Idle; 0 means 30 minutes.
	Start bool
	Idle  time.Duration
	// Command is the strata command to start; empty means the one in PATH.
	Command string
	// Scope is the scope that [Client.Save] writes to and the other memory methods read;
	// empty means the global scope. Call and its variants take a scope in their input.
	Scope string
}

var (
	// ErrNotTaken means that no server accepted a call, so nothing it asked for was done.
	ErrNotTaken = errors.New("no server takes the call")
	// ErrLost means that a server accepted a call but its answer did not arrive. The work
	// may have been done.
	ErrLost = errors.New("the server ended before it answered")
)

// Client calls one server. It is safe for concurrent use.
type Client struct {
	http   *http.Client
	base   string // URL prefix of operations, with a slash at the end
	token  string
	caller string // the command in whose place the server works; empty for a program
	scope  string
	where  string // for errors
}

// New returns a client. It sends nothing yet.
func New(o Options) (*Client, error) {
	transport := &http.Transport{}
	c := &Client{http: &http.Client{Transport: transport, CheckRedirect: stay}, token: o.Token, scope: o.Scope}
	if o.URL != "" {
		u, err := url.Parse(o.URL)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return nil, strata.Invalid("connect", "the address of the server is no URL", "use one such as http://127.0.0.1:7117")
		}
		c.base, c.where = strings.TrimSuffix(o.URL, "/")+version, u.Host
		return c, nil
	}
	home, err := homeOf(o.Home)
	if err != nil {
		return nil, err
	}
	c.base, c.where = "http://strata"+version, endpoint.Socket(home)
	transport.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", c.where)
	}
	if o.Start {
		s := starter{dial: transport.DialContext, command: cmp.Or(o.Command, "strata"), home: home, idle: cmp.Or(o.Idle, idle)}
		transport.DialContext = s.connect
	}
	return c, nil
}

// version is the path prefix of operations for programs.
const version = "/v1/"

// stay does not follow redirects, because the token is meant for one server.
func stay(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// homeOf returns home, or the default home if it is empty.
func homeOf(home string) (string, error) {
	if home != "" {
		return home, nil
	}
	return homedir.Default()
}

// Close closes idle connections.
func (c *Client) Close() error {
	c.http.CloseIdleConnections()
	return nil
}

// Media types that the server uses.
const (
	jsonType   = "application/json"
	linesType  = "application/x-ndjson"
	eventsType = "text/event-stream"
)

// Call runs an operation. in is any value that encodes to a JSON object, or nil. The
// output is decoded into out, a pointer, unless out is nil. If an operation did its work
// with a result that counts as a failure, Call fills out and returns the failure.
func (c *Client) Call(ctx context.Context, operation string, in, out any) error {
	res, err := c.post(ctx, operation, in, "")
	if err != nil {
		return err
	}
	defer res.Body.Close()
	return readOutput(operation, res, out)
}

// Follow is [Client.Call] for long work. progress, which may be nil, is called with the
// number of items done and the total, which is 0 if unknown. Only ctx limits the time of
// such a call.
func (c *Client) Follow(ctx context.Context, operation string, in, out any, progress func(done, total int64)) error {
	res, err := c.post(ctx, operation, in, eventsType)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if mediaOf(res) != eventsType {
		return readOutput(operation, res, out)
	}
	events := newReader(res.Body)
	for {
		e, err := events.next()
		if err != nil {
			return broken(ctx, operation, err)
		}
		switch e.name {
		case "progress":
			var p struct{ Done, Total int64 }
			if json.Unmarshal(e.data, &p) == nil && progress != nil {
				progress(p.Done, p.Total)
			}
		case "result":
			return decode(operation, e.data, out)
		case "error":
			if c.caller != "" {
				return attach.ReadFailure(e.data)
			}
			return failureOf(operation, http.StatusInternalServerError, e.data, out)
		}
	}
}

// Send runs an operation that reads lines, such as import and ingest. in is as for
// [Client.Call].
func (c *Client) Send(ctx context.Context, operation string, in any, lines io.Reader, out any) error {
	query, err := queryOf(operation, in)
	if err != nil {
		return err
	}
	res, err := c.do(ctx, operation, query, linesType, "", lines)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	return readOutput(operation, res, out)
}

// Receive runs an operation that writes lines, such as export, and copies them to w. If
// the stream breaks off, Receive returns an error and w has only part of the lines.
func (c *Client) Receive(ctx context.Context, operation string, in any, w io.Writer, out any) error {
	res, err := c.post(ctx, operation, in, "")
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return readOutput(operation, res, out)
	}
	if _, err := io.Copy(w, res.Body); err != nil {
		return broken(ctx, operation, err)
	}
	if err := decode(operation, []byte(res.Trailer.Get("Strata-Output")), out); err != nil {
		return err
	}
	if failed := res.Trailer.Get("Strata-Error"); failed != "" {
		return failureOf(operation, http.StatusInternalServerError, []byte(failed), nil)
	}
	return nil
}

// post sends an input as JSON.
func (c *Client) post(ctx context.Context, operation string, in any, accept string) (*http.Response, error) {
	data := []byte("{}")
	if in != nil {
		var err error
		if data, err = json.Marshal(in); err != nil {
			return nil, strata.Invalid(operation, "the input cannot be written as JSON", err.Error())
		}
	}
	return c.do(ctx, operation, "", jsonType, accept, bytes.NewReader(data))
}

// do sends a request to an operation.
func (c *Client) do(ctx context.Context, operation, query, media, accept string, body io.Reader) (*http.Response, error) {
	address := c.base + url.PathEscape(operation)
	if query != "" {
		address += "?" + query
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, body)
	if err != nil {
		return nil, strata.Invalid(operation, "no such operation", "GET /openapi.json lists them")
	}
	req.Header.Set("Content-Type", media)
	if accept != "" {
		req.Header.Set("Accept", accept)
	}
	return c.send(operation, req)
}

// send sends a request with the token, or on behalf of the caller.
func (c *Client) send(operation string, req *http.Request) (*http.Response, error) {
	if c.caller != "" {
		return c.sendAttached(req)
	}
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	var connected atomic.Bool
	trace := &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connected.Store(true) }}
	res, err := c.http.Do(req.WithContext(httptrace.WithClientTrace(req.Context(), trace)))
	var known *strata.Error
	switch ctx := req.Context(); {
	case err == nil:
		return res, nil
	case ctx.Err() != nil:
		return nil, fmt.Errorf("%s: %w", operation, ctx.Err())
	case errors.As(err, &known):
		return nil, &strata.Error{Code: known.Code, Op: operation, Message: known.Message, Hint: known.Hint, Err: ErrNotTaken}
	}
	why := ErrNotTaken
	if connected.Load() {
		why = ErrLost
	}
	return nil, &strata.Error{Code: strata.CodeUnavailable, Op: operation, Message: "no server answers at " + c.where,
		Hint: "start one with strata serve, or have the client do it by Options.Start", Err: fmt.Errorf("%w: %w", why, err)}
}

// readOutput reads a response: the output, or an error.
func readOutput(operation string, res *http.Response, out any) error {
	data, err := io.ReadAll(res.Body)
	if err != nil {
		return broken(res.Request.Context(), operation, err)
	}
	if res.StatusCode != http.StatusOK {
		return failureOf(operation, res.StatusCode, data, out)
	}
	return decode(operation, data, out)
}

func decode(operation string, data []byte, out any) error {
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(data, out); err != nil {
		return &strata.Error{Code: strata.CodeInternal, Op: operation, Message: "the answer is not what was asked for", Err: err}
	}
	return nil
}

// failureOf decodes the error in a response.
func failureOf(operation string, status int, data []byte, out any) error {
	var f struct {
		Code      strata.Code       `json:"code"`
		Message   string            `json:"message"`
		Hint      string            `json:"hint"`
		Details   map[string]string `json:"details"`
		RequestID string            `json:"request_id"`
		Output    json.RawMessage   `json:"output"`
	}
	if err := json.Unmarshal(data, &f); err != nil || f.Code == "" {
		return &strata.Error{Code: strata.CodeUnavailable, Op: operation, Message: fmt.Sprintf("the server answers with status %d", status),
			Hint: "see whether it is a server of Strata"}
	}
	failure := &strata.Error{Code: f.Code, Op: operation, Message: f.Message, Hint: f.Hint, Details: f.Details}
	if f.RequestID != "" {
		if failure.Details == nil {
			failure.Details = make(map[string]string)
		}
		failure.Details["request_id"] = f.RequestID
	}
	if len(f.Output) > 0 {
		return errors.Join(failure, decode(operation, f.Output, out))
	}
	return failure
}

// broken returns the error for a response that breaks off.
func broken(ctx context.Context, operation string, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("%s: %w", operation, ctx.Err())
	}
	return &strata.Error{Code: strata.CodeUnavailable, Op: operation, Message: "the answer breaks off", Hint: "the server's log says why", Err: fmt.Errorf("%w: %w", ErrLost, err)}
}

// queryOf encodes an input as URL query parameters.
func queryOf(operation string, in any) (string, error) {
	if in == nil {
		return "", nil
	}
	fields := make(map[string]any)
	data, err := json.Marshal(in)
	if err == nil {
		dec := json.NewDecoder(bytes.NewReader(data))
		dec.UseNumber()
		err = dec.Decode(&fields)
	}
	if err != nil {
		return "", strata.Invalid(operation, "the input cannot be written as a JSON object", err.Error())
	}
	values := make(url.Values)
	for name, v := range fields {
		list, ok := v.([]any)
		if !ok {
			list = []any{v}
		}
		for _, one := range list {
			values.Add(name, fmt.Sprint(one))
		}
	}
	return values.Encode(), nil
}

// mediaOf returns the media type of a response.
func mediaOf(res *http.Response) string {
	media, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	return media
}
