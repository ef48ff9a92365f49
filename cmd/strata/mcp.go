package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/client"
	"github.com/strata-memory/strata/cmd/strata/internal/cmdline"
	"github.com/strata-memory/strata/cmd/strata/internal/input"
	"github.com/strata-memory/strata/cmd/strata/internal/mcprelay"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/server/mcp"
)

// newMCPCommand returns the command mcp, which serves memory to an agent over MCP.
func newMCPCommand(a *app) *cobra.Command {
	var tools string
	cmd := &cobra.Command{
		Use:     "mcp",
		GroupID: groupUse,
		Short:   "Serve memory to an agent over MCP",
		Example: mcpExamples,
		Args:    cmdline.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			set, err := operation.ParseToolset(tools)
			if err != nil {
				return err
			}
			return a.serveMCP(cmd.Context(), set)
		},
	}
	a.describe[cmd] = func() {
		cmd.Long = "Speaks the Model Context Protocol on standard input and output until the client closes the input. The tools are\n" +
			strings.Join(toolNames(operation.CoreTools), ", ") + ".\n" +
			"--tools all adds the ones that few agents need. The prompts are memory_context and memory_guide. A client starts the\n" +
			"command by itself; enter the command in the client's configuration. The flags of every command and the directory in\n" +
			"which the client starts it decide what the tools may see and where they write. Only protocol messages go to standard\n" +
			"output; the log goes to standard error."
	}
	addToolsFlag(cmd, &tools)
	return cmd
}

// addToolsFlag adds the flag that selects the tools for agents.
func addToolsFlag(cmd *cobra.Command, tools *string) {
	cmd.Flags().StringVar(tools, "tools", string(operation.CoreTools), "tools that agents get: "+strings.Join(operation.Toolsets(), " or "))
	cmdline.Complete(cmd, "tools", cmdline.Fixed(operation.Toolsets()))
}

// mcpExamples shows how to connect clients.
const mcpExamples = `  # Claude Code
  claude mcp add strata -- strata mcp

  # .mcp.json of a project, claude_desktop_config.json, .cursor/mcp.json
  {"mcpServers": {"strata": {"command": "strata", "args": ["mcp"]}}}

  # opencode.json
  {"mcp": {"strata": {"type": "local", "command": ["strata", "mcp"]}}}

  # with all tools, including those that few agents need
  {"mcpServers": {"strata": {"command": "strata", "args": ["mcp", "--tools", "all"]}}}

  # an agent with a memory of its own, beside the user's
  {"mcpServers": {"strata": {"command": "strata", "args": ["mcp", "--agent", "reviewer"]}}}

  # try the tools by hand
  npx @modelcontextprotocol/inspector strata mcp --ephemeral-memory`

// toolNames returns the names of the tools in a toolset.
func toolNames(set operation.Toolset) []string {
	var names []string
	for _, t := range ops.Tools(set) {
		names = append(names, t.Name)
	}
	return names
}

// serveMCP serves until the client is gone or a signal arrives, which is how clients end
// their servers. It has one session throughout, whichever process serves it.
func (a *app) serveMCP(ctx context.Context, tools operation.Toolset) error {
	a.session, a.reads, a.withoutWorkspace = true, true, true
	var ids id.Maker
	session := ids.New(id.Session, time.Now())
	if terminal.Is(a.stdin) && !a.out.Quiet {
		fmt.Fprintln(a.out.Stderr, "strata: waiting for an MCP client on standard input; strata mcp --help shows how to connect one")
	}
	in := input.Interruptible(ctx, a.stdin)
	if caller, ok := a.caller(strata.OriginTool); ok {
		caller.Tools, caller.Session = string(tools), session
		server := client.Attached(caller.Home, caller.String())
		defer server.Close()
		if conversation, err := server.Converse(ctx); err == nil {
			return mcprelay.Run(ctx, conversation, in, a.out.Stdout, readsOnly, func(in io.Reader, out io.Writer) error {
				return a.serveMCPHere(ctx, tools, session, in, out)
			})
		}
	}
	return a.serveMCPHere(ctx, tools, session, in, a.out.Stdout)
}

// readsOnly reports whether a tool never changes memory.
func readsOnly(tool string) bool {
	return slices.ContainsFunc(ops.All(), func(op operation.Operation) bool { return op.About().ReadOnly && op.About().Tool() == tool })
}

// serveMCPHere opens the memory and serves a session from it.
func (a *app) serveMCPHere(ctx context.Context, tools operation.Toolset, session string, in io.Reader, out io.Writer) error {
	env, err := a.environment(ctx)
	if err != nil {
		return err
	}
	defer a.watchFiles(ctx, env)()
	env.Session = session
	if env.Model, err = a.smallModel(); err != nil {
		return err
	}
	return mcp.Serve(ctx, a.newMCP(env, tools), in, out, a.log)
}

// newMCP returns an MCP server that works with env.
func (a *app) newMCP(env *operation.Env, tools operation.Toolset) *sdk.Server {
	return mcp.New(env.Engine, mcp.Options{
		View: env.View, Scope: env.Scope, Workspace: env.Workspace, Agent: env.Agent, Session: env.Session, Tools: tools, Model: env.Model, Note: a.disputedNote(),
		Version: buildVersion().Version, Logger: a.log,
	})
}
