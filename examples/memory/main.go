// Command memory stores what it is told and answers a question from it. It needs neither
// cgo nor build flags: it calls the server of the home, and starts one with the command
// strata if none is running.
//
//	go run ./examples/memory "My cat's name is Whiskerino" "what is my cat called?"
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/client"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: memory STATEMENT QUESTION")
		os.Exit(2)
	}
	if err := run(context.Background(), client.Options{}, os.Args[1], os.Args[2], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		var known *strata.Error
		if errors.As(err, &known) && known.Hint != "" {
			fmt.Fprintln(os.Stderr, "hint:", known.Hint)
		}
		os.Exit(1)
	}
}

func run(ctx context.Context, o client.Options, statement, question string, out io.Writer) error {
	memory, err := client.Open(ctx, o)
	if err != nil {
		return err
	}
	defer memory.Close()
	saved, err := memory.Save(ctx, statement)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: %s\n", saved.Decision, saved.Reason)
	hits, err := memory.Recall(ctx, question)
	for _, hit := range hits {
		fmt.Fprintln(out, hit.Text)
	}
	return err
}
