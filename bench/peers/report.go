package main

import (
	"fmt"
	"io"
	"runtime"

	"github.com/strata-memory/strata/bench"
)

// header writes what benchstat reads of the machine.
func header(w io.Writer) {
	m := bench.ThisMachine()
	fmt.Fprintf(w, "goos: %s\ngoarch: %s\npkg: github.com/strata-memory/strata/bench/peers\ncpu: %s\n", m.OS, runtime.GOARCH, m.CPU)
}

// line writes one measurement in benchstat's format.
func line(w io.Writer, what, peer string, facts int, kind string, m measured) {
	fmt.Fprintf(w, "Benchmark%s/peer=%s/facts=%d/%s-%d\t%d\t%d p50-ns\t%d p95-ns\t%d p99-ns\t%.3f found@10\n",
		what, peer, facts, kind, runtime.GOMAXPROCS(0), m.asked, m.p50.Nanoseconds(), m.p95.Nanoseconds(), m.p99.Nanoseconds(), m.found)
}
