package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/cmdline"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/internal/home/access"
	"github.com/strata-memory/strata/internal/home/attach"
	"github.com/strata-memory/strata/internal/home/config"
	"github.com/strata-memory/strata/internal/home/endpoint"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/server"
	"github.com/strata-memory/strata/server/mcp"
)

// serveFlags are the flags of serve.
type serveFlags struct {
	listen    string // TCP address; empty: none
	logFormat string
	tools     string // toolset for agents at /mcp
	idle      time.Duration
}

// Log formats of serve.
const (
	logText = "text"
	logJSON = "json"
)

// newServeCommand returns the command serve, which serves memory to programs.
func newServeCommand(a *app) *cobra.Command {
	var flags serveFlags
	cmd := &cobra.Command{
		Use:     "serve",
		GroupID: groupUse,
		Short:   "Serve memory to programs over a socket and HTTP",
		Long: "Serves every operation, and MCP at /mcp, on the Unix socket strata.sock in the home until it is interrupted. Only the\n" +
			"owner of the home can open the socket. With --listen it also serves on a TCP address; every request there needs the\n" +
			"token in the file server.token of the home, which the first start creates, and browsers find the web page that strata\n" +
			"ui opens there. Standard output says where it listens; the log goes to standard error. One server serves a home at a\n" +
			"time; other commands, strata mcp and hooks then work through it, which is faster, unless --no-server is given.\n" +
			"docs/server.md says how to call it.",
		Example: "  strata serve\n" +
			"  curl --unix-socket ~/.strata/strata.sock http://strata/v1/recall \\\n" +
			"    -H 'Content-Type: application/json' -d '{\"query\": \"what is my cat called?\"}'\n\n" +
			"  strata serve --listen 127.0.0.1:7117 --log-format json",
		Args: cmdline.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("listen") && flags.listen == "" {
				return strata.Invalid("", "--listen is empty", "leave out the flag, or give it HOST:PORT")
			}
			if flags.idle < 0 {
				return strata.Invalid("", "--idle is negative", "give it a duration such as 30m")
			}
			return a.serve(cmd.Context(), flags)
		},
	}
	cmd.Flags().StringVar(&flags.listen, "listen", "", "also serve on this TCP address, such as 127.0.0.1:7117")
	cmd.Flags().StringVar(&flags.logFormat, "log-format", logText, "form of the log: text or json")
	cmd.Flags().DurationVar(&flags.idle, "idle", 0, "end after this long without a request; 0: never")
	addToolsFlag(cmd, &flags.tools)
	cmdline.Complete(cmd, "log-format", cmdline.Fixed([]string{logText, logJSON}))
	cmdline.Complete(cmd, "listen", cmdline.Fixed(nil))
	return cmd
}

// Serving says where a server listens.
type Serving struct {
	Socket  string `json:"socket"`               // path of the Unix socket
	Address string `json:"address,omitempty"`    // TCP address
	Token   string `json:"token_file,omitempty"` // file with the token for the address
	Page    string `json:"page,omitempty"`       // address of the web page, with a single-use code
}

// String formats the addresses for people.
func (s Serving) String() string {
	out := "serving  " + terminal.Clean(s.Socket) + "\n"
	if s.Address != "" {
		out += fmt.Sprintf("         http://%s, with the token in %s\n", terminal.Clean(s.Address), terminal.Clean(s.Token))
		out += "page     " + terminal.Clean(s.Page) + "\n"
	}
	return out
}

// serve serves until a signal arrives, which is how a server ends.
func (a *app) serve(ctx context.Context, flags serveFlags) error {
	if flags.logFormat != logText && flags.logFormat != logJSON {
		return strata.Invalid("", "--log-format cannot be "+terminal.Quote(flags.logFormat), "use text or json")
	}
	tools, err := operation.ParseToolset(flags.tools)
	if err != nil {
		return err
	}
	a.session, a.reads = true, true
	a.log = a.serverLogger(flags.logFormat)
	env, err := a.environment(ctx)
	if err != nil {
		return err
	}
	socket, err := server.Listen(a.home())
	if err != nil {
		return err
	}
	defer func() {
		if err := socket.Close(); err != nil {
			a.log.Warn("the socket was not removed", "error", err)
		}
	}()
	s, end, err := a.newServer(ctx, env, tools, flags.idle)
	if err != nil {
		return err
	}
	defer end()
	serving := Serving{Socket: endpoint.Socket(a.home())}
	endpoints := []server.Endpoint{{Listener: socket, Handler: s.Open()}}
	if flags.listen != "" {
		token, err := server.Token(a.home())
		if err != nil {
			return err
		}
		listener, host, err := listenOn(flags.listen)
		if err != nil {
			return err
		}
		defer listener.Close() // in case Serve is never called, which also closes it
		endpoints = append(endpoints, server.Endpoint{Listener: listener, Handler: s.Guarded(token, host...)})
		serving.Address, serving.Token, serving.Page = listener.Addr().String(), endpoint.Token(a.home()), pageAt(listener.Addr(), s)
	}
	if err := a.out.Print(serving); err != nil {
		return err
	}
	return s.Serve(ctx, endpoints...)
}

// newServer returns a server of the open memory, with a toolset for agents, that ends
// after it has been idle for the given time. Its background work continues until end is
// called.
func (a *app) newServer(ctx context.Context, env *operation.Env, tools operation.Toolset, idle time.Duration) (s *server.Server, end func(), err error) {
	if env.Model, err = a.smallModel(); err != nil {
		return nil, nil, err
	}
	s = server.New(server.Options{
		Env: *env, Version: buildVersion().Version, Logger: a.log, Idle: idle, Attached: a.attachment(env),
		MCP:    mcp.Handler(a.newMCP(env, tools), a.log),
		Access: access.Open(a.home()), MCPFor: a.grantedMCP(env, tools),
	})
	return s, a.watchFiles(ctx, env), nil
}

// attachment lets the server of env work in place of other runs of this command.
func (a *app) attachment(env *operation.Env) *server.Attachment {
	return &server.Attachment{
		Env:   func(ctx context.Context, c attach.Caller) (*operation.Env, error) { return a.attachedEnv(ctx, env, c) },
		Begin: a.lookFor,
		Settle: func(ctx context.Context, env *operation.Env, info operation.Info) {
			if info.ReadOnly {
				return
			}
			if err := env.Engine.Settle(ctx); err != nil {
				a.log.Warn("files do not follow yet", "error", err)
			}
		},
		Converse: func(ctx context.Context, c attach.Caller, env *operation.Env, in io.Reader, out io.Writer) error {
			tools, err := operation.ParseToolset(c.Tools)
			if err != nil {
				return err
			}
			a.lookFor(ctx, env)
			defer a.watchFiles(ctx, env)()
			return mcp.Serve(ctx, a.newMCP(env, tools), in, out, a.log)
		},
	}
}

// serverLogger returns a logger to standard error. A server logs what it does, unless the
// settings say otherwise.
func (a *app) serverLogger(format string) *slog.Logger {
	level := config.Level(a.cfg.Get(config.LogLevel))
	for _, v := range a.cfg.Values() {
		if v.Name == config.LogLevel && v.Source == config.FromDefault {
			level = slog.LevelInfo
		}
	}
	if a.verbose {
		level = slog.LevelDebug
	}
	o := &slog.HandlerOptions{Level: level}
	if format == logJSON {
		return slog.New(slog.NewJSONHandler(a.out.Stderr, o))
	}
	return slog.New(slog.NewTextHandler(a.out.Stderr, o))
}
