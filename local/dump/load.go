package dump

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/diskfault"
	"github.com/strata-memory/strata/internal/durable"
	"github.com/strata-memory/strata/internal/workdir"
	"github.com/strata-memory/strata/local"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/sqlite"
	"github.com/strata-memory/strata/store/sqlite/backup"
	"github.com/strata-memory/strata/store/sqlite/salvage"
)

// LoadOptions say what becomes of a dump.
type LoadOptions struct {
	// Home must not be there, or hold nothing but settings and a database without rows.
	Home     string
	DryRun   bool                    // read the dump through and change nothing
	Progress func(done, total int64) // lines, then passages; total may be 0. May be nil.
}

// Loaded says what a home was made of.
type Loaded struct {
	Rows     map[string]int64 // by table
	Files    int64
	Passages int64 // that were indexed
	// LeftOut is what was not in the dump or could not be taken from it; lines by their
	// numbers. Of lines the first 100 are named.
	LeftOut  []store.Problem
	Problems []store.Problem // what a look at the new home found
}

// Load makes a home of a dump, in a directory beside, which gets the name of the home once
// it is indexed and looked through. Lines that are damaged are left out and named. It
// fails with conflict where there is a home, and with newer_version for a dump of a newer
// version.
func Load(ctx context.Context, o LoadOptions, from io.Reader) (out Loaded, err error) {
	home, err := filepath.Abs(o.Home)
	if err != nil {
		return out, unavailable(err)
	}
	if err := wantEmpty(ctx, home); err != nil {
		return out, err
	}
	l := &loader{ctx: ctx, lines: lineReader{r: bufio.NewReaderSize(from, 1<<16)}, progress: o.Progress}
	l.out.Rows = make(map[string]int64)
	schema, err := l.begin()
	if err != nil {
		return out, err
	}
	if o.DryRun {
		for err == nil {
			var r salvage.Row
			if r, err = l.next(); err == nil {
				l.out.Rows[r.Table]++
			}
		}
		if errors.Is(err, io.EOF) {
			err = nil
		}
		l.finish(l.out.Rows)
		return l.out, err
	}
	parent, prefix := workdir.OfRestore(home)
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return out, unavailable(err)
	}
	if err := workdir.Sweep(parent, prefix); err != nil {
		return out, unavailable(err)
	}
	work, err := workdir.New(parent, prefix)
	if err != nil {
		return out, unavailable(err)
	}
	defer func() { err = errors.Join(err, work.Remove()) }()
	made := filepath.Join(work.Path, "home")
	if err := l.fill(made, schema); err != nil {
		return l.out, err
	}
	if err := l.complete(local.Database(made)); err != nil {
		return l.out, err
	}
	return l.out, put(ctx, made, home)
}

// wantEmpty is a conflict where a home holds anything but settings, and a database of which
// nothing was made yet.
func wantEmpty(ctx context.Context, home string) error {
	entries, err := os.ReadDir(home)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return unavailable(err)
	}
	database := filepath.Base(local.Database(home))
	for _, e := range entries {
		switch {
		case e.Name() == settings, e.Name() == database+"-lock":
		case e.Name() == database && holdsNothing(ctx, local.Database(home)):
		default:
			return &strata.Error{Code: strata.CodeConflict, Op: "import", Message: home + " holds a memory already, and ids of two are not merged",
				Hint: "name another --home, which is made; an export without --full can be added to a memory"}
		}
	}
	return nil
}

// holdsNothing reports whether a database that nobody has open, as there is no log beside
// it, is sound and has no rows of memory.
func holdsNothing(ctx context.Context, path string) bool {
	held, err := backup.Inspect(ctx, path)
	for _, n := range held.Rows {
		if n > 0 {
			return false
		}
	}
	return err == nil
}

// loader reads a dump.
type loader struct {
	ctx      context.Context
	lines    lineReader
	progress func(done, total int64)
	root     *os.Root // of the home that is made; nil in a dry run
	file     *partial // nil between files
	end      *end     // nil until it was read
	out      Loaded
	damaged  int64 // lines
}

// begin reads the header, and returns the version of the schema.
func (l *loader) begin() (schema int, err error) {
	text, fits, err := l.lines.next()
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, err
	}
	var h header
	if !fits || !Is(text) || json.Unmarshal(text, &h) != nil {
		return 0, strata.Invalid("import", "the first line is not the header of a full export", "pass a file made by strata export --full")
	}
	if h.Version > Version {
		return 0, &strata.Error{Code: strata.CodeNewerVersion, Op: "import",
			Message: fmt.Sprintf("the export has version %d, this program reads up to %d", h.Version, Version), Hint: "install the newest strata"}
	}
	return h.Schema, nil
}

// fill writes the database and the files of a new home.
func (l *loader) fill(home string, schema int) error {
	if err := os.Mkdir(home, 0o700); err != nil {
		return unavailable(err)
	}
	var err error
	if l.root, err = os.OpenRoot(home); err != nil {
		return unavailable(err)
	}
	saved, err := salvage.Load(l.ctx, local.Database(home), schema, l.next, func(_ salvage.Row, reason string) { l.leave(reason) })
	if err = errors.Join(err, l.endFile(), l.root.Close(), durable.Tree(home)); err != nil {
		return err
	}
	read := maps.Clone(saved.Rows)
	l.out.Rows = saved.Rows
	l.finish(read)
	l.out.LeftOut = append(l.out.LeftOut, saved.Lost...)
	return nil
}

// next returns the next row. It writes the files that it passes. What is wrong with lines
// is noted.
func (l *loader) next() (salvage.Row, error) {
	for {
		if err := l.ctx.Err(); err != nil {
			return salvage.Row{}, err
		}
		text, fits, err := l.lines.next()
		if err != nil {
			return salvage.Row{}, err
		}
		if l.progress != nil && l.lines.number%1000 == 0 {
			l.progress(l.lines.number, 0)
		}
		if !fits {
			l.leave(fmt.Sprintf("it is longer than %d bytes", maxLine))
			continue
		}
		line, err := parse(text)
		if err == nil && l.end != nil {
			err = errors.New("it stands behind the end")
		}
		if err == nil {
			switch line.kind {
			case kindFile:
				var part filePart
				if err = json.Unmarshal(line.content, &part); err == nil {
					err = l.part(part)
				}
			case kindEnd:
				l.end = &end{}
				err = json.Unmarshal(line.content, l.end)
			default:
				var r salvage.Row
				if r, err = line.row(); err == nil {
					return r, nil
				}
			}
		}
		var failed *writeError
		if errors.As(err, &failed) {
			return salvage.Row{}, unavailable(failed.err)
		}
		if err != nil {
			l.leave(err.Error())
		}
	}
}

// leave notes that the line at hand is left out.
func (l *loader) leave(reason string) {
	const most = 100
	if l.damaged++; l.damaged <= most {
		l.out.LeftOut = append(l.out.LeftOut, store.Problem{Kind: "damaged_line", Ref: fmt.Sprint("line ", l.lines.number),
			Detail: fmt.Sprintf("line %d is left out: %s", l.lines.number, reason)})
	}
}

// finish compares what was read with what the end says there is.
func (l *loader) finish(read map[string]int64) {
	lacks := func(kind, ref, detail string) {
		l.out.LeftOut = append(l.out.LeftOut, store.Problem{Kind: kind, Ref: ref, Detail: detail})
	}
	if l.end == nil {
		lacks("missing_end", "end", "the export has no end: what followed is missing")
		return
	}
	for _, table := range slices.Sorted(maps.Keys(l.end.Rows)) {
		if is, of := read[table], l.end.Rows[table]; is < of {
			lacks("missing_rows", table, fmt.Sprintf("%d of %d rows of table %s are missing", of-is, of, table))
		}
	}
	if l.out.Files < l.end.Files {
		lacks("missing_files", "files", fmt.Sprintf("%d of %d files are missing", l.end.Files-l.out.Files, l.end.Files))
	}
	l.out.LeftOut = append(l.out.LeftOut, l.end.LeftOut...)
}

// complete indexes a new database and looks it through. It needs no model: vectors are
// those that were in the dump. Files are left alone until the home is opened.
func (l *loader) complete(path string) error {
	err := withEngine(l.ctx, path, func(mem *engine.Engine) error {
		indexed, err := mem.Reindex(l.ctx, nil, l.progress)
		l.out.Passages = indexed.Passages
		return err
	})
	if err != nil {
		return err
	}
	if err := salvage.KeepVectors(l.ctx, path); err != nil {
		return err
	}
	return withEngine(l.ctx, path, func(mem *engine.Engine) error {
		report, err := mem.Doctor(l.ctx, nil)
		l.out.Problems = report.Problems
		return err
	})
}

// withEngine calls fn with an engine that has neither an embedder nor files.
func withEngine(ctx context.Context, path string, fn func(*engine.Engine) error) error {
	st, err := sqlite.Open(ctx, path, nil)
	if err != nil {
		return err
	}
	mem, err := engine.Open(ctx, st, nil)
	if err != nil {
		return err
	}
	return errors.Join(fn(mem), mem.Close())
}

// put gives a finished home its name. A home with settings gets its files one by one, the
// database last: there is no memory before.
func put(ctx context.Context, made, home string) error {
	err := os.Rename(made, home)
	if err == nil {
		return durable.Directory(filepath.Dir(home))
	}
	if err := wantEmpty(ctx, home); err != nil {
		return err
	}
	entries, err := os.ReadDir(made)
	if err != nil {
		return unavailable(err)
	}
	database := filepath.Base(local.Database(home))
	slices.SortStableFunc(entries, func(a, b fs.DirEntry) int {
		return rank(a.Name() == database) - rank(b.Name() == database)
	})
	for _, e := range entries {
		if err := os.Rename(filepath.Join(made, e.Name()), filepath.Join(home, e.Name())); err != nil {
			return unavailable(err)
		}
	}
	return durable.Directory(home)
}

func rank(last bool) int {
	if last {
		return 1
	}
	return 0
}

func unavailable(err error) error {
	return diskfault.Explain(&strata.Error{Code: strata.CodeUnavailable, Op: "import", Message: "the home cannot be made",
		Hint: "name a directory on a disk with room that may be written", Err: err}, "")
}
