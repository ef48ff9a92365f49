package sqlite

import (
	"context"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/nearest"
	"github.com/strata-memory/strata/store"
)

// A search by words has codes read in the background, and closing waits for that.
func TestReadCodesAhead_HasCodesInMemory(t *testing.T) {
	b := newBed(t)
	list := samples(t, 1, nearest.CodeFrom+500)
	b.fill(strata.Global(), list)
	b.reopen()
	b.db.prepareFrom = 1
	b.view(func(ctx context.Context, x *tx) {
		for _, scope := range []strata.Scope{strata.Global(), strata.InWorkspace("unknown")} {
			_, err := x.Match(ctx, scope, []string{"word"}, store.Filter{}, store.MatchOptions{})
			b.ok(err)
		}
	})
	b.db.background.Wait()
	if b.db.near.Bytes() == 0 {
		t.Error("no codes are in memory")
	}
	b.agree(list[:5], store.Filter{}, 10)
	b.reopen()
	b.db.prepareFrom = 1
	b.view(func(ctx context.Context, x *tx) {
		_, err := x.Match(ctx, strata.Global(), []string{"word"}, store.Filter{}, store.MatchOptions{})
		b.ok(err)
	})
	b.ok(b.db.Close())
	if b.db.inBackground(func(context.Context) { t.Error("read from a closed database") }) {
		t.Error("a closed database reads")
	}
	b.reopen()
}
