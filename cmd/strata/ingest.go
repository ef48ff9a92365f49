package main

import (
	"bufio"
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/input"
	"github.com/strata-memory/strata/cmd/strata/internal/output"
	"github.com/strata-memory/strata/cmd/strata/internal/progress"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/internal/ingest"
	"github.com/strata-memory/strata/internal/ingest/transcript"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/ops/operation"
)

// opIngest is the operation whose command also accepts directories.
const opIngest = "ingest"

// headBytes is how much of a file in a directory is examined to tell whether it is a
// transcript.
const headBytes = 4 << 10

// runIngest ingests a file, standard input, or the files of a directory.
func (c *opCommand) runIngest(ctx context.Context, name string) error {
	env, err := c.app.environment(ctx)
	if err != nil {
		return err
	}
	t := intake{op: c.op, in: c.in, env: env, out: c.app.out}
	if info, err := os.Stat(name); name != "-" && err == nil && info.IsDir() {
		t.progress = c.app.out.ByteProgress(opIngest)
		err := t.directory(ctx, name)
		t.progress.Finish()
		if err != nil {
			return c.stopped(ctx, err, t.progress)
		}
		if err := t.end(name); err != nil {
			return err
		}
		return c.app.readByModel(ctx, env)
	}
	in, err := input.OpenOr(ctx, name, c.app.stdin)
	if err != nil {
		return err
	}
	defer in.Close()
	if info, err := os.Stat(name); name != "-" && err == nil {
		t.total, env.InTime = info.Size(), info.ModTime()
	}
	t.progress = c.app.out.ByteProgress(opIngest)
	out, err := t.read(ctx, in)
	t.progress.Finish()
	if err != nil {
		return c.stopped(ctx, err, t.progress)
	}
	if err := c.app.out.Print(out); err != nil {
		return err
	}
	return c.app.readByModel(ctx, env)
}

// readByModel lets the configured model, if any, extract facts from what was ingested.
// What it does not get to stays pending for the next command that ingests.
func (a *app) readByModel(ctx context.Context, env *operation.Env) error {
	if !a.reads || a.models == nil {
		return nil
	}
	p := a.out.Progress("read by the model")
	made, err := env.Engine.ExtractByModel(ctx, func(done, waiting int) { p.Report(int64(done), int64(waiting)) })
	p.Finish()
	changed := 0
	for _, d := range made {
		if d.Op.Changed() {
			changed++
		}
	}
	if changed > 0 {
		a.out.Note("the model changed %s; strata decisions shows them", output.Count(changed, "fact"))
	}
	switch strata.CodeOf(err) {
	case strata.CodeUnavailable, strata.CodeCanceled, strata.CodeDenied, strata.CodeNotFound, strata.CodeBusy:
		a.out.Note("the model has not read everything: %s; the next ingest, watch or mcp continues", strata.MessageOf(err))
		return nil
	}
	return err
}

// intake ingests files one after the other.
type intake struct {
	op       operation.Operation
	in       any
	env      *operation.Env
	out      *output.Printer
	progress *progress.Progress

	done, total int64 // bytes of all files
	all         []ops.Ingested
	others      int // files that contain no conversation
}

// directory ingests the files of a directory and its subdirectories.
func (t *intake) directory(ctx context.Context, dir string) error {
	fsys := os.DirFS(dir)
	files, err := ingest.Files(fsys)
	if err != nil {
		return input.ReadError(terminal.Quote(dir), err)
	}
	for _, f := range files {
		t.total += f.Size
	}
	for _, f := range files {
		before := t.done
		if err := t.file(ctx, fsys, dir, f); err != nil {
			return err
		}
		t.done = before + f.Size
		t.progress.Report(t.done, t.total)
	}
	return nil
}

// file ingests a file of a directory. It skips one that is not a conversation or that its
// agent has removed meanwhile.
func (t *intake) file(ctx context.Context, fsys fs.FS, dir string, f ingest.File) error {
	in, err := f.Open(fsys)
	if err != nil {
		t.others++
		return nil
	}
	defer in.Close()
	head := bufio.NewReaderSize(in, headBytes)
	if start, _ := head.Peek(headBytes); !transcript.Looks(start) {
		t.others++
		return nil
	}
	t.env.InTime = f.Modified
	out, err := t.read(ctx, head)
	if strata.CodeOf(err) == strata.CodeInvalid {
		t.others++
		return nil
	}
	if err != nil {
		return err
	}
	out.File = filepath.Join(dir, filepath.FromSlash(f.Path))
	return t.report(out)
}

// read ingests what a reader returns.
func (t *intake) read(ctx context.Context, in io.Reader) (ops.Ingested, error) {
	t.env.In = &byteCounter{r: in, count: func(n int) {
		t.done += int64(n)
		t.progress.Report(t.done, max(t.total, t.done))
	}}
	out, err := t.op.Run(ctx, t.env, t.in)
	got, _ := out.(ops.Ingested)
	return got, err
}

// report prints the result for one file of several, or keeps it for the JSON document
// that is printed at the end.
func (t *intake) report(out ops.Ingested) error {
	sum := out
	if t.out.Format != output.JSON {
		sum.Facts, sum.Sessions, sum.Left = nil, nil, nil // these are printed here
	}
	t.all = append(t.all, sum)
	switch {
	case t.out.Format == output.JSON:
		return nil
	case t.out.Format == output.JSONL:
		return t.out.Line(out)
	case out.Added == 0 && len(out.Notes) == 0:
		return nil
	}
	t.progress.Finish()
	return t.out.Text(t.out.Stdout, out)
}

// end prints the result for all files: those of a directory, unless dir is empty.
func (t *intake) end(dir string) error {
	sum := ops.IngestedAll{Files: t.all}
	if t.out.Format == output.JSON {
		return t.out.JSON(sum)
	}
	if t.out.Format == output.JSONL {
		return nil
	}
	if t.others > 0 {
		what := output.Count(t.others, "file")
		if dir != "" {
			what += " of " + terminal.Quote(dir)
		}
		t.out.Note("%s left out: no conversation", what)
	}
	return t.out.Text(t.out.Stdout, sum)
}

// byteCounter counts the bytes that are read.
type byteCounter struct {
	r     io.Reader
	count func(n int)
}

// Read reads from the underlying reader.
func (b *byteCounter) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	b.count(n)
	return n, err
}
