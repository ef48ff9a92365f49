package backup

import (
	"bytes"
	"context"
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
	"github.com/strata-memory/strata/internal/base/durable"
	"github.com/strata-memory/strata/internal/base/workdir"
	"github.com/strata-memory/strata/internal/sqlite/migration"
	"github.com/strata-memory/strata/internal/sqlite/salvage"
)

// Options control what is backed up and where to.
type Options struct {
	Home string
	// To is the file to write, which must not exist. If it is a directory or a name that
	// contains {time}, the time becomes part of the name.
	To string
	// Keep is the number of backups of this home to keep under such names, including the
	// new one. Older ones are removed once the new one is verified. 0 keeps all.
	Keep   int
	Strata string                  // version of the program
	Now    time.Time               // when the backup begins
	Report func(done, total int64) // of bytes; may be nil

	// Recipients are the only ones who can restore the backup. If there are none, it is
	// not encrypted.
	Recipients []age.Recipient

	maxSize int64 // maximum bytes of all kept backups; 0 means no limit
}

// Created is a backup that was written and verified.
type Created struct {
	Path     string
	Size     int64 // bytes of the file
	Manifest Manifest
	Removed  []string // older backups
}

// Create writes a backup of a home and verifies it by reading it back. The home may be in
// use meanwhile.
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
		return c, strata.Invalid(op, "the backup would be inside the home", "name a file elsewhere, best on another disk")
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
		return c, unavailable("leftovers of an interrupted backup cannot be removed", err)
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
	if m.Files, m.Bytes, err = sizeOf(staged); err != nil {
		return m, 0, err
	}
	meter.begin(m.Bytes)
	sum, err := compress(ctx, archive, staged, m, to, meter)
	if err != nil {
		return m, 0, err
	}
	if err := os.RemoveAll(staged); err != nil {
		return m, 0, err
	}
	if err := verify(ctx, archive, keys, sum, meter); err != nil {
		return m, 0, err
	}
	info, err := os.Stat(archive)
	if err != nil {
		return m, 0, err
	}
	meter.finish()
	return m, info.Size(), nil
}

// stage copies a home into a directory and returns the manifest.
func (o Options) stage(ctx context.Context, staged string, meter *meter) (m Manifest, err error) {
	m = Manifest{Kind: kindName, Format: Format, Strata: o.Strata, Time: o.Now.UTC(), Home: o.Home}
	// Copy the database first: files are written after it, so every file that it names is
	// there.
	copied := filepath.Join(staged, databaseName)
	if m.Database, err = salvage.Copy(ctx, filepath.Join(o.Home, databaseName), copied, meter.pages); err != nil {
		return m, err
	}
	_, unread, err := copyFiles(ctx, o.Home, staged, isOwnBackups)
	if err == nil && len(unread) > 0 {
		err = unread[0].err
	}
	m.Outside = outside(staged)
	return m, err
}

// recipients returns to whom the backup is encrypted, and a one-time key by which it is
// read back for verification. Both are empty if it is not encrypted.
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

// compress writes an archive of the staged files and returns the hash of its content.
// Meanwhile it checks the staged database.
func compress(ctx context.Context, archive, staged string, m Manifest, to []age.Recipient, meter *meter) ([]byte, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	looked := make(chan error, 1)
	go func() { looked <- check(ctx, filepath.Join(staged, databaseName), m.Database) }()
	sum, err := writeArchive(ctx, archive, staged, m, to, meter.add)
	if err != nil {
		cancel()
		<-looked
		return nil, err
	}
	return sum, <-looked
}

// verify reads an archive to its end and compares its content with a hash.
func verify(ctx context.Context, archive string, keys []age.Identity, sum []byte, meter *meter) error {
	read, err := readArchive(ctx, archive, keys, func(Manifest) {}, func(_ entry, r io.Reader) error {
		n, err := io.Copy(io.Discard, r)
		meter.add(n)
		return err
	})
	if err == nil && !bytes.Equal(read.sum, sum) {
		err = damaged("it is not what was written", nil)
	}
	return err
}

// check checks a copy of the database and compares its row counts with those expected.
func check(ctx context.Context, path string, want salvage.Contents) error {
	held, err := salvage.InspectCopy(ctx, path)
	if err != nil {
		return err
	}
	if held.Schema != want.Schema || !maps.Equal(held.Rows, want.Rows) {
		return damaged("its database holds different rows from those copied", nil)
	}
	return nil
}

// outside lists the directories of workspaces outside the home, as far as the home
// records them.
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

// sizeOf counts the files in a directory and their bytes.
func sizeOf(dir string) (files int, size int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			files, size = files+1, size+info.Size()
		}
		return err
	})
	return files, size, err
}

// publish renames a finished file to its final name. It fails if that name is taken.
func publish(from, to string) error {
	err := os.Link(from, to)
	switch {
	case errors.Is(err, fs.ErrExist):
		return exists(to)
	case err != nil: // the file system has no links
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

// inside reports whether a path is dir or lies inside it.
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

// workPrefix is the prefix of directories for unfinished backups.
const workPrefix = migration.WorkPrefix

// meter reports the progress of a backup in bytes. The database, which is by far the
// largest file, is copied, compressed and read back.
type meter struct {
	report      func(done, total int64)
	done, total int64
}

const passes = 3

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
