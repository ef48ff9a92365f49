package benchmark

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/bench"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/base/plainfile"
)

// spareInput returns an error if a run or a result would overwrite a file of the
// collection.
func spareInput(from bench.Source, run, result string) error {
	outputs := []string{run}
	if result != "" {
		outputs = append(outputs, bench.ResultFiles(result)...)
	}
	for _, in := range from.Files() {
		input, err := os.Stat(in)
		if err != nil {
			continue // reading reports the error
		}
		for _, out := range outputs {
			if output, err := os.Stat(out); err == nil && os.SameFile(input, output) {
				return strata.Invalid("write result", out+" is a file of the collection", "name another file, or another directory")
			}
		}
	}
	return nil
}

// asked is a collection that was ingested and queried.
type asked struct {
	mem     *engine.Engine // open until the next collection is queried
	answers []bench.Answer
	ingest  time.Duration
	skipped int // number of empty documents
}

// ask ingests a collection into a throw-away home and runs its queries: a benchmark never
// touches a real home. The name, if any, tells the collection from others. The memory
// stays open.
func (h Host) ask(ctx context.Context, name string, c bench.Collection, o bench.Options) (asked, error) {
	var out asked
	dir, err := h.Scratch()
	if err != nil {
		return out, err
	}
	mem, err := h.Open(ctx, filepath.Join(dir, name))
	if err != nil {
		return out, err
	}
	out.mem = mem
	full := slices.DeleteFunc(slices.Clone(c.Documents), bench.Document.Empty)
	if out.skipped = len(c.Documents) - len(full); out.skipped > 0 {
		first := c.Documents[slices.IndexFunc(c.Documents, bench.Document.Empty)]
		h.Out.Note("%s", strings.TrimSpace(fmt.Sprintf("%s empty documents left out: %d, the first is %s", name, out.skipped, first.ID)))
	}
	begin := time.Now()
	p := h.Out.Progress(strings.TrimSpace("ingest " + name))
	names, err := bench.Ingest(ctx, mem, full, func(done int) { p.Report(int64(done), int64(len(full))) })
	p.Finish()
	if err != nil {
		return out, err
	}
	out.ingest = time.Since(begin)

	p = h.Out.Progress(strings.TrimSpace("ask " + name))
	o.Progress = func(done int) { p.Report(int64(done), int64(len(c.Queries))) }
	out.answers, err = bench.Ask(ctx, mem, c.Queries, names, o)
	p.Finish()
	return out, err
}

// writeRun writes answers as a TREC run file.
func writeRun(ctx context.Context, path string, answers []bench.Answer) error {
	return plainfile.Write(ctx, path, 0o644, func(w io.Writer) error { return bench.WriteRun(w, answers) })
}
