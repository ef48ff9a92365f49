package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/cmdline"
	"github.com/strata-memory/strata/cmd/strata/internal/input"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/internal/connect"
	"github.com/strata-memory/strata/internal/home/config"
)

// connectOptions are the flags of connect.
type connectOptions struct{ remove, dryRun, yes bool }

// newConnectCommand returns the command connect, which adds Strata to the configuration
// of agents.
func newConnectCommand(a *app) *cobra.Command {
	var o connectOptions
	cmd := &cobra.Command{
		Use:     "connect [CLIENT]...",
		GroupID: groupUse,
		Short:   "Give agents this memory, by an entry in their configuration",
		Long: "Writes Strata's MCP entry, and its hooks for Claude Code, Codex and opencode, into the configuration of the installed agents, or of the named ones:\n" +
			strings.Join(clientIDs(), ", ") + ".\n" +
			"It shows what changes and asks first, keeps a copy of the old file beside it, and leaves everything else in it as it is.\n" +
			"An agent reads its configuration when it starts.\n\n" +
			"With -o json it prints an object with clients; docs/cli-json.md describes them.",
		Example: "  # all installed agents\n  strata connect\n  # one, without being asked\n  strata connect claude-code --yes\n" +
			"  strata connect --dry-run\n  strata connect cursor --remove",
		RunE: func(cmd *cobra.Command, names []string) error {
			out, err := a.connectClients(cmd.Context(), names, o)
			if err != nil {
				return err
			}
			return a.out.Print(out)
		},
		ValidArgsFunction: cmdline.Fixed(clientIDs()),
	}
	cmd.Flags().BoolVar(&o.remove, "remove", false, "remove the entry again")
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "show what would change and change nothing")
	cmd.Flags().BoolVarP(&o.yes, "yes", "y", false, "go ahead without asking")
	return cmd
}

func clientIDs() (ids []string) {
	for _, c := range connect.Clients() {
		ids = append(ids, c.ID)
	}
	return ids
}

// connectOutput is the output of connect.
type connectOutput struct {
	Clients []connectedClient `json:"clients"`
	DryRun  bool              `json:"dry_run,omitempty"`
}

// connectedClient is a change of a client's configuration.
type connectedClient struct {
	Client  string `json:"client"`
	Name    string `json:"name"`
	File    string `json:"file"`
	Changed bool   `json:"changed"`          // or would be, with --dry-run
	Removed bool   `json:"removed"`          // the entry was removed, or would be
	Diff    string `json:"diff,omitempty"`   // the lines that change
	Backup  string `json:"backup,omitempty"` // copy of the former content
	Error   string `json:"error,omitempty"`  // why it was left unchanged
	Note    string `json:"note,omitempty"`   // what the user still has to do in the client
}

// connectClients changes the configuration of clients after the user has agreed.
func (a *app) connectClients(ctx context.Context, names []string, o connectOptions) (connectOutput, error) {
	out := connectOutput{Clients: []connectedClient{}, DryRun: o.dryRun}
	sys, err := connect.ThisSystem()
	if err != nil {
		return out, err
	}
	sys.Getenv = a.getenv
	clients, err := chosenClients(sys, names)
	if err != nil {
		return out, err
	}
	var changes []connect.Change
	waiting := false
	for _, c := range clients {
		list, err := a.planClient(c, sys, o.remove)
		if err != nil {
			if len(names) > 0 {
				return out, err
			}
			list = list[len(list)-1:] // report only the one that failed; the others are connected anyway
		}
		for _, change := range list {
			r := connectedClient{Client: c.ID, Name: c.Name, File: change.File, Removed: o.remove, Note: c.Note}
			if err != nil {
				r.Error = err.Error()
			} else {
				r.Changed, r.Diff = !change.Done(), change.Diff()
			}
			waiting = waiting || r.Changed
			changes, out.Clients = append(changes, change), append(out.Clients, r)
		}
	}
	if !waiting || o.dryRun {
		return out, nil
	}
	if err := a.askToConnect(ctx, out, o); err != nil {
		return out, err
	}
	for i := range out.Clients {
		if r := &out.Clients[i]; r.Changed {
			if r.Backup, err = changes[i].Apply(time.Now()); err != nil {
				return out, err
			}
		}
	}
	return out, nil
}

// planClient plans the changes of a client's configuration.
func (a *app) planClient(c connect.Client, sys connect.System, remove bool) ([]connect.Change, error) {
	if remove {
		return c.PlanRemoval(sys)
	}
	return c.Plan(sys, a.mcpServer())
}

// chosenClients returns the named clients, or the installed ones if none are named.
func chosenClients(sys connect.System, names []string) (chosen []connect.Client, err error) {
	all := connect.Clients()
	for _, name := range names {
		at := slices.IndexFunc(all, func(c connect.Client) bool { return c.ID == strings.ToLower(name) })
		if at < 0 {
			return nil, strata.Invalid("connect", "no agent "+terminal.Quote(name)+" is known", "use "+strings.Join(clientIDs(), ", "))
		}
		chosen = append(chosen, all[at])
	}
	if len(names) > 0 {
		return chosen, nil
	}
	for _, c := range all {
		if c.Installed(sys) {
			chosen = append(chosen, c)
		}
	}
	if len(chosen) == 0 {
		return nil, &strata.Error{Code: strata.CodeNotFound, Op: "connect", Message: "none of the known agents is installed here",
			Hint: "name one to create its configuration: " + strings.Join(clientIDs(), ", ")}
	}
	return chosen, nil
}

// askToConnect shows what would change and asks.
func (a *app) askToConnect(ctx context.Context, out connectOutput, o connectOptions) error {
	if o.yes {
		return nil
	}
	tty, err := input.Prompter(a.stdin, a.out.Stderr)
	if err != nil {
		return strata.Invalid("connect", "strata connect asks before it changes anything, and there is no terminal to ask on",
			"pass --yes to go ahead, or --dry-run to see what it would do")
	}
	defer tty.Close()
	out.DryRun = true
	fmt.Fprint(tty, out.String())
	return input.Ask(ctx, a.stdin, tty, "Go on?")
}

// mcpServer returns the command with which an agent starts this program on this home.
func (a *app) mcpServer() connect.Server {
	s := connect.Server{Command: "strata"}
	if _, err := exec.LookPath(s.Command); err != nil {
		if self, err := os.Executable(); err == nil {
			s.Command = self
		}
	}
	for _, v := range a.cfg.Values() {
		if v.Name == config.Home && v.Source != config.FromDefault {
			home, err := filepath.Abs(v.Value)
			if err != nil {
				home = v.Value
			}
			s.Args = append(s.Args, "--home", home)
		}
	}
	s.Args = append(s.Args, "mcp")
	return s
}

// Failure returns the error of a client that could not be connected although others were.
func (o connectOutput) Failure() error {
	for _, c := range o.Clients {
		if c.Error != "" {
			return &strata.Error{Code: strata.CodeInvalid, Op: "connect", Message: "not every configuration could be changed", Hint: "repair the named file, or add the entry by hand"}
		}
	}
	return nil
}

// String says what changed, or would change.
func (o connectOutput) String() string {
	var b strings.Builder
	would := ""
	if o.DryRun {
		would = "would be "
	}
	changed := false
	var notes []string
	for _, c := range o.Clients {
		what := "connected"
		if c.Removed {
			what = "disconnected"
		}
		switch file := terminal.Clean(c.File); {
		case c.Error != "":
			fmt.Fprintf(&b, "left as it is  %s: %s\n", c.Name, terminal.Clean(c.Error))
		case !c.Changed && c.Removed:
			fmt.Fprintf(&b, "no entry  %s: %s\n", c.Name, file)
		case !c.Changed:
			fmt.Fprintf(&b, "connected already  %s: %s\n", c.Name, file)
		default:
			fmt.Fprintf(&b, "%s%s  %s: %s\n", would, what, c.Name, file)
			changed = true
			if c.Note != "" && !c.Removed && !slices.Contains(notes, c.Note) {
				notes = append(notes, c.Note)
			}
			for line := range strings.Lines(c.Diff) {
				b.WriteString(strings.TrimRight("    "+terminal.CleanLines(line), " \r\n") + "\n")
			}
			if c.Backup != "" {
				fmt.Fprintf(&b, "    before: %s\n", terminal.Clean(c.Backup))
			}
		}
	}
	if changed && !o.DryRun {
		b.WriteString("Agents read their configuration when they start: restart them.\n")
		for _, n := range notes {
			b.WriteString(n + "\n")
		}
	}
	return b.String()
}
