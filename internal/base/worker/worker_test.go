package worker

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
		runs := make(chan time.Time, 20)
		w := Resting(slog.New(slog.DiscardHandler), "test", func(time.Duration) time.Duration { return rest },
			func(context.Context) error {
				runs <- time.Now()
				return nil
			}).Start()
		w.Wake()
		synctest.Wait()
		if len(runs) != 1 {
			t.Fatalf("ran %d times when woken, want once, at once", len(runs))
		}
		for range 10 {
			time.Sleep(rest / 20)
			w.Wake()
		}
		synctest.Wait()
		if len(runs) != 1 {
			t.Errorf("ran %d times while it should rest", len(runs)-1)
		}
		time.Sleep(10 * rest)
		synctest.Wait()
		if len(runs) != 2 {
			t.Fatalf("ran %d times in all, want twice", len(runs))
		}
		if first, second := <-runs, <-runs; second.Sub(first) != rest {
			t.Errorf("rested %v, want %v", second.Sub(first), rest)
		}
		w.Close()
	})
}
