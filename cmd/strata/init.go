package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/output"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/document"
	"github.com/strata-memory/strata/internal/config"
	"github.com/strata-memory/strata/local"
	"github.com/strata-memory/strata/workspace"
)

// initOutput is what strata init prints.
type initOutput struct {
	workspace.Initialized
	DryRun  bool         `json:"dry_run,omitempty"`
	Connect []connection `json:"connect"`
}

// connection is how one kind of MCP client is connected: by a command, or by
// what a file has to hold.
type connection struct {
	Client  string `json:"client"`
	Command string `json:"command,omitempty"`
	File    string `json:"file,omitempty"`
	JSON    string `json:"json,omitempty"`
}

// newInitCommand makes a project a workspace. It writes the identity of a
// project, which is none of memory's operations.
func newInitCommand(a *app) *cobra.Command {
	dryRun := false
	cmd := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Give a project a memory of its own, in files you can read",
		Long: "Give a project a memory of its own, in files you can read.\n\n" +
			"Makes .strata/ in the project around DIR (default: the working directory): its identity, and files to write into. What\n" +
			"the home kept for the project so far is moved there. Of the project's git repository only .git/info/exclude gets a\n" +
			"line; in a worktree the main one gets the directory, so that all share one memory. What is there already stays as it\n" +
			"is, so that it may be run again.\n\n" +
			"With -o json it prints an object with root, id, created, written, moved, left, exclude, warnings, dry_run, connect.",
		Example: "  # in the project\n  strata init\n  # see what it would do\n  strata init --dry-run",
		GroupID: groupUse,
		Args:    maxArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := a.cfg.Get(config.Workspace)
			if len(args) == 1 {
				if dir != "" {
					return strata.Invalid("", "both a directory and --workspace", "give one of them")
				}
				dir = args[0]
			}
			out, err := a.initWorkspace(cmd.Context(), dir, dryRun)
			if err != nil {
				return err
			}
			return a.print(out)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
	}
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "say what would be made and change nothing")
	return cmd
}

// initWorkspace makes the project around dir a workspace and records its
// identity in the home. The memory that the home has of it stays.
func (a *app) initWorkspace(ctx context.Context, dir string, dryRun bool) (initOutput, error) {
	var err error
	if dir == "" {
		if dir, err = os.Getwd(); err != nil {
			return initOutput{}, strata.Invalid("", "the working directory is gone", "go to the directory of the project")
		}
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return initOutput{}, err
	}
	o := workspace.InitOptions{Text: document.Starter, DryRun: dryRun}
	if o.ID, err = a.knownID(ctx, dir, dryRun); err != nil {
		return initOutput{}, err
	}
	made, err := workspace.Init(dir, a.home(), o)
	out := initOutput{Initialized: made, DryRun: dryRun, Connect: a.connections(made.Root)}
	if err != nil || dryRun {
		return out, err
	}
	// The new files are taken in as this opens.
	mem, err := a.openAt(ctx, a.home(), workspace.Found{Root: made.Root, ID: made.ID, Source: workspace.SourceMarker})
	if err != nil {
		return out, err
	}
	taken, err := mem.KeepWorkspace(ctx, made.ID, made.Keys...)
	for _, key := range taken {
		out.Warnings = append(out.Warnings, "the home knows another memory for "+strings.TrimPrefix(strings.TrimPrefix(key, "git:"), "dir:")+
			": this one cannot be recovered if "+workspace.MarkerPath+" is lost")
	}
	if err != nil {
		return out, err
	}
	if _, err := mem.Checkpoint(ctx, strata.InWorkspace(made.ID), "strata init", ""); err != nil {
		out.Warnings = append(out.Warnings, "the files have no history yet: "+output.Message(err))
	}
	return out, nil
}

// knownID is the id under which the home knows the project so far; empty for
// none. A home that is not there yet is not made for a dry run.
func (a *app) knownID(ctx context.Context, dir string, dryRun bool) (string, error) {
	if !dryRun {
		if _, err := a.recoverWorkspaceAt(ctx, dir); err != nil {
			return "", err
		}
	}
	found, err := workspace.Resolve(dir, a.home())
	if err != nil || found.Key == "" {
		return "", err // Init says what is wrong
	}
	if _, err := os.Stat(local.Database(a.home())); err != nil {
		return "", nil
	}
	mem, err := a.openAt(ctx, a.home(), workspace.Found{})
	if err != nil {
		return "", err
	}
	id, err := mem.KnownWorkspace(ctx, found.Keys()...)
	if closeErr := a.closeMemory(); err == nil {
		err = closeErr
	}
	return id, err
}

// connections say how clients are connected to this home.
func (a *app) connections(root string) []connection {
	words := []string{"strata"}
	if _, err := exec.LookPath("strata"); err != nil {
		if self, err := os.Executable(); err == nil {
			words[0] = self
		}
	}
	for _, v := range a.cfg.Values() {
		if v.Name == config.Home && v.Source == config.FromFlag {
			words = append(words, "--home", v.Value)
		}
	}
	words = append(words, "mcp")
	var quoted, plain []string
	for _, w := range words {
		quoted, plain = append(quoted, strconv.Quote(w)), append(plain, shellQuote(w))
	}
	args := strings.Join(quoted[1:], ", ")
	return []connection{
		{Client: "Claude Code", Command: "claude mcp add strata -- " + strings.Join(plain, " ")},
		{Client: "Cursor", File: filepath.Join(root, ".cursor", "mcp.json"),
			JSON: fmt.Sprintf(`{"mcpServers": {"strata": {"command": %s, "args": [%s]}}}`, quoted[0], args)},
		{Client: "opencode", File: filepath.Join(root, "opencode.json"),
			JSON: fmt.Sprintf(`{"mcp": {"strata": {"type": "local", "command": [%s, %s]}}}`, quoted[0], args)},
	}
}

// Notes warn of what could not be done.
func (o initOutput) Notes() []string { return o.Warnings }

// String says what was made and how to go on.
func (o initOutput) String() string {
	var out strings.Builder
	dir := filepath.Join(o.Root, ".strata")
	switch {
	case o.DryRun && o.Created:
		fmt.Fprintf(&out, "would make  %s\n", terminal.Clean(dir))
	case o.Created:
		fmt.Fprintf(&out, "made  %s  %s\n", terminal.Clean(dir), o.ID)
	default:
		fmt.Fprintf(&out, "there already  %s  %s\n", terminal.Clean(dir), o.ID)
	}
	for _, l := range []struct {
		what  string
		files []string
	}{{"wrote", o.Written}, {"moved from the home", o.Moved}, {"left in the home", o.Left}} {
		what := l.what
		if o.DryRun {
			what = "would write"
		}
		if len(l.files) > 0 {
			fmt.Fprintf(&out, "%s  %s\n", what, terminal.Clean(strings.Join(l.files, ", ")))
		}
	}
	if o.Exclude != "" {
		fmt.Fprintf(&out, "%s  %s\n", map[bool]string{false: "hidden from git in", true: "would hide it from git in"}[o.DryRun], terminal.Clean(o.Exclude))
	}
	out.WriteString("\nConnect an agent:\n")
	for _, c := range o.Connect {
		if c.Command != "" {
			fmt.Fprintf(&out, "  %s  %s\n", c.Client, c.Command)
			continue
		}
		fmt.Fprintf(&out, "  %s  %s\n    %s\n", c.Client, terminal.Clean(c.File), c.JSON)
	}
	return out.String()
}
