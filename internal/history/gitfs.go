package history

import (
	"errors"
	"io/fs"
	"os"
	"path"

	"github.com/go-git/go-billy/v5"
)

// gitFS gives go-git read-only access to a git directory and nothing outside it.
type gitFS struct{ root *os.Root }

var _ billy.Filesystem = gitFS{}

// gitFile is a file that go-git reads.
type gitFile struct{ *os.File }

func (gitFile) Lock() error   { return billy.ErrReadOnly }
func (gitFile) Unlock() error { return billy.ErrReadOnly }

func (g gitFS) Open(name string) (billy.File, error) {
	f, err := g.root.Open(name)
	if err != nil {
		return nil, err
	}
	return gitFile{f}, nil
}

func (g gitFS) OpenFile(name string, flag int, _ fs.FileMode) (billy.File, error) {
	if flag != os.O_RDONLY {
		return nil, billy.ErrReadOnly
	}
	return g.Open(name)
}

func (g gitFS) ReadDir(name string) ([]fs.FileInfo, error) {
	f, err := g.root.Open(name)
	if err != nil {
		return nil, err
	}
	infos, err := f.Readdir(-1)
	return infos, errors.Join(err, f.Close())
}

func (g gitFS) Stat(name string) (fs.FileInfo, error)  { return g.root.Stat(name) }
func (g gitFS) Lstat(name string) (fs.FileInfo, error) { return g.root.Lstat(name) }
func (g gitFS) Readlink(name string) (string, error)   { return g.root.Readlink(name) }
func (g gitFS) Join(elem ...string) string             { return path.Join(elem...) }
func (g gitFS) Root() string                           { return g.root.Name() }

func (gitFS) Create(string) (billy.File, error)           { return nil, billy.ErrReadOnly }
func (gitFS) TempFile(string, string) (billy.File, error) { return nil, billy.ErrReadOnly }
func (gitFS) Rename(string, string) error                 { return billy.ErrReadOnly }
func (gitFS) Remove(string) error                         { return billy.ErrReadOnly }
func (gitFS) MkdirAll(string, fs.FileMode) error          { return billy.ErrReadOnly }
func (gitFS) Symlink(string, string) error                { return billy.ErrReadOnly }
func (gitFS) Chroot(string) (billy.Filesystem, error)     { return nil, billy.ErrNotSupported }
