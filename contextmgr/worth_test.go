package contextmgr

import (
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text/token"
	"github.com/strata-memory/strata/llm"
)

// A compaction that frees less than a third of the history is not worth a
// model's time: nothing is planned, unless it was asked for.
func TestACompactionFreesAThird(t *testing.T) {
	h := open(t, nil)
	h.chatter(5)
	h.add(say(strata.RoleUser, strings.Repeat("harbor ", 900)))
	groups := h.win.groups()
	stays := h.win.costOf(span{groups[len(groups)-1].start, len(h.win.items)})
	if most := 1 - float64(stays)/float64(h.win.cost); most < 0.15 || most > 0.3 {
		t.Fatalf("%.2f of the history can be freed at most", most)
	}
	if p, ok := h.plan(nil, false); ok {
		t.Errorf("%+v is planned", p)
	}
	if _, ok := h.plan(nil, true); !ok {
		t.Error("nothing is planned where a compaction was asked for")
	}
}

// After a compaction the next request does not begin as the last one did, so
// that what was reported of it says nothing. What was learnt of the model stays.
func TestACompactionForgetsWhatWasReported(t *testing.T) {
	h := open(t, nil)
	h.chatter(8)
	h.Observe(ctx, llm.Usage{Prompt: h.meter.request(h.prompt()) * 6 / 5})
	learnt := token.NewCalibration(h.calibration.Factor())
	if h.calibration == learnt {
		t.Fatal("the report was not believed")
	}
	done, err := h.Compact(ctx)
	if err != nil || done.Freed == 0 {
		t.Fatalf("compacted %+v, %v", done, err)
	}
	if h.calibration != learnt {
		t.Errorf("the calibration is %+v, want %+v", h.calibration, learnt)
	}
}

// Where all that may be left out is left out, nothing more is, and nothing is told of it.
func TestWhatIsLeftOutIsLeftOutOnce(t *testing.T) {
	h := open(t, nil)
	h.chatter(5)
	h.add(say(strata.RoleUser, strings.Repeat("harbor ", 900)))
	if !h.prune(ctx) {
		t.Fatal("nothing is left out")
	}
	items, told := len(h.win.items), len(all[Pruned](h))
	if h.prune(ctx) || len(h.win.items) != items || len(all[Pruned](h)) != told {
		t.Errorf("%d items after %d, told %d times after %d", len(h.win.items), items, len(all[Pruned](h)), told)
	}
}
