package dream_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/projection"
	"github.com/strata-memory/strata/internal/dream"
	"github.com/strata-memory/strata/store"
)

// failing is a store in which promotions cannot be written while broken is set.
type failing struct {
	store.Store
	broken *atomic.Bool
}

func (s failing) Update(ctx context.Context, fn func(store.Writer) error) error {
	return s.Store.Update(ctx, func(w store.Writer) error { return fn(failingWriter{w, s.broken}) })
}

type failingWriter struct {
	store.Writer
	broken *atomic.Bool
}

func (w failingWriter) PutPromotion(ctx context.Context, p strata.Promotion) error {
	if w.broken.Load() {
		return &strata.Error{Code: strata.CodeFull, Op: "put promotion", Message: "the disk is full", Err: errors.New("ENOSPC")}
	}
	return w.Writer.PutPromotion(ctx, p)
}

// newFailingBed is a bed whose dreams fail while broken is set.
func newFailingBed(t *testing.T) (*bed, *atomic.Bool) {
	b, broken := newBed(t, dream.Settings{}), new(atomic.Bool)
	b.st = failing{b.st, broken}
	b.d = b.dreamer(dream.Settings{})
	broken.Store(true)
	return b, broken
}

// dreams are those of the scope, the newest first.
func (b *bed) dreams() []strata.Dream {
	b.Helper()
	list, err := dream.NewJournal(b.d).Dreams(b.ctx, strata.Global().View(), 100)
	b.ok(err)
	return list
}

func TestADreamThatFailsIsRecordedAndCanBeRetried(t *testing.T) {
	b, broken := newFailingBed(t)
	same, other := b.told("Tea is at five", nil), b.told("The tea is at five", nil)
	b.ask(other.ID, 0.8, "tea?", "when?", "tea at?")
	view := strata.Global().View()
	_, err := b.d.Dream(b.ctx, strata.Global(), strata.DreamForced)
	list := b.dreams()
	if strata.CodeOf(err) != strata.CodeFull || len(list) != 1 || list[0].Failure != "the disk is full" || list[0].Merged+list[0].Promoted != 0 {
		t.Fatalf("%v: %+v", err, list)
	}
	var failed *strata.Error
	if !errors.As(err, &failed) || failed.Hint != "strata dream retry "+list[0].ID {
		t.Errorf("the error is %+v", failed)
	}
	if !b.latest(same).Current() || len(b.risen()) != 0 {
		t.Error("a part of it was done")
	}

	// Whoever tries while it still fails gets another record, and no scheduled dream follows at once.
	if _, err := b.d.Retry(b.ctx, view, list[0].ID); strata.CodeOf(err) != strata.CodeFull || len(b.dreams()) != 2 {
		t.Errorf("retried: %v, %d dreams", err, len(b.dreams()))
	}
	broken.Store(false)
	if res, err := b.d.Dream(b.ctx, strata.Global(), strata.DreamScheduled); err != nil || res.Closed == nil || res.Closed.Name != dream.GateTime {
		t.Errorf("scheduled: %+v, %v", res, err)
	}

	// Within a minute, for what failed changed nothing.
	res, err := b.d.Retry(b.ctx, view, list[0].ID)
	if err != nil || res.Repeated || res.Dream == nil || res.Dream.Trigger != strata.DreamRetried || res.Dream.Promoted != 1 || res.Dream.Merged != 1 {
		t.Fatalf("retried: %+v, %v", res, err)
	}
	b.pass(time.Minute)
	for _, id := range []string{list[0].ID, res.Dream.ID} {
		if _, err := b.d.Retry(b.ctx, view, id); strata.CodeOf(err) != strata.CodeConflict {
			t.Errorf("retry of %s: %v", id, err)
		}
	}
	if _, err := b.d.Retry(b.ctx, view, "dream_none"); strata.CodeOf(err) != strata.CodeNotFound {
		t.Errorf("retry of none: %v", err)
	}
}

// The sessions that were to be dreamt of still count after a dream that failed.
func TestAFailureLosesNoSession(t *testing.T) {
	b, broken := newFailingBed(t)
	f := b.fact("Tea is at five")
	for day := range 5 {
		b.set(night.AddDate(0, 0, day-5))
		b.ask(f, 0.8, "tea?", "when?")
	}
	b.set(night)
	if _, err := b.d.Dream(b.ctx, strata.Global(), strata.DreamScheduled); strata.CodeOf(err) != strata.CodeFull {
		t.Fatalf("%v", err)
	}
	broken.Store(false)
	b.pass(25 * time.Hour)
	if res, err := b.d.Dream(b.ctx, strata.Global(), strata.DreamScheduled); err != nil || res.Dream == nil || res.Dream.Promoted != 1 {
		t.Errorf("%+v, %v", res, err)
	}
}

func TestADreamThatWasGivenUpIsNoFailure(t *testing.T) {
	b, _ := newFailingBed(t)
	b.ask(b.fact("Tea is at five"), 0.8, "tea?", "when?", "tea at?")
	ctx, cancel := context.WithCancel(b.ctx)
	cancel()
	if _, err := b.d.Dream(ctx, strata.Global(), strata.DreamForced); !errors.Is(err, context.Canceled) || len(b.dreams()) != 0 {
		t.Errorf("%v, %+v", err, b.dreams())
	}
}

func TestConceptTagsOfAnEarlierVersionAreMadeAnew(t *testing.T) {
	b := newBed(t, dream.Settings{})
	bare := b.told("The postgres database runs on the harbor server", nil)
	stale := b.told("The violin is in the attic", func(f *strata.Fact) { f.Tags = []string{"guitar"} })
	fresh := b.told("The kettle is red", func(f *strata.Fact) { f.Tags = []string{"kettle", "red"} })
	d, _ := b.force()
	if d.Tagged != 2 {
		t.Errorf("%d facts were tagged", d.Tagged)
	}
	for fact, want := range map[string]string{bare.ID: "harbor", stale.ID: "violin", fresh.ID: "kettle"} {
		f := b.latest(strata.Fact{ID: fact, Scope: strata.Global()})
		if tags := strings.Join(f.Tags, " "); !strings.Contains(tags, want) || strings.Contains(tags, "guitar") || f.Generation != 1 {
			t.Errorf("%q: version %d with tags %s", f.Text, f.Generation, tags)
		}
	}
	problems, err := b.st.Check(b.ctx, nil)
	if err != nil || len(problems) > 0 {
		t.Errorf("%v, %v", problems, err)
	}
	later := b.told("The boat is in the harbor", nil)
	b.pass(time.Hour)
	if d, _ := b.force(); d.Tagged != 1 || len(b.latest(later).Tags) == 0 {
		t.Errorf("then %d facts were tagged", d.Tagged)
	}
	b.pass(time.Hour)
	if d, _ := b.force(); d.Tagged != 0 {
		t.Errorf("once more %d facts were tagged", d.Tagged)
	}
}

// A dream that cannot be recorded archives no skill, nor does it name one that somebody
// changed meanwhile.
func TestASkillIsArchivedWithTheRecordOfTheDream(t *testing.T) {
	b, broken := newFailingBed(t)
	b.ask(b.fact("Tea is at five"), 0.8, "tea?", "when?", "tea at?") // it rises, which fails
	archived := strata.Event{Kind: strata.EventSessionArchived, Scope: strata.Global(), Ref: "what stands for the archiving"}
	unused := []dream.Archival{
		{Item: strata.DreamItem{Memory: "doc_idle", Outcome: strata.DreamUnused}, Write: func(ctx context.Context, w store.Writer) error { return w.AppendEvent(ctx, archived) }},
		{Item: strata.DreamItem{Memory: "doc_edited", Outcome: strata.DreamUnused}, Write: func(context.Context, store.Writer) error {
			return &strata.Error{Code: strata.CodeConflict, Message: "it is not what it was"}
		}},
	}
	b.d = dream.New(dream.Options{Store: b.st, IDs: &b.ids, Now: b.now, Logger: slog.New(slog.DiscardHandler),
		Unused:    func(context.Context, strata.Scope, time.Duration) ([]dream.Archival, error) { return unused, nil },
		Projector: projection.New(projection.Options{})})
	written := func() int {
		list, err := store.Read(b.ctx, b.st, func(r store.Reader) ([]strata.Event, error) {
			list, _, err := store.ListEvents(b.ctx, r, []strata.Scope{strata.Global()}, store.EventFilter{Kinds: []string{archived.Kind}})
			return list, err
		})
		b.ok(err)
		return len(list)
	}
	if _, err := b.d.Dream(b.ctx, strata.Global(), strata.DreamForced); strata.CodeOf(err) != strata.CodeFull || written() != 0 {
		t.Errorf("a dream that failed: %v, archived %d", err, written())
	}
	broken.Store(false)
	b.pass(time.Hour)
	if _, items := b.force(); written() != 1 || items["doc_idle"].Outcome != strata.DreamUnused || items["doc_edited"].Outcome != "" {
		t.Errorf("archived %d: %+v", written(), items)
	}
}
