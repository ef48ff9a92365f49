package queue_test

import (
	"context"
	"log/slog"
	"maps"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/extract/queue"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/store"
)

// counting is a memory that counts what it is given.
type counting struct{ writes atomic.Int64 }

func (c *counting) WriteBatch(_ context.Context, cs []strata.Candidate) ([]strata.Decision, error) {
	c.writes.Add(int64(len(cs)))
	return make([]strata.Decision, len(cs)), nil
}

func (*counting) Owner(strata.Candidate) (strata.Scope, error) { return strata.Global(), nil }

func (*counting) RelatedFacts(context.Context, strata.View, []strata.Turn, int) ([]strata.Fact, error) {
	return nil, nil
}

// busy is a model that does something while it reads, and finds one fact in each part.
type busy func(ctx context.Context) error

func (busy) Parts(turns []strata.Turn) [][]strata.Turn { return [][]strata.Turn{turns} }

func (b busy) Read(ctx context.Context, _, turns []strata.Turn, _ []strata.Fact) ([]strata.Candidate, []string, error) {
	return []strata.Candidate{{Content: "The user sails.", Type: strata.TypeUser, Sources: []string{turns[0].ID}}}, nil, b(ctx)
}

// waiting is a store with a session that waits for a model.
func waiting(t *testing.T) store.Store {
	t.Helper()
	ctx := context.Background()
	st, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "strata.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	err = st.Update(ctx, func(w store.Writer) error {
		if err := w.OpenSession(ctx, strata.Session{ID: "s", Scope: strata.Global()}); err != nil {
			return err
		}
		if err := say(ctx, w, "turn_1"); err != nil {
			return err
		}
		return w.RestartExtraction(ctx, strata.Global(), "s", store.ByModel)
	})
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// say adds a turn to the session.
func say(ctx context.Context, w store.Writer, id string) error {
	_, _, err := w.AppendTurn(ctx, strata.Turn{
		ID: id, Scope: strata.Global(), Session: "s", Role: strata.RoleUser, Text: "I sail", At: w.Now(), RecordedAt: w.Now(),
	})
	return err
}

func open(st store.Store, m queue.Memory, model queue.Model) *queue.Queue {
	return queue.New(queue.Options{Store: st, Memory: m, Model: model, Logger: slog.New(slog.DiscardHandler)})
}

// row is what waits; the zero Extraction for nothing.
func row(t *testing.T, st store.Store) store.Extraction {
	t.Helper()
	x, err := store.Read(context.Background(), st, func(r store.Reader) (store.Extraction, error) {
		return r.Extraction(context.Background(), strata.Global(), "s", store.ByModel)
	})
	if err != nil && strata.CodeOf(err) != strata.CodeNotFound {
		t.Fatal(err)
	}
	return x
}

// While a model works its lease is renewed, so that one that is slow is not read by two
// (elsewhere a phase without a heartbeat lost its lease after two minutes).
func TestALeaseIsRenewedWhileAModelWorks(t *testing.T) {
	st := waiting(t)
	var m counting
	var second *queue.Queue
	q := open(st, &m, busy(func(ctx context.Context) error {
		first := row(t, st).LeaseUntil
		for renewed := first; !renewed.After(first) && ctx.Err() == nil; renewed = row(t, st).LeaseUntil {
			if _, err := second.ByModel(ctx, nil); err != nil {
				return err
			}
		}
		return ctx.Err()
	}))
	second = open(st, &m, busy(func(context.Context) error {
		t.Error("another reads the session")
		return nil
	}))
	q.SetLease(4 * time.Second) // renewed each second
	if _, err := q.ByModel(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	if x := row(t, st); x.Session != "" || m.writes.Load() != 1 {
		t.Errorf("%d facts written, it waits as %+v", m.writes.Load(), x)
	}
}

// A worker that lost its lease writes neither facts nor how far it came (elsewhere files were
// written before ownership was verified).
func TestAWorkerThatLostItsLeaseWritesNothing(t *testing.T) {
	st := waiting(t)
	var m counting
	q := open(st, &m, busy(func(ctx context.Context) error {
		return st.Update(ctx, func(w store.Writer) error {
			if err := w.RestartExtraction(ctx, strata.Global(), "s", store.ByModel); err != nil {
				return err
			}
			_, err := w.ClaimExtraction(ctx, store.ExtractionClaim{Extractor: store.ByModel, Owner: "another", Lease: time.Minute})
			return err
		})
	}))
	if _, err := q.ByModel(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	if x := row(t, st); m.writes.Load() != 0 || x.Owner != "another" || x.After != 0 || x.Attempts != 0 {
		t.Errorf("%d facts written, it waits as %+v", m.writes.Load(), x)
	}
}

// Turns that come while a model reads are read in the same go, and an event says so.
func TestTurnsThatComeMeanwhileAreReadInTheSameGo(t *testing.T) {
	ctx := context.Background()
	st := waiting(t)
	var m counting
	reads := 0
	q := open(st, &m, busy(func(ctx context.Context) error {
		if reads++; reads > 1 {
			return nil
		}
		return st.Update(ctx, func(w store.Writer) error {
			if err := w.QueueExtraction(ctx, strata.Global(), "s", store.ByModel, time.Time{}); err != nil {
				return err
			}
			return say(ctx, w, "turn_2")
		})
	}))
	if _, err := q.ByModel(ctx, nil); err != nil {
		t.Fatal(err)
	}
	events, err := store.Read(ctx, st, func(r store.Reader) ([]strata.Event, error) { return r.Events(ctx, strata.Global(), 0, 10) })
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, e := range events {
		got[e.Kind] = e.Detail
	}
	want := map[string]string{
		strata.EventExtractionCompleted: "model: turns 1 to 2, decisions: 2",
		strata.EventExtractionCoalesced: "model: the turns 2 to 2 came while those before were read",
	}
	if !maps.Equal(got, want) || reads != 2 || row(t, st).Session != "" {
		t.Errorf("after %d readings %v", reads, got)
	}
}
