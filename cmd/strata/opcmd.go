package main

import (
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/config"
	"github.com/strata-memory/strata/ops"
)

// opSaveBatch has no command of its own: it is save --batch.
const opSaveBatch = "save_batch"

// opCommand is the command made from one operation.
type opCommand struct {
	app  *app
	op   ops.Operation
	info ops.Info
	in   any        // the input, filled by flags and argument
	arg  *ops.Field // the field given by position; nil if there is none

	yes   bool   // do not ask
	batch string // of save: the file of statements
}

// newOpCommand makes the command of an operation; nil if it has none.
func newOpCommand(a *app, op ops.Operation) *cobra.Command {
	info := op.About()
	if info.Name == opSaveBatch {
		return nil
	}
	c := &opCommand{app: a, op: op, info: info, in: op.NewInput()}
	for _, f := range op.Inputs() {
		if f.Arg {
			c.arg = &f
		}
	}
	cmd := &cobra.Command{
		Use:     c.use(),
		Short:   info.Summary,
		GroupID: groupOf(info.Name),
		Args:    c.checkArgs,
		RunE:    func(cmd *cobra.Command, args []string) error { return c.run(cmd, args) },
	}
	// The text of the help takes longer to make than most commands to run.
	cmd.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		cmd.Long, cmd.Example = c.long(), c.examples()
		cmd.SetHelpFunc(nil) // back to the root's
		cmd.HelpFunc()(cmd, args)
	})
	a.addFieldFlags(cmd, op, c.in)
	if info.Destructive {
		cmd.Flags().BoolVarP(&c.yes, "yes", "y", false, "do not ask")
	}
	if info.Name == "save" {
		cmd.Flags().StringVar(&c.batch, "batch", "", "save one statement for each JSON line of this file; - reads standard input")
	}
	a.completeArg(cmd, c.arg, info.Writes != "")
	return cmd
}

// use is the first line of the help.
func (c *opCommand) use() string {
	name := strings.ReplaceAll(c.info.Name, "_", "-")
	switch {
	case c.arg != nil && c.arg.File:
		return name + " " + strings.ToUpper(c.arg.Name) + "|@FILE|-"
	case c.arg != nil && c.info.Writes != "":
		return name + " " + strings.ToUpper(c.arg.Name) + " [FILE|-]"
	case c.arg != nil:
		return name + " " + strings.ToUpper(c.arg.Name)
	case c.info.Reads != "":
		return name + " FILE|-"
	case c.info.Writes != "":
		return name + " [FILE|-]"
	}
	return name
}

// checkArgs reports whether the number of arguments is right. Words of a text
// need no quotes.
func (c *opCommand) checkArgs(cmd *cobra.Command, args []string) error {
	usage := "usage: " + cmd.UseLine()
	most, least := 0, 0
	switch {
	case c.batch != "" && len(args) > 0:
		return strata.Invalid("", "both a text and --batch", "give one of them")
	case c.batch != "":
		return nil
	case c.arg != nil && c.arg.File:
		most, least = len(args), 1
	case c.arg != nil && c.info.Writes != "":
		most, least = 2, 1
	case c.arg != nil, c.info.Reads != "":
		most, least = 1, 1
	case c.info.Writes != "":
		most = 1
	}
	switch {
	case len(args) < least:
		what := "file"
		if c.arg != nil {
			what = c.arg.Name
		}
		return strata.Invalid("", c.info.Name+" needs a "+what, usage)
	case len(args) > most:
		hint := usage
		if one := strings.TrimSuffix(c.info.Name, "s"); one != c.info.Name {
			if _, ok := ops.Find(one); ok { // a plural lists, its singular shows one
				hint += "; strata " + one + " ID shows one"
			}
		}
		return strata.Invalid("", "one argument too many: "+quote(args[most]), hint)
	}
	return nil
}

// run fills the input, runs the operation and prints what it returns.
func (c *opCommand) run(cmd *cobra.Command, args []string) error {
	ctx := cmd.Context()
	if c.batch != "" {
		return c.runBatch(ctx, cmd)
	}
	if c.arg != nil {
		own := args
		if c.info.Writes != "" {
			own, args = args[:1], args[1:] // a file may follow
		}
		text := strings.Join(own, " ")
		if c.arg.File {
			var err error
			if text, err = c.app.readText(ctx, text); err != nil {
				return err
			}
		}
		if err := c.arg.Set(c.in, text); err != nil {
			return strata.Invalid("", err.Error(), "")
		}
	}
	if err := c.applySettings(cmd); err != nil {
		return err
	}
	if c.info.Reads != "" || c.info.Writes != "" {
		return c.runStream(ctx, args)
	}
	env, err := c.app.environment(ctx)
	if err != nil {
		return err
	}
	if err := c.confirm(ctx, env); err != nil {
		return err
	}
	progress := c.app.newProgress(c.info.Name)
	env.Progress = progress.report
	out, err := c.op.Run(ctx, env, c.in)
	progress.finish()
	if err != nil {
		return err
	}
	return c.app.print(out)
}

// applySettings gives fields the values of settings where no flag did.
func (c *opCommand) applySettings(cmd *cobra.Command) error {
	if c.info.Name != "recall" && c.info.Name != "search" || cmd.Flags().Changed(strings.ReplaceAll(config.MaxResults, "_", "-")) {
		return nil
	}
	for _, f := range c.op.Inputs() {
		if f.Name == config.MaxResults {
			return f.Set(c.in, strconv.Itoa(c.app.cfg.Int(config.MaxResults)))
		}
	}
	return nil
}

// confirm asks before something is removed or undone, and shows what that is.
func (c *opCommand) confirm(ctx context.Context, env *ops.Env) error {
	if !c.info.Destructive || c.yes {
		return nil
	}
	dry, ok := c.dryRun()
	if ok && dry {
		return nil
	}
	tty, err := c.app.prompter()
	if err != nil {
		return strata.Invalid("", c.info.Name+" asks before it changes anything, and there is no terminal to ask on",
			"pass --yes to go ahead, or --dry-run to see what it would do")
	}
	defer tty.Close()
	c.setDryRun("true")
	preview, err := c.op.Run(ctx, env, c.in)
	c.setDryRun("false")
	if err != nil {
		return err
	}
	if err := c.app.printTable(tty, preview); err != nil {
		return err
	}
	return c.app.ask(ctx, tty, "Go on?")
}

// dryRun is the value of the field of that name, and whether there is one.
func (c *opCommand) dryRun() (value, ok bool) {
	for _, f := range c.op.Inputs() {
		if f.Name == "dry_run" {
			return f.Get(c.in) == true, true
		}
	}
	return false, false
}

// setDryRun sets the field of that name.
func (c *opCommand) setDryRun(value string) {
	for _, f := range c.op.Inputs() {
		if f.Name == "dry_run" {
			_ = f.Set(c.in, value) // a boolean takes true and false
		}
	}
}
