// Command plotfigures draws results that were saved by strata bench --result as one SVG:
// for scale, latency and memory by number of facts; for locomo and retrieval, recall at
// k, with published figures for comparison if the data is LoCoMo's. Several scale results
// are joined, so that large sizes can be measured separately. The same results always
// produce the same bytes.
//
//	plotfigures -to figures.svg bench/results/scale bench/results/locomo-dev
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/strata-memory/strata/bench"
	"github.com/strata-memory/strata/internal/tools/plotfigures/chart"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "plotfigures:", err)
		os.Exit(1)
	}
}

// run draws the results named in args and reports so on out. It writes the file only if
// there was no error.
func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("plotfigures", flag.ContinueOnError)
	to := flags.String("to", "", "write the picture to this SVG file")
	dark := flags.Bool("dark", false, "draw on a dark ground, for pages in dark mode")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *to == "" || flags.NArg() == 0 {
		return errors.New("name the picture with -to, and at least one result")
	}
	theme := chart.Light
	if *dark {
		theme = chart.Dark
	}
	var results []chart.Named
	for _, name := range flags.Args() {
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
	if err := os.WriteFile(*to, svg.Bytes(), 0o644); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "%s drawn from %s\n", *to, strings.Join(flags.Args(), ", "))
	return err
}
