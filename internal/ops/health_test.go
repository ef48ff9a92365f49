package ops_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/ops/upkeep"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/store"
)

// faults are what does not work at the moment, and the time that it is.
type faults struct {
	full  atomic.Bool // the disk has no room for promotions
	down  atomic.Bool // the model does not answer
	nanos atomic.Int64
}

func (f *faults) now() time.Time { return time.Unix(0, f.nanos.Load()).UTC() }

func (f *faults) pass(d time.Duration) { f.nanos.Add(int64(d)) }

// fullStore is a store to which promotions cannot be written while the disk is full.
type fullStore struct {
	store.Store
	*faults
}

func (s fullStore) Update(ctx context.Context, fn func(store.Writer) error) error {
	return s.Store.Update(ctx, func(w store.Writer) error { return fn(fullWriter{w, s.faults}) })
}

type fullWriter struct {
	store.Writer
	*faults
}

func (w fullWriter) PutPromotion(ctx context.Context, p strata.Promotion) error {
	if w.full.Load() {
		return &strata.Error{Code: strata.CodeFull, Op: "put promotion", Message: "the disk is full"}
	}
	return w.Writer.PutPromotion(ctx, p)
}

// flaky is a model that answers unless it is down.
type flaky struct{ *faults }

func (flaky) Model() string { return "flaky" }

func (m flaky) Chat(context.Context, llm.Request, func(llm.Delta) error) (llm.Reply, error) {
	if m.down.Load() {
		return llm.Reply{}, &strata.Error{Code: strata.CodeUnavailable, Message: "connection refused"}
	}
	return llm.Reply{}, nil
}

// Health names a dream that failed until one is carried out, what was set aside for a
// month, and a model that does not answer until it does or nobody asks it any more.
func TestHealthNamesWhatFailed(t *testing.T) {
	ctx, f := t.Context(), new(faults)
	f.nanos.Store(time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC).UnixNano())
	env := envOver(t, fullStore{newStore(t, &sqlite.Options{Now: f.now}), f}, &engine.Options{Now: f.now})
	e := env.Engine
	concern := func() string {
		t.Helper()
		var list []string
		for _, c := range mustRun[upkeep.Health](t, env, "health", `{}`).Concerns {
			list = append(list, fmt.Sprintf("%s %d %s: %s (%s)", c.Kind, c.Count, c.Scope, c.Detail, c.Command))
		}
		return strings.Join(list, "\n")
	}
	want := func(when, want string) {
		t.Helper()
		if got := concern(); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", when, got, want)
		}
	}
	want("of an empty home", "")

	mustRun[any](t, env, "save", `{"content": "The deploy key rotates on Monday"}`)
	for _, q := range []string{"which key rotates?", "when does the deploy key rotate?", "what of the deploy key on Monday?"} {
		mustRun[any](t, env, "recall", fmt.Sprintf(`{"query": %q}`, q))
	}
	f.full.Store(true)
	if _, err := run(env, "dream_trigger", `{"force": true}`); strata.CodeOf(err) != strata.CodeFull {
		t.Fatalf("the dream did not fail: %v", err)
	}
	dreams, err := e.Dreams(ctx, strata.Global().View(), 1)
	if err != nil || len(dreams) != 1 {
		t.Fatalf("%+v, %v", dreams, err)
	}
	want("a dream failed", "dream_failed 1 global: the last dream failed: the disk is full (strata dream retry "+dreams[0].ID+")")
	f.full.Store(false)
	f.pass(time.Minute)
	mustRun[any](t, env, "dream_retry", fmt.Sprintf(`{"id": %q}`, dreams[0].ID))
	want("it was retried", "")

	for _, session := range []string{"one", "two"} {
		if _, err := e.OpenSession(ctx, strata.Session{ID: session, Scope: strata.Global()}); err != nil {
			t.Fatal(err)
		}
		if err := e.PutSessionState(ctx, strata.Global(), session, []byte(`{"cursor":17}`)); err != nil {
			t.Fatal(err)
		}
		if err := e.SetSessionStateAside(ctx, strata.Global(), session, "the checksum is wrong"); err != nil {
			t.Fatal(err)
		}
	}
	want("states were set aside", "set_aside 2 global: what could not be used was set aside: session.state_set_aside of two (strata doctor)")
	f.pass(31 * 24 * time.Hour)
	want("a month later", "")

	model := e.Metered(flaky{f})
	ask := func(down bool) {
		t.Helper()
		f.down.Store(down)
		if _, err := model.Chat(ctx, llm.Request{}, nil); (err != nil) != down {
			t.Fatalf("down %v: %v", down, err)
		}
	}
	ask(true)
	since := f.now().Format("2006-01-02 15:04 MST")
	f.pass(time.Hour)
	ask(true)
	silent := "model_failed 1 : model flaky has not answered since " + since + ": unavailable (strata events -k model)"
	want("a model failed", silent)
	f.pass(time.Minute)
	ask(false)
	want("it answers", "")
	f.pass(time.Minute)
	ask(true)
	f.pass(8 * 24 * time.Hour)
	want("nobody asked it for a week", "")
	var told []string
	for _, ev := range mustRun[upkeep.Events](t, env, "events", `{"kind": ["model"]}`).Events {
		told = append(told, ev.Kind+" "+ev.Ref)
	}
	if got := strings.Join(told, ", "); got != "model.failed flaky, model.recovered flaky, model.failed flaky" {
		t.Errorf("events: %s", got)
	}
}
