package dream_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/dream"
	"github.com/strata-memory/strata/store"
)

// told saves a fact with its index entry, as it was learnt from turns, and returns it.
// edit, which may be nil, sets what else it has.
func (b *bed) told(text string, edit func(*strata.Fact)) strata.Fact {
	b.Helper()
	f := strata.Fact{ID: b.ids.New(id.Fact, b.now()), Scope: strata.Global(), Type: strata.TypeUser, Category: "life", Text: text,
		Generation: 1, Confidence: 1, Origin: strata.OriginCLI, RecordedAt: b.now()}
	if edit != nil {
		edit(&f)
	}
	b.update(func(w store.Writer) {
		number, err := w.PutFact(b.ctx, f)
		b.ok(err)
		b.ok(w.PutPassage(b.ctx, store.Passage{Number: number, Kind: strata.KindFact, Ref: f.ID, Scope: f.Scope, Parent: f.Category,
			Type: f.Type, Text: f.Text, Said: f.Text, RecordedAt: f.RecordedAt}))
	})
	return f
}

// turn records what somebody said in a session and returns its id.
func (b *bed) turn(session string, role strata.Role, speaker string) (turn string) {
	b.Helper()
	b.update(func(w store.Writer) {
		b.ok(w.OpenSession(b.ctx, strata.Session{ID: session, Scope: strata.Global(), Kind: strata.SessionMain}))
		t, _, err := w.AppendTurn(b.ctx, strata.Turn{ID: b.ids.New(id.Turn, b.now()), Scope: strata.Global(), Session: session, Role: role,
			Speaker: speaker, Text: "something", At: b.now()})
		b.ok(err)
		turn = t.ID
	})
	return turn
}

func slot(entity, attribute string) func(*strata.Fact) {
	return func(f *strata.Fact) { f.Entity, f.Attribute = entity, attribute }
}

// latest is the newest version of a fact.
func (b *bed) latest(f strata.Fact) strata.Fact {
	b.Helper()
	got, err := store.Read(b.ctx, b.st, func(r store.Reader) (strata.Fact, error) { return r.Fact(b.ctx, []strata.Scope{f.Scope}, f.ID) })
	b.ok(err)
	return got
}

// decisions are those about a fact, the newest first.
func (b *bed) decisions(f strata.Fact) []strata.Decision {
	b.Helper()
	list, err := store.Read(b.ctx, b.st, func(r store.Reader) ([]strata.Decision, error) {
		return r.Decisions(b.ctx, f.Scope, strata.DecisionFilter{FactID: f.ID})
	})
	b.ok(err)
	return list
}

// questions are the open ones.
func (b *bed) questions() []strata.Question {
	b.Helper()
	list, err := dream.NewJournal(b.d).Questions(b.ctx, strata.Global().View(), 100)
	b.ok(err)
	return list
}

func TestOfTwoFactsThatContradictTheOneSaidEarlierGivesWay(t *testing.T) {
	for name, c := range map[string]struct {
		earlier, later string
		edit           func(*strata.Fact)
	}{
		"two values of a slot": {"My cat is called Tom", "My cat is called Kit", slot("user's cat", "name")},
		"a negation":           {"The user eats meat", "The user does not eat meat", nil},
		"another day":          {"The meeting of the team is on Monday", "The meeting of the team is on Friday", nil},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBed(t, dream.Settings{})
			was := b.told(c.earlier, c.edit)
			b.pass(time.Hour)
			is := b.told(c.later, c.edit)
			b.pass(time.Hour)
			d, items := b.force()
			if d.Settled != 1 || d.Asked != 0 || items[was.ID].Outcome != strata.DreamSettled || items[was.ID].With != is.ID {
				t.Fatalf("%+v", d)
			}
			if got := b.latest(was); got.Current() || got.SupersededBy != is.ID || !b.latest(is).Current() {
				t.Errorf("the earlier one: %+v", got)
			}
			log := b.decisions(was)
			if len(log) != 1 || log[0].Op != strata.OpDelete || log[0].Origin != strata.OriginDream || log[0].Before == nil ||
				log[0].Reason != "contradicts "+is.ID+", which you said later" {
				t.Errorf("decisions: %+v", log)
			}
			b.pass(time.Hour)
			if d, _ := b.force(); d.Settled+d.Asked+d.Merged != 0 {
				t.Errorf("once more: %+v", d)
			}
		})
	}
}

// What was learnt last need not have been said last: an older transcript is read later.
func TestFactsGiveWayInTheOrderTheyWereSaidIn(t *testing.T) {
	b := newBed(t, dream.Settings{})
	first := b.turn("one", strata.RoleUser, "")
	b.pass(time.Hour)
	second := b.turn("two", strata.RoleUser, "")
	from := func(turn string) func(*strata.Fact) {
		return func(f *strata.Fact) { f.Sources, f.Origin = []string{turn}, strata.OriginExtractor }
	}
	is := b.told("The user does not eat meat", from(second))
	was := b.told("The user eats meat", from(first))
	if b.force(); b.latest(was).Current() || !b.latest(is).Current() {
		t.Errorf("what was said earlier stands: %+v", b.latest(was))
	}
}

func TestTheUserIsAskedWhereTimeDoesNotTell(t *testing.T) {
	one, two := "The user eats meat", "The user does not eat meat"
	for name, c := range map[string]struct {
		reason string
		facts  func(b *bed) (strata.Fact, strata.Fact)
	}{
		"said at the same moment": {"said at the same time", func(b *bed) (strata.Fact, strata.Fact) {
			return b.told(one, nil), b.told(two, nil)
		}},
		"said in the same turn": {"said at the same time", func(b *bed) (strata.Fact, strata.Fact) {
			turn := b.turn("talk", strata.RoleUser, "")
			from := func(f *strata.Fact) { f.Sources = []string{turn} }
			return b.told(one, from), b.told(two, from)
		}},
		"said by an assistant": {"not both are said by you", func(b *bed) (strata.Fact, strata.Fact) {
			f := b.told(one, nil)
			b.pass(time.Hour)
			turn := b.turn("talk", strata.RoleAssistant, "")
			return f, b.told(two, func(f *strata.Fact) { f.Sources = []string{turn} })
		}},
		"said by somebody in a group": {"not both are said by you", func(b *bed) (strata.Fact, strata.Fact) {
			f := b.told(one, nil)
			b.pass(time.Hour)
			turn := b.turn("talk", strata.RoleUser, "Ben")
			return f, b.told(two, func(f *strata.Fact) { f.Sources = []string{turn} })
		}},
		"imported": {"not both are said by you", func(b *bed) (strata.Fact, strata.Fact) {
			f := b.told(one, func(f *strata.Fact) { f.Origin = strata.OriginImport })
			b.pass(time.Hour)
			return f, b.told(two, nil)
		}},
		"said again": {"the older was confirmed since", func(b *bed) (strata.Fact, strata.Fact) {
			f := b.told(one, nil)
			b.pass(time.Hour)
			g := b.told(two, nil)
			b.pass(time.Hour)
			b.update(func(w store.Writer) {
				b.ok(w.AppendDecision(b.ctx, strata.Decision{ID: b.ids.New(id.Decision, b.now()), Scope: f.Scope, Op: strata.OpNoop,
					Reason: "already known", Rules: []string{"secret", "same_text"}, FactID: f.ID, DecidedAt: b.now(), Origin: strata.OriginCLI}))
			})
			return f, g
		}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBed(t, dream.Settings{})
			f, g := c.facts(b)
			d, items := b.force()
			open := b.questions()
			if d.Asked != 1 || d.Settled != 0 || len(open) != 1 || items[f.ID].Outcome != strata.DreamQuestioned {
				t.Fatalf("%+v, questions %+v", d, open)
			}
			if q := open[0]; q.Facts != [2]strata.FactVersion{f.Version(), g.Version()} || q.Reason != c.reason || q.Dream != d.ID {
				t.Errorf("asked %+v", q)
			}
			b.pass(time.Hour)
			if d, _ := b.force(); d.Asked != 0 || len(b.questions()) != 1 {
				t.Errorf("asked again: %+v", d)
			}
			if !b.latest(f).Current() || !b.latest(g).Current() {
				t.Error("a fact gave way while the question is open")
			}
		})
	}
}

func TestAnswersCloseQuestions(t *testing.T) {
	b := newBed(t, dream.Settings{})
	view := strata.Global().View()
	f, g := b.told("The user eats meat", nil), b.told("The user does not eat meat", nil)
	x, y := b.told("The shop opens on Monday", nil), b.told("The shop opens on Friday", nil)
	p, q := b.told("The day of the market is Monday", nil), b.told("The day of the market is Friday", nil)
	_, _ = x, y // may both be true: a shop opens on several days
	b.force()
	about := func(f strata.Fact) strata.Question {
		t.Helper()
		i := slices.IndexFunc(b.questions(), func(q strata.Question) bool { return q.Facts[0].ID == f.ID })
		if i < 0 {
			t.Fatalf("no question about %q", f.Text)
		}
		return b.questions()[i]
	}
	if len(b.questions()) != 2 {
		t.Fatalf("asked %+v", b.questions())
	}
	answer := func(q strata.Question, answer string, code strata.Code) strata.Decision {
		t.Helper()
		_, d, err := b.d.Answer(b.ctx, view, q.ID, answer, strata.OriginCLI)
		if strata.CodeOf(err) != code {
			t.Fatalf("answer %q: %v", answer, err)
		}
		return d
	}
	meat, market := about(f), about(p)
	answer(meat, x.ID, strata.CodeInvalid)
	if d := answer(meat, f.ID, ""); d.FactID != g.ID || d.Op != strata.OpDelete || d.Origin != strata.OriginCLI {
		t.Errorf("decided %+v", d)
	}
	if b.latest(g).SupersededBy != f.ID || !b.latest(f).Current() {
		t.Error("the answer was not carried out")
	}
	answer(meat, g.ID, strata.CodeConflict) // once
	answer(strata.Question{ID: "question_none"}, "both", strata.CodeNotFound)
	if d := answer(market, strata.AnswerBoth, ""); d.Op != strata.OpNoop || !strings.Contains(d.Reason, q.ID) {
		t.Errorf("decided %+v", d)
	}
	b.pass(time.Hour)
	if d, _ := b.force(); d.Asked+d.Settled != 0 || len(b.questions()) != 0 || !b.latest(p).Current() || !b.latest(q).Current() {
		t.Errorf("after the answers: %+v, %+v", d, b.questions())
	}
}

func TestAQuestionWhoseFactGoesClosesItself(t *testing.T) {
	b := newBed(t, dream.Settings{})
	f := b.told("The user eats meat", nil)
	b.told("The user does not eat meat", nil)
	b.force()
	q := b.questions()[0]
	b.update(func(w store.Writer) { b.ok(w.RetireFact(b.ctx, f.Scope, f.ID, 1, "")) })
	if open := b.questions(); len(open) != 0 {
		t.Errorf("open: %+v", open)
	}
	if _, _, err := b.d.Answer(b.ctx, strata.Global().View(), q.ID, strata.AnswerBoth, strata.OriginCLI); strata.CodeOf(err) != strata.CodeConflict {
		t.Errorf("answered: %v", err)
	}
}

func TestFactsThatSayTheSameGoIntoOne(t *testing.T) {
	for name, c := range map[string]struct {
		earlier, later string
		edit           func(*strata.Fact)
		keepsEarlier   bool
	}{
		"the newer of the same":      {"Tea is at five", "The tea is at five", nil, false},
		"the fuller, if it is newer": {"The user drinks tea", "The user drinks tea and coffee", nil, false},
		"the fuller, if it is older": {"The user drinks tea and coffee", "The user drinks tea", nil, true},
		"one value in other words":   {"My cat's name is Tom", "My cat is called Tom", slot("user's cat", "name"), false},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBed(t, dream.Settings{})
			gone := b.told(c.earlier, c.edit)
			b.ask(gone.ID, 0.8, "one?", "two?", "three?")
			kept := b.told(c.later, c.edit)
			if c.keepsEarlier {
				gone, kept = kept, gone
			}
			d, items := b.force()
			if d.Merged != 1 || items[gone.ID].Outcome == strata.DreamPromoted || b.latest(gone).SupersededBy != kept.ID || !b.latest(kept).Current() {
				t.Fatalf("%+v: %+v", d, b.latest(gone))
			}
			if log := b.decisions(gone); len(log) != 1 || !strings.Contains(log[0].Reason, kept.ID) || log[0].Before.Text != gone.Text {
				t.Errorf("decisions %+v", log)
			}
			b.pass(time.Hour)
			if d, _ := b.force(); d.Merged != 0 {
				t.Errorf("once more: %+v", d)
			}
		})
	}
}

func TestWhatWasBroughtBackIsNotMergedAgain(t *testing.T) {
	b := newBed(t, dream.Settings{})
	f, g := b.told("Tea is at five", nil), b.told("The tea is at five", nil)
	b.update(func(w store.Writer) {
		b.ok(w.AppendDecision(b.ctx, strata.Decision{ID: b.ids.New(id.Decision, b.now()), Scope: f.Scope, Op: strata.OpAdd, Reason: "reverts",
			Reverts: "dec_1", FactID: f.ID, After: &f, DecidedAt: b.now(), Origin: strata.OriginCLI}))
	})
	if d, _ := b.force(); d.Merged != 0 || !b.latest(f).Current() || !b.latest(g).Current() {
		t.Errorf("%+v", d)
	}
}
