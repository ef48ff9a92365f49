// Command strata gives access to the memory of an AI agent from a terminal. It saves,
// recalls and maintains the content of one home directory.
package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"syscall"

	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/heap"
	"github.com/strata-memory/strata/cmd/strata/internal/output"
	"github.com/strata-memory/strata/internal/base/diskfault"
	"github.com/strata-memory/strata/internal/home/config"
)

func main() { os.Exit(run()) }

// run is main with an exit code. The first interrupt cancels the work, so that it can
// clean up; a second one ends the process at once.
func run() int {
	heap.CollectLittle()
	// A write to a closed pipe then fails like any other write, and the home is closed.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	return Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Environ())
}

// Main runs one command and returns its exit code: 0, or that of the error's code. It
// touches no process state other than the files of the working directory, so that tests
// can call it.
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, environ []string) int {
	a := newApp(stdin, stdout, stderr, environ)
	a.out.Format = earlyFormat(args, a.getenv)
	word := ""
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		word = args[0]
	}
	root := newRoot(a, word)
	root.SetArgs(append([]string{}, args...)) // nil would mean os.Args
	err := root.ExecuteContext(ctx)
	switch closeErr := a.close(); {
	case err == nil && a.readOnly && strata.CodeOf(closeErr) == strata.CodeFull:
		a.notice("the hits are not counted as used: " + closeErr.Error())
	case err == nil:
		err = closeErr
	}
	if err == nil || isUnread(err) {
		return 0
	}
	var known *strata.Error
	if !a.running && !errors.As(err, &known) {
		err = strata.Invalid("", err.Error(), "run strata --help or strata COMMAND --help")
	}
	err = diskfault.Coded("", err)
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

// isUnread reports whether an error means that nobody reads standard output any more, as
// after strata fact list | head. That is not a failure: the reader has what it wanted.
func isUnread(err error) bool {
	var write *fs.PathError
	return errors.As(err, &write) && write.Path == os.Stdout.Name() && errors.Is(write.Err, syscall.EPIPE)
}

// earlyFormat looks for the output format in arguments that may be wrong, and in the
// environment.
func earlyFormat(args []string, getenv func(string) string) string {
	format := getenv("STRATA_OUTPUT")
	for i, arg := range args {
		if arg == "--" {
			break
		}
		switch {
		case arg == "-o" || arg == "--output":
			if i+1 < len(args) {
				format = args[i+1]
			}
		case strings.HasPrefix(arg, "--output="):
			format = strings.TrimPrefix(arg, "--output=")
		case strings.HasPrefix(arg, "-o"):
			format = strings.TrimPrefix(strings.TrimPrefix(arg, "-o"), "=")
		}
	}
	for _, s := range config.Settings() {
		if s.Name == config.Output && slices.Contains(s.Enum, format) {
			return format
		}
	}
	return output.Table
}
