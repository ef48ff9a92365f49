package backup

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"filippo.io/age"

	"github.com/strata-memory/strata"
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
	return r, makeHome(ctx, r.Home, r.Aside, func(made string) error {
		if err := o.unpackInto(ctx, made, meter, &r); err != nil {
			return err
		}
		if err := check(ctx, filepath.Join(made, databaseName), r.Manifest.Database); err != nil || r.Aside == "" {
			return err
		}
		r.Kept, err = keepOwn(ctx, r.Home, made, r.Left)
		return err
	})
}

// aside returns where the home goes that is there; empty if there is none. It fails where
// that may not be replaced, or not now.
func (o RestoreOptions) aside(home string) (string, error) {
	entries, err := entriesOf(home)
	if err != nil || len(entries) == 0 {
		return "", unavailable("the home cannot be read", err)
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
	count, err := readArchive(ctx, o.From, o.Identities, func(m Manifest) {
		r.Manifest, meter.total = m, m.Bytes
	}, func(e entry, from io.Reader) (err error) {
		reason := o.leftReason(e)
		if reason != "" {
			r.Left = append(r.Left, Left{Path: e.path, Link: e.link, Reason: reason})
		}
		from = &reader{ctx: ctx, from: from, report: meter.add}
		if reason == "" && e.path == settingsName {
			if r.Settings, err = o.readSettings(e, from); err != nil {
				return err
			}
			from = bytes.NewReader(r.Settings)
		}
		switch {
		case reason != "" || root == nil:
			if _, err := io.Copy(io.Discard, from); err != nil {
				return damaged("it cannot be unpacked", err)
			}
			return nil
		case e.dir:
			return root.Mkdir(filepath.FromSlash(e.path), 0o700)
		}
		return unpackFile(root, e, from)
	})
	r.Manifest.Files, r.Manifest.Bytes = count.files, count.bytes
	return err
}

// unpackFile writes a file. Only its owner may read it.
func unpackFile(root *os.Root, e entry, bytes io.Reader) error {
	out, err := root.OpenFile(filepath.FromSlash(e.path), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
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
	return root.Chtimes(filepath.FromSlash(e.path), e.time, e.time)
}
