package backup

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"filippo.io/age"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/durable"
	"github.com/strata-memory/strata/internal/workdir"
)

// RestoreOptions say what becomes a home again, and where.
type RestoreOptions struct {
	From string // the file of the backup
	Home string
	// Replace moves a home that is there aside; else it must not be there, or be empty.
	Replace bool
	DryRun  bool // look the backup through and change nothing
	Now     time.Time
	Report  func(done, total int64) // of bytes; may be nil

	Identities []age.Identity // private keys, for an encrypted backup

	// WithSettings takes the settings of the backup, too. Else those of the home that is
	// replaced stay, if there is one.
	WithSettings bool
	// CheckSettings reports what is wrong with a config.toml that would be taken; may be nil.
	CheckSettings func(text []byte) error
}

// Restored says what became of a backup.
type Restored struct {
	Home     string
	Aside    string // where the home went that was there; empty if there was none
	Manifest Manifest
	Left     []Left   // what of the backup was not taken
	Kept     []string // what of the home that was replaced stays, by path inside of it
	Settings []byte   // the config.toml that was taken of the backup; nil for none
}

// Restore makes a home of the memory in a backup. Its tokens and links are never taken, its
// settings where that is asked for. The home is made in a directory beside, which takes the
// place of the home when all of it is right. Nobody in this process has the home open; it
// fails with busy where another process has. What a killed restore of the home left is
// removed.
func Restore(ctx context.Context, o RestoreOptions) (r Restored, err error) {
	if r.Home, err = realHome(o.Home); err != nil {
		return r, unavailable("the home cannot be found", err)
	}
	if r.Aside, err = o.aside(r.Home); err != nil {
		return r, err
	}
	meter := &meter{report: o.Report}
	if o.DryRun {
		return r, o.unpack(ctx, nil, meter, &r)
	}
	work, err := workFor(r.Home)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, work.Remove()) }()
	made := filepath.Join(work.Path, "home")
	if err := os.Mkdir(made, 0o700); err != nil {
		return r, unavailable("the home cannot be made", err)
	}
	if err = o.unpackInto(ctx, made, meter, &r); err == nil {
		err = check(ctx, filepath.Join(made, databaseName), r.Manifest.Database)
	}
	if err == nil {
		err = free(r.Home) // it took a while
	}
	if err == nil && r.Aside != "" {
		r.Kept, err = o.keepOwn(ctx, r.Home, made, r.Left)
	}
	if err == nil {
		err = durable.Tree(made)
	}
	if err == nil {
		err = put(made, r.Home, r.Aside)
	}
	if err != nil {
		return r, unavailable("the home cannot be made", err)
	}
	return r, nil
}

// aside returns where the home goes that is there; empty if there is none. It fails where
// that may not be replaced, or not now.
func (o RestoreOptions) aside(home string) (string, error) {
	there, err := occupied(home)
	if err != nil {
		return "", unavailable("the home cannot be read", err)
	}
	if !there {
		return "", nil
	}
	if !o.Replace {
		return "", &strata.Error{Code: strata.CodeConflict, Op: "restore", Message: home + " is not empty",
			Hint: "name another --home, or pass --replace, which moves it aside first"}
	}
	if err := free(home); err != nil {
		return "", err
	}
	aside := home + ".replaced-" + o.Now.UTC().Format(timeLayout)
	if _, err := os.Lstat(aside); err == nil {
		return "", exists(aside)
	}
	return aside, nil
}

// workFor makes a directory for the work on a home, and removes what a killed restore of
// it left.
func workFor(home string) (*workdir.Dir, error) {
	parent, prefix := workdir.OfRestore(home)
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return nil, unavailable("the home cannot be made", err)
	}
	if err := workdir.Sweep(parent, prefix); err != nil {
		return nil, unavailable("what an earlier restore left cannot be removed", err)
	}
	work, err := workdir.New(parent, prefix)
	if err != nil {
		return nil, unavailable("the home cannot be made", err)
	}
	return work, nil
}

// free fails with busy where another process has a home open.
func free(home string) error {
	if !inUse(filepath.Join(home, databaseName)) {
		return nil
	}
	return &strata.Error{Code: strata.CodeBusy, Op: "restore", Message: "another process has the home open",
		Hint: "end it (an agent, strata chat, mcp or watch), then try again"}
}

// realHome is the directory that a home is, also where its name is a link to it.
func realHome(home string) (string, error) {
	home, err := filepath.Abs(home)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(home)
	if !errors.Is(err, fs.ErrNotExist) {
		return real, err
	}
	if to, err := os.Readlink(home); err == nil {
		return "", strata.Invalid("restore", home+" is a link to "+to+", which is not there",
			"make the directory that it leads to (is a disk not mounted?), or remove the link")
	}
	return home, nil
}

// occupied reports whether anything is at the place of a home.
func occupied(home string) (bool, error) {
	entries, err := os.ReadDir(home)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return len(entries) > 0, err
}

// unpackInto writes what is taken of a backup into a directory.
func (o RestoreOptions) unpackInto(ctx context.Context, dir string, meter *meter, r *Restored) (err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	return o.unpack(ctx, root, meter, r)
}

// unpack reads a backup to its end, and writes what is taken of it into a directory; nil
// writes nothing.
func (o RestoreOptions) unpack(ctx context.Context, root *os.Root, meter *meter, r *Restored) error {
	return readArchive(ctx, o.From, o.Identities, func(m Manifest) error {
		r.Manifest, r.Left, meter.total = m, o.left(m), m.Bytes()
		return nil
	}, func(e Entry, from io.Reader) (err error) {
		from = &reader{ctx: ctx, from: from, report: meter.add}
		taken := o.leftReason(e) == ""
		if taken && e.Path == settingsName {
			if r.Settings, err = o.readSettings(e, from); err != nil {
				return err
			}
			from = bytes.NewReader(r.Settings)
		}
		switch {
		case !taken || root == nil:
			if _, err := io.Copy(io.Discard, from); err != nil {
				return damaged("it cannot be unpacked", err)
			}
			return nil
		case e.Dir:
			return root.Mkdir(filepath.FromSlash(e.Path), 0o700)
		}
		return unpackFile(root, e, from)
	})
}

// unpackFile writes a file. Only its owner may read it.
func unpackFile(root *os.Root, e Entry, bytes io.Reader) error {
	out, err := root.OpenFile(filepath.FromSlash(e.Path), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, bytes)
	if err == nil {
		err = out.Sync()
	}
	if err = errors.Join(err, out.Close()); err != nil {
		return err
	}
	// By its time a file is known not to have changed.
	return root.Chtimes(filepath.FromSlash(e.Path), e.Time, e.Time)
}

// put gives a finished home its name. One that is there goes aside in the same step, so
// that whoever is killed here leaves one of the two in place: the new one gets the name
// for the old one first, and then they change names.
func put(made, home, aside string) error {
	if aside == "" {
		if err := os.Remove(home); err != nil && !errors.Is(err, fs.ErrNotExist) { // an empty one
			return err
		}
		if err := os.Rename(made, home); err != nil {
			return err
		}
		return durable.Directory(filepath.Dir(home))
	}
	if err := os.Rename(made, aside); err != nil {
		return err
	}
	err := exchange(aside, home)
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		// Two steps must do; a home under its other name is found by hand.
		if err = os.Rename(aside, made); err == nil {
			err = replace(made, home, aside)
		}
	} else if err != nil {
		err = errors.Join(err, os.Rename(aside, made))
	}
	if err != nil {
		return err
	}
	return durable.Directory(filepath.Dir(home))
}

// replace is the way of put where names cannot be exchanged.
func replace(made, home, aside string) error {
	if err := os.Rename(home, aside); err != nil {
		return err
	}
	if err := os.Rename(made, home); err != nil {
		return errors.Join(err, os.Rename(aside, home))
	}
	return nil
}
