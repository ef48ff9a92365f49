package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
)

// familySummary returns the one-line help of a family's command.
func familySummary(family string) string {
	switch family {
	case "fact":
		return "List, show and delete facts, or move them to another scope"
	case "note":
		return "List, show, write and move notes and other files"
	case "skill":
		return "List and show skills, make them active and archive them"
	case "dream":
		return "Consolidate memory, and see why each memory rose, sank or stayed"
	case "questions":
		return "See what memory asks you about facts that contradict each other, and answer"
	case "daily":
		return "List, show and put away the daily logs"
	case "categories":
		return "List, rename, merge and pin the categories of facts"
	case "scope":
		return "Show where memory is kept here, and what it holds"
	case "token":
		return "Make and end tokens that give programs access to some scopes, or read access only"
	case "embedder":
		return "Show which embedder makes vectors, and give the built-in one other words"
	case "extractor":
		return "Show what waits for fact extraction, and extract it"
	}
	return "The commands of " + family
}

// newFamilyCommand returns the parent command of the operations of a family. Without a
// subcommand it runs the family's list, show or status, the first that needs no argument,
// or prints its help.
func newFamilyCommand(family string) *cobra.Command {
	cmd := &cobra.Command{
		Use:     family,
		Short:   familySummary(family),
		Long:    familySummary(family) + ".",
		GroupID: groupLook,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return unknownIn(cmd, args[0])
		},
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		for _, alone := range []string{"list", "show", "status"} {
			for _, sub := range cmd.Commands() {
				if sub.Name() == alone && sub.Args(sub, nil) == nil {
					sub.SetContext(cmd.Context())
					return sub.RunE(sub, nil)
				}
			}
		}
		return cmd.Help()
	}
	return cmd
}

// takeArguments lets a family's command accept the arguments of its subcommand show, as
// it did before it had subcommands: strata fact ID means strata fact show ID.
func takeArguments(family, show *cobra.Command) {
	alone, unknown := family.RunE, family.Args
	family.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return unknown(cmd, args)
		}
		return show.Args(show, args)
	}
	family.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return alone(cmd, args)
		}
		show.SetContext(cmd.Context())
		return show.RunE(show, args)
	}
	family.ValidArgsFunction = show.ValidArgsFunction
}

// formerCommand gives an operation's command the name that it had before it joined a
// family, and hides it from the help. Scripts still use it.
func formerCommand(cmd *cobra.Command, name string) *cobra.Command {
	_, rest, _ := strings.Cut(cmd.Use, " ")
	cmd.Use = strings.TrimSpace(name + " " + rest)
	cmd.Hidden = true
	return cmd
}

// unknownIn returns the error for an unknown subcommand, with a hint where to find them.
func unknownIn(cmd *cobra.Command, word string) error {
	return strata.Invalid("", "no such command: "+terminal.Quote(cmd.Name()+" "+word), cmd.CommandPath()+" --help lists its commands")
}
