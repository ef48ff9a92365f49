package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/cmdline"
	"github.com/strata-memory/strata/cmd/strata/internal/input"
	"github.com/strata-memory/strata/cmd/strata/internal/output"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/home/config"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/local"
	"github.com/strata-memory/strata/workspace"
)

// initOutput is the output of strata init.
type initOutput struct {
	workspace.Initialized
	DryRun  bool         `json:"dry_run,omitempty"`
	Connect []connection `json:"connect"`

	dir string // the directory that was asked for
}

// connection describes how to connect one kind of MCP client: by a command, or by the
// content of a file.
type connection struct {
	Client  string `json:"client"`
	Command string `json:"command,omitempty"`
	File    string `json:"file,omitempty"`
	JSON    string `json:"json,omitempty"`
}

// initOptions are the options of init and recover.
type initOptions struct {
	dryRun bool
	yes    bool // write files back without asking
	lost   bool // restore every missing file, not only if .strata is gone
	// identity is the user's answer whether a directory with the id of a known workspace
	// is the same project or a new one; empty if there was none.
	identity string
	adopt    bool // it is the same project, and needed confirmation
}

// Values of identity.
const (
	identitySame = "same"
	identityNew  = "new"
)

// newInitCommand returns the command init, which turns a project into a workspace. It
// writes the identity of a project, which is not an operation on memory.
func newInitCommand(a *app) *cobra.Command {
	var o initOptions
	cmd := a.newProjectCommand(&o)
	cmd.Use, cmd.GroupID = "init [DIR]", groupUse
	cmd.Short = "Give a project a memory of its own, in files you can read"
	cmd.Long = "Give a project a memory of its own, in files you can read.\n\n" +
		"Makes .strata/ in the project around DIR (default: the working directory): its identity, and files to write into. What\n" +
		"the home kept for the project so far is moved there. In the project's git repository, only .git/info/exclude gets a\n" +
		"line; in a worktree, the main worktree gets the directory, so that all share one memory. What already exists stays as\n" +
		"it is, so init may be run again. If a .strata was lost, init asks before it writes notes and files back from the\n" +
		"database; without an answer it makes nothing, so that nothing counts as deleted.\n\n" +
		"A directory with the id of a workspace that the home knows in another place gets none of its memory, unless it was\n" +
		"moved and has the key that the home put there. --identity same says that it is the same project, --identity new gives\n" +
		"it an id of its own.\n\n" +
		"With -o json it prints an object with root, id, created, written, restored, moved, left, exclude, warnings, dry_run,\n" +
		"connect."
	cmd.Example = "  # in the project\n  strata init\n  # see what it would do\n  strata init --dry-run"
	cmd.Flags().BoolVarP(&o.yes, "yes", "y", false, "write lost notes and files back without asking")
	answers := []string{identitySame, identityNew}
	cmd.Flags().Var(&choice{&o.identity, "answer", answers}, "identity", "say that it is the same project, or a new one")
	cmdline.Complete(cmd, "identity", cmdline.Fixed(answers))
	cmd.MarkFlagsMutuallyExclusive("identity", "dry-run")
	return cmd
}

// newRecoverCommand returns the command recover, which restores files of a project from
// the database.
func newRecoverCommand(a *app) *cobra.Command {
	o := initOptions{yes: true, lost: true}
	cmd := a.newProjectCommand(&o)
	cmd.Use, cmd.GroupID = "recover [DIR]", groupUndo
	cmd.Short = "Write lost notes and files of a project back from the database"
	cmd.Long = "Write lost notes and files of a project back from the database.\n\n" +
		"Gives the project around DIR (default: the working directory) its identity back if that is lost, and writes every file\n" +
		"that memory knows and .strata lacks. Existing files stay as they are. Run recover before any other command: another\n" +
		"command would treat a missing file as deleted by hand, which strata undo reverses.\n\n" +
		"With -o json it prints what init prints."
	cmd.Example = "  # what was lost?\n  strata recover --dry-run\n  strata recover"
	return cmd
}

// newProjectCommand returns what the commands init and recover share.
func (a *app) newProjectCommand(o *initOptions) *cobra.Command {
	cmd := &cobra.Command{
		Args: cmdline.MaxArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := a.cfg.Get(config.Workspace)
			if len(args) == 1 {
				if dir != "" {
					return strata.Invalid("", "both a directory and --workspace are given", "give one of them")
				}
				dir = args[0]
			}
			out, err := a.initWorkspace(cmd.Context(), dir, *o)
			if err != nil {
				return err
			}
			return a.out.Print(out)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
	}
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "say what would be made and change nothing")
	return cmd
}

// initWorkspace turns the project around dir into a workspace and records its identity in
// the home. It keeps the memory that the home has of the project.
func (a *app) initWorkspace(ctx context.Context, dir string, o initOptions) (initOutput, error) {
	var err error
	if dir == "" {
		if dir, err = os.Getwd(); err != nil {
			return initOutput{}, strata.Invalid("", "the working directory is gone", "go to the directory of the project")
		}
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return initOutput{}, err
	}
	in := workspace.InitOptions{Text: markdown.Starter, DryRun: o.dryRun}
	if o.identity != "" {
		if in.Adopt, err = a.identify(ctx, dir, o.identity); err != nil {
			return initOutput{}, err
		}
		o.adopt = in.Adopt
	}
	plan, err := workspace.Init(dir, a.home(), workspace.InitOptions{DryRun: true, Adopt: in.Adopt})
	if err != nil {
		return initOutput{}, err
	}
	was := hasFiles(filepath.Join(plan.Root, filepath.Dir(workspace.MarkerPath)))
	if in.ID, in.Documents, err = a.knownProject(ctx, dir, o); err != nil {
		return initOutput{}, err
	}
	if err := a.askToRestore(ctx, in, o); err != nil {
		return initOutput{}, err
	}
	if o.lost {
		in.Text = nil // recover only restores what memory knows
	}
	if o.lost && in.ID == "" {
		return initOutput{}, &strata.Error{Code: strata.CodeNotFound, Message: "the home knows nothing of the project around " + dir,
			Hint: "strata init makes it a workspace; strata restore brings a home back from a backup"}
	}
	made, err := workspace.Init(dir, a.home(), in)
	out := initOutput{Initialized: made, DryRun: o.dryRun, Connect: a.connections(made.Root), dir: dir}
	if err != nil || o.dryRun {
		return out, err
	}
	a.lookLater = true // until it is known to whom the files belong
	mem, err := a.openAt(ctx, a.home(), workspace.Found{Root: made.Root, ID: made.ID, Source: workspace.SourceMarker})
	a.lookLater = false
	if err == nil && made.Created && !was {
		err = mem.MadeWorkspace(ctx, made.ID)
	}
	if err == nil {
		_, err = mem.SyncSettled(ctx, strata.ViewOf(made.ID, a.cfg.Get(config.Agent)))
	}
	if err != nil {
		return out, err
	}
	foreign, err := mem.Foreign(ctx, made.ID)
	if err != nil {
		return out, err
	}
	if line := markdown.ForeignLine(operation.Each(foreign, func(d strata.Document) string { return d.Path })); line != "" {
		out.Warnings = append(out.Warnings, line)
	}
	taken, err := mem.KeepWorkspace(ctx, made.ID, made.Keys...)
	for _, key := range taken {
		out.Warnings = append(out.Warnings, "the home has another memory for "+strings.TrimPrefix(strings.TrimPrefix(key, "git:"), "dir:")+
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

// identify applies the user's answer whether the project around dir is the workspace
// whose id it has. If it is not, identify gives it an id of its own. adopt reports
// whether to treat the directory as that workspace.
func (a *app) identify(ctx context.Context, dir, answer string) (adopt bool, err error) {
	found, err := workspace.Find(dir, a.home())
	if _, missing := os.Stat(local.Database(a.home())); err == nil && missing == nil {
		mem, openErr := a.openAt(ctx, a.home(), workspace.Found{})
		if openErr != nil {
			return false, openErr
		}
		err = errors.Join(a.admit(ctx, mem, found), a.closeMemory())
	}
	switch {
	case err == nil && answer == identityNew:
		return false, strata.Invalid("init", dir+" has an undisputed identity", "leave out --identity new: the memory of the project would stay behind under its old id")
	case workspace.IsDisputed(err) && answer == identityNew:
		return false, workspace.Disown(dir, a.home())
	case workspace.IsDisputed(err):
		return true, nil
	}
	return false, err
}

// hasFiles reports whether a directory exists and is not empty, or cannot be read: a
// .strata that somebody else made, if this home does not know it.
func hasFiles(dir string) bool {
	list, err := os.ReadDir(dir)
	return len(list) > 0 || err != nil && !errors.Is(err, fs.ErrNotExist)
}

// knownProject returns the id under which the home knows the project, empty if it does
// not, and the documents of the project whose files are lost. A dry run does not create a
// home.
func (a *app) knownProject(ctx context.Context, dir string, o initOptions) (id string, lost []strata.Document, err error) {
	if !o.dryRun {
		if _, err := a.recoverWorkspaceAt(ctx, dir); err != nil {
			return "", nil, err
		}
	}
	find := workspace.Resolve
	if o.adopt {
		find = workspace.Claimed
	}
	found, err := find(dir, a.home())
	if err != nil {
		return "", nil, err
	}
	if _, err := os.Stat(local.Database(a.home())); err != nil {
		return "", nil, nil
	}
	a.lookLater = true // lost files must not count as deleted by hand
	defer func() { a.lookLater = false }()
	mem, err := a.openAt(ctx, a.home(), workspace.Found{})
	if err != nil {
		return "", nil, err
	}
	defer func() { err = errors.Join(err, a.closeMemory()) }()
	if !o.adopt {
		if err := a.admit(ctx, mem, found); err != nil {
			return "", nil, err
		}
	}
	if id = found.ID; id == "" {
		if id, err = mem.KnownWorkspace(ctx, found.Keys()...); err != nil || id == "" {
			return "", nil, err
		}
	}
	gone := found.ID == "" && workspace.LostRoot(a.home(), id) != ""
	if found.ID == "" && !gone || found.Root == "" {
		return id, nil, nil // the files that the home keeps for the project are moved
	}
	kept, err := mem.KeptOf(ctx, id)
	lost = workspace.Missing(found.Root, kept)
	if !o.lost && !o.adopt && !gone && len(lost) < len(kept) {
		lost = nil // .strata exists: files missing from it were deleted by hand
	}
	return id, lost, err
}

// askToRestore asks whether to restore lost files. If the answer is not yes, nothing is
// created: otherwise the missing files would count as deleted by hand.
func (a *app) askToRestore(ctx context.Context, in workspace.InitOptions, o initOptions) error {
	if len(in.Documents) == 0 || o.yes || o.dryRun || o.adopt {
		return nil
	}
	what := fmt.Sprintf("the .strata of this project is lost, and the database has %d of its files", len(in.Documents))
	tty, err := input.Prompter(a.stdin, a.out.Stderr)
	if err != nil {
		return &strata.Error{Code: strata.CodeConflict, Message: what,
			Hint: "strata init --yes writes them back, and strata init --dry-run lists them"}
	}
	defer tty.Close()
	return input.Ask(ctx, a.stdin, tty, "T"+what[1:]+". Write them back?")
}

// connections describes how to connect clients to this home.
func (a *app) connections(root string) []connection {
	s := a.mcpServer()
	var quoted, plain []string
	for _, w := range append([]string{s.Command}, s.Args...) {
		quoted, plain = append(quoted, strconv.Quote(w)), append(plain, cmdline.ShellQuote(w))
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

// Notes returns warnings about what could not be done.
func (o initOutput) Notes() []string { return o.Warnings }

// String says what was created and what to do next.
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
	}{{"wrote", o.Written}, {"wrote back", o.Restored}, {"moved from the home", o.Moved}, {"left in the home", o.Left}} {
		what := l.what
		if o.DryRun {
			what = "would " + strings.Replace(what, "wrote", "write", 1)
		}
		if len(l.files) > 0 {
			fmt.Fprintf(&out, "%s  %s\n", what, terminal.Clean(strings.Join(l.files, ", ")))
		}
	}
	if dir, err := filepath.EvalSymlinks(o.dir); err == nil && dir != o.Root {
		fmt.Fprintf(&out, "for all of  %s  the project around %s\n", terminal.Clean(o.Root), terminal.Clean(o.dir))
	}
	if o.Exclude != "" {
		fmt.Fprintf(&out, "%s  %s\n", map[bool]string{false: "hidden from git in", true: "would hide it from git in"}[o.DryRun], terminal.Clean(o.Exclude))
	}
	out.WriteString("\nConnect your agents:  strata connect\nor by hand:\n")
	for _, c := range o.Connect {
		if c.Command != "" {
			fmt.Fprintf(&out, "  %s  %s\n", c.Client, c.Command)
			continue
		}
		fmt.Fprintf(&out, "  %s  %s\n    %s\n", c.Client, terminal.Clean(c.File), c.JSON)
	}
	return out.String()
}
