package attach

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"time"
)

// Conversation is a connection that carries messages of MCP.
type Conversation struct {
	*net.UnixConn
	in *bufio.Reader
}

// Read reads what the server says.
func (c *Conversation) Read(p []byte) (int, error) { return c.in.Read(p) }

// Converse opens a conversation. The error is ErrNotServed or that of ctx, which bounds the
// opening alone.
func (s *Server) Converse(ctx context.Context) (*Conversation, error) {
	conn, err := dial(ctx, s.socket)
	if err == nil {
		var c *Conversation
		if c, err = s.upgrade(conn.(*net.UnixConn)); err == nil {
			return c, nil
		}
		conn.Close()
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return nil, fmt.Errorf("%w: %w", ErrNotServed, err)
}

// upgrade has the server turn a connection over to MCP.
func (s *Server) upgrade(conn *net.UnixConn) (*Conversation, error) {
	if err := conn.SetDeadline(time.Now().Add(Patience)); err != nil {
		return nil, err
	}
	_, err := fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: strata\r\n%s: %s\r\nConnection: Upgrade\r\nUpgrade: %s\r\nContent-Length: 0\r\n\r\n",
		Path(MCP), Header, s.caller, Protocol)
	if err != nil {
		return nil, err
	}
	c := &Conversation{UnixConn: conn, in: bufio.NewReader(conn)}
	res, err := http.ReadResponse(c.in, nil)
	if err != nil {
		return nil, err
	}
	if res.StatusCode != http.StatusSwitchingProtocols {
		defer res.Body.Close()
		return nil, refused(res)
	}
	return c, conn.SetDeadline(time.Time{})
}
