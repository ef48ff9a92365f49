// Package filestest holds the test suite that every implementation of [files.Tree] must
// pass, and an implementation in memory for other tests.
//
// An implementation's own test is a few lines:
//
//	func TestTree(t *testing.T) {
//		filestest.Run(t, func(t *testing.T) filestest.Bench { return openEmpty(t) })
//	}
package filestest

import (
	"context"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store/files"
)

// Workspace is the id of the workspace whose scopes the suite uses. Its directory and
// that of its project must be available.
const Workspace = "01JQ0000000000000000000000"

// Bench is an empty tree and a way to change its files behind its back.
type Bench struct {
	Tree files.Tree
	Hand Hand
}

// Hand changes files as a person with an editor would. Paths are those of the tree,
// including [files.ProjectFile].
type Hand interface {
	// Put writes a file, whatever is there, with at as its modification time; zero means
	// the time of the write.
	Put(scope strata.Scope, path string, content []byte, at time.Time) error
	// Delete deletes a file.
	Delete(scope strata.Scope, path string) error
}

// Run runs the suite. open returns an empty tree.
func Run(t *testing.T, open func(t *testing.T) Bench) {
	for _, group := range []struct {
		name  string
		tests []test
	}{
		{"write", writeTests},
		{"scan", scanTests},
		{"watch", watchTests},
		{"lock", lockTests},
		{"bad input", badInputTests},
	} {
		t.Run(group.name, func(t *testing.T) {
			for _, c := range group.tests {
				t.Run(c.name, func(t *testing.T) {
					ctx, cancel := context.WithCancel(t.Context())
					defer cancel()
					c.run(&bench{T: t, Bench: open(t), ctx: ctx})
				})
			}
		})
	}
}

// test tests one behavior.
type test struct {
	name string
	run  func(*bench)
}

type bench struct {
	*testing.T
	Bench
	ctx context.Context
}

func (b *bench) ok(err error) {
	b.Helper()
	if err != nil {
		b.Fatalf("unexpected error: %v", err)
	}
}

// code fails the test unless err has the code.
func (b *bench) code(err error, want strata.Code) {
	b.Helper()
	if got := strata.CodeOf(err); got != want {
		b.Fatalf("error has code %q, want %q: %v", got, want, err)
	}
}

// write writes a file that must be accepted.
func (b *bench) write(scope strata.Scope, path, content, base string) files.File {
	b.Helper()
	f, err := b.Tree.Write(b.ctx, scope, path, []byte(content), base)
	b.ok(err)
	if f.Path != path || f.Hash != files.Hash([]byte(content)) || f.Size != int64(len(content)) || f.ModifiedAt.IsZero() {
		b.Fatalf("wrote %+v", f)
	}
	return f
}

// holds fails the test unless the file holds the content.
func (b *bench) holds(scope strata.Scope, path, content string) files.File {
	b.Helper()
	f, err := b.Tree.Read(b.ctx, scope, path)
	b.ok(err)
	if string(f.Content) != content || f.Path != path || f.Hash != files.Hash(f.Content) || f.Size != int64(len(content)) {
		b.Fatalf("%s in %s: %+v, want %q", path, scope, f, content)
	}
	return f
}

// gone fails the test unless there is no file.
func (b *bench) gone(scope strata.Scope, path string) {
	b.Helper()
	_, err := b.Tree.Read(b.ctx, scope, path)
	b.code(err, strata.CodeNotFound)
}

func (b *bench) put(scope strata.Scope, path, content string, at time.Time) {
	b.Helper()
	b.ok(b.Hand.Put(scope, path, []byte(content), at))
}

// scan scans and applies what it found to known.
func (b *bench) scan(scope strata.Scope, known map[string]files.Stat) files.Changes {
	b.Helper()
	c, err := b.Tree.Scan(b.ctx, scope, known)
	b.ok(err)
	for _, f := range c.Changed {
		if f.Hash != files.Hash(f.Content) || f.Size != int64(len(f.Content)) {
			b.Fatalf("changed %+v", f)
		}
		known[f.Path] = f.Stat
	}
	for path, s := range c.Touched {
		known[path] = s
	}
	for _, path := range c.Removed {
		delete(known, path)
	}
	return c
}

// paths returns the paths of files.
func paths(list []files.File) []string {
	out := make([]string, len(list))
	for i, f := range list {
		out[i] = f.Path
	}
	return out
}
