package sqlite_test

import (
	"context"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/store"
)

// Sessions are claimed newest first, so that what was said last is known first; what
// waited for more than an hour comes before, so that none starves (elsewhere a limit on the
// newest never came to the older ones). A lease is one of the clock, which may go back.
func TestExtractionsAreClaimedInTurn(t *testing.T) {
	ctx := context.Background()
	begin := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	var passed atomic.Int64
	db := open(t, filepath.Join(t.TempDir(), "strata.db"), &sqlite.Options{Now: func() time.Time { return begin.Add(time.Duration(passed.Load())) }})
	pass := func(d time.Duration) { passed.Add(int64(d)) }
	update := func(fn func(w store.Writer) error) {
		t.Helper()
		if err := db.Update(ctx, fn); err != nil && strata.CodeOf(err) != strata.CodeNotFound {
			t.Fatal(err)
		}
	}
	queue := func(session string) {
		t.Helper()
		update(func(w store.Writer) error {
			if err := w.OpenSession(ctx, strata.Session{ID: session, Scope: strata.Global()}); err != nil {
				return err
			}
			return w.RestartExtraction(ctx, strata.Global(), session, store.ByModel)
		})
	}
	claim := func(owner string) (x store.Extraction) {
		t.Helper()
		update(func(w store.Writer) (err error) {
			x, err = w.ClaimExtraction(ctx, store.ExtractionClaim{Extractor: store.ByModel, Owner: owner, Lease: time.Minute})
			return err
		})
		return x
	}
	want := func(what, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	for _, session := range []string{"a", "b", "c", "d"} {
		queue(session)
		pass(25 * time.Minute)
	}
	got := ""
	for range 5 {
		got += claim("w" + got).Session
	}
	want("order", got, "abdc") // a and b have waited for 100 and 75 minutes
	pass(50 * time.Second)
	update(func(w store.Writer) error {
		x, err := w.Extraction(ctx, strata.Global(), "a", store.ByModel)
		if err != nil {
			return err
		}
		return w.HoldExtraction(ctx, x, time.Minute)
	})
	pass(20 * time.Second)
	got = ""
	for range 4 {
		got += claim("v" + got).Session
	}
	want("the one whose lease was renewed is not claimed", got, "bdc")
	pass(-48 * time.Hour)
	got = ""
	for range 5 {
		got += claim("u" + got).Session
	}
	if len(got) != 4 {
		t.Errorf("after the clock went back %q can be claimed", got)
	}
}
