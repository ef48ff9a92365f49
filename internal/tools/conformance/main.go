// Command conformance serves an empty memory over MCP for the protocol's conformance
// suite, as strata serve does. In addition to the memory tools it serves the fixtures
// that the suite expects on every server; see fixtures.go. server/mcp/conformance/run.sh
// runs the suite.
//
// It prints the address of its endpoint on one line, and serves until it is interrupted.
package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"syscall"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/local"
	"github.com/strata-memory/strata/server"
	"github.com/strata-memory/strata/server/mcp"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := serve(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(1)
	}
}

func serve(ctx context.Context) (err error) {
	home, err := os.MkdirTemp("", "strata-conformance-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(home)) }()
	opened, err := local.Open(ctx, home)
	if err != nil {
		return err
	}
	mem := opened.Engine()
	defer func() { err = errors.Join(err, mem.Close()) }()
	tools := mcp.New(mem, mcp.Options{Scope: strata.Global(), Tools: operation.AllTools})
	addFixtures(tools)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s := server.New(server.Options{Env: operation.Env{Engine: mem}, MCP: mcp.Handler(tools, nil)})
	fmt.Printf("http://%s/mcp\n", listener.Addr())
	return s.Serve(ctx, server.Endpoint{Listener: listener, Handler: s.Open()})
}
