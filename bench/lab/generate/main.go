// Command generate writes conversations made from a seed (see package generated) into a
// directory, as a collection that strata bench retrieval and board read.
//
//	generate -seed 1 DIR
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/strata-memory/strata/bench/lab/generated"
)

func main() {
	seed := flag.Uint64("seed", 1, "the same seed makes the same conversations")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: generate [-seed N] DIR")
		os.Exit(2)
	}
	if err := generated.Conversations(*seed).Write(flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}
