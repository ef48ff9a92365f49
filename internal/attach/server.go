package attach

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"time"

	"github.com/strata-memory/strata/internal/endpoint"
)

// Patience is how long a server may take to say that it takes a call. It looks at a few
// files; one that takes longer hangs.
const Patience = time.Second

// ErrNotServed is that no server takes a call: nothing was sent that may have been done.
var ErrNotServed = errors.New("no server takes the call")

// ErrLost is that a server took a call and its answer did not come: it may have been done.
var ErrLost = errors.New("the server ended before it answered")

// Server is the server of a home, as a command calls it. It is safe for concurrent use.
type Server struct {
	caller string
	socket string
	http   *http.Client
}

// NewServer returns the server of the caller's home. Nothing is sent yet.
func NewServer(c Caller) *Server {
	socket := endpoint.Socket(c.Home)
	return &Server{caller: c.String(), socket: socket, http: &http.Client{Transport: &http.Transport{
		DisableCompression: true, ExpectContinueTimeout: Patience,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return dial(ctx, socket)
		},
	}}}
}

func dial(ctx context.Context, socket string) (net.Conn, error) {
	return (&net.Dialer{Timeout: Patience}).DialContext(ctx, "unix", socket)
}

// Close closes idle connections.
func (s *Server) Close() { s.http.CloseIdleConnections() }

// Call runs the operation of a name. Its input and output are JSON. Progress, which may be
// nil, is called with the items that are done and the total, which is 0 when unknown. The
// error is ErrNotServed, ErrLost, that of ctx, or what the operation returned.
func (s *Server) Call(ctx context.Context, name string, input []byte, progress func(done, total int64)) (json.RawMessage, error) {
	in := &heldBack{data: bytes.NewReader(input)}
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{Got100Continue: func() { in.asked.Store(true) }})
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://strata"+Path(name), in)
	if err != nil {
		return nil, err
	}
	req.ContentLength = int64(len(input))
	req.Header = http.Header{Header: {s.caller}, "Expect": {"100-continue"}, "Content-Type": {"application/json"}}
	res, err := s.http.Do(req)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && in.asked.Load():
		return nil, fmt.Errorf("%w: %w", ErrLost, err)
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrNotServed, err)
	}
	defer res.Body.Close()
	switch {
	case res.StatusCode >= http.StatusInternalServerError && in.asked.Load():
		return nil, fmt.Errorf("%w: %w", ErrLost, refused(res)) // a fault, in the middle of it
	case res.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("%w: %w", ErrNotServed, refused(res))
	}
	return readFrames(ctx, res.Body, progress)
}

// refused is the error of an answer that is none.
func refused(res *http.Response) error {
	text, _ := io.ReadAll(io.LimitReader(res.Body, 1<<10)) // for the log
	return fmt.Errorf("status %d: %s", res.StatusCode, bytes.TrimSpace(text))
}

// readFrames reads an answer to its end.
func readFrames(ctx context.Context, body io.Reader, progress func(done, total int64)) (json.RawMessage, error) {
	lines := bufio.NewReaderSize(body, 32<<10)
	for {
		line, err := lines.ReadBytes('\n')
		var f Frame
		if err == nil {
			err = json.Unmarshal(line, &f)
		}
		switch {
		case err != nil && ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			return nil, fmt.Errorf("%w: %w", ErrLost, err)
		case f.Failure != nil:
			return nil, f.Failure.Err()
		case f.Output != nil:
			return f.Output, nil
		case f.Progress != nil && progress != nil:
			progress(f.Progress.Done, f.Progress.Total)
		}
	}
}

// heldBack is an input that is sent only once the server asked for it.
type heldBack struct {
	asked atomic.Bool
	data  *bytes.Reader
}

// Read reads the input.
func (h *heldBack) Read(p []byte) (int, error) {
	if !h.asked.Load() {
		return 0, ErrNotServed
	}
	return h.data.Read(p)
}
