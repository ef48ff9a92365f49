package store_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// log is a reader of nothing but events.
type log struct {
	store.Reader
	events []strata.Event
	last   int64
}

func (l log) LastChange(context.Context) (int64, error) { return l.last, nil }

func (l log) Events(_ context.Context, scope strata.Scope, since int64, limit int) ([]strata.Event, error) {
	var out []strata.Event
	for _, e := range l.events {
		if e.Scope == scope && e.Change > since && len(out) < limit {
			out = append(out, e)
		}
	}
	return out, nil
}

var scopes = []strata.Scope{strata.InWorkspace("ws_1"), strata.Global()}

// drawLog is a log with gaps between its changes, as others have changes too.
func drawLog(t *rapid.T) log {
	var l log
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for range rapid.IntRange(0, 60).Draw(t, "events") {
		l.last += rapid.Int64Range(1, 3000).Draw(t, "gap")
		at = at.Add(time.Duration(rapid.IntRange(0, 100).Draw(t, "minutes")) * time.Minute)
		l.events = append(l.events, strata.Event{Change: l.last, At: at,
			Kind:  rapid.SampledFrom([]string{strata.EventWriteNoop, strata.EventWriteCommitted, strata.EventForgotten}).Draw(t, "kind"),
			Scope: rapid.SampledFrom(append(scopes, strata.ForAgent("other"))).Draw(t, "scope")})
	}
	l.last += rapid.Int64Range(0, 20_000).Draw(t, "behind")
	return l
}

func TestAnEventFilterIsCheckedAsItIsDescribed(t *testing.T) {
	for limit, valid := range map[int]bool{0: true, 1: true, 10_000: true, 10_001: false, -1: false} {
		if err := (store.EventFilter{Limit: limit}).Validate(); (err == nil) != valid {
			t.Errorf("a limit of %d: %v", limit, err)
		}
	}
	if err := (store.EventFilter{Kinds: []string{"weather"}}).Validate(); strata.CodeOf(err) != strata.CodeInvalid {
		t.Errorf("an unknown kind: %v", err)
	}
}

// What is listed is what somebody finds who reads the log from one end to the other.
func TestListEventsSelectsWhatAReaderOfAllWould(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLog(t)
		f := store.EventFilter{Limit: rapid.IntRange(1, 20).Draw(t, "limit"),
			Kinds: rapid.SliceOfN(rapid.SampledFrom([]string{"write", "write.noop", "memory"}), 0, 2).Draw(t, "kinds")}
		switch rapid.IntRange(0, 2).Draw(t, "since") {
		case 1:
			after := rapid.Int64Range(0, l.last).Draw(t, "after")
			f.After = &after
		case 2:
			f.Since = time.Date(2026, 3, 1, 0, rapid.IntRange(0, 4000).Draw(t, "minute"), 0, 0, time.UTC)
		}
		var want []strata.Event
		for _, e := range l.events {
			if slices.Contains(scopes, e.Scope) && !e.At.Before(f.Since) && (f.After == nil || e.Change > *f.After) &&
				(len(f.Kinds) == 0 || slices.ContainsFunc(f.Kinds, e.IsKind)) {
				want = append(want, e)
			}
		}
		if f.After != nil || !f.Since.IsZero() {
			want = want[:min(len(want), f.Limit)]
		} else {
			want = want[max(len(want)-f.Limit, 0):]
		}
		got, _, err := store.ListEvents(context.Background(), l, scopes, f)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("ListEvents(%+v) = %v, want %v", f, got, want)
		}
	})
}

// Whoever goes on with next reads every event once.
func TestListEventsGoesOnWithoutAGap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLog(t)
		limit := rapid.IntRange(1, 7).Draw(t, "limit")
		var got, want []int64
		after := int64(0)
		for {
			list, next, err := store.ListEvents(context.Background(), l, scopes, store.EventFilter{After: &after, Limit: limit})
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range list {
				got = append(got, e.Change)
			}
			if after = next; len(list) < limit {
				break
			}
		}
		for _, e := range l.events {
			if slices.Contains(scopes, e.Scope) {
				want = append(want, e.Change)
			}
		}
		if !slices.Equal(got, want) || after != l.last {
			t.Fatalf("read %v up to %d, want %v up to %d", got, after, want, l.last)
		}
	})
}
