package workspace

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store/files/filestest"
)

// look is one time a watcher looked at a scope.
type look struct {
	scope   strata.Scope
	changed bool
}

// watched watches scopes and returns what the watcher sees, and how to end it.
func (s stand) watched(t *testing.T, scopes ...strata.Scope) (<-chan look, context.CancelFunc) {
	t.Helper()
	looks := make(chan look, 100)
	s.onScan = func(scope strata.Scope, changed bool) { looks <- look{scope, changed} }
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	must(t, s.Watch(ctx, scopes, func(strata.Scope) {}))
	return looks, cancel
}

// next waits until the watcher looks at a scope.
func next(t *testing.T, looks <-chan look) look {
	t.Helper()
	select {
	case l := <-looks:
		return l
	case <-time.After(30 * time.Second):
		t.Fatal("the watcher does not look")
		return look{}
	}
}

// expect waits for a look that ends in a change or in none.
func expect(t *testing.T, looks <-chan look, want bool, after string) {
	t.Helper()
	if l := next(t, looks); l.changed != want {
		t.Errorf("after %s: changed is %v, want %v", after, l.changed, want)
	}
}

func TestWatchReportsWhatPeopleDoAndNothingElse(t *testing.T) {
	s, ctx, g := newStand(t), t.Context(), strata.Global()
	must(t, s.Put(g, "notes/a.md", []byte("one"), longAgo))
	s.shortQuiet, s.quiet = 300*time.Millisecond, 300*time.Millisecond
	looks, _ := s.watched(t, g)
	doc := s.path(g, "notes/a.md")

	must(t, os.WriteFile(doc, []byte("two"), 0o600))
	expect(t, looks, true, "an edit")

	f, err := s.Write(ctx, g, "notes/b.md", []byte("ours"), "none")
	must(t, err)
	expect(t, looks, false, "a write of ours")
	must(t, s.Remove(ctx, g, "notes/b.md", f.Hash))
	expect(t, looks, false, "a removal of ours")

	must(t, os.WriteFile(doc, []byte("two"), 0o600))
	expect(t, looks, false, "a save without a change")

	// An editor that writes beside the file and renames, with a backup.
	must(t, os.WriteFile(doc+".swp", []byte("x"), 0o600))
	must(t, os.WriteFile(filepath.Join(filepath.Dir(doc), "4913"), nil, 0o600))
	must(t, os.Remove(filepath.Join(filepath.Dir(doc), "4913")))
	must(t, os.Rename(doc, doc+"~"))
	must(t, os.WriteFile(doc, []byte("three"), 0o600))
	must(t, os.Remove(doc+"~"))
	must(t, os.Remove(doc+".swp"))
	expect(t, looks, true, "an editor's save")

	must(t, os.Remove(doc))
	expect(t, looks, true, "a deletion")
}

func TestWatchReportsWhoGoesBackToWhatWeWrote(t *testing.T) {
	s, g := newStand(t), strata.Global()
	must(t, s.Put(g, "notes/a.md", []byte("x"), longAgo))
	looks, _ := s.watched(t, g)
	_, err := s.Write(t.Context(), g, "notes/b.md", []byte("ours"), "none")
	must(t, err)
	expect(t, looks, false, "a write of ours")
	for _, text := range []string{"theirs", "ours", "theirs"} {
		must(t, os.WriteFile(s.path(g, "notes/b.md"), []byte(text), 0o600))
		expect(t, looks, true, text)
	}
}

func TestWatchTakesABurstForOne(t *testing.T) {
	s, g := newStand(t), strata.Global()
	must(t, s.Put(g, "notes/a.md", []byte("x"), longAgo))
	s.shortQuiet, s.quiet = time.Second, time.Second
	looks, _ := s.watched(t, g)
	for i := range 200 {
		must(t, os.WriteFile(s.path(g, "notes/"+string(rune('a'+i%26))+".md"), []byte{byte('0' + i%10)}, 0o600))
	}
	expect(t, looks, true, "a burst")
	must(t, os.WriteFile(s.path(g, "notes/a.md"), []byte("last"), 0o600))
	expect(t, looks, true, "the next edit")
	select {
	case l := <-looks:
		t.Errorf("looked once more: %+v", l)
	default:
	}
}

func TestWatchFollowsDirectories(t *testing.T) {
	s, g, agent := newStand(t), strata.Global(), strata.ForAgentIn(filestest.Workspace, "coder")
	looks, _ := s.watched(t, g, agent)
	seen := func(scope strata.Scope, after string) {
		t.Helper()
		for {
			if l := next(t, looks); l.scope == scope && l.changed {
				return
			} else if l.changed {
				t.Errorf("after %s: %s changed", after, l.scope)
			}
		}
	}
	must(t, s.Put(g, "a.md", []byte("x"), time.Time{}))
	seen(g, "a root directory that came")
	must(t, s.Put(agent, "notes/deep/a.md", []byte("x"), time.Time{}))
	seen(agent, "an agent's directory that came")
	must(t, s.Put(agent, "notes/deep/b.md", []byte("x"), time.Time{}))
	seen(agent, "a file in a new directory")
	must(t, os.Rename(s.path(agent, "notes"), s.path(agent, "old")))
	seen(agent, "a directory that was renamed")
	must(t, s.Put(agent, "old/deep/c.md", []byte("x"), time.Time{}))
	seen(agent, "a file in the renamed directory")
	dir, _ := s.Directory(g)
	must(t, os.RemoveAll(dir))
	seen(g, "a root directory that went")
	must(t, s.Put(g, "b.md", []byte("x"), time.Time{}))
	seen(g, "a root directory that came back")
}

func TestWatchReportsWhatChangedSinceTheScan(t *testing.T) {
	s, g := newStand(t), strata.Global()
	must(t, s.Put(g, "a.md", []byte("one"), longAgo))
	_, err := s.Scan(t.Context(), g, nil)
	must(t, err)
	must(t, os.WriteFile(s.path(g, "a.md"), []byte("two"), 0o600))
	looks, _ := s.watched(t, g)
	expect(t, looks, true, "a change between scan and watch")
}

func TestWatchLeavesNothingBehind(t *testing.T) {
	before := goleak.IgnoreCurrent()
	s := newStand(t)
	_, cancel := s.watched(t, strata.Global(), inWorkspace)
	cancel()
	goleak.VerifyNone(t, before)
	if err := s.Watch(canceled(), []strata.Scope{strata.Global()}, nil); strata.CodeOf(err) != strata.CodeCanceled {
		t.Errorf("after the end: %v", err)
	}
}

func canceled() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

func TestLimitsOfWatchesAreNoFullDisk(t *testing.T) {
	for _, c := range []struct {
		err  error
		want strata.Code
	}{
		{&os.SyscallError{Syscall: "inotify_add_watch", Err: syscall.ENOSPC}, strata.CodeUnavailable},
		{syscall.EMFILE, strata.CodeUnavailable},
		{syscall.ENFILE, strata.CodeUnavailable},
		{errors.ErrUnsupported, strata.CodeUnsupported},
		{errors.New("else"), strata.CodeUnavailable},
	} {
		err := describeWatch(c.err)
		if e, ok := err.(*strata.Error); !ok || e.Code != c.want || e.Hint == "" || !errors.Is(err, c.err) {
			t.Errorf("%v: %v", c.err, err)
		}
	}
}
