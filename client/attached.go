package client

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"time"

	"github.com/strata-memory/strata/internal/home/attach"
	"github.com/strata-memory/strata/internal/home/endpoint"
)

// patience is how long a server may take to accept a command's call. Accepting takes a
// look at a few files; a server that needs longer hangs.
const patience = time.Second

// Attached returns the client through which a strata command runs in the server of its
// home; see docs/decisions/0036. caller describes the command to the server. Other
// programs have no caller and use [Open]. Errors are those of the operation, with their
// causes, or [ErrNotTaken], [ErrLost] and those of contexts.
func Attached(home, caller string) *Client {
	c := &Client{caller: caller, where: endpoint.Socket(home), base: "http://strata" + attach.Path("")}
	c.http = &http.Client{CheckRedirect: stay, Transport: &http.Transport{
		DisableCompression: true, ExpectContinueTimeout: patience,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return c.dial(ctx) },
	}}
	return c
}

func (c *Client) dial(ctx context.Context) (net.Conn, error) {
	return (&net.Dialer{Timeout: patience}).DialContext(ctx, "unix", c.where)
}

// sendAttached sends a request for a command. It holds the input back until the server
// asks for it, so that nothing has been sent if the server refuses.
func (c *Client) sendAttached(req *http.Request) (*http.Response, error) {
	in := &heldBack{ReadCloser: req.Body}
	ctx := req.Context()
	req = req.WithContext(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{Got100Continue: func() { in.asked.Store(true) }}))
	req.Body, req.GetBody = in, nil
	req.Header.Set(attach.Header, c.caller)
	req.Header.Set("Expect", "100-continue")
	res, err := c.http.Do(req)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && in.asked.Load():
		return nil, fmt.Errorf("%w: %w", ErrLost, err)
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrNotTaken, err)
	case res.StatusCode == http.StatusOK:
		return res, nil
	}
	defer res.Body.Close()
	if res.StatusCode >= http.StatusInternalServerError && in.asked.Load() {
		return nil, fmt.Errorf("%w: %w", ErrLost, refused(res)) // a fault, in the middle of it
	}
	return nil, fmt.Errorf("%w: %w", ErrNotTaken, refused(res))
}

// refused returns an error with the status and the first bytes of a refusal.
func refused(res *http.Response) error {
	text, _ := io.ReadAll(io.LimitReader(res.Body, 1<<10)) // for the log
	return fmt.Errorf("status %d: %s", res.StatusCode, bytes.TrimSpace(text))
}

// heldBack is a request body that is sent only after the server asks for it.
type heldBack struct {
	asked atomic.Bool
	io.ReadCloser
}

// Read reads the body. Before the server asks for it, Read fails with ErrNotTaken.
func (h *heldBack) Read(p []byte) (int, error) {
	if !h.asked.Load() {
		return 0, ErrNotTaken
	}
	return h.ReadCloser.Read(p)
}

// Conversation is a connection that carries MCP messages.
type Conversation struct {
	*net.UnixConn
	in *bufio.Reader
}

// Read reads what the server sends.
func (c *Conversation) Read(p []byte) (int, error) { return c.in.Read(p) }

// Converse opens an MCP conversation for an attached command. ctx bounds only the
// opening. The error is ErrNotTaken or that of ctx.
func (c *Client) Converse(ctx context.Context) (*Conversation, error) {
	conn, err := c.dial(ctx)
	if err == nil {
		var talk *Conversation
		if talk, err = c.upgrade(conn.(*net.UnixConn)); err == nil {
			return talk, nil
		}
		conn.Close()
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return nil, fmt.Errorf("%w: %w", ErrNotTaken, err)
}

// upgrade asks the server to switch a connection to MCP.
func (c *Client) upgrade(conn *net.UnixConn) (*Conversation, error) {
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		return nil, err
	}
	_, err := fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: strata\r\n%s: %s\r\nConnection: Upgrade\r\nUpgrade: %s\r\nContent-Length: 0\r\n\r\n",
		attach.Path(attach.MCP), attach.Header, c.caller, attach.Protocol)
	if err != nil {
		return nil, err
	}
	talk := &Conversation{UnixConn: conn, in: bufio.NewReader(conn)}
	res, err := http.ReadResponse(talk.in, nil)
	if err != nil {
		return nil, err
	}
	if res.StatusCode != http.StatusSwitchingProtocols {
		defer res.Body.Close()
		return nil, refused(res)
	}
	return talk, conn.SetDeadline(time.Time{})
}
