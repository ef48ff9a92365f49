// Command strata is the memory of an AI agent at a terminal. It saves, recalls
// and maintains what lies in one home directory.
package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/output"
)

func main() { os.Exit(run()) }

// run is main with an exit code. The first interrupt cancels the work, so that
// it can clean up; a second one ends the process at once.
func run() int {
	spareHeap()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	return Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Environ())
}

// Main runs one command and returns its exit code: 0, or that of the error's
// code. It touches no process state but the working directory's files, so that
// tests can call it.
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, environ []string) int {
	a := newApp(stdin, stdout, stderr, environ)
	a.out.Format = earlyFormat(args, a.getenv)
	root := newRoot(a)
	root.SetArgs(append([]string{}, args...)) // nil would mean os.Args
	err := root.ExecuteContext(ctx)
	if closeErr := a.close(); err == nil {
		err = closeErr
	}
	if err == nil {
		return 0
	}
	var known *strata.Error
	if !a.running && !errors.As(err, &known) {
		err = strata.Invalid("", err.Error(), "strata --help and strata COMMAND --help say what there is")
	}
	if ctx.Err() != nil && strata.CodeOf(err) == strata.CodeInternal {
		err = ctx.Err()
	}
	var reported *output.Reported
	if !errors.As(err, &reported) {
		a.log.Debug("failed", "error", err.Error())
		a.out.Report(err)
	}
	return strata.CodeOf(err).ExitCode()
}
