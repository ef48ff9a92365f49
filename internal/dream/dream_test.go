package dream_test

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/documents/projection"
	"github.com/strata-memory/strata/internal/dream"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/files/filestest"
)

// night is when dreams begin, unless the clock is set.
var night = time.Date(2026, 3, 1, 4, 5, 6, 0, time.UTC)

// bed is a store with a dreamer and a clock.
type bed struct {
	*testing.T
	ctx   context.Context
	st    store.Store
	d     *dream.Dreamer
	ids   id.Maker
	nanos atomic.Int64 // of the clock
	// files are those that follow; none without a tree.
	files projection.Options
}

func newBed(t *testing.T, s dream.Settings) *bed {
	t.Helper()
	b := &bed{T: t, ctx: context.Background()}
	b.set(night)
	st, err := sqlite.Open(b.ctx, filepath.Join(t.TempDir(), "strata.db"), &sqlite.Options{Now: b.now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	b.st = st
	b.d = b.dreamer(s)
	return b
}

func (b *bed) dreamer(s dream.Settings) *dream.Dreamer {
	return dream.New(dream.Options{Store: b.st, IDs: &b.ids, Now: b.now, Logger: slog.New(slog.DiscardHandler), Settings: s,
		Projector: projection.New(b.files)})
}

func (b *bed) now() time.Time       { return time.Unix(0, b.nanos.Load()).UTC() }
func (b *bed) set(at time.Time)     { b.nanos.Store(at.UnixNano()) }
func (b *bed) pass(d time.Duration) { b.nanos.Add(int64(d)) }
func (b *bed) ok(err error)         { b.Helper(); fatal(b.T, err) }
func (b *bed) update(fn func(store.Writer)) {
	b.Helper()
	b.ok(b.st.Update(b.ctx, func(w store.Writer) error { fn(w); return nil }))
}

func fatal(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// fact saves a fact and returns its id.
func (b *bed) fact(text string) string {
	b.Helper()
	f := strata.Fact{ID: b.ids.New(id.Fact, b.now()), Scope: strata.Global(), Type: strata.TypeProject, Category: "work", Text: text,
		Generation: 1, Confidence: 1, RecordedAt: b.now()}
	b.update(func(w store.Writer) {
		_, err := w.PutFact(b.ctx, f)
		b.ok(err)
	})
	return f.ID
}

// ask records that questions were asked which found a memory, each in a session.
func (b *bed) ask(memory string, score float64, questions ...string) {
	b.Helper()
	var events []store.RecallEvent
	for _, q := range questions {
		events = append(events, store.RecallEvent{Scope: strata.Global(), Memory: memory, Query: q, Score: score, At: b.now()})
	}
	b.update(func(w store.Writer) {
		b.ok(w.RecordRecall(b.ctx, events, 10_000))
		b.ok(w.RecordAccess(b.ctx, strata.Global(), []string{memory}))
	})
}

// force has the scope dream and returns what became of each memory.
func (b *bed) force() (strata.Dream, map[string]strata.DreamItem) {
	b.Helper()
	res, err := b.d.Dream(b.ctx, strata.Global(), strata.DreamForced)
	b.ok(err)
	if res.Dream == nil || res.Repeated {
		b.Fatalf("it did not dream: %+v", res)
	}
	items := make(map[string]strata.DreamItem)
	for _, it := range res.Dream.Items {
		items[it.Memory] = it
	}
	return *res.Dream, items
}

// risen are the facts that stand in MEMORY.md.
func (b *bed) risen() (ids []string) {
	b.Helper()
	list, err := store.Read(b.ctx, b.st, func(r store.Reader) ([]strata.Promotion, error) { return r.Promotions(b.ctx, strata.Global(), false) })
	b.ok(err)
	for _, p := range list {
		ids = append(ids, p.Fact)
	}
	return ids
}

func TestEveryMemoryIsPromotedOrHasItsReason(t *testing.T) {
	b := newBed(t, dream.Settings{})
	asked := []string{"which key?", "what rotates?", "who has the key?"}
	want := make(map[string]string) // reason; empty for those that rise
	strong := b.fact("The key rotates on Monday")
	b.ask(strong, 0.6, asked...)
	want[strong] = ""
	twice := b.fact("Tea is at five")
	b.ask(twice, 0.9, asked[:2]...)
	want[twice] = "recalled 2 of 3 times"
	same := b.fact("Lunch is at noon") // another case and order are no other question
	b.ask(same, 0.9, "When is lunch?", "when is LUNCH", "lunch, when is it?", "Is lunch when?")
	want[same] = "asked for in 1 of 2 ways"
	weak := b.fact("The door is blue")
	b.ask(weak, 0, "door?", "blue?", "door?")
	b.pass(400 * time.Hour)
	secret := b.fact("The token is ghp_abcdefghijklmnopqrstuvwxyz0123456789")
	b.ask(secret, 0.9, asked...)
	want[secret] = "holds a secret: github-token"
	gone := b.fact("The old office was in Bonn")
	b.ask(gone, 0.9, asked...)
	want[gone] = "no longer believed"
	b.update(func(w store.Writer) { b.ok(w.RetireFact(b.ctx, strata.Global(), gone, 1, "")) })
	turn, doc := b.ids.New(id.Turn, night), b.ids.New(id.Document, night)
	b.ask(turn, 0.9, asked...)
	b.ask(doc, 0.9, asked...)
	want[turn], want[doc] = "a turn: facts are promoted, not what was said", "a file: it speaks for itself"

	strict := dream.Settings{MinScore: 0.5}
	b.d = b.dreamer(strict)
	d, items := b.force()
	for memory, reason := range want {
		it, ok := items[memory]
		outcome := strata.DreamLeft
		if reason == "" {
			outcome = strata.DreamPromoted
		}
		secretly := memory == secret && strings.HasPrefix(it.Reason, "holds a secret: ")
		if !ok || it.Outcome != outcome || it.Reason != reason && !secretly {
			t.Errorf("%s: %+v, want %s %q", memory, it, outcome, reason)
		}
	}
	if it := items[weak]; !strings.HasSuffix(it.Reason, " of 0.50") || !strings.HasPrefix(it.Reason, "score 0.") {
		t.Errorf("the weak one: %+v", it)
	}
	if d.Considered != len(want)+1 || d.Promoted != 1 || d.Left() != len(want) {
		t.Errorf("counted %+v", d)
	}
	if got := b.risen(); len(got) != 1 || got[0] != strong {
		t.Errorf("in MEMORY.md: %v", got)
	}
	b.pass(time.Minute)
	if _, items := b.force(); items[strong].Reason != "promoted already" || len(b.risen()) != 1 {
		t.Errorf("again: %+v", items[strong])
	}
}

func TestASecretKeepsNothingElseBack(t *testing.T) {
	b := newBed(t, dream.Settings{})
	var facts []string
	for i := range 3 {
		text := fmt.Sprintf("Fact number %d", i)
		if i == 1 {
			text = "The password is hunter2!Xq9"
		}
		f := b.fact(text)
		b.ask(f, 0.8, "one?", "two?", "three?")
		facts = append(facts, f)
	}
	if b.force(); len(b.risen()) != 2 {
		t.Errorf("%v rose of %v", b.risen(), facts)
	}
}

func TestAGateIsClosedWithItsDistance(t *testing.T) {
	b := newBed(t, dream.Settings{Disabled: true})
	scope := strata.Global()
	want := func(trigger strata.DreamTrigger, gate dream.GateName, reason string) {
		t.Helper()
		res, err := b.d.Dream(b.ctx, scope, trigger)
		b.ok(err)
		switch {
		case gate == "" && res.Closed != nil, gate != "" && res.Closed == nil:
			t.Fatalf("%s: %+v", trigger, res.Closed)
		case gate != "" && (res.Closed.Name != gate || res.Closed.Reason != reason || res.Dream != nil):
			t.Fatalf("%s: %+v", trigger, res.Closed)
		}
	}
	want(strata.DreamScheduled, dream.GateEnabled, "dreams do not begin by themselves")
	want(strata.DreamAsked, dream.GateSessions, "0 of 5 sessions since, 0 of 50 new facts")
	b.d = b.dreamer(dream.Settings{})
	f := b.fact("Tea is at five")
	for day := range 3 { // outside of a session a day counts as one
		b.set(night.AddDate(0, 0, day-3))
		b.ask(f, 0.5, "tea?", "tea at?")
	}
	b.set(night)
	b.update(func(w store.Writer) {
		b.ok(w.OpenSession(b.ctx, strata.Session{ID: "talk", Scope: scope, Kind: strata.SessionMain}))
		b.ok(w.RecordRecall(b.ctx, []store.RecallEvent{{Scope: scope, Memory: f, Query: "q", Session: "talk"}}, 100))
	})
	want(strata.DreamScheduled, dream.GateSessions, "4 of 5 sessions since, 1 of 50 new facts")
	b.update(func(w store.Writer) { // of another scope, which asked this one
		b.ok(w.RecordRecall(b.ctx, []store.RecallEvent{{Scope: scope, Memory: f, Query: "q", Session: "elsewhere"}}, 100))
	})
	want(strata.DreamScheduled, "", "")
	b.pass(90 * time.Minute)
	want(strata.DreamScheduled, dream.GateTime, "the last dream was 1 h ago, of 24 h")
	want(strata.DreamForced, "", "")
	b.pass(25 * time.Hour)
	want(strata.DreamAsked, dream.GateSessions, "0 of 5 sessions since, 0 of 50 new facts")
	if due, err := b.d.Due(b.ctx); err != nil || len(due) != 1 {
		t.Errorf("due: %v, %v", due, err)
	}
}

// Facts that nobody asks for are merged and settled as well, once enough are new.
func TestEnoughNewFactsOpenTheGateOfSessions(t *testing.T) {
	b := newBed(t, dream.Settings{Facts: 4})
	due := func(want int) {
		t.Helper()
		list, err := b.d.Due(b.ctx)
		if b.ok(err); len(list) != want {
			t.Errorf("due: %v, want %d", list, want)
		}
	}
	dreams := func(want bool) {
		t.Helper()
		res, err := b.d.Dream(b.ctx, strata.Global(), strata.DreamScheduled)
		if b.ok(err); (res.Dream != nil) != want {
			t.Errorf("%+v, closed %+v, want a dream: %t", res.Dream, res.Closed, want)
		}
	}
	b.fact("The deploy key of the staging cluster rotates every Monday morning")
	b.fact("The deploy key of the staging cluster rotates each Monday morning")
	b.fact("Tea is at five")
	due(0)
	dreams(false)
	gone := b.fact("The door is blue")
	due(1)
	b.update(func(w store.Writer) { b.ok(w.RetireFact(b.ctx, strata.Global(), gone, 1, "")) })
	due(0) // what is believed counts
	b.fact("Lunch is at noon")
	due(1)
	dreams(true)
	due(0)
	b.pass(25 * time.Hour)
	due(0) // a dream has looked at them
	dreams(false)
	for i := range 4 {
		b.fact(fmt.Sprint("Platform ", i, " is closed"))
	}
	due(1)
	dreams(true)
	for i := range 4 {
		b.fact(fmt.Sprint("Platform ", i+4, " is closed"))
	}
	b.pass(time.Hour)
	due(0) // it is not time
	dreams(false)
}

func TestAClockThatGoesBackDoesNoHarm(t *testing.T) {
	b := newBed(t, dream.Settings{Sessions: 1})
	b.set(night.AddDate(1, 0, 0)) // the clock is a year ahead
	f := b.fact("Tea is at five")
	b.ask(f, 0.8, "tea?", "when?", "tea at?")
	b.force()
	b.update(func(w store.Writer) { // a process that was killed then
		_, err := w.TakeLease(b.ctx, store.Lease{Scope: strata.Global(), Name: "dream", Owner: "killed", Until: b.now().Add(time.Minute)})
		b.ok(err)
	})
	b.set(night)
	g := b.fact("Lunch is at noon")
	b.ask(g, 0.8, "lunch?", "when?", "lunch at?")
	res, err := b.d.Dream(b.ctx, strata.Global(), strata.DreamScheduled)
	b.ok(err)
	if res.Dream == nil || res.Dream.Promoted != 1 || len(b.risen()) != 2 {
		t.Fatalf("%+v %+v", res, res.Closed)
	}
	b.pass(time.Minute)
	if res, err = b.d.Dream(b.ctx, strata.Global(), strata.DreamScheduled); err != nil || res.Closed == nil || res.Closed.Name != dream.GateTime {
		t.Errorf("the next: %+v, %v", res, err)
	}
}

func TestASecondDreamInTheSameMinuteChangesNothing(t *testing.T) {
	b := newBed(t, dream.Settings{})
	f := b.fact("Tea is at five")
	b.ask(f, 0.8, "tea?", "when?", "tea at?")
	first, _ := b.force()
	g := b.fact("Lunch is at noon")
	b.ask(g, 0.8, "lunch?", "when?", "lunch at?")
	res, err := b.d.Dream(b.ctx, strata.Global(), strata.DreamForced)
	if err != nil || !res.Repeated || res.Dream.ID != first.ID || len(b.risen()) != 1 {
		t.Errorf("%+v, %v", res, err)
	}
}

func TestOneOfManyProcessesDreams(t *testing.T) {
	b := newBed(t, dream.Settings{})
	for i := range 30 {
		f := b.fact(fmt.Sprint("Fact number ", i))
		b.ask(f, 0.8, "one?", "two?", "three?")
	}
	var dreamt, waited atomic.Int32
	var wg sync.WaitGroup
	for range 8 {
		d := b.dreamer(dream.Settings{})
		wg.Go(func() {
			res, err := d.Dream(b.ctx, strata.Global(), strata.DreamForced)
			switch {
			case err != nil:
				t.Error(err)
			case res.Closed != nil || res.Repeated:
				waited.Add(1)
			default:
				dreamt.Add(1)
			}
		})
	}
	wg.Wait()
	list, err := store.Read(b.ctx, b.st, func(r store.Reader) ([]strata.Dream, error) {
		return r.Dreams(b.ctx, strata.Global(), store.DreamFilter{})
	})
	if err != nil || len(list) != 1 || dreamt.Load() != 1 || waited.Load() != 7 || len(b.risen()) != 20 {
		t.Errorf("%d dreams, %d said so, %d facts rose, %v", len(list), dreamt.Load(), len(b.risen()), err)
	}
}

func TestWhatNobodyAsksForSinks(t *testing.T) {
	b := newBed(t, dream.Settings{})
	idle, used := b.fact("The old build needs Go 1.20"), b.fact("The key rotates on Monday")
	gone := b.fact("The office is in Bonn")
	for _, f := range []string{idle, used, gone} {
		b.ask(f, 0.8, "one?", "two?", "three?")
	}
	b.force()
	b.pass(170 * 24 * time.Hour)
	b.ask(used, 0.8, "which day?")
	b.update(func(w store.Writer) { b.ok(w.RetireFact(b.ctx, strata.Global(), gone, 1, "")) })
	b.pass(11 * 24 * time.Hour) // two half-lives of a project
	d, items := b.force()
	if d.Archived != 2 || items[idle].Reason != "nobody asked for it in 181 days" || items[gone].Reason != "no longer believed" {
		t.Errorf("%+v", d)
	}
	if got := b.risen(); len(got) != 1 || got[0] != used {
		t.Errorf("in MEMORY.md: %v", got)
	}
	// What was asked before it sank does not raise it again; what is asked anew does.
	b.pass(time.Hour)
	b.ask(idle, 0.8, "one?", "two?")
	if _, items := b.force(); items[idle].Reason != "recalled 2 of 3 times" {
		t.Errorf("%+v", items[idle])
	}
	b.pass(time.Hour)
	b.ask(idle, 0.8, "three?")
	if _, items := b.force(); items[idle].Outcome != strata.DreamPromoted {
		t.Errorf("%+v", items[idle])
	}
}

func TestTheOldestBlockGivesWayToTheBudget(t *testing.T) {
	b := newBed(t, dream.Settings{})
	long := strings.Repeat("a fact of some length about the work at hand ", 8)
	var nights [3][]string
	for n := range nights {
		for i := range 6 {
			f := b.fact(fmt.Sprintf("%d-%d %s", n, i, long))
			b.ask(f, 0.8, "one?", "two?", "three?")
			nights[n] = append(nights[n], f)
		}
		d, _ := b.force()
		if n < 2 && d.Archived != 0 || n == 2 && d.Archived != 6 {
			t.Errorf("night %d: %d archived", n, d.Archived)
		}
		b.pass(24 * time.Hour)
	}
	if got := strings.Join(b.risen(), " "); strings.Contains(got, nights[0][0]) || !strings.Contains(got, nights[1][0]) || !strings.Contains(got, nights[2][5]) {
		t.Errorf("in MEMORY.md: %s", got)
	}
	// More than the budget never rises at once.
	for i := range 20 {
		b.ask(b.fact(fmt.Sprintf("x-%d %s%s", i, long, long)), 0.9, "one?", "two?", "three?")
	}
	d, _ := b.force()
	if d.Promoted == 0 || d.Promoted*len(long)*2 > markdown.DreamedBudget || d.Left() < 20-d.Promoted {
		t.Errorf("%d rose, %d stayed", d.Promoted, d.Left())
	}
}

func TestADreamStandsEvenIfItsFilesDoNot(t *testing.T) {
	b := newBed(t, dream.Settings{})
	b.ask(b.fact("Tea is at five"), 0.8, "tea?", "when?", "tea at?")
	tree := filestest.NewMemory()
	tree.Fault(func(string, strata.Scope, string) error {
		return &strata.Error{Code: strata.CodeReadOnly, Message: "the disk is read-only"}
	})
	b.files = projection.Options{Store: b.st, Tree: tree, IDs: &b.ids, Now: b.now, Logger: slog.New(slog.DiscardHandler)}
	b.d = b.dreamer(dream.Settings{})
	res, err := b.d.Dream(b.ctx, strata.Global(), strata.DreamForced)
	if err != nil || res.Waiting == nil || res.Dream.Promoted != 1 || len(b.risen()) != 1 {
		t.Errorf("%+v, %v", res, err)
	}
}

func TestPromotionFollowsAFactThatWasSuperseded(t *testing.T) {
	b := newBed(t, dream.Settings{})
	was := b.fact("The office is in Bonn")
	b.ask(was, 0.8, "office?", "where?", "office in?")
	b.force()
	is := b.fact("The office is in Cologne")
	b.update(func(w store.Writer) { b.ok(w.RetireFact(b.ctx, strata.Global(), was, 1, is)) })
	b.ask(is, 0.8, "office?", "where?", "office in?")
	b.pass(time.Hour)
	d, items := b.force()
	if d.Archived != 0 || items[is].Reason != "promoted already" || len(b.risen()) != 1 {
		t.Errorf("%+v", d)
	}
}

func TestSettingsOutOfRangeAreRefused(t *testing.T) {
	for _, s := range []dream.Settings{{Every: -1}, {Retention: -1}, {Sessions: -1}, {MinScore: 1.5}, {SinkBelow: 1}, {MinQuestions: -1},
		{Weights: dream.Weights{Recency: -0.1}}} {
		if err := s.Validate(); strata.CodeOf(err) != strata.CodeInvalid {
			t.Errorf("%+v: %v", s, err)
		}
	}
	if err := (dream.Settings{}).Validate(); err != nil {
		t.Error(err)
	}
}
