package llm_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/strata-memory/strata/llm"
)

// answers is a step that takes a while and answers a text.
func answers(text string, after time.Duration) step {
	return func(ctx context.Context, onDelta func(llm.Delta) error) (llm.Reply, error) {
		select {
		case <-time.After(after):
		case <-ctx.Done():
			return llm.Reply{}, ctx.Err()
		}
		err := onDelta(llm.Delta{Text: text})
		return llm.Reply{Message: llm.Message{Text: text}, Stop: llm.StopEnd}, err
	}
}

// What bounds an answer is what is asked for, and nothing where nothing is.
func TestAskObjectIsBoundedByWhatIsAskedFor(t *testing.T) {
	long := strings.Repeat("x", 1000)
	for name, c := range map[string]struct {
		r    llm.ObjectRequest
		step step
		want bool
	}{
		"no limits":         {llm.ObjectRequest{}, answers(long, time.Hour), true},
		"within both":       {llm.ObjectRequest{MaxBytes: 1000, Timeout: 2 * time.Hour}, answers(long, time.Hour), true},
		"longer than asked": {llm.ObjectRequest{MaxBytes: 999}, answers(long, 0), false},
		"later than asked":  {llm.ObjectRequest{Timeout: time.Minute}, answers("x", time.Hour), false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				taken := false
				err := llm.AskObject(t.Context(), &standIn{steps: []step{c.step}}, c.r, func(string) error { taken = true; return nil })
				if (err == nil) != c.want || taken != c.want {
					t.Errorf("taken: %t, %v", taken, err)
				}
			})
		})
	}
}

func TestAskObjectAsksAgainOnce(t *testing.T) {
	model := &standIn{steps: []step{answers("{}", 0)}}
	unusable := errors.New("it has no field name")
	err := llm.AskObject(t.Context(), model, llm.ObjectRequest{}, func(string) error { return unusable })
	if !errors.Is(err, unusable) || model.count() != 2 {
		t.Errorf("asked %d times, %v", model.count(), err)
	}
}
