package main

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/cmdline"
	"github.com/strata-memory/strata/cmd/strata/internal/table"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/internal/home/access"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/server/mcp"
)

// newTokenCommand returns the command token, which manages the named tokens of the home's
// server.
func newTokenCommand(a *app) *cobra.Command {
	cmd := newFamilyCommand("token")
	cmd.GroupID = groupMaintain
	cmd.AddCommand(newTokenAddCommand(a), newTokenListCommand(a), newTokenRemoveCommand(a))
	return cmd
}

func newTokenAddCommand(a *app) *cobra.Command {
	var more []string
	var readOnly bool
	cmd := &cobra.Command{
		Use:   "add NAME",
		Short: "Make a token for a program to connect over TCP, to some scopes or to read only",
		Long: "Makes a token for strata serve --listen and prints it; the token is not stored anywhere else. A running server accepts\n" +
			"it at once. With --scope the token is for that scope and for those of --more: calls with it, over HTTP and MCP, see\n" +
			"and write these scopes and nothing else, and a call that names no scope means the first. Without --scope it is for the\n" +
			"whole home.\n\n" +
			"With -o json it prints an object with name, token, scopes and read_only.",
		Example: "  strata token add editor --scope workspace\n" +
			"  strata token add dashboard --read-only\n" +
			"  strata token add coder --scope workspace --more agent/coder",
		Args: cmdline.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			g := access.Grant{Name: args[0], ReadOnly: readOnly, CreatedAt: time.Now().UTC().Truncate(time.Second)}
			return a.addToken(cmd.Context(), g, more)
		},
	}
	cmd.Flags().StringArrayVar(&more, "more", nil, "another scope, in addition to --scope; may be repeated")
	cmd.Flags().BoolVar(&readOnly, "read-only", false, "the token cannot change memory")
	cmdline.Complete(cmd, "more", cmdline.Fixed(scopeWords()))
	return cmd
}

// addToken creates a token for the current scope and others.
func (a *app) addToken(ctx context.Context, g access.Grant, more []string) error {
	env, err := a.environment(ctx)
	if err != nil {
		return err
	}
	if g.Scopes = env.Scopes(); len(more) > 0 && g.Scopes == nil {
		return strata.Invalid("", "--more needs --scope: without it the token would be for the whole home", "name the first scope with --scope")
	}
	for _, text := range more {
		s, err := env.Target(ctx, text)
		if err != nil {
			return err
		}
		if s.IsZero() {
			return strata.Invalid("", "--more is empty", "name a scope, such as global")
		}
		if !slices.Contains(g.Scopes, s) {
			g.Scopes = append(g.Scopes, s)
		}
	}
	token, err := access.Open(a.home()).Add(ctx, g)
	if err != nil {
		return err
	}
	return a.out.Print(tokenMade{tokenOf(&g), token})
}

func newTokenListCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the named tokens of the home",
		Long: "Lists the named tokens of the home, without the tokens themselves, which are not stored.\n\n" +
			"With -o json it prints an object with tokens, each with name, scopes (left out: the whole home), read_only and\n" +
			"created_at.",
		Example: "  strata token list",
		Args:    cmdline.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			list, err := access.Open(a.home()).List()
			if err != nil {
				return err
			}
			return a.out.Print(tokenList{operation.Each(list, tokenOf)})
		},
	}
}

func newTokenRemoveCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "remove NAME",
		Short:   "End a token",
		Long:    "Ends a token: a running server no longer accepts it, and ends the streams that were opened with it.",
		Example: "  strata token remove editor",
		Args:    cmdline.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := access.Open(a.home()).Remove(cmd.Context(), args[0]); err != nil {
				return err
			}
			return a.out.Print(tokenRemoved{Name: args[0]})
		},
	}
}

// tokenRow is a token without its secret.
type tokenRow struct {
	Name      string    `json:"name"`
	Scopes    []string  `json:"scopes,omitempty"`
	ReadOnly  bool      `json:"read_only,omitempty"`
	CreatedAt time.Time `json:"created_at"`
}

func tokenOf(g *access.Grant) tokenRow {
	return tokenRow{g.Name, operation.Each(g.Scopes, strata.Scope.Key), g.ReadOnly, g.CreatedAt}
}

// tokenMade is the output of strata token add.
type tokenMade struct {
	tokenRow
	Token string `json:"token"`
}

// String returns only the token, so that it can be stored in a file or variable.
func (t tokenMade) String() string { return t.Token + "\n" }

// tokenRemoved is the output of strata token remove.
type tokenRemoved struct {
	Name string `json:"name"`
}

// String formats the output for people.
func (t tokenRemoved) String() string { return "removed  " + terminal.Clean(t.Name) + "\n" }

// tokenList is the output of strata token list.
type tokenList struct {
	Tokens []tokenRow `json:"tokens"`
}

// Rows returns the tokens, for output line by line.
func (l tokenList) Rows() []any { return operation.Rows(l.Tokens) }

// String returns the tokens as a table.
func (l tokenList) String() string {
	t := table.Table{Header: []string{"TOKEN", "SCOPES", "MAY", "MADE"}}
	for _, row := range l.Tokens {
		may, scopes := "read and write", "the whole home"
		if row.ReadOnly {
			may = "read"
		}
		if len(row.Scopes) > 0 {
			scopes = strings.Join(row.Scopes, ", ")
		}
		t.Add(terminal.Clean(row.Name), terminal.Clean(scopes), may, row.CreatedAt.Format(time.DateOnly))
	}
	var out strings.Builder
	_ = t.Write(&out, 0, terminal.Style{}) // a Builder accepts all writes
	return out.String()
}

// grantedMCP returns a function that returns the MCP handler for the holder of a named
// token.
func (a *app) grantedMCP(env *operation.Env, tools operation.Toolset) func(*access.Grant) http.Handler {
	return func(g *access.Grant) http.Handler {
		o := mcp.Options{
			View: env.View, Scope: env.Scope, Workspace: env.Workspace, Agent: env.Agent, ReadOnly: g.ReadOnly,
			Tools: tools, Model: env.Model, Version: buildVersion().Version, Logger: a.log,
		}
		if g.Confined() {
			o.View.Scopes, o.Scope, o.Confined = g.Scopes, g.Scopes[0], true
			o.Workspace, o.Agent = g.Scopes[0].Workspace, g.Scopes[0].Agent
		}
		return mcp.Handler(mcp.New(env.Engine, o), a.log)
	}
}
