package filestest

import (
	"context"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store/files"
)

// patience is how long a watch may take to report.
const patience = 30 * time.Second

var watchTests = []test{
	{"a change by hand is reported", func(b *bench) {
		s, ws := strata.Global(), strata.InWorkspace(Workspace)
		b.put(s, note, "one", clock)
		b.put(ws, note, "one", clock)
		calls := b.watch(b.ctx, s, ws)
		b.put(s, note, "two", time.Time{})
		b.await(calls, s)
		b.put(ws, "notes/deep/er/new.md", "new", time.Time{})
		b.await(calls, ws)
		b.ok(b.Hand.Delete(s, note))
		b.await(calls, s)
		b.put(ws, files.ProjectFile, "new", time.Time{})
		b.await(calls, ws)
	}},
	{"what memory writes itself is not reported", func(b *bench) {
		s, ws := strata.Global(), strata.InWorkspace(Workspace)
		calls := b.watch(b.ctx, s, ws)
		f := b.write(s, note, "one", strata.NoFile)
		f = b.write(s, note, "two", f.Hash)
		b.ok(b.Tree.Remove(b.ctx, s, note, f.Hash))
		b.put(ws, note, "by hand", time.Time{})
		b.await(calls, ws)
		// An earlier change would have been reported before this one, or with it.
		select {
		case got := <-calls:
			if got != ws {
				b.Errorf("reported %s", got)
			}
		default:
		}
	}},
	{"nothing is reported once the context ended", func(b *bench) {
		ctx, cancel := context.WithCancel(b.ctx)
		old := b.watch(ctx, strata.Global())
		cancel()
		calls := b.watch(b.ctx, strata.Global())
		b.put(strata.Global(), note, "one", time.Time{})
		b.await(calls, strata.Global())
		select {
		case got := <-old:
			b.Errorf("reported %s", got)
		default:
		}
	}},
	{"a scope that is none is not watched", func(b *bench) {
		b.code(b.Tree.Watch(b.ctx, []strata.Scope{{}}, func(strata.Scope) {}), strata.CodeInvalid)
	}},
}

func (b *bench) watch(ctx context.Context, scopes ...strata.Scope) <-chan strata.Scope {
	b.Helper()
	calls := make(chan strata.Scope, 100)
	b.ok(b.Tree.Watch(ctx, scopes, func(s strata.Scope) { calls <- s }))
	return calls
}

// await waits until a scope is reported. A change made in several steps may be reported
// several times.
func (b *bench) await(calls <-chan strata.Scope, want strata.Scope) {
	b.Helper()
	late := time.After(patience)
	for {
		select {
		case got := <-calls:
			if got == want {
				return
			}
		case <-late:
			b.Fatalf("%s is not reported", want)
		}
	}
}
