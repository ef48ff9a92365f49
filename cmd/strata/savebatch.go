package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/input"
	"github.com/strata-memory/strata/cmd/strata/internal/output"
	"github.com/strata-memory/strata/cmd/strata/internal/progress"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/ops/operation"
)

const (
	// batchSize is how many statements are saved in one transaction.
	batchSize = 500
	// maxLine is the longest line of a batch, in bytes: a statement of maximum length
	// with every byte escaped, and its other fields.
	maxLine = 8 * strata.MaxFactBytes
)

// runBatch saves one statement for each line of a file that is not blank. A line that
// cannot be parsed gets a rejection as its answer, so that answers and lines stay in
// step.
func (c *opCommand) runBatch(ctx context.Context, cmd *cobra.Command) error {
	for _, f := range c.op.Inputs() {
		if !f.Arg && cmd.Flags().Changed(flagName(f)) {
			return strata.Invalid("", "--batch cannot be combined with --"+flagName(f), "put it in each line of the file")
		}
	}
	in, err := input.OpenOr(ctx, c.batch, c.app.stdin)
	if err != nil {
		return err
	}
	defer in.Close()
	env, err := c.app.environment(ctx)
	if err != nil {
		return err
	}
	b := batch{out: c.app.out, env: env, progress: c.app.out.Progress("save")}
	err = b.readLines(ctx, in)
	b.progress.Finish()
	if err != nil {
		return err
	}
	return b.end()
}

// batch saves the lines it is given, one transaction at a time.
type batch struct {
	out      *output.Printer
	env      *operation.Env
	progress *progress.Progress

	answers  []ops.Saved // answers to the lines since the last flush; empty until known
	items    []ops.BatchItem
	places   []int       // index in answers of each item
	all      []ops.Saved // answers to the whole batch, for -o json
	lines    int64
	rejected int
}

// readLines saves every line of in.
func (b *batch) readLines(ctx context.Context, in io.Reader) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 0, 64<<10), maxLine)
	for lines.Scan() {
		b.lines++
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		b.add(lines.Bytes())
		if len(b.answers) == batchSize {
			if err := b.flush(ctx); err != nil {
				return err
			}
		}
	}
	err := lines.Err()
	if errors.Is(err, bufio.ErrTooLong) {
		err = &strata.Error{Code: strata.CodeTooLarge, Message: fmt.Sprintf("line %d is longer than %d bytes", b.lines+1, maxLine),
			Hint: "the lines before it are saved; shorten it and continue from there"}
	} else if err != nil {
		err = input.ReadError("the batch", err)
	}
	return errors.Join(err, b.flush(ctx))
}

// add parses one line.
func (b *batch) add(line []byte) {
	var item ops.BatchItem
	if err := operation.DecodeStrict(line, &item); err != nil {
		b.answers = append(b.answers, ops.Rejected(fmt.Errorf("line %d: %w", b.lines, err)))
		return
	}
	b.items, b.places = append(b.items, item), append(b.places, len(b.answers))
	b.answers = append(b.answers, ops.Saved{})
}

// flush saves the statements read so far and prints the answers.
func (b *batch) flush(ctx context.Context) error {
	if len(b.answers) == 0 {
		return nil
	}
	if len(b.items) > 0 {
		out, err := ops.Run(ctx, b.env, opSaveBatch, &ops.BatchIn{Items: b.items})
		if err != nil {
			return err
		}
		if saved, ok := out.(ops.Batch); ok {
			for i, s := range saved.Decisions {
				b.answers[b.places[i]] = s
			}
		}
	}
	for _, s := range b.answers {
		if s.Decision == strata.OpReject {
			b.rejected++
		}
		if b.out.Format == output.JSON {
			b.all = append(b.all, s)
		}
		if err := b.out.Item(s); err != nil {
			return fmt.Errorf("write output: %w", err)
		}
	}
	b.progress.Report(b.lines, 0)
	b.answers, b.items, b.places = nil, nil, nil
	return nil
}

// end prints the rest and says how many statements were rejected.
func (b *batch) end() error {
	if b.out.Format == output.JSON {
		if b.all == nil {
			b.all = []ops.Saved{}
		}
		if err := b.out.JSON(ops.Batch{Decisions: b.all}); err != nil {
			return fmt.Errorf("write output: %w", err)
		}
	}
	if b.rejected == 0 {
		return nil
	}
	return strata.Invalid("", output.Count(b.rejected, "statement")+" not saved", "each shows its reason; the others are saved")
}
