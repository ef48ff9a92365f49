package llm_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/llm"
)

// step is what a stand-in model does at one call.
type step func(ctx context.Context, onDelta func(llm.Delta) error) (llm.Reply, error)

// standIn is a model that follows steps; the last one repeats.
type standIn struct {
	mu    sync.Mutex
	calls int
	steps []step
}

func (s *standIn) Model() string { return "stand-in" }

func (s *standIn) Chat(ctx context.Context, _ llm.Request, onDelta func(llm.Delta) error) (llm.Reply, error) {
	s.mu.Lock()
	step := s.steps[min(s.calls, len(s.steps)-1)]
	s.calls++
	s.mu.Unlock()
	return step(ctx, onDelta)
}

func (s *standIn) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls
}

func ok(context.Context, func(llm.Delta) error) (llm.Reply, error) {
	return llm.Reply{Message: llm.Message{Text: "ok"}, Stop: llm.StopEnd}, nil
}

func fail(code strata.Code) step {
	return func(context.Context, func(llm.Delta) error) (llm.Reply, error) {
		return llm.Reply{}, &strata.Error{Code: code, Message: "no"}
	}
}

// refuse turns the request away before any work.
func refuse(after time.Duration) step {
	return func(context.Context, func(llm.Delta) error) (llm.Reply, error) {
		return llm.Reply{}, &strata.Error{Code: strata.CodeUnavailable, Err: &llm.Refused{After: after, Err: errors.New("busy")}}
	}
}

func hang(ctx context.Context, _ func(llm.Delta) error) (llm.Reply, error) {
	<-ctx.Done()
	return llm.Reply{}, ctx.Err()
}

// say streams texts with a pause before each.
func say(pause time.Duration, texts ...string) step {
	return func(ctx context.Context, onDelta func(llm.Delta) error) (llm.Reply, error) {
		var reply llm.Reply
		for _, text := range texts {
			select {
			case <-time.After(pause):
			case <-ctx.Done():
				return reply, ctx.Err()
			}
			reply.Message.Text += text
			if err := onDelta(llm.Delta{Text: text}); err != nil {
				return reply, err
			}
		}
		return reply, nil
	}
}

func then(steps ...step) *standIn { return &standIn{steps: steps} }

var request = llm.Request{Messages: []llm.Message{{Role: strata.RoleUser, Text: "hello"}}}

func wantCode(t *testing.T, err error, code strata.Code) {
	t.Helper()
	if strata.CodeOf(err) != code {
		t.Fatalf("error %v has code %q, want %q", err, strata.CodeOf(err), code)
	}
}

func TestGuard_CutsAServerThatIsSilent(t *testing.T) {
	for _, test := range []struct {
		name  string
		steps step
		after time.Duration
		text  string
	}{
		{"before the first part", hang, 5 * time.Minute, "no answer for 5m0s"},
		{"between parts", func(ctx context.Context, onDelta func(llm.Delta) error) (llm.Reply, error) {
			_ = onDelta(llm.Delta{Text: "a"})
			return hang(ctx, onDelta)
		}, 2 * time.Minute, "silence in the middle of the answer for 2m0s"},
		{"that talks for ever", say(time.Minute, strings.Split(strings.Repeat("x", 100), "")...), 10 * time.Minute, "no end of the answer for 10m0s"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				model := then(test.steps)
				begin := time.Now()
				_, err := llm.GuardChat(model, llm.GuardOptions{}).Chat(t.Context(), request, nil)
				wantCode(t, err, strata.CodeUnavailable)
				if took := time.Since(begin); took != test.after || !strings.Contains(err.Error(), test.text) || model.count() != 1 {
					t.Errorf("after %s and %d calls: %v", took, model.count(), err)
				}
			})
		})
	}
}

func TestGuard_SlowPartsAreNoSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reply, err := llm.GuardChat(then(say(119*time.Second, "a", "b", "c")), llm.GuardOptions{}).Chat(t.Context(), request, nil)
		if err != nil || reply.Message.Text != "abc" {
			t.Errorf("%+v, %v", reply, err)
		}
	})
}

func TestGuard_TheTimeOfTheWatcherIsNotTheServers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reply, err := llm.GuardChat(then(say(time.Second, "a", "b")), llm.GuardOptions{}).
			Chat(t.Context(), request, func(llm.Delta) error { time.Sleep(3 * time.Minute); return nil })
		if err != nil || reply.Message.Text != "ab" {
			t.Errorf("%+v, %v", reply, err)
		}
	})
}

func TestGuard_SignsOfLifeAreNotHandedOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var parts []llm.Delta
		reply, err := llm.GuardChat(then(say(time.Minute, "", "", "", "", "", "a")), llm.GuardOptions{}).
			Chat(t.Context(), request, func(d llm.Delta) error { parts = append(parts, d); return nil })
		if err != nil || reply.Message.Text != "a" || len(parts) != 1 {
			t.Errorf("%+v, %v, parts %v", reply, err, parts)
		}
	})
}

func TestGuard_RetriesOnlyWhereItIsSafe(t *testing.T) {
	streamThenRefuse := func(ctx context.Context, onDelta func(llm.Delta) error) (llm.Reply, error) {
		if err := onDelta(llm.Delta{Reasoning: "hm"}); err != nil {
			return llm.Reply{}, err
		}
		return refuse(0)(ctx, onDelta)
	}
	for _, test := range []struct {
		name  string
		step  step
		calls int
	}{
		{"turned away", refuse(0), 3},
		{"turned away with a short wait", refuse(time.Second), 3},
		{"turned away with a long wait", refuse(time.Minute), 1},
		{"turned away in the middle of the stream", streamThenRefuse, 1},
		{"failed while it worked", fail(strata.CodeUnavailable), 1},
		{"too large", fail(strata.CodeTooLarge), 1},
		{"corrupt", fail(strata.CodeCorrupt), 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				model := then(test.step)
				if _, err := llm.GuardChat(model, llm.GuardOptions{}).Chat(t.Context(), request, nil); err == nil {
					t.Fatal("no error")
				}
				if model.count() != test.calls {
					t.Errorf("%d calls, want %d", model.count(), test.calls)
				}
			})
		})
	}
}

func TestGuard_WaitsAsLongAsTheServerAsks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		_, err := llm.GuardChat(then(refuse(7*time.Second), refuse(11*time.Second), ok), llm.GuardOptions{}).Chat(t.Context(), request, nil)
		if took := time.Since(begin); err != nil || took != 18*time.Second {
			t.Errorf("%v after %s", err, took)
		}
	})
}

func TestGuard_PausesGrowWithinTheirBounds(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		o := llm.GuardOptions{
			Attempts: rapid.IntRange(2, 12).Draw(r, "attempts"),
			Pause:    time.Duration(rapid.IntRange(1, 5000).Draw(r, "pause")) * time.Millisecond,
			MaxPause: time.Duration(rapid.IntRange(1, 20000).Draw(r, "max")) * time.Millisecond,
			Limit:    time.Hour,
		}
		var waits []time.Duration
		o.Wait = func(_ context.Context, d time.Duration) error { waits = append(waits, d); return nil }
		if _, err := llm.GuardChat(then(refuse(0)), o).Chat(context.Background(), request, nil); err == nil {
			r.Fatal("no error")
		}
		if len(waits) != o.Attempts-1 {
			r.Fatalf("%d waits for %d attempts", len(waits), o.Attempts)
		}
		for i, w := range waits {
			want := min(o.Pause<<i, o.MaxPause)
			if w < want/2 || w > want {
				r.Fatalf("wait %d is %s, want %s to %s", i, w, want/2, want)
			}
		}
	})
}

func TestGuard_AWaitBeyondTheLimitIsNotBegun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		_, err := llm.GuardChat(then(refuse(5*time.Second)), llm.GuardOptions{}).Chat(ctx, request, nil)
		wantCode(t, err, strata.CodeUnavailable)
		if took := time.Since(begin); took != 0 {
			t.Errorf("it took %s", took)
		}
	})
}

func TestGuard_CancelEndsAWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		begin := time.Now()
		_, err := llm.GuardChat(then(refuse(10*time.Second)), llm.GuardOptions{}).Chat(ctx, request, nil)
		wantCode(t, err, strata.CodeCanceled)
		if took := time.Since(begin); took != time.Second || !errors.Is(err, context.Canceled) {
			t.Errorf("%v after %s", err, took)
		}
	})
}

func TestBreaker_OpensAfterThreeFailuresAndHalfOpensByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model := then(fail(strata.CodeUnavailable), fail(strata.CodeCorrupt), fail(strata.CodeUnavailable), fail(strata.CodeUnavailable), ok)
		c := llm.GuardChat(model, llm.GuardOptions{})
		call := func() error { _, err := c.Chat(t.Context(), request, nil); return err }
		for range 3 {
			if call() == nil {
				t.Fatal("no error")
			}
		}
		opened := time.Now()
		time.Sleep(29 * time.Second)
		err := call()
		wantCode(t, err, strata.CodeUnavailable)
		var e *strata.Error
		if !errors.As(err, &e) || e.Details["retry_at"] != opened.Add(30*time.Second).UTC().Format(time.RFC3339) ||
			!strings.Contains(e.Message, "in 1s") || model.count() != 3 {
			t.Errorf("%d calls, error %+v", model.count(), e)
		}
		time.Sleep(time.Second)
		if call() == nil || model.count() != 4 {
			t.Errorf("the trial: %d calls", model.count())
		}
		if call() == nil || model.count() != 4 {
			t.Errorf("after the trial: %d calls", model.count())
		}
		time.Sleep(30 * time.Second)
		for range 3 {
			if err := call(); err != nil {
				t.Errorf("after it came back: %v", err)
			}
		}
	})
}

func TestBreaker_LetsOneCallTry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bad := fail(strata.CodeUnavailable)
		model := then(bad, bad, bad, say(time.Minute, "back"), ok)
		c := llm.GuardChat(model, llm.GuardOptions{})
		for range 3 {
			_, _ = c.Chat(t.Context(), request, nil)
		}
		time.Sleep(30 * time.Second)
		done := make(chan error)
		go func() { _, err := c.Chat(t.Context(), request, nil); done <- err }()
		synctest.Wait()
		_, err := c.Chat(t.Context(), request, nil)
		wantCode(t, err, strata.CodeUnavailable)
		if model.count() != 4 || !strings.Contains(err.Error(), "right now") {
			t.Errorf("%d calls, error %v", model.count(), err)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
		if _, err := c.Chat(t.Context(), request, nil); err != nil {
			t.Error(err)
		}
	})
}

func TestBreaker_OnlyFailuresOfTheServerCount(t *testing.T) {
	watcherStops := func(ctx context.Context, onDelta func(llm.Delta) error) (llm.Reply, error) {
		return say(0, "a")(ctx, onDelta)
	}
	for _, test := range []struct {
		name  string
		step  step
		ctx   func(context.Context) (context.Context, context.CancelFunc)
		opens bool
	}{
		{"unavailable", fail(strata.CodeUnavailable), nil, true},
		{"corrupt", fail(strata.CodeCorrupt), nil, true},
		{"turned away", refuse(0), nil, true},
		{"an error without a code", func(context.Context, func(llm.Delta) error) (llm.Reply, error) {
			return llm.Reply{}, errors.New("?")
		}, nil, true},
		{"silent", hang, nil, true},
		{"silent for longer than the caller waits", hang, within(2 * time.Second), true},
		{"not fast enough for a caller in a hurry", hang, within(100 * time.Millisecond), false},
		{"canceled by the caller", hang, canceledAfter(5 * time.Second), false},
		{"too_large", fail(strata.CodeTooLarge), nil, false},
		{"invalid", fail(strata.CodeInvalid), nil, false},
		{"not_found", fail(strata.CodeNotFound), nil, false},
		{"denied", fail(strata.CodeDenied), nil, false},
		{"unsupported", fail(strata.CodeUnsupported), nil, false},
		{"the watcher stops", watcherStops, nil, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				model := then(test.step)
				c := llm.GuardChat(model, llm.GuardOptions{Attempts: 1})
				for i := range 5 {
					ctx, cancel := t.Context(), context.CancelFunc(func() {})
					if test.ctx != nil {
						ctx, cancel = test.ctx(ctx)
					}
					_, err := c.Chat(ctx, request, func(llm.Delta) error { return errors.New("enough") })
					cancel()
					if err == nil {
						t.Fatalf("call %d: no error", i)
					}
				}
				want := 5
				if test.opens {
					want = 3
				}
				if model.count() != want {
					t.Errorf("%d calls reached the model, want %d", model.count(), want)
				}
			})
		})
	}
}

func within(d time.Duration) func(context.Context) (context.Context, context.CancelFunc) {
	return func(ctx context.Context) (context.Context, context.CancelFunc) { return context.WithTimeout(ctx, d) }
}

func canceledAfter(d time.Duration) func(context.Context) (context.Context, context.CancelFunc) {
	return func(ctx context.Context) (context.Context, context.CancelFunc) {
		ctx, cancel := context.WithCancel(ctx)
		time.AfterFunc(d, cancel)
		return ctx, cancel
	}
}

// A call that leaves the trial without an outcome must not leave the breaker
// shut for ever.
func TestBreaker_ACanceledTrialLetsTheNextTry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bad := fail(strata.CodeUnavailable)
		c := llm.GuardChat(then(bad, bad, bad, hang, ok), llm.GuardOptions{})
		for range 3 {
			_, _ = c.Chat(t.Context(), request, nil)
		}
		time.Sleep(30 * time.Second)
		ctx, cancel := canceledAfter(time.Second)(t.Context())
		defer cancel()
		_, err := c.Chat(ctx, request, nil)
		wantCode(t, err, strata.CodeCanceled)
		if _, err := c.Chat(t.Context(), request, nil); err != nil {
			t.Error(err)
		}
	})
}

func TestBreaker_ATrialThatPanicsLetsTheNextTry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bad := fail(strata.CodeUnavailable)
		c := llm.GuardChat(then(bad, bad, bad, say(0, "part"), ok), llm.GuardOptions{})
		for range 3 {
			_, _ = c.Chat(t.Context(), request, nil)
		}
		time.Sleep(30 * time.Second)
		func() {
			defer func() { _ = recover() }()
			_, _ = c.Chat(t.Context(), request, func(llm.Delta) error { panic("the watcher broke") })
			t.Error("no panic")
		}()
		if _, err := c.Chat(t.Context(), request, nil); err != nil {
			t.Error(err)
		}
	})
}

// What the breaker says of the last failure must not look like that failure
// to whoever reads the error's chain.
func TestBreaker_ItsErrorIsNoInvitationToRetry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := llm.GuardChat(then(refuse(0)), llm.GuardOptions{})
		var err error
		for range 4 {
			_, err = c.Chat(t.Context(), request, nil)
		}
		var refused *llm.Refused
		if !strings.Contains(err.Error(), "busy") || errors.As(err, &refused) {
			t.Errorf("error %v", err)
		}
	})
}

func TestGuard_PartialReplyComesWithTheError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := llm.GuardChat(then(func(ctx context.Context, onDelta func(llm.Delta) error) (llm.Reply, error) {
			reply, _ := say(0, "so ", "far")(ctx, onDelta)
			return reply, &strata.Error{Code: strata.CodeUnavailable}
		}), llm.GuardOptions{})
		reply, err := c.Chat(t.Context(), request, nil)
		if err == nil || reply.Message.Text != "so far" {
			t.Errorf("%+v, %v", reply, err)
		}
	})
}

func TestGuard_AModelWithoutNameIsInvalid(t *testing.T) {
	_, err := llm.GuardChat(nameless{}, llm.GuardOptions{}).Chat(t.Context(), request, nil)
	wantCode(t, err, strata.CodeInvalid)
}

type nameless struct{}

func (nameless) Model() string { return "" }
func (nameless) Chat(context.Context, llm.Request, func(llm.Delta) error) (llm.Reply, error) {
	return llm.Reply{}, errors.New("it was asked")
}

type standInEmbedder struct{ err []error }

func (*standInEmbedder) Model() string   { return "e" }
func (*standInEmbedder) Dimensions() int { return 1 }
func (s *standInEmbedder) Embed(_ context.Context, texts []string) ([][]float32, error) {
	if len(s.err) > 0 {
		err := s.err[0]
		s.err = s.err[1:]
		return [][]float32{{0}}, err
	}
	return make([][]float32, len(texts)), nil
}

func TestGuardEmbedder_RetriesAndOpens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		busy := &strata.Error{Code: strata.CodeUnavailable, Err: &llm.Refused{}}
		e := llm.GuardEmbedder(&standInEmbedder{err: []error{busy, busy}}, llm.GuardOptions{})
		if v, err := e.Embed(t.Context(), []string{"a", "b"}); err != nil || len(v) != 2 {
			t.Errorf("%v, %v", v, err)
		}
		broken := &strata.Error{Code: strata.CodeCorrupt}
		e = llm.GuardEmbedder(&standInEmbedder{err: []error{broken, broken, broken}}, llm.GuardOptions{})
		for i := range 4 {
			v, err := e.Embed(t.Context(), []string{"a"})
			if err == nil || v != nil {
				t.Errorf("call %d: %v, %v", i, v, err)
			}
		}
		if e.Model() != "e" || e.Dimensions() != 1 {
			t.Errorf("model %q of %d dimensions", e.Model(), e.Dimensions())
		}
	})
}

func TestRoles_SmallFallsBackToDefault(t *testing.T) {
	big, small := then(ok), then(ok)
	for _, test := range []struct {
		roles llm.Roles
		want  llm.Chat
	}{
		{llm.Roles{}, nil},
		{llm.Roles{Default: big}, big},
		{llm.Roles{Default: big, Small: small}, small},
		{llm.Roles{Small: small}, small},
	} {
		if got := test.roles.ForSmallWork(); got != test.want {
			t.Errorf("%+v gives %v", test.roles, got)
		}
	}
}

func TestRefused_NamesTheWait(t *testing.T) {
	r := &llm.Refused{After: time.Minute, Err: errors.New("busy")}
	if got := fmt.Sprint(r); got != "busy (the server asks to wait 1m0s)" {
		t.Error(got)
	}
	if got := fmt.Sprint(&llm.Refused{}); got != "not processed" {
		t.Error(got)
	}
}
