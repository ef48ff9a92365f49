package mcpserver

import (
	"log/slog"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// idleSession is after how long without a request a session over HTTP ends.
const idleSession = time.Hour

// Handler serves over streamable HTTP. Who may call it is for the caller to see to. A nil
// log discards what goes wrong.
func Handler(server *mcp.Server, log *slog.Logger) http.Handler {
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{
		Logger: log, SessionTimeout: idleSession, MaxRequestBodyBytes: maxLine,
	})
}
