package ops_test

import (
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops/upkeep"
	"github.com/strata-memory/strata/store"
)

// A session that was given up is shown with its reason, by doctor too, until somebody has
// it read again or drops it.
func TestExtractor_ShowsWhatWasGivenUp(t *testing.T) {
	ctx := t.Context()
	st := newStore(t, nil)
	env := envOver(t, st, nil)
	mustRun[any](t, env, "append", `{"session": "monday", "turns": [{"role": "user", "content": "I live in Porto"}]}`)
	giveUp := func() {
		t.Helper()
		err := st.Update(ctx, func(w store.Writer) error {
			if err := w.RestartExtraction(ctx, strata.Global(), "monday", store.ByModel); err != nil {
				return err
			}
			x, err := w.Extraction(ctx, strata.Global(), "monday", store.ByModel)
			if err != nil {
				return err
			}
			at := w.Now()
			x.Attempts, x.LastError, x.DeadAt = 5, "it answers junk", &at
			return w.ReleaseExtraction(ctx, x)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	givenUp := func() []upkeep.Waiting {
		t.Helper()
		status := mustRun[upkeep.ExtractorStatus](t, env, "extractor_status", `{}`)
		checkup := mustRun[upkeep.Checkup](t, env, "doctor", `{}`)
		if len(checkup.GivenUp) != len(status.GivenUp) || len(checkup.Problems) > 0 || status.Extractors[1].GivenUp != int64(len(status.GivenUp)) {
			t.Errorf("doctor %+v, status %+v", checkup, status)
		}
		var concern int
		for _, c := range mustRun[upkeep.Health](t, env, "health", `{}`).Concerns {
			if c.Kind == "given_up" && c.Command == "strata extractor retry" {
				concern += c.Count
			}
		}
		if concern != len(status.GivenUp) {
			t.Errorf("health counts %d that were given up, status %d", concern, len(status.GivenUp))
		}
		return status.GivenUp
	}
	if list := givenUp(); len(list) > 0 {
		t.Errorf("given up: %+v", list)
	}
	giveUp()
	list := givenUp()
	if len(list) != 1 || list[0].Error != "it answers junk" || list[0].State != "given up" || list[0].Turns != 1 {
		t.Fatalf("given up: %+v", list)
	}
	if got := mustRun[upkeep.Revived](t, env, "extractor_retry", `{}`); len(got.Sessions) != 1 || len(givenUp()) > 0 {
		t.Errorf("revived %+v", got)
	}
	pending := mustRun[upkeep.ExtractorPending](t, env, "extractor_pending", `{}`).Sessions
	if len(pending) != 1 || pending[0].State != "waiting" || pending[0].Error != "" {
		t.Errorf("it waits as %+v", pending)
	}
	giveUp()
	if mustRun[any](t, env, "extractor_drop", `{"session": "monday", "dry_run": true}`); len(givenUp()) != 1 {
		t.Error("a dry run dropped it")
	}
	if mustRun[any](t, env, "extractor_drop", `{"session": "monday"}`); len(givenUp()) > 0 || len(mustRun[upkeep.ExtractorPending](t, env, "extractor_pending", `{}`).Sessions) > 0 {
		t.Error("it was not dropped")
	}
	if _, err := run(env, "extractor_drop", `{"session": "monday"}`); strata.CodeOf(err) != strata.CodeNotFound {
		t.Errorf("dropped again: %v", err)
	}
}
