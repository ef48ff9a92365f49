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

// RestoreOptions control what is restored and where to.
type RestoreOptions struct {
	From string // the file of the backup
	Home string
	// Replace moves an existing home aside. Otherwise Home must not exist or be empty.
	Replace bool
	DryRun  bool // look the backup through and change nothing
	Now     time.Time
	Report  func(done, total int64) // of bytes; may be nil

	Identities []age.Identity // private keys, for an encrypted backup

	// WithSettings restores the settings in the backup as well. Otherwise the settings of
	// the replaced home are kept, if there is one.
	WithSettings bool
	// CheckSettings returns an error for an invalid config.toml; may be nil.
	CheckSettings func(text []byte) error
}

// Restored is the result of a restore.
type Restored struct {
	Home     string
	Aside    string // where the existing home was moved; empty if there was none
	Manifest Manifest
	Left     []Left   // entries of the backup that were left out
	Kept     []string // paths that were kept from the replaced home
	Settings []byte   // config.toml restored from the backup; nil if none was
}

// Restore makes a home from the memory in a backup. It never restores tokens and links,
// and settings only if asked to. It builds the home in a directory beside, which replaces
// the home once everything has been verified. No user in this process may have the home
// open; Restore returns [strata.CodeBusy] if another process has. It also removes what a
// killed restore of the home left.
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

// aside returns where to move the existing home, or "" if there is none. It returns an
// error if the home must not be replaced, or is in use.
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

// unpackInto writes the restored entries of a backup to a directory.
func (o RestoreOptions) unpackInto(ctx context.Context, dir string, meter *meter, r *Restored) (err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	return o.unpack(ctx, root, meter, r)
}

// unpack reads a backup to its end and writes the restored entries to root. If root is
// nil, it writes nothing.
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

// unpackFile writes a file that only its owner can read.
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
	// The time tells that a file has not changed.
	return root.Chtimes(filepath.FromSlash(e.path), e.time, e.time)
}
