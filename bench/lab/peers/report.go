package main

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"text/tabwriter"

	"github.com/strata-memory/strata/bench"
)

// header writes what benchstat reads about the machine.
func header(w io.Writer) {
	m := bench.ThisMachine()
	fmt.Fprintf(w, "goos: %s\ngoarch: %s\npkg: github.com/strata-memory/strata/bench/lab/peers\ncpu: %s\n", m.OS, runtime.GOARCH, m.CPU)
}

// lines writes one row in benchstat's format, a line for each way.
func lines(w io.Writer, r row) {
	for _, way := range r.Ways {
		fmt.Fprintf(w, "BenchmarkPeer%s/peer=%s/facts=%d/way=%s-%d\t%d\t%d p50-ns\t%d p95-ns\t%d p99-ns\t%.3f found@10\n",
			strings.ToUpper(r.What[:1])+r.What[1:], r.Peer, r.Facts, way.Way, runtime.GOMAXPROCS(0),
			way.Asked, way.Took.P50.Nanoseconds(), way.Took.P95.Nanoseconds(), way.Took.P99.Nanoseconds(), way.Found10)
	}
}

// printTable writes all rows for people: what was found at 10 in each way and
// in all, and the times, also as a multiple of Strata's.
func printTable(w io.Writer, rows []row) error {
	fmt.Fprintf(w, "\nfound@10 for each way of asking, and times over all questions (x: p50 beside that of strata)\n\n")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "peer\twhat\tfacts\tall\t")
	for _, way := range bench.Ways() {
		fmt.Fprintf(t, "%s\t", way)
	}
	fmt.Fprint(t, "p50 ms\tp99 ms\tp99/p50\tx\t\n")
	for _, r := range rows {
		fmt.Fprintf(t, "%s\t%s\t%d\t%.3f\t", r.Peer, r.What, r.Facts, r.Found10)
		for _, way := range r.Ways {
			fmt.Fprintf(t, "%.2f\t", way.Found10)
		}
		fmt.Fprintf(t, "%.2f\t%.2f\t%.1f\t%s\t\n", 1e3*r.Took.P50.Seconds(), 1e3*r.Took.P99.Seconds(), r.Took.P99.Seconds()/r.Took.P50.Seconds(), multiple(rows, r))
	}
	return t.Flush()
}

// multiple returns the p50 of a row divided by that of Strata's row of the same kind, or
// a dash if there is none.
func multiple(rows []row, r row) string {
	for _, own := range rows {
		if own.Peer == ownName && own.What == r.What && own.Facts == r.Facts {
			return fmt.Sprintf("%.1f", r.Took.P50.Seconds()/own.Took.P50.Seconds())
		}
	}
	return "-"
}
