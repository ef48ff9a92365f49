package filestest

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store/files"
)

var _ files.Tree = (*Memory)(nil)

// Memory is a [files.Tree] in memory, for testing its users. [Memory.Put] and
// [Memory.Delete] do what a person does to the files behind Strata's back.
type Memory struct {
	mu       sync.Mutex // guards the fields below
	held     map[strata.Scope]map[string]held
	away     map[strata.Scope]bool
	fault    func(op string, scope strata.Scope, path string) error
	watchers []*watcher
	clock    time.Time
	locks    map[strata.Scope]chan struct{} // each holds a token while locked
}

type held struct {
	content []byte
	at      time.Time
}

type watcher struct {
	ctx     context.Context
	scopes  []strata.Scope
	changed func(strata.Scope)
}

// NewMemory returns an empty tree in which every scope has a directory.
func NewMemory() *Memory {
	return &Memory{
		held: make(map[strata.Scope]map[string]held), away: make(map[strata.Scope]bool),
		clock: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
		locks: make(map[strata.Scope]chan struct{}),
	}
}

// Put writes a file as a person would, whatever is there. A zero at means a time later
// than that of every file before. Put calls watchers before it returns, unless the bytes
// are the same.
func (m *Memory) Put(scope strata.Scope, path string, content []byte, at time.Time) error {
	m.mu.Lock()
	before, was := m.held[scope][path]
	m.put(scope, path, content, at)
	m.mu.Unlock()
	if !was || string(before.content) != string(content) {
		m.call(scope)
	}
	return nil
}

// Delete deletes a file as a person would.
func (m *Memory) Delete(scope strata.Scope, path string) error {
	m.mu.Lock()
	_, was := m.held[scope][path]
	delete(m.held[scope], path)
	m.mu.Unlock()
	if was {
		m.call(scope)
	}
	return nil
}

// Files returns the content of a scope's files by path.
func (m *Memory) Files(scope strata.Scope) map[string]string {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := make(map[string]string, len(m.held[scope]))
	for path, h := range m.held[scope] {
		out[path] = string(h.content)
	}
	return out
}

// Away sets whether the directory of a scope is unavailable.
func (m *Memory) Away(scope strata.Scope, away bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.away[scope] = away
}

// Fault makes every operation fail for which fn returns an error. The operations are
// lock, read, write, remove and scan; lock and scan have no path.
func (m *Memory) Fault(fn func(op string, scope strata.Scope, path string) error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.fault = fn
}

// put requires m.mu.
func (m *Memory) put(scope strata.Scope, path string, content []byte, at time.Time) {
	m.clock = m.clock.Add(time.Second)
	if at.IsZero() {
		at = m.clock
	}
	if m.held[scope] == nil {
		m.held[scope] = make(map[string]held)
	}
	m.held[scope][path] = held{content: slices.Clone(content), at: at}
}

func (m *Memory) call(scope strata.Scope) {
	m.mu.Lock()
	watchers := slices.Clone(m.watchers)
	m.mu.Unlock()
	for _, w := range watchers {
		if w.ctx.Err() == nil && slices.Contains(w.scopes, scope) {
			w.changed(scope)
		}
	}
}

// enter does the checks that all operations share. It requires m.mu.
func (m *Memory) enter(ctx context.Context, op string, scope strata.Scope, path string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if m.away[scope] {
		return &strata.Error{Code: strata.CodeUnavailable, Op: op + " file", Message: "the directory of " + scope.Key() + " is not available"}
	}
	if m.fault == nil {
		return nil
	}
	return m.fault(op, scope, path)
}

// Directory returns a name for the directory of a scope.
func (m *Memory) Directory(scope strata.Scope) (string, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return "/memory/" + scope.Key(), scope.Validate() == nil && !m.away[scope]
}

// Lock gives one caller at a time exclusive use of the files of a scope.
func (m *Memory) Lock(ctx context.Context, scope strata.Scope) (release func(), err error) {
	if err := scope.Validate(); err != nil {
		return nil, err
	}
	m.mu.Lock()
	if err := m.enter(ctx, "lock", scope, ""); err != nil {
		m.mu.Unlock()
		return nil, err
	}
	if m.locks[scope] == nil {
		m.locks[scope] = make(chan struct{}, 1)
	}
	lock := m.locks[scope]
	m.mu.Unlock()
	select {
	case lock <- struct{}{}:
		return sync.OnceFunc(func() { <-lock }), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Read reads a file.
func (m *Memory) Read(ctx context.Context, scope strata.Scope, path string) (files.File, error) {
	if err := files.CheckPath(scope, path); err != nil {
		return files.File{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.enter(ctx, "read", scope, path); err != nil {
		return files.File{}, err
	}
	h, ok := m.held[scope][path]
	if !ok {
		return files.File{}, strata.NotFound("read file", "file", path)
	}
	if err := files.CheckContent(path, h.content); err != nil {
		return files.File{}, err
	}
	return h.file(path), nil
}

// Write replaces the file whose hash is base with content.
func (m *Memory) Write(ctx context.Context, scope strata.Scope, path string, content []byte, base string) (files.File, error) {
	if err := files.CheckWritable(scope, path); err != nil {
		return files.File{}, err
	}
	if err := files.CheckContent(path, content); err != nil {
		return files.File{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.enter(ctx, "write", scope, path); err != nil {
		return files.File{}, err
	}
	switch hash := m.hash(scope, path); {
	case hash == files.Hash(content):
	case hash != base:
		return files.File{}, conflict("write file", path)
	default:
		m.put(scope, path, content, time.Time{})
	}
	return m.held[scope][path].file(path), nil
}

// Remove removes the file whose hash is base.
func (m *Memory) Remove(ctx context.Context, scope strata.Scope, path, base string) error {
	if err := files.CheckWritable(scope, path); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.enter(ctx, "remove", scope, path); err != nil {
		return err
	}
	switch m.hash(scope, path) {
	case strata.NoFile:
	case base:
		delete(m.held[scope], path)
	default:
		return conflict("remove file", path)
	}
	return nil
}

// Scan compares the files of a scope with what is known of them.
func (m *Memory) Scan(ctx context.Context, scope strata.Scope, known map[string]files.Stat) (files.Changes, error) {
	if err := scope.Validate(); err != nil {
		return files.Changes{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.enter(ctx, "scan", scope, ""); err != nil {
		return files.Changes{}, err
	}
	c := files.Changes{Touched: make(map[string]files.Stat)}
	for _, path := range slices.Sorted(maps.Keys(m.held[scope])) {
		f := m.held[scope][path].file(path)
		was, ok := known[path]
		switch why := files.Unfit(f.Content); {
		case files.CheckPath(scope, path) != nil:
			c.Skipped = append(c.Skipped, files.Skipped{Path: path, Reason: "a name that no document can have"})
		case why != "":
			c.Skipped = append(c.Skipped, files.Skipped{Path: path, Reason: why})
		case !ok || was.Hash != f.Hash:
			c.Changed = append(c.Changed, f)
		case was.Size != f.Size || !was.ModifiedAt.Equal(f.ModifiedAt):
			c.Touched[path] = f.Stat
		}
	}
	for _, path := range slices.Sorted(maps.Keys(known)) {
		if _, ok := m.held[scope][path]; !ok {
			c.Removed = append(c.Removed, path)
		}
	}
	return c, nil
}

// Watch calls changed from within [Memory.Put] and [Memory.Delete].
func (m *Memory) Watch(ctx context.Context, scopes []strata.Scope, changed func(strata.Scope)) error {
	for _, s := range scopes {
		if err := s.Validate(); err != nil {
			return err
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.watchers = append(m.watchers, &watcher{ctx: ctx, scopes: slices.Clone(scopes), changed: changed})
	return ctx.Err()
}

// hash requires m.mu.
func (m *Memory) hash(scope strata.Scope, path string) string {
	h, ok := m.held[scope][path]
	if !ok {
		return strata.NoFile
	}
	return files.Hash(h.content)
}

func (h held) file(path string) files.File {
	return files.File{
		Path: path, Content: slices.Clone(h.content),
		Stat: files.Stat{Hash: files.Hash(h.content), Size: int64(len(h.content)), ModifiedAt: h.at},
	}
}

func conflict(op, path string) error {
	return &strata.Error{Code: strata.CodeConflict, Op: op, Message: path + " changed since it was read", Hint: "read it again"}
}
