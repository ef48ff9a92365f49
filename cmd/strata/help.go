package main

import (
	"fmt"
	"strings"

	"github.com/strata-memory/strata"
)

// usageTemplate lays out everything of the help below the description.
const usageTemplate = `Usage:
  {{if .HasAvailableSubCommands}}{{.CommandPath}} COMMAND [flags]{{else}}{{.UseLine}}{{end}}
{{if .HasExample}}
Examples:
{{.Example}}
{{end}}{{if .HasAvailableSubCommands}}{{$cmds := .Commands}}{{range $group := .Groups}}
{{.Title}}:{{range $cmds}}{{if and (eq .GroupID $group.ID) .IsAvailableCommand}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}
{{end}}{{if not .AllChildCommandsHaveGroup}}
{{if .Groups}}More{{else}}Commands{{end}}:{{range $cmds}}{{if and (eq .GroupID "") (or .IsAvailableCommand (eq .Name "help"))}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}
{{end}}{{end}}{{if .HasAvailableLocalFlags}}
Flags:
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}
{{end}}{{if .HasAvailableInheritedFlags}}
Flags of every command:
{{.InheritedFlags.FlagUsages | trimTrailingWhitespaces}}
{{end}}
`

// helpTemplate is the description, the usage and the exit codes.
func helpTemplate() string {
	return `{{with (or .Long .Short)}}{{. | trimTrailingWhitespaces}}

{{end}}{{.UsageString}}` + exitCodes()
}

// exitCodes lists the exit codes with their meaning.
func exitCodes() string {
	var out strings.Builder
	out.WriteString("Exit codes:\n   0  success\n")
	for _, c := range strata.Codes() {
		fmt.Fprintf(&out, "  %2d  %-16s %s\n", c.ExitCode(), c, c.Meaning())
	}
	return out.String()
}

// long is the description in the help of an operation's command.
func (c *opCommand) long() string {
	var parts []string
	parts = append(parts, c.info.Summary+".")
	if c.info.Description != "" {
		parts = append(parts, wrap(c.info.Description, 100))
	}
	for _, f := range c.args {
		switch {
		case f.File:
			parts = append(parts, wrap(strings.ToUpper(f.Name)+" is "+f.Doc+". @FILE reads it from a file, - from standard input; "+
				"a text that begins with @ is written with @@.", 100))
		case len(c.args) > 1 || len(c.info.Words()) > 1:
			parts = append(parts, wrap(strings.ToUpper(f.Name)+" is "+f.Doc+".", 100))
		}
	}
	if fields := c.outputFields(); fields != "" {
		parts = append(parts, wrap("With -o json it prints an object with "+fields+"; docs/cli-json.md describes them.", 100))
	}
	return strings.Join(parts, "\n\n")
}

// outputFields names the fields of the output.
func (c *opCommand) outputFields() string {
	var names []string
	for _, f := range c.op.Outputs() {
		if !strings.Contains(f.Name, ".") {
			names = append(names, f.Name)
		}
	}
	return strings.Join(names, ", ")
}

// wrap breaks text into lines of at most columns bytes.
func wrap(text string, columns int) string {
	var out strings.Builder
	used := 0
	for i, word := range strings.Fields(text) {
		switch {
		case i == 0:
		case used+1+len(word) > columns:
			out.WriteByte('\n')
			used = 0
		default:
			out.WriteByte(' ')
			used++
		}
		out.WriteString(word)
		used += len(word)
	}
	return out.String()
}
