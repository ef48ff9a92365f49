// Package benchmark implements the commands of strata bench: they measure retrieval,
// speed and size with package bench, print the measurements, and save them as results.
package benchmark

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/strata-memory/strata/cmd/strata/internal/cmdline"
	"github.com/strata-memory/strata/cmd/strata/internal/output"
	"github.com/strata-memory/strata/engine"
)

// Host is what the commands need from the program. All fields are required. The functions
// are called when a command runs, after the settings were read.
type Host struct {
	Out *output.Printer
	Log func() *slog.Logger
	// Home returns the home named by the settings.
	Home func() string
	// Scratch returns the throw-away directory of the run, which is removed at the end.
	Scratch func() (string, error)
	// Open opens the memory in a home according to the settings. It closes the one that
	// it opened before; the program closes the last one.
	Open func(ctx context.Context, home string) (*engine.Engine, error)
}

// New returns the command bench, which measures retrieval on the user's data.
func New(h Host) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure how well and how fast memory is found",
		Long: "retrieval and locomo ingest a collection into a throw-away home through the engine, ask its queries,\n" +
			"write the answers as a TREC run file and print recall, nDCG@10, MRR and latencies. board does so for several\n" +
			"collections, beside plain BM25. scale measures speed and size over the number of facts. compare sets what these keep with\n" +
			"--result question against question.",
		Example: "  strata bench locomo --data locomo10.json --result after\n" +
			"  strata bench compare before after\n" +
			"  strata bench scale --facts 1000,10000 --result scale",
		Args: cmdline.NoSubcommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newRetrieval(h), newLoCoMo(h), newBoard(h), newCompare(h), newScale(h), newMeasure(h))
	return cmd
}

// resultFlag adds the flag that saves the measurements of a benchmark.
func resultFlag(cmd *cobra.Command, name *string, doc string) {
	cmd.Flags().StringVar(name, "result", "", doc)
	_ = cmd.MarkFlagFilename("result", "json")
}

// printKept says under which name a result was saved, if it was.
func (h Host) printKept(name string) {
	if name != "" {
		fmt.Fprintf(h.Out.Stdout, "\nresult kept as %s\n", name)
	}
}

// commandLine returns a command with the flags that were set. It reduces a path to its
// last element: where data is stored is private.
func commandLine(cmd *cobra.Command) string {
	line := cmd.CommandPath()
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch {
		case cmd.InheritedFlags().Lookup(f.Name) != nil:
			return // a global flag
		case f.Name == "run" || f.Name == "result" || f.Name == "keep":
			return // says where to write results
		}
		value := strings.Trim(f.Value.String(), "[]")
		if f.Name == "data" || f.Name == "dir" {
			paths := strings.Split(value, ",")
			for i, path := range paths {
				paths[i] = filepath.Base(path)
			}
			value = strings.Join(paths, ",")
		}
		if line += " --" + f.Name; value != "true" {
			line += " " + cmdline.ShellQuote(value)
		}
	})
	return line
}
