package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/input"
	"github.com/strata-memory/strata/cmd/strata/internal/progress"
	"github.com/strata-memory/strata/internal/backup/transfer"
	"github.com/strata-memory/strata/internal/base/plainfile"
	"github.com/strata-memory/strata/internal/ops"
)

// runStream runs an operation that reads or writes a file. The argument names the file;
// "-" or nothing means a standard stream.
func (c *opCommand) runStream(ctx context.Context, args []string) error {
	path := "-"
	if len(args) > 0 {
		path = args[0]
	}
	if c.info.Reads != "" {
		return c.runReader(ctx, path)
	}
	return c.runWriter(ctx, path)
}

// runReader runs the operation on the file at path.
func (c *opCommand) runReader(ctx context.Context, path string) error {
	in, err := input.OpenOr(ctx, path, c.app.stdin)
	if err != nil {
		return err
	}
	defer in.Close()
	lines := bufio.NewReaderSize(in, 1<<12)
	if c.info.Name == opImport {
		// The header may be shorter; whoever reads on gets the error of a short read
		// again.
		if first, _ := lines.Peek(transfer.MostHeader); transfer.IsFull(first) {
			return c.importFull(ctx, lines)
		}
	}
	size := int64(0)
	// An import counts what it writes: reading takes little time in comparison.
	if info, err := os.Stat(path); c.info.Name != opImport && path != "-" && err == nil && info.Mode().IsRegular() {
		size = info.Size()
	}
	out, err := c.runWith(ctx, lines, size, nil)
	if err != nil {
		return err
	}
	return c.app.out.Print(out)
}

// runWriter lets the operation write to the file at path, which appears only when it is
// complete, or to standard output.
func (c *opCommand) runWriter(ctx context.Context, path string) error {
	if path == "-" {
		out, err := c.runWith(ctx, nil, 0, c.app.out.Data())
		if err != nil {
			return err
		}
		return c.report(out, true)
	}
	var out any
	err := plainfile.Write(ctx, path, 0o600, func(w io.Writer) (err error) {
		out, err = c.runWith(ctx, nil, 0, w)
		return err
	})
	if err != nil {
		return err
	}
	return c.report(out, isOutput(path))
}

// report prints what the operation did; as a note if the data went to standard output.
func (c *opCommand) report(out any, dataOnStdout bool) error {
	if !dataOnStdout {
		return c.app.out.Print(out)
	}
	if err := c.app.out.Summarize(out); err != nil {
		return err
	}
	if f, ok := out.(interface{ Failure() error }); ok {
		return f.Failure()
	}
	return nil
}

// isOutput reports whether a path leads to standard output, such as /dev/stdout.
func isOutput(path string) bool {
	named, err := os.Stat(path)
	if err != nil {
		return false
	}
	stdout, err := os.Stdout.Stat()
	return err == nil && os.SameFile(named, stdout)
}

// runWith runs the operation on the given streams. size is that of the input; if it is 0,
// it is unknown, and progress counts items.
func (c *opCommand) runWith(ctx context.Context, in io.Reader, size int64, w io.Writer) (any, error) {
	if c.info.Name == opExport {
		if done, out, err := c.exportWhole(ctx, w); done || err != nil {
			return out, err
		}
	}
	env, err := c.app.environment(ctx)
	if err != nil {
		return nil, err
	}
	progress := c.app.out.Progress(c.info.Name)
	env.In, env.Out, env.Progress = in, w, progress.Report
	if size > 0 {
		progress = c.app.out.ByteProgress(c.info.Name)
		read := int64(0)
		env.Progress, env.In = nil, &byteCounter{r: in, count: func(n int) {
			read += int64(n)
			progress.Report(read, max(size, read))
		}}
	}
	if w != nil {
		env.Out = &lineCounter{w: w, report: progress.Report}
	}
	out, err := c.op.Run(ctx, env, c.in)
	progress.Finish()
	return out, c.stopped(ctx, err, progress)
}

// keeps lists the operations that commit step by step and resume where they were.
var keeps = []string{opImport, opIngest, "embed", "extractor_drain", "dream_trigger"}

// stopped says how far interrupted work came, and whether that is kept.
func (c *opCommand) stopped(ctx context.Context, err error, p *progress.Progress) error {
	if err == nil || ctx.Err() == nil || p.Far() == "" {
		return err
	}
	out := &strata.Error{Code: strata.CodeCanceled, Message: strings.Join(c.info.Words(), " ") + " was interrupted after " + p.Far()}
	if slices.Contains(keeps, c.info.Name) {
		out.Hint = "what was done is kept; run it again to do the rest"
	}
	return out
}

// lineCounter reports the number of lines written through it.
type lineCounter struct {
	w      io.Writer
	report func(done, total int64)
	lines  int64
}

// Write passes p on.
func (l *lineCounter) Write(p []byte) (int, error) {
	n, err := l.w.Write(p)
	for _, b := range p[:n] {
		if b == '\n' {
			l.lines++
		}
	}
	l.report(l.lines, 0)
	return n, err
}

// maxCall bounds a call of the memory tool, in bytes: the text of a file, with escapes.
const maxCall = 8 << 20

// answerCalls answers calls of the memory tool, which arrive as JSON objects on standard
// input, each as soon as it arrives.
func (a *app) answerCalls(ctx context.Context) error {
	env, err := a.environment(ctx)
	if err != nil {
		return err
	}
	in := &io.LimitedReader{R: input.Interruptible(ctx, a.stdin), N: maxCall}
	calls := json.NewDecoder(in)
	for {
		var raw json.RawMessage
		switch err := calls.Decode(&raw); {
		case errors.Is(err, io.EOF):
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && in.N == 0:
			return &strata.Error{Code: strata.CodeTooLarge, Op: "memory-tool", Message: "a call is larger than 8 MiB", Hint: "write a shorter file"}
		case err != nil:
			return strata.Invalid("memory-tool", "standard input is not JSON: "+err.Error(), "write one call after the other, such as {\"command\": \"view\", \"path\": \"/memories\"}")
		}
		in.N = maxCall
		answer, err := ops.AnswerCall(ctx, env, raw)
		if err != nil {
			return err
		}
		if err := a.out.Print(answer); err != nil {
			return err
		}
	}
}
