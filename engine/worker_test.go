package engine

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"
)

// What a worker is woken for while it rests is done in one run, once it has rested.
func TestAWorkerRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const rest = 100 * time.Millisecond
		var runs []time.Time
		w := startResting(slog.New(slog.DiscardHandler), "test", func(time.Duration) time.Duration { return rest },
			func(context.Context) error {
				runs = append(runs, time.Now())
				return nil
			})
		w.wake()
		synctest.Wait()
		if len(runs) != 1 {
			t.Fatalf("ran %d times when woken, want once, at once", len(runs))
		}
		for range 10 {
			time.Sleep(rest / 20)
			w.wake()
		}
		synctest.Wait()
		if len(runs) != 1 {
			t.Errorf("ran %d times while it should rest", len(runs)-1)
		}
		time.Sleep(10 * rest)
		synctest.Wait()
		if len(runs) != 2 || runs[1].Sub(runs[0]) != rest {
			t.Errorf("ran at %v, want twice, %v apart", runs, rest)
		}
		w.close()
	})
}
