package access

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/diskfault"
	"github.com/strata-memory/strata/internal/base/filelock"
	"github.com/strata-memory/strata/internal/home/endpoint"
)

// lockWait is how long a change waits for another process to finish its own.
const lockWait = 10 * time.Second

// File is the file of the named tokens of a home, readable only by its owner. It is safe
// for concurrent use, and several processes may change it at once.
type File struct {
	home string

	mu     sync.Mutex // guards the fields below
	seen   fs.FileInfo
	grants []*Grant
}

// Open returns the token file of a home. The file need not exist yet.
func Open(home string) *File { return &File{home: home} }

// List returns all grants, in the order they were made.
func (f *File) List() ([]*Grant, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	err := f.refresh()
	return slices.Clone(f.grants), err
}

// Find returns the grant of a token, or nil if there is none.
func (f *File) Find(token string) (*Grant, error) { return f.Holds(digestOf(token)) }

// Holds returns the grant of the token with a digest, or nil if there is no such token or it
// has been removed.
func (f *File) Holds(digest Digest) (*Grant, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.refresh(); err != nil {
		return nil, err
	}
	for _, g := range f.grants {
		if g.digest == digest {
			return g, nil
		}
	}
	return nil, nil
}

// refresh reads the file again if it changed since the last read. A file that cannot be
// read, or that other users have access to, grants nothing.
func (f *File) refresh() error {
	now, err := os.Stat(endpoint.Tokens(f.home))
	if errors.Is(err, fs.ErrNotExist) {
		f.seen, f.grants = nil, nil
		return nil
	}
	if err == nil && f.seen != nil && os.SameFile(f.seen, now) && f.seen.ModTime().Equal(now.ModTime()) && f.seen.Size() == now.Size() && f.seen.Mode() == now.Mode() {
		return nil
	}
	f.seen, f.grants = nil, nil
	if err != nil {
		return unreadable(err)
	}
	if now.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		return &strata.Error{Code: strata.CodeDenied, Op: "read tokens", Message: "others than its owner may use tokens.json, so that it holds none",
			Hint: "strata doctor --repair takes it from them"}
	}
	data, err := os.ReadFile(endpoint.Tokens(f.home))
	if err != nil {
		return unreadable(err)
	}
	var grants []*Grant
	if err := json.Unmarshal(data, &grants); err != nil {
		return unreadable(err)
	}
	f.seen, f.grants = now, grants
	return nil
}

func unreadable(err error) error {
	return &strata.Error{Code: strata.CodeDenied, Op: "read tokens", Message: "the file tokens.json of the home cannot be read", Err: err,
		Hint: "remove it, and make new tokens with strata token add"}
}

// Add creates a token and returns it. The token is stored nowhere else. The name must be
// free.
func (f *File) Add(ctx context.Context, g Grant) (token string, err error) {
	if err := strata.ValidateName("name of the token", g.Name); err != nil {
		return "", err
	}
	token = newToken()
	g.digest = digestOf(token)
	err = f.change(ctx, func(grants []*Grant) ([]*Grant, error) {
		if slices.ContainsFunc(grants, func(other *Grant) bool { return other.Name == g.Name }) {
			return nil, &strata.Error{Code: strata.CodeConflict, Op: "add token", Message: "there is a token of this name", Hint: "use another name, or remove that one first"}
		}
		return append(grants, &g), nil
	})
	if err != nil {
		return "", err
	}
	return token, nil
}

// Remove revokes a token.
func (f *File) Remove(ctx context.Context, name string) error {
	return f.change(ctx, func(grants []*Grant) ([]*Grant, error) {
		rest := slices.DeleteFunc(grants, func(g *Grant) bool { return g.Name == name })
		if len(rest) == len(grants) {
			return nil, &strata.Error{Code: strata.CodeNotFound, Op: "remove token", Message: "there is no token of this name", Hint: "strata token list shows those there are"}
		}
		return rest, nil
	})
}

// change replaces the file by an edited one, under a lock that excludes other processes.
func (f *File) change(ctx context.Context, edit func([]*Grant) ([]*Grant, error)) (err error) {
	lock, err := os.OpenFile(endpoint.TokensLock(f.home), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return unwritable(err)
	}
	defer lock.Close() // releases the lock
	if held, err := filelock.Within(ctx, lock, lockWait, nil); err != nil {
		return err
	} else if !held {
		return &strata.Error{Code: strata.CodeBusy, Op: "change tokens", Message: "another process changes the tokens", Hint: "try again"}
	}
	grants, err := f.List()
	if err != nil {
		return err
	}
	if grants, err = edit(grants); err != nil {
		return err
	}
	data, err := json.MarshalIndent(grants, "", "  ")
	if err != nil {
		return err
	}
	if err := f.replace(append(data, '\n')); err != nil {
		return unwritable(err)
	}
	return nil
}

// replace writes a new file and renames it into place. [os.CreateTemp] creates files that
// only their owner has access to.
func (f *File) replace(data []byte) error {
	part, err := os.CreateTemp(f.home, endpoint.Part())
	if err != nil {
		return err
	}
	_, err = part.Write(data)
	if err = errors.Join(err, part.Sync(), part.Close()); err == nil {
		err = os.Rename(part.Name(), endpoint.Tokens(f.home))
	}
	if err != nil {
		return errors.Join(err, os.Remove(part.Name()))
	}
	return nil
}

func unwritable(err error) error {
	return diskfault.Explain(&strata.Error{Code: strata.CodeUnavailable, Op: "change tokens", Message: "the tokens cannot be written", Err: err,
		Hint: "the home must be a directory that you can write to: strata init makes one"}, "")
}
