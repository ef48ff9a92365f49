//go:build unix

package chat_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/chat"
	"github.com/strata-memory/strata/contextmgr"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/local"
)

// What a person waits for the first token beyond the model's own time: the model here has
// its first token at once. The helper takes 2 s for each call, about as long as twenty
// messages. A message triggers a cycle if facts are flushed, the window is compacted or
// pruned, or work of the helper's is taken over before the first token. Of its wait cpu- is
// the processor time, of the whole process: other programs disturb it least.
func BenchmarkFirstToken(b *testing.B) {
	for _, window := range []int{2048, 8192} {
		b.Run(fmt.Sprintf("window=%d", window), func(b *testing.B) {
			for b.Loop() {
				usual, triggered, calls := talkBesideHelper(b, window)
				if len(triggered) == 0 || calls == 0 {
					b.Fatalf("%d messages triggered a cycle, %d calls of the helper", len(triggered), calls)
				}
				b.ReportMetric(usual.quantile(0.5, waited), "ms-p50")
				b.ReportMetric(triggered.quantile(0.5, waited), "ms-trigger-p50")
				b.ReportMetric(triggered.quantile(1, waited), "ms-trigger-max")
				b.ReportMetric(triggered.quantile(0.5, used), "cpu-ms-trigger-p50")
				b.ReportMetric(triggered.quantile(1, used), "cpu-ms-trigger-max")
				b.ReportMetric(float64(len(triggered)), "triggers")
				b.ReportMetric(float64(calls), "helper-calls")
			}
		})
	}
}

// wait is what a message waited for its first token, in time and in processor time.
type wait struct{ time, cpu time.Duration }

func waited(w wait) time.Duration { return w.time }
func used(w wait) time.Duration   { return w.cpu }

type waits []wait

// quantile is the value, in milliseconds, below which a share q of the waits lies.
func (w waits) quantile(q float64, of func(wait) time.Duration) float64 {
	values := make([]time.Duration, len(w))
	for i := range w {
		values[i] = of(w[i])
	}
	slices.Sort(values)
	return float64(values[min(int(q*float64(len(values))), len(values)-1)].Microseconds()) / 1000
}

// talkBesideHelper is a chat of 200 messages, and what each waited: those that triggered a
// cycle apart. calls counts those of the helper that were answered meanwhile.
func talkBesideHelper(b *testing.B, window int) (usual, triggered waits, calls int) {
	opened, err := local.Open(b.Context(), b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	mem := opened.Engine()
	var (
		helper = &lateHelper{delay: 2 * time.Second, hurry: make(chan struct{})}
		sent   time.Time
		before time.Duration // of the processor
		first  wait          // zero until the first token
		cycle  bool
	)
	a, err := chat.New(b.Context(), chat.Options{
		Memory: mem, Model: talker{}, Small: helper, Window: window,
		OnDelta: func(llm.Delta) error {
			if first == (wait{}) {
				first = wait{time.Since(sent), processorTime() - before}
			}
			return nil
		},
		OnEvent: func(e any) {
			switch e.(type) {
			case contextmgr.FlushStarted, contextmgr.CompactionStarted, contextmgr.Pruned, contextmgr.Read, contextmgr.Summarized:
				cycle = cycle || first == (wait{})
			}
		},
	})
	if err != nil {
		b.Fatal(err)
	}
	for i := range 200 {
		text := fmt.Sprintf("My friend number %d lives in Lisbon and works at depot %d. %s", i, i, smallTalk[i%len(smallTalk)])
		sent, before, first, cycle = time.Now(), processorTime(), wait{}, false
		if _, err := a.Send(b.Context(), text); err != nil {
			b.Fatal(err)
		}
		if cycle {
			triggered = append(triggered, first)
		} else {
			usual = append(usual, first)
		}
	}
	calls = int(helper.answered.Load())
	close(helper.hurry)
	if err := errors.Join(a.Close(b.Context()), mem.Close()); err != nil {
		b.Fatal(err)
	}
	return usual, triggered, calls
}

// talker is a model whose first token comes at once, and the end of its answer after a
// tenth of a second.
type talker struct{}

func (talker) Model() string { return "talker" }

func (talker) Chat(ctx context.Context, req llm.Request, watch func(llm.Delta) error) (llm.Reply, error) {
	text := answers[len(req.Messages)%len(answers)]
	err := watch(llm.Delta{Text: text})
	if err == nil {
		err = pause(ctx, 100*time.Millisecond, nil)
	}
	return llm.Reply{Message: llm.Message{Role: strata.RoleAssistant, Text: text}, Stop: llm.StopEnd}, err
}

// lateHelper is a small model that answers as promptHelper does, after a delay, or at once
// when it is to hurry.
type lateHelper struct {
	promptHelper
	delay    time.Duration
	hurry    chan struct{}
	answered atomic.Int64
}

func (h *lateHelper) Chat(ctx context.Context, req llm.Request, watch func(llm.Delta) error) (llm.Reply, error) {
	if err := pause(ctx, h.delay, h.hurry); err != nil {
		return llm.Reply{}, err
	}
	h.answered.Add(1)
	return h.promptHelper.Chat(ctx, req, watch)
}

// pause waits for a while, until it is over early, or until ctx is done.
func pause(ctx context.Context, d time.Duration, early <-chan struct{}) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-early:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// processorTime is what the process has used of the processors.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
