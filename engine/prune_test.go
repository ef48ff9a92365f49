package engine_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/recall/reopen"
	"github.com/strata-memory/strata/internal/sessions"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/store"
)

// closeAll closes sessions.
func closeAll(t *testing.T, e *engine.Engine, sessions ...string) {
	t.Helper()
	for _, s := range sessions {
		if err := e.CloseSession(context.Background(), strata.Global(), s); err != nil {
			t.Fatal(err)
		}
	}
}

func prune(t *testing.T, e *engine.Engine, o sessions.PruneOptions) sessions.Pruned {
	t.Helper()
	out, err := e.PruneSessions(context.Background(), strata.Global().View(), o)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// everyClosed prunes every closed session.
var everyClosed = sessions.PruneOptions{OlderThan: time.Nanosecond}

func TestPruneTakesWhatWasSaidAndLeavesWhatWasLearnt(t *testing.T) {
	home, ctx, view := t.TempDir(), context.Background(), strata.Global().View()
	e := openHome(t, home)
	appendTurns(t, e, "old", talk("My sister Nora lives in Bergen. The password hint is opalescent", "Noted"))
	appendTurns(t, e, "open", talk("The museum is closed on Mondays"))
	closeAll(t, e, "old")
	if _, err := e.Extract(ctx, strata.Global(), "old"); err != nil {
		t.Fatal(err)
	}
	facts, err := e.Facts(ctx, view, strata.FactFilter{})
	if err != nil || len(facts) == 0 {
		t.Fatalf("facts = %v, %v", facts, err)
	}

	dry := everyClosed
	dry.DryRun = true
	if out := prune(t, e, dry); len(out.Sessions) != 1 || out.Sessions[0].ID != "old" || out.Sessions[0].Bytes == 0 {
		t.Errorf("a dry run says %+v", out)
	}
	if len(grep(t, home, "opalescent")) == 0 {
		t.Fatal("the dry run removed what was said")
	}
	if out := prune(t, e, everyClosed); len(out.Sessions) != 1 || len(out.Skipped) != 0 || len(out.Remaining) != 0 || out.Left != 0 {
		t.Errorf("prune = %+v", out)
	}
	turns, err := e.Turns(ctx, view, "old", 0, 0)
	if err != nil || len(turns) != 2 || !turns[0].Pruned() || turns[0].At.IsZero() {
		t.Errorf("turns = %+v, %v", turns, err)
	}
	page, err := e.Expand(ctx, reopen.Request{View: view, Session: "old", From: 1, To: 2, Tokens: 1000})
	if err != nil || len(page.Turns) != 2 || page.Turns[0].Turn.Text != "" || !page.Turns[0].Turn.Forgotten || len(page.Turns[0].Notes) != 1 {
		t.Errorf("expand = %+v, %v", page, err)
	}
	if after, err := e.Facts(ctx, view, strata.FactFilter{}); err != nil || len(after) != len(facts) || after[0].Sources[0] != facts[0].Sources[0] {
		t.Errorf("facts = %+v, %v, want %+v", after, err, facts)
	}
	if res, err := e.Search(ctx, view, "opalescent password hint"); err != nil || len(res.Hits) > 0 && strings.Contains(res.Hits[0].Text, "opalescent") {
		t.Errorf("a search finds %+v, %v", res, err)
	}
	if turns, err := e.Turns(ctx, view, "open", 0, 0); err != nil || turns[0].Forgotten {
		t.Errorf("the open session has %+v, %v", turns, err)
	}
	sameTranscript(t, e, "old")
	if again := prune(t, e, everyClosed); len(again.Sessions) != 0 || len(again.Skipped) != 0 {
		t.Errorf("a second time = %+v", again)
	}
	healthy(t, e)
}

// sameTranscript compares the transcript of a session with its turns.
func sameTranscript(t *testing.T, e *engine.Engine, session string) {
	t.Helper()
	want, err := e.Turns(context.Background(), strata.Global().View(), session, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, got, err := e.Transcript(context.Background(), strata.Global(), session)
	if err != nil {
		t.Fatal(err)
	}
	sameTurns(t, got, want)
}

func TestPruneFitsASizeTheOldestFirst(t *testing.T) {
	e := openHome(t, t.TempDir())
	for _, s := range []string{"a", "b", "c"} {
		appendTurns(t, e, s, talk(strings.Repeat("We spoke of the tiles. ", 40)))
		closeAll(t, e, s)
	}
	whole := prune(t, e, sessions.PruneOptions{MaxBytes: 1 << 30})
	if len(whole.Sessions) != 0 || whole.Left == 0 {
		t.Fatalf("all fits and %+v is pruned", whole)
	}
	out := prune(t, e, sessions.PruneOptions{MaxBytes: whole.Left - 1})
	if len(out.Sessions) != 1 || out.Sessions[0].ID != "a" || out.Left >= whole.Left {
		t.Errorf("prune = %+v", out)
	}
	healthy(t, e)
}

// updateBeside changes the database of a home that an engine has open, as another process
// would.
func updateBeside(t *testing.T, home string, fn func(store.Writer) error) {
	t.Helper()
	other, err := sqlite.Open(context.Background(), filepath.Join(home, "strata.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if err := other.Update(context.Background(), fn); err != nil {
		t.Fatal(err)
	}
}

func TestPruneLeavesWhatIsStillToBeExtracted(t *testing.T) {
	home, ctx := t.TempDir(), context.Background()
	e := openHome(t, home)
	appendTurns(t, e, "a", talk("We spoke of the tiles"))
	closeAll(t, e, "a")
	updateBeside(t, home, func(w store.Writer) error {
		return w.QueueExtraction(ctx, strata.Global(), "a", store.ByModel, time.Time{})
	})
	out := prune(t, e, everyClosed)
	if len(out.Sessions) != 0 || len(out.Skipped) != 1 || out.Skipped[0].Reason != "its facts are not all extracted yet" {
		t.Errorf("prune = %+v", out)
	}
	if turns, err := e.Turns(context.Background(), strata.Global().View(), "a", 0, 0); err != nil || turns[0].Forgotten {
		t.Errorf("turns = %+v, %v", turns, err)
	}
}

// Nothing will read what an extractor gave up, so it keeps no conversation for ever.
func TestPruneTakesWhatExtractionGaveUp(t *testing.T) {
	for name, remove := range map[string]func(*testing.T, *engine.Engine) sessions.Pruned{
		"prune":   func(t *testing.T, e *engine.Engine) sessions.Pruned { return prune(t, e, everyClosed) },
		"archive": archive,
	} {
		t.Run(name, func(t *testing.T) {
			ctx, home := context.Background(), t.TempDir()
			e := openArchiving(t, home)
			appendTurns(t, e, "a", talk("We spoke of the tiles"))
			closeAll(t, e, "a")
			updateBeside(t, home, func(w store.Writer) error {
				if err := w.RestartExtraction(ctx, strata.Global(), "a", store.ByModel); err != nil {
					return err
				}
				x, err := w.ClaimExtraction(ctx, store.ExtractionClaim{Extractor: store.ByModel, Owner: "one", Lease: time.Minute})
				if err != nil {
					return err
				}
				at := w.Now()
				x.Attempts, x.LastError, x.DeadAt = 5, "it answers nothing", &at
				return w.ReleaseExtraction(ctx, x)
			})
			if out := remove(t, e); len(out.Sessions) != 1 || len(out.Skipped) != 0 {
				t.Errorf("%s = %+v", name, out)
			}
			left, err := e.Extractor().Pending(ctx, store.ExtractionFilter{Dead: true})
			if want := name == "archive"; err != nil || (len(left) == 1) != want { // what was archived can come back and be read
				t.Errorf("given up are %+v, %v", left, err)
			}
			healthy(t, e)
		})
	}
}
