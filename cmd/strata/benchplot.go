package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/bench"
	"github.com/strata-memory/strata/bench/chart"
)

// plotOutput says what was drawn.
type plotOutput struct {
	File    string   `json:"file"`
	Results []string `json:"results"`
}

// String is one line.
func (o plotOutput) String() string {
	return fmt.Sprintf("%s drawn from %s\n", o.File, strings.Join(o.Results, ", "))
}

// newBenchPlot draws kept results.
func newBenchPlot(a *app) *cobra.Command {
	var to string
	var dark bool
	cmd := &cobra.Command{
		Use:   "plot RESULT... --to FILE",
		Short: "Draw results as an SVG",
		Long: "Draws what --result of the other benchmarks kept: of scale, latency and memory over the number of facts; of locomo\n" +
			"and retrieval, the recall at k, beside published figures where the data is LoCoMo's. Several scales are joined, so\n" +
			"that the large sizes can be measured apart. The same results make the same bytes.",
		Example: "  strata bench plot bench/results/scale bench/results/locomo-dev --to docs/figures.svg",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return strata.Invalid("", "no result was named", "usage: "+cmd.UseLine())
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			theme := chart.Light
			if dark {
				theme = chart.Dark
			}
			if err := drawResults(to, args, theme); err != nil {
				return err
			}
			return a.print(plotOutput{File: to, Results: args})
		},
		ValidArgsFunction: resultFiles,
	}
	cmd.Flags().StringVar(&to, "to", "", "the SVG file to write")
	cmd.Flags().BoolVar(&dark, "dark", false, "draw on a dark ground, for pages in dark mode")
	_ = cmd.MarkFlagRequired("to")
	_ = cmd.MarkFlagFilename("to", "svg")
	return cmd
}

// drawResults loads results and draws them into a file, which is written only
// when all went well.
func drawResults(to string, names []string, theme chart.Theme) error {
	var results []chart.Named
	for _, name := range names {
		r, err := bench.LoadResult(name)
		if err != nil {
			return err
		}
		short := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(name), ".jsonl"), ".json")
		results = append(results, chart.Named{Name: short, Result: r})
	}
	var svg bytes.Buffer
	if err := chart.Draw(&svg, results, theme); err != nil {
		return err
	}
	if err := os.WriteFile(to, svg.Bytes(), 0o644); err != nil {
		return &strata.Error{Code: strata.CodeInvalid, Op: "plot", Message: "cannot write " + to,
			Hint: "name a file in a directory that can be written", Err: err}
	}
	return nil
}
