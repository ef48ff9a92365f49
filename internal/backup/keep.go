package backup

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/strata-memory/strata/internal/home/endpoint"
)

// keepOwn copies from a home to the one that replaces it what stays: the settings, the
// tokens, and what it has in place of entries that were not restored. It returns their
// paths.
func keepOwn(ctx context.Context, home, made string, left []Left) (kept []string, err error) {
	from, err := os.OpenRoot(home)
	if err != nil {
		return nil, err
	}
	defer from.Close()
	to, err := os.OpenRoot(made)
	if err != nil {
		return nil, err
	}
	defer to.Close()
	names := []string{settingsName, filepath.Base(endpoint.Token(home)), filepath.Base(endpoint.Tokens(home))}
	for _, l := range left {
		if !slices.Contains(names, l.Path) {
			names = append(names, l.Path)
		}
	}
	var links []string // last, so that nothing is written through them
	for _, name := range names {
		info, err := from.Lstat(filepath.FromSlash(name))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return nil, err
		case info.Mode().Type() == fs.ModeSymlink:
			links = append(links, name)
			continue
		case !info.Mode().IsRegular():
			continue
		}
		done, err := keepFile(ctx, from, to, name, info)
		if err != nil {
			return nil, err
		}
		if done {
			kept = append(kept, name)
		}
	}
	for _, name := range links {
		done, err := keepLink(from, to, name)
		if err != nil {
			return nil, err
		}
		if done {
			kept = append(kept, name)
		}
	}
	slices.Sort(kept)
	return kept, nil
}

// keepFile copies a file unless the new home already has one in its place.
func keepFile(ctx context.Context, from, to *os.Root, name string, info fs.FileInfo) (done bool, err error) {
	if done, err = vacant(to, name); !done || err != nil {
		return false, err
	}
	in, err := from.Open(filepath.FromSlash(name))
	if err != nil {
		return false, err
	}
	err = unpackFile(to, entry{path: name, time: info.ModTime()}, &reader{ctx: ctx, from: in, report: func(int64) {}})
	return true, errors.Join(err, in.Close())
}

// keepLink copies a link unless the new home already has something in its place.
func keepLink(from, to *os.Root, name string) (done bool, err error) {
	if done, err = vacant(to, name); !done || err != nil {
		return false, err
	}
	target, err := from.Readlink(filepath.FromSlash(name))
	if err != nil {
		return false, err
	}
	return true, to.Symlink(target, filepath.FromSlash(name))
}

// vacant creates the parent directories of a name, and reports whether the name is free.
func vacant(to *os.Root, name string) (bool, error) {
	if err := to.MkdirAll(filepath.FromSlash(path.Dir(name)), 0o700); err != nil {
		return false, err
	}
	_, err := to.Lstat(filepath.FromSlash(name))
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	return false, err
}

// maxSettings is the maximum size in bytes of a config.toml in a backup.
const maxSettings = 1 << 20

// readSettings reads the config.toml of a backup and checks it, so that an invalid one is
// refused before anything is put in place.
func (o RestoreOptions) readSettings(e entry, bytes io.Reader) ([]byte, error) {
	if e.size > maxSettings {
		return nil, damaged("its "+e.path+" is larger than 1 MiB", nil)
	}
	text, err := io.ReadAll(bytes)
	if err != nil || o.CheckSettings == nil {
		return text, err
	}
	return text, o.CheckSettings(text)
}
