package main

import (
	"context"
	"reflect"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/input"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/internal/home/config"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/ops/schema"
	"github.com/strata-memory/strata/internal/ops/upkeep"
)

// opExport and opImport also handle damaged homes and whole homes, which operations do
// not know about.
const (
	opExport = "export"
	opImport = "import"
)

// opTrust only shows files if there is nobody to ask.
const opTrust = "trust"

// opSaveBatch and opAppend have no commands of their own: they are save --batch and
// ingest.
const (
	opSaveBatch = "save_batch"
	opAppend    = "append"
)

// opCommand is the command generated from an operation.
type opCommand struct {
	app  *app
	op   operation.Operation
	info operation.Info
	in   any            // the input, filled by flags and arguments
	args []schema.Field // the fields given by position

	yes   bool   // do not ask
	batch string // for save: the file of statements
	full  bool   // for export: the whole home

	follow bool // for events: keep following
}

// newOpCommand returns the command of an operation; nil if it has none.
func newOpCommand(a *app, op operation.Operation) *cobra.Command {
	info := op.About()
	if info.Name == opSaveBatch || info.Name == opAppend {
		return nil
	}
	c := &opCommand{app: a, op: op, info: info, in: op.NewInput()}
	for _, f := range op.Inputs() {
		if f.Arg {
			c.args = append(c.args, f)
		}
	}
	cmd := &cobra.Command{
		Use:     c.use(),
		Short:   info.Summary,
		GroupID: groupOf(info),
		Args:    c.checkArgs,
		RunE:    func(cmd *cobra.Command, args []string) error { return c.run(cmd, args) },
	}
	a.describe[cmd] = func() { cmd.Long, cmd.Example = c.long(), c.examples() }
	a.addFieldFlags(cmd, op, c.in)
	if info.Destructive {
		cmd.Flags().BoolVarP(&c.yes, "yes", "y", false, "do not ask")
	}
	if info.Name == "save" {
		cmd.Flags().StringVar(&c.batch, "batch", "", "save one statement for each JSON line of this file; - reads standard input")
		_ = cmd.MarkFlagFilename("batch")
	}
	if _, out := op.Types(); out == reflect.TypeFor[ops.Found]() {
		cmd.Flags().BoolVar(&a.out.Why, "why", false, "say why each was found: its score and evidence, and their parts")
	}
	if info.Name == opExport {
		cmd.Flags().BoolVar(&c.full, "full", false, "write everything, with ids, times, decisions and vectors, for import into a new home")
	}
	if info.Name == opEvents {
		cmd.Flags().BoolVarP(&c.follow, "follow", "f", false, "keep listing what happens, in other processes too, until interrupted")
	}
	a.completeArgs(cmd, c.args, info.Writes != "")
	return cmd
}

// use returns the first line of the help, starting at the last word of the command.
func (c *opCommand) use() string {
	words := c.info.Words()
	parts := []string{words[len(words)-1]}
	for _, f := range c.args {
		part := strings.ToUpper(f.Name)
		if f.File {
			part += "|@FILE|-"
		}
		if f.List() {
			part = strings.TrimSuffix(part, "S") + "..."
		}
		if !f.Required {
			part = "[" + part + "]"
		}
		parts = append(parts, part)
	}
	switch {
	case c.info.Name == opIngest:
		parts = append(parts, "FILE|DIR|-")
	case c.info.Reads != "":
		parts = append(parts, "FILE|-")
	case c.info.Writes != "":
		parts = append(parts, "[FILE|-]")
	}
	return strings.Join(parts, " ")
}

// checkArgs returns an error if the number of arguments is wrong. The words of a text
// need no quotes.
func (c *opCommand) checkArgs(cmd *cobra.Command, args []string) error {
	usage := "usage: " + cmd.UseLine()
	name := strings.Join(c.info.Words(), " ")
	switch {
	case c.batch != "" && len(args) > 0:
		return strata.Invalid("", "both a text and --batch are given", "give one of them")
	case c.batch != "":
		return nil
	}
	most, least := len(c.args), 0
	for _, f := range c.args {
		if f.Required {
			least++
		}
		if f.File || f.List() {
			most = max(most, len(args))
		}
	}
	if c.info.Reads != "" {
		most, least = most+1, least+1
	}
	if c.info.Writes != "" {
		most++
	}
	switch {
	case len(args) < least:
		what := "file"
		if len(args) < len(c.args) {
			what = c.args[len(args)].Name
		}
		article := "a "
		if strings.ContainsAny(what[:1], "aeiou") {
			article = "an "
		}
		return strata.Invalid("", name+" needs "+article+what, usage)
	case len(args) > most:
		hint := usage
		if one := strings.TrimSuffix(name, "s"); one != name {
			if _, ok := ops.Find(one); ok { // a plural lists, and its singular shows one
				hint += "; strata " + one + " ID shows one"
			}
		}
		return strata.Invalid("", "one argument too many: "+terminal.Quote(args[most]), hint)
	}
	return nil
}

// takeArgs sets the fields given by position and returns the remaining arguments: the
// name of a file. A text takes all remaining words, a list all remaining arguments.
func (c *opCommand) takeArgs(ctx context.Context, args []string) ([]string, error) {
	for _, f := range c.args {
		if len(args) == 0 {
			break
		}
		values, rest := args[:1], args[1:]
		if f.File {
			text, err := input.Text(ctx, strings.Join(args, " "), c.app.stdin)
			if err != nil {
				return nil, err
			}
			values, rest = []string{text}, nil
		}
		if f.List() {
			values, rest = args, nil
		}
		for _, v := range values {
			if err := f.Set(c.in, v); err != nil {
				return nil, strata.Invalid("", err.Error(), "")
			}
		}
		args = rest
	}
	return args, nil
}

// run fills in the input, runs the operation and prints its output.
func (c *opCommand) run(cmd *cobra.Command, args []string) error {
	ctx := cmd.Context()
	if c.batch != "" {
		return c.runBatch(ctx, cmd)
	}
	args, err := c.takeArgs(ctx, args)
	if err != nil {
		return err
	}
	if err := c.applySettings(cmd); err != nil {
		return err
	}
	c.app.reads, c.app.readOnly = readsByModel(c.info), c.info.ReadOnly
	if c.info.Name == opIngest {
		return c.runIngest(ctx, args[0])
	}
	if c.info.Name == ops.MemoryTool && !cmd.Flags().Changed("command") {
		return c.app.answerCalls(ctx)
	}
	if c.info.Reads != "" || c.info.Writes != "" {
		return c.runStream(ctx, args)
	}
	if done, err := c.app.seeToDamage(ctx, c.info.Name); done || err != nil {
		return err
	}
	if err := c.checkFollow(); err != nil {
		return err
	}
	c.app.lookLater = c.info.Name == "sync" // its output is what it finds in the files
	env, err := c.environment(ctx)
	if err != nil {
		return err
	}
	if done, err := c.chooseForgotten(ctx, env); done || err != nil {
		return err
	}
	if err := c.confirm(ctx, env); err != nil {
		return err
	}
	if f, ok := c.field("lose_secret"); ok {
		_ = f.Set(c.in, "true") // whoever confirmed was told, or passed --yes
	}
	progress := c.app.out.Progress(strings.Join(c.info.Words(), " "))
	env.Progress = progress.Report
	out, err := c.op.Run(ctx, env, c.in)
	progress.Finish()
	if err != nil {
		return c.stopped(ctx, err, progress)
	}
	if found, ok := out.(upkeep.Checkup); ok {
		found.Problems = append(found.Problems, c.app.settingsProblems()...)
		out = found
	}
	if err := c.app.out.Print(out); err != nil {
		return err
	}
	if c.follow {
		return c.followEvents(ctx, env, out.(upkeep.Events))
	}
	if f, ok := c.field("dry_run"); c.info.ReadOnly || ok && f.Get(c.in) == true {
		return nil
	}
	return c.app.readByModel(ctx, env)
}

// environment returns the environment for the operation: the server of the home if one
// runs, or else the memory.
func (c *opCommand) environment(ctx context.Context) (*operation.Env, error) {
	if goesThrough(c.op) && !c.follow {
		if env := c.app.through(); env != nil {
			return env, nil
		}
	}
	return c.app.environmentOf(ctx, c.info)
}

// readsByModel reports whether an operation lets the model read, or says whether one is
// available.
func readsByModel(info operation.Info) bool {
	switch info.Name {
	case opIngest, "extractor_status", "extractor_replay", "extractor_drain", "extractor_retry":
		return true
	}
	return false
}

// applySettings sets fields from settings unless a flag did.
func (c *opCommand) applySettings(cmd *cobra.Command) error {
	if f, ok := c.field("reasons"); ok && c.app.verbose {
		_ = f.Set(c.in, "true") // --verbose asks for everything
	}
	f, ok := c.field(config.MaxResults)
	if !ok || cmd.Flags().Changed(flagName(f)) {
		return nil
	}
	return f.Set(c.in, strconv.Itoa(c.app.cfg.Int(config.MaxResults)))
}

// field returns the input field with a name, if there is one.
func (c *opCommand) field(name string) (schema.Field, bool) {
	for _, f := range c.op.Inputs() {
		if f.Name == name {
			return f, true
		}
	}
	return schema.Field{}, false
}

// confirm shows what would be removed or undone, and asks whether to do it.
func (c *opCommand) confirm(ctx context.Context, env *operation.Env) error {
	if !c.info.Destructive || c.yes {
		return nil
	}
	dryRun, ok := c.field("dry_run") // every destructive operation has it
	if ok && dryRun.Get(c.in) == true {
		return nil
	}
	tty, err := input.Prompter(c.app.stdin, c.app.out.Stderr)
	if err != nil && c.info.Name == opTrust {
		return dryRun.Set(c.in, "true") // showing needs nobody to ask
	}
	if err != nil {
		return strata.Invalid("", "strata "+strings.Join(c.info.Words(), " ")+" asks before it changes anything, and there is no terminal to ask on",
			"pass --yes to go ahead, or --dry-run to see what it would do")
	}
	defer tty.Close()
	_ = dryRun.Set(c.in, "true") // a boolean accepts true and false
	preview, err := c.op.Run(ctx, env, c.in)
	_ = dryRun.Set(c.in, "false")
	if err != nil {
		return err
	}
	if err := c.app.out.Text(tty, preview); err != nil {
		return err
	}
	if shown, ok := preview.(upkeep.Trusted); ok {
		if len(shown.Files) == 0 {
			return dryRun.Set(c.in, "true")
		}
		versions, _ := c.field("versions") // accept exactly what was shown
		for _, f := range shown.Files {
			_ = versions.Set(c.in, f.Hash)
		}
	}
	return input.Ask(ctx, c.app.stdin, tty, "Go on?")
}
