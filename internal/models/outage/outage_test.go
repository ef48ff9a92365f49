package outage_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/models/outage"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/store"
)

// bed is a store with a clock.
type bed struct {
	*testing.T
	st    store.Store
	nanos atomic.Int64
}

func newBed(t *testing.T) *bed {
	b := &bed{T: t}
	b.nanos.Store(time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC).UnixNano())
	st, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "strata.db"), &sqlite.Options{Now: b.now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	b.st = st
	return b
}

func (b *bed) now() time.Time       { return time.Unix(0, b.nanos.Load()).UTC() }
func (b *bed) pass(d time.Duration) { b.nanos.Add(int64(d)) }

// watch is what one process has.
func (b *bed) watch() *outage.Watch { return outage.New(b.st, b.now, slog.New(slog.DiscardHandler)) }

// log is what events tell of models.
func (b *bed) log() string {
	b.Helper()
	list, err := store.Read(b.Context(), b.st, func(r store.Reader) ([]strata.Event, error) {
		list, _, err := store.ListEvents(b.Context(), r, []strata.Scope{strata.Global()}, store.EventFilter{})
		return list, err
	})
	if err != nil {
		b.Fatal(err)
	}
	var out []string
	for _, e := range list {
		out = append(out, fmt.Sprintf("%s %s %s", e.Kind, e.Ref, e.Detail))
	}
	return strings.Join(out, "; ")
}

func (b *bed) wantLog(when, want string) {
	b.Helper()
	if got := b.log(); got != want {
		b.Errorf("%s: events are %q, want %q", when, got, want)
	}
}

var (
	down = &strata.Error{Code: strata.CodeUnavailable, Message: "connection refused"}
	gone = &strata.Error{Code: strata.CodeNotFound, Message: "no such model"}
)

// A change has one event, however many calls, processes and clocks there are.
func TestAChangeIsToldOnce(t *testing.T) {
	b := newBed(t)
	ctx, one, other := t.Context(), b.watch(), b.watch()
	one.Tell(ctx, "m", nil)
	b.wantLog("a model that works", "")
	for range 5 {
		one.Tell(ctx, "m", down)
		other.Tell(ctx, "m", down)
		b.pass(20 * time.Second)
	}
	b.wantLog("one that fails", "model.failed m unavailable")
	b.watch().Tell(ctx, "m", down)
	b.pass(20 * time.Second)
	b.wantLog("in a process that began later", "model.failed m unavailable")
	other.Tell(ctx, "m", nil)
	const recovered = "model.failed m unavailable; model.recovered m after 2m0s"
	b.wantLog("another process got an answer", recovered)
	b.pass(2 * time.Minute)
	one.Tell(ctx, "m", nil)
	b.wantLog("and the first one", recovered)
	one.Tell(ctx, "n", gone)
	b.wantLog("another model", recovered+"; model.failed n not_found")
	b.pass(-time.Hour) // the clock went back
	one.Tell(ctx, "n", gone)
	one.Tell(ctx, "n", nil)
	b.wantLog("the clock went back", recovered+"; model.failed n not_found; model.recovered n after 0s")
}

// While a model fails it is known since when and when it was seen last.
func TestWhatIsKnownOfAModelThatFails(t *testing.T) {
	b := newBed(t)
	w, began := b.watch(), b.now()
	for range 10 {
		w.Tell(t.Context(), "m", down)
		b.pass(15 * time.Minute)
	}
	list, err := w.ModelOutages(t.Context())
	if err != nil || len(list) != 1 || !list[0].Since.Equal(began) || list[0].Code != strata.CodeUnavailable || b.now().Sub(list[0].Last) > 75*time.Minute {
		t.Errorf("%+v, %v", list, err)
	}
	w.Tell(t.Context(), "m", nil)
	if list, err := w.ModelOutages(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("after it answered: %+v, %v", list, err)
	}
}

func TestWhatSaysNothingOfAModel(t *testing.T) {
	b := newBed(t)
	w := b.watch()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	w.Tell(ended, "m", down)
	w.Tell(t.Context(), "m", &strata.Error{Code: strata.CodeCanceled})
	w.Tell(t.Context(), "m", &strata.Error{Code: strata.CodeInvalid})
	w.Tell(t.Context(), "m", &strata.Error{Code: strata.CodeTooLarge})
	b.wantLog("errors of the caller", "")
	w.Tell(t.Context(), "m", fmt.Errorf("embed: %w", context.DeadlineExceeded))
	b.wantLog("one that did not answer in time", "model.failed m unavailable")
}

// parrot answers with a text, or fails.
type parrot struct{ err error }

func (parrot) Model() string { return "parrot" }

func (p parrot) Chat(_ context.Context, _ llm.Request, onDelta func(llm.Delta) error) (llm.Reply, error) {
	if p.err != nil {
		return llm.Reply{}, p.err
	}
	return llm.Reply{}, onDelta(llm.Delta{Text: "hello"})
}

func TestCallsOfAModelAreTold(t *testing.T) {
	b := newBed(t)
	w := b.watch()
	if w.Chat(nil) != nil {
		t.Error("no model became one")
	}
	refuse := errors.New("too long")
	if _, err := w.Chat(parrot{}).Chat(t.Context(), llm.Request{}, func(llm.Delta) error { return refuse }); !errors.Is(err, refuse) {
		t.Errorf("the reader's error became %v", err)
	}
	b.wantLog("an answer that nobody wants", "")
	if _, err := w.Chat(parrot{down}).Chat(t.Context(), llm.Request{}, nil); !errors.Is(err, down) {
		t.Errorf("the error became %v", err)
	}
	if _, err := w.Chat(parrot{}).Chat(t.Context(), llm.Request{}, nil); err != nil {
		t.Error(err)
	}
	b.wantLog("it failed and answered", "model.failed parrot unavailable; model.recovered parrot after 0s")
}

// broken is a store that cannot be written to.
type broken struct{ store.Store }

func (broken) Update(context.Context, func(store.Writer) error) error {
	return &strata.Error{Code: strata.CodeFull, Message: "the disk is full"}
}

// Many calls at once tell of one change; where that cannot be written, it is when it can.
func TestCallsAtOnceAndAFullDisk(t *testing.T) {
	b := newBed(t)
	w := outage.New(broken{b.st}, b.now, slog.New(slog.DiscardHandler))
	w.Tell(t.Context(), "m", down)
	b.wantLog("on a full disk", "")
	w = b.watch()
	var calls sync.WaitGroup
	for range 8 {
		calls.Go(func() { w.Tell(t.Context(), "m", down) })
	}
	calls.Wait()
	b.wantLog("eight at once", "model.failed m unavailable")
}
