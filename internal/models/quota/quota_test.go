package quota_test

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/models/quota"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/store"
)

// model answers as it is told.
type model struct {
	calls atomic.Int64
	reply llm.Reply
	err   error
}

func (m *model) Model() string { return "scripted" }

func (m *model) Chat(context.Context, llm.Request, func(llm.Delta) error) (llm.Reply, error) {
	m.calls.Add(1)
	return m.reply, m.err
}

func openStore(t *testing.T, path string) store.Store {
	t.Helper()
	st, err := sqlite.Open(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	return st
}

// clock stands still until it is set.
type clock struct{ ns atomic.Int64 }

func (c *clock) now() time.Time { return time.Unix(0, c.ns.Load()) }

func at(day int) *clock {
	c := new(clock)
	c.ns.Store(time.Date(2026, 3, day, 12, 0, 0, 0, time.UTC).UnixNano())
	return c
}

var ask = llm.Request{Messages: []llm.Message{{Role: strata.RoleUser, Text: "What is new?"}}, MaxTokens: 50}

// However many processes ask at once, no more calls are made than a day has, and the next
// day has as many again.
func TestTheCallsOfADayAreCountedOverAllProcesses(t *testing.T) {
	path, c := filepath.Join(t.TempDir(), "strata.db"), at(2)
	m := &model{reply: llm.Reply{Usage: llm.Usage{Prompt: 7, Completion: 3}}}
	var meters []*quota.Meter
	for range 3 {
		meters = append(meters, quota.New(openStore(t, path), quota.Limits{Calls: 10}, c.now))
	}
	var work sync.WaitGroup
	var refused atomic.Int64
	for i := range 24 {
		work.Go(func() {
			_, err := meters[i%3].Chat(m).Chat(context.Background(), ask, nil)
			switch strata.CodeOf(err) {
			case "":
			case strata.CodeUnavailable:
				refused.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	work.Wait()
	use, err := meters[0].Use(t.Context())
	want := store.ModelUse{Calls: 10, Tokens: 100, Refused: 14}
	if err != nil || use.ModelUse != want || m.calls.Load() != 10 || refused.Load() != 14 {
		t.Errorf("use = %+v, %d calls, %d refused, %v", use, m.calls.Load(), refused.Load(), err)
	}
	events, err := store.Read(t.Context(), openStore(t, path), func(r store.Reader) ([]strata.Event, error) {
		list, _, err := store.ListEvents(t.Context(), r, []strata.Scope{strata.Global()}, store.EventFilter{Kinds: []string{strata.EventModelStopped}})
		return list, err
	})
	if err != nil || len(events) != 1 || events[0].Ref != "2026-03-02" {
		t.Errorf("events = %+v, %v", events, err)
	}
	c.ns.Add(int64(24 * time.Hour))
	if _, err := meters[1].Chat(m).Chat(t.Context(), ask, nil); err != nil {
		t.Errorf("the next day: %v", err)
	}
}

// A call is counted as what it is expected to cost before it is made, and as what it cost
// after.
func TestTokensAreHeldBeforeACall(t *testing.T) {
	m := quota.New(openStore(t, filepath.Join(t.TempDir(), "strata.db")), quota.Limits{Tokens: 100}, at(2).now)
	costly := ask
	costly.MaxTokens = 100
	asked := &model{reply: llm.Reply{Usage: llm.Usage{Prompt: 30, Completion: 20}}}
	if _, err := m.Chat(asked).Chat(t.Context(), costly, nil); strata.CodeOf(err) != strata.CodeUnavailable || asked.calls.Load() != 0 {
		t.Errorf("a call that may cost more than a day has: %v, %d calls", err, asked.calls.Load())
	}
	if _, err := m.Chat(asked).Chat(t.Context(), ask, nil); err != nil {
		t.Fatal(err)
	}
	if use, err := m.Use(t.Context()); err != nil || use.Tokens != 50 || use.Calls != 1 {
		t.Errorf("use = %+v, %v", use, err)
	}
}

// What nobody was asked is not counted; what is not known to be cheaper is, in full.
func TestWhatAFailedCallCounts(t *testing.T) {
	m := quota.New(openStore(t, filepath.Join(t.TempDir(), "strata.db")), quota.Limits{}, at(2).now)
	nobody := &model{err: &strata.Error{Code: strata.CodeUnavailable, Message: "nobody listens"}}
	if _, err := m.Chat(nobody).Chat(t.Context(), ask, nil); strata.CodeOf(err) != strata.CodeUnavailable {
		t.Error(err)
	}
	if use, err := m.Use(t.Context()); err != nil || use.ModelUse != (store.ModelUse{}) {
		t.Errorf("use = %+v, %v", use, err)
	}
	junk := &model{err: errors.New("it answered junk")}
	if _, err := m.Chat(junk).Chat(t.Context(), ask, nil); err == nil {
		t.Error("the error is lost")
	}
	if use, err := m.Use(t.Context()); err != nil || use.Calls != 1 || use.Tokens < 50 {
		t.Errorf("use = %+v, %v", use, err)
	}
	if m.Chat(nil) != nil {
		t.Error("no model became one")
	}
}
