package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/strata-memory/strata"
)

// prompter returns where a question to the person at the terminal is written:
// standard error, or the terminal itself when standard error leads elsewhere.
// It fails if standard input is no terminal: then nobody can answer.
func (a *app) prompter() (io.WriteCloser, error) {
	if !isTerminal(a.stdin) {
		return nil, errors.New("standard input is no terminal")
	}
	if isTerminal(a.stderr) {
		return nopCloser{a.stderr}, nil
	}
	return os.OpenFile("/dev/tty", os.O_WRONLY, 0)
}

// nopCloser is a writer that stays open.
type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// ask writes a question to tty and reads the answer from standard input.
// Anything but yes is an error with code canceled.
func (a *app) ask(ctx context.Context, tty io.Writer, question string) error {
	fmt.Fprintf(tty, "%s [y/N] ", question)
	answer, err := bufio.NewReader(interruptible(ctx, a.stdin)).ReadString('\n')
	if ctx.Err() != nil {
		return ctx.Err()
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return nil
	}
	if err != nil {
		fmt.Fprintln(tty) // the prompt's line was not ended by an answer
	}
	return &strata.Error{Code: strata.CodeCanceled, Message: "nothing was changed", Hint: "answer y to go on"}
}
