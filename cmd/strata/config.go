package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/strata-memory/strata/cmd/strata/internal/cmdline"
	"github.com/strata-memory/strata/cmd/strata/internal/output"
	"github.com/strata-memory/strata/cmd/strata/internal/table"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/internal/home/config"
	"github.com/strata-memory/strata/internal/ops/operation"
)

// configOutput is the output of strata config.
type configOutput struct {
	File     string         `json:"file"` // path of config.toml, which may not exist
	Settings []config.Value `json:"settings"`
}

// Rows returns the settings, for output line by line.
func (c configOutput) Rows() []any { return operation.Rows(c.Settings) }

// String returns the settings as a table.
func (c configOutput) String() string {
	t := table.Table{Header: []string{"SETTING", "VALUE", "SOURCE"}}
	for _, s := range c.Settings {
		source := string(s.Source)
		if s.Origin != "" && s.Source != config.FromFile {
			source += " " + s.Origin
		}
		t.Add(s.Name, output.OrNone(terminal.Clean(s.Value)), source)
	}
	var out strings.Builder
	_ = t.Write(&out, 0, terminal.Style{}) // a Builder accepts all writes
	return out.String()
}

// newConfigCommand returns the command config, which shows every setting and its source.
func newConfigCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "config",
		Short:   "Show every setting and where its value comes from",
		Example: "  strata config\n  strata config -o json",
		GroupID: groupMaintain,
		Args:    cmdline.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			out := configOutput{File: config.Path(a.home()), Settings: a.cfg.Values()}
			for i, s := range out.Settings {
				if a.temp != nil && (s.Name == config.Home || s.Name == config.Workspace) {
					out.Settings[i].Origin = "--ephemeral-memory"
				}
			}
			return a.out.Print(out)
		},
	}
	a.describe[cmd] = func() { cmd.Long = configHelp() }
	return cmd
}

// configHelp lists the settings.
func configHelp() string {
	t := table.Table{}
	for _, s := range config.Settings() {
		t.Add("  "+s.Name, s.Env, s.Doc)
	}
	var out strings.Builder
	out.WriteString("A setting comes from the first of: flag, environment variable, config.toml in the home, default.\n\n")
	_ = t.Write(&out, 0, terminal.Style{}) // a Builder accepts all writes
	return strings.TrimRight(out.String(), "\n")
}
