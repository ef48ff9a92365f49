package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"filippo.io/age"
	"github.com/pelletier/go-toml/v2"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/durable"
	"github.com/strata-memory/strata/internal/endpoint"
	"github.com/strata-memory/strata/internal/workdir"
	sqlite "github.com/strata-memory/strata/store/sqlite/backup"
	"github.com/strata-memory/strata/store/sqlite/migration"
)

// databaseName is the file of the database inside of a home.
const databaseName = "strata.db"

// Options say what is backed up, and where to.
type Options struct {
	Home string
	// To is the file that is written, which must not be there. A directory, or a name
	// with {time} in it, stands for a name with the time.
	To string
	// Keep is how many backups of this home stay under such names, this one included;
	// older ones are removed once this one is verified. 0 keeps all.
	Keep   int
	Strata string                  // version of the program
	Now    time.Time               // when the backup begins
	Report func(done, total int64) // of bytes; may be nil

	// Recipients may restore the backup, and nobody else. None: it is not encrypted.
	Recipients []age.Recipient

	maxSize int64 // bytes of all backups that stay; 0 is no bound
}

// Created is a backup that was written and verified.
type Created struct {
	Path     string
	Size     int64 // bytes of the file
	Manifest Manifest
	Removed  []string // older backups
}

// Create writes a backup of a home, which others may use meanwhile, and reads it back.
func Create(ctx context.Context, o Options) (c Created, err error) {
	const op = "backup"
	place, err := parsePlace(o.To, o.Keep, len(o.Recipients) > 0)
	if err != nil {
		return c, err
	}
	if o.Home, err = filepath.Abs(o.Home); err != nil {
		return c, unavailable("the home cannot be found", err)
	}
	if inside(o.Home, place.at(o.Now)) {
		return c, strata.Invalid(op, "the backup would lie inside of the home", "name a file elsewhere, best on another disk")
	}
	return create(ctx, o, place)
}

func create(ctx context.Context, o Options, place place) (c Created, err error) {
	if _, err := os.Stat(filepath.Join(o.Home, databaseName)); errors.Is(err, fs.ErrNotExist) {
		return c, strata.NotFound("backup", "database", filepath.Join(o.Home, databaseName))
	}
	c.Path = place.at(o.Now)
	if _, err := os.Lstat(c.Path); err == nil {
		return c, exists(c.Path)
	}
	dir := filepath.Dir(c.Path)
	if err := workdir.Sweep(dir, workPrefix); err != nil {
		return c, unavailable("what an interrupted backup left cannot be removed", err)
	}
	work, err := workdir.New(dir, workPrefix)
	if err != nil {
		return c, unavailable("the backup cannot be written", err)
	}
	defer func() { err = errors.Join(err, work.Remove()) }()
	if c.Manifest, c.Size, err = write(ctx, o, work.Path); err != nil {
		return c, unavailable("the backup cannot be written", err)
	}
	if err := publish(filepath.Join(work.Path, archiveName), c.Path); err != nil {
		return c, err
	}
	if o.Keep > 0 {
		c.Removed, err = place.rotate(o.Home, c.Path, o.Keep, o.maxSize)
	}
	return c, err
}

const archiveName = "archive"

// write writes and verifies a backup in a directory for unfinished work.
func write(ctx context.Context, o Options, work string) (m Manifest, size int64, err error) {
	staged, archive := filepath.Join(work, "home"), filepath.Join(work, archiveName)
	if err := os.Mkdir(staged, 0o700); err != nil {
		return m, 0, err
	}
	meter := &meter{report: o.Report}
	if m, err = o.stage(ctx, staged, meter); err != nil {
		return m, 0, err
	}
	to, keys, err := o.recipients()
	if err != nil {
		return m, 0, err
	}
	if err := compress(ctx, archive, staged, m, to, meter); err != nil {
		return m, 0, err
	}
	if err := os.RemoveAll(staged); err != nil {
		return m, 0, err
	}
	if err := verify(ctx, archive, keys, meter); err != nil {
		return m, 0, err
	}
	info, err := os.Stat(archive)
	if err != nil {
		return m, 0, err
	}
	meter.finish()
	return m, info.Size(), nil
}

// stage copies a home into a directory, and says what it copied.
func (o Options) stage(ctx context.Context, staged string, meter *meter) (Manifest, error) {
	m := Manifest{Kind: kindName, Format: Format, Strata: o.Strata, Time: o.Now.UTC(), Home: o.Home}
	// The database first: files follow it, and one that it names is never missing.
	copied := filepath.Join(staged, databaseName)
	var err error
	m.Database, err = sqlite.Copy(ctx, filepath.Join(o.Home, databaseName), copied, meter.pages)
	if err != nil {
		return m, err
	}
	info, err := os.Stat(copied)
	if err != nil {
		return m, err
	}
	meter.begin(info.Size())
	sum, err := hashOf(ctx, copied, meter.add)
	if err != nil {
		return m, err
	}
	files, err := copyFiles(ctx, o.Home, staged)
	if err != nil {
		return m, err
	}
	m.Entries = append([]Entry{{Path: databaseName, Size: info.Size(), Time: o.Now.UTC(), SHA256: sum}}, files...)
	m.Outside = outside(staged)
	return m, m.validate()
}

// recipients returns to whom the backup is encrypted, and the keys by which it is read back
// once it is written: one that is thrown away then. There are none where it is not
// encrypted.
func (o Options) recipients() (to []age.Recipient, keys []age.Identity, err error) {
	if len(o.Recipients) == 0 {
		return nil, nil, nil
	}
	once, err := age.GenerateX25519Identity()
	if err != nil {
		return nil, nil, err
	}
	return append(slices.Clone(o.Recipients), once.Recipient(), homeMark(o.Home)), []age.Identity{once}, nil
}

// compress makes an archive of what was staged. The database in it is looked through at
// the same time: its hash is known, and that of what is read back is compared with it.
func compress(ctx context.Context, archive, staged string, m Manifest, to []age.Recipient, meter *meter) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	looked := make(chan error, 1)
	go func() { looked <- check(ctx, filepath.Join(staged, databaseName), m.Database) }()
	err := writeArchive(ctx, archive, staged, m, to, meter.add)
	if err != nil {
		cancel()
		<-looked
		return err
	}
	return <-looked
}

// verify reads an archive to its end.
func verify(ctx context.Context, archive string, keys []age.Identity, meter *meter) error {
	return readArchive(ctx, archive, keys, func(Manifest) error { return nil }, func(_ Entry, r io.Reader) error {
		n, err := io.Copy(io.Discard, r)
		meter.add(n)
		if err != nil {
			return damaged("it cannot be read back", err)
		}
		return nil
	})
}

// check looks a copy of the database through, and compares what it holds.
func check(ctx context.Context, path string, want sqlite.Contents) error {
	held, err := sqlite.Inspect(ctx, path)
	if err != nil {
		return err
	}
	if held.Schema != want.Schema || !maps.Equal(held.Rows, want.Rows) {
		return damaged("its database holds other rows than were copied", nil)
	}
	return nil
}

// copyFiles copies the files of a home other than those of the database, and lists them.
// What is removed while it does so is left out.
func copyFiles(ctx context.Context, home, to string) ([]Entry, error) {
	list, err := filesOf(ctx, home)
	if err != nil {
		return nil, err
	}
	// Objects of a git repository come last: a reference that is copied then leads to
	// one that is.
	slices.SortStableFunc(list, func(a, b Entry) int { return order(a) - order(b) })
	var out []Entry
	for _, e := range list {
		switch {
		case e.Dir:
			err = os.MkdirAll(filepath.Join(to, filepath.FromSlash(e.Path)), 0o700)
		case e.isFile():
			err = e.copy(ctx, home, to)
		}
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

// filesOf lists the files of a home that a backup holds beside the database.
func filesOf(ctx context.Context, home string) (list []Entry, err error) {
	err = filepath.WalkDir(home, func(name string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		rel, relErr := filepath.Rel(home, name)
		if relErr != nil || rel == "." {
			return errors.Join(err, relErr)
		}
		if errors.Is(err, fs.ErrNotExist) || filepath.Dir(rel) == "." && isDatabase(rel) {
			return nil
		}
		if filepath.Dir(rel) == "." && endpoint.Is(rel) {
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
			return nil // of the server that runs here; a token opens no copy
		}
		if rel == migration.BackupDir && d.IsDir() {
			return fs.SkipDir
		}
		if err != nil {
			return err
		}
		e := Entry{Path: filepath.ToSlash(rel)}
		switch {
		case d.IsDir():
			e.Dir = true
		case d.Type()&fs.ModeSymlink != 0:
			e.Link, err = os.Readlink(name)
		case !d.Type().IsRegular():
			return nil // a socket or pipe of a process
		}
		if err == nil {
			list = append(list, e)
		}
		return err
	})
	return list, err
}

// order puts directories first and objects of repositories last.
func order(e Entry) int {
	switch {
	case e.Dir:
		return 0
	case strings.Contains("/"+e.Path, "/.git/objects/"):
		return 2
	}
	return 1
}

// isDatabase reports whether a name in a home is that of the database or of a file that
// belongs to it, such as its log, its lock and copies from before its schema changed.
func isDatabase(name string) bool {
	return name == databaseName || strings.HasPrefix(name, databaseName+"-") || strings.HasPrefix(name, databaseName+".") ||
		strings.HasPrefix(name, ".new-")
}

// copy copies a file of a home and notes what was copied.
func (e *Entry) copy(ctx context.Context, home, to string) error {
	in, err := os.Open(filepath.Join(home, filepath.FromSlash(e.Path)))
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.OpenFile(filepath.Join(to, filepath.FromSlash(e.Path)), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	sum := sha256.New()
	e.Size, err = io.Copy(io.MultiWriter(out, sum), &reader{ctx: ctx, from: in, report: func(int64) {}})
	e.Time, e.SHA256 = info.ModTime().UTC(), hex.EncodeToString(sum.Sum(nil))
	return errors.Join(err, out.Close())
}

func hashOf(ctx context.Context, path string, report func(n int64)) (string, error) {
	in, err := os.Open(path)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	_, err = io.Copy(sum, &reader{ctx: ctx, from: in, report: report})
	return hex.EncodeToString(sum.Sum(nil)), errors.Join(err, in.Close())
}

// outside lists directories of workspaces that lie elsewhere, as far as the home knows
// where that is.
func outside(home string) []string {
	files := os.DirFS(home)
	names, _ := fs.Glob(files, "workspaces/*/root.toml") // the pattern is right
	var list []string
	for _, name := range names {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			continue
		}
		var at struct {
			Root string `toml:"workspace_root"`
		}
		if toml.Unmarshal(data, &at) == nil && at.Root != "" {
			list = append(list, at.Root)
		}
	}
	return list
}

// publish gives a finished file its name, unless there is one of that name.
func publish(from, to string) error {
	err := os.Link(from, to)
	switch {
	case errors.Is(err, fs.ErrExist):
		return exists(to)
	case err != nil: // a file system without links
		if _, err := os.Lstat(to); err == nil {
			return exists(to)
		}
		if err := os.Rename(from, to); err != nil {
			return unavailable("the backup cannot be put in its place", err)
		}
	}
	if err := durable.Directory(filepath.Dir(to)); err != nil {
		return unavailable("the backup cannot be made durable", err)
	}
	return nil
}

func exists(path string) error {
	return &strata.Error{Code: strata.CodeConflict, Op: "backup", Message: "there is a file at " + path + " already",
		Hint: "name another one, or a directory, where each backup has the time in its name"}
}

// inside reports whether a path lies in a directory, or is it.
func inside(dir, name string) bool {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	if real, err := filepath.EvalSymlinks(filepath.Dir(name)); err == nil {
		name = filepath.Join(real, filepath.Base(name))
	}
	rel, err := filepath.Rel(dir, name)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// workPrefix begins the names of directories for unfinished backups.
const workPrefix = migration.WorkPrefix

// meter reports the work on a backup in bytes: the database is copied, hashed, packed
// and read back, and files are little beside it.
type meter struct {
	report      func(done, total int64)
	done, total int64
}

const passes = 4

func (m *meter) pages(done, total int64) {
	const size = 8192 // bytes of a page, for the report
	m.done, m.total = done*size, passes*total*size
	m.tell()
}

func (m *meter) begin(size int64) { m.done, m.total = size, passes*size }

func (m *meter) add(n int64) {
	m.done = min(m.done+n, m.total)
	m.tell()
}

func (m *meter) finish() {
	m.done = m.total
	m.tell()
}

func (m *meter) tell() {
	if m.report != nil {
		m.report(m.done, m.total)
	}
}
