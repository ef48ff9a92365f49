// Package storetest holds the test suite that every implementation of [store.Store] must
// pass.
//
// An implementation's own test is a few lines:
//
//	func TestStore(t *testing.T) {
//		storetest.Run(t, func(t *testing.T) store.Store { return openEmpty(t) })
//	}
//
// Each test gets an empty store and closes it. The tests use only the port, so they hold
// for every implementation.
package storetest

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

// Run runs the suite, or only the named groups. open returns an empty store; Run closes
// it.
func Run(t *testing.T, open func(t *testing.T) store.Store, groups ...string) {
	for _, name := range groups {
		if !slices.ContainsFunc(suite, func(g group) bool { return g.name == name }) {
			t.Fatalf("the suite has no group %q", name)
		}
	}
	for _, g := range suite {
		if len(groups) > 0 && !slices.Contains(groups, g.name) {
			continue
		}
		t.Run(g.name, func(t *testing.T) {
			for _, c := range g.tests {
				t.Run(c.name, func(t *testing.T) {
					b := &bench{T: t, st: open(t), ctx: context.Background()}
					t.Cleanup(func() {
						if err := b.st.Close(); err != nil {
							t.Errorf("close: %v", err)
						}
					})
					c.run(b)
					b.sound()
				})
			}
		})
	}
}

// group holds the tests of one part of the port.
type group struct {
	name  string
	tests []test
}

// suite has all groups in the order in which they run.
var suite = []group{
	{"facts", factTests},
	{"decisions", decisionTests},
	{"turns", turnTests},
	{"divided turns", dividedTests},
	{"sessions", sessionTests},
	{"learnings", learningTests},
	{"records", recordTests},
	{"dreams", dreamTests},
	{"documents", documentTests},
	{"sections", sectionTests},
	{"edits of sections", sectionEditTests},
	{"decisions about documents", documentDecisionTests},
	{"scopes", scopeTests},
	{"transactions", transactionTests},
	{"words", wordTests},
	{"vectors", vectorTests},
	{"embedding", embeddingTests},
	{"base", baseTests},
	{"index", indexTests},
	{"forget", forgetTests},
	{"forget sessions", forgetSessionTests},
	{"forget documents", forgetDocumentTests},
	{"bad input", badInputTests},
	{"model", modelTests},
}

// test tests one behavior.
type test struct {
	name string
	run  func(*bench)
}

// bench is a store under test with helpers to fill and query it.
type bench struct {
	*testing.T
	st  store.Store
	ctx context.Context
	ids int
	// closed says that the test has closed the store itself.
	closed bool
}

// sound fails the test unless the store's check finds no problem.
func (b *bench) sound() {
	b.Helper()
	if b.closed || b.Failed() {
		return
	}
	problems, err := b.st.Check(b.ctx, nil)
	b.ok(err)
	for _, p := range problems {
		b.Errorf("after the test the store finds: %+v", p)
	}
}

func (b *bench) ok(err error) {
	b.Helper()
	if err != nil {
		b.Fatalf("unexpected error: %v", err)
	}
}

// code fails the test unless err has the code.
func (b *bench) code(err error, want strata.Code) {
	b.Helper()
	if got := strata.CodeOf(err); got != want {
		b.Fatalf("error has code %q, want %q: %v", got, want, err)
	}
}

// equal fails the test unless got and want print the same; values of the port print
// everything that they hold.
func (b *bench) equal(what string, got, want any) {
	b.Helper()
	if g, w := show(got), show(want); g != w {
		b.Fatalf("%s:\n got %s\nwant %s", what, g, w)
	}
}

// update runs fn in a write transaction that must succeed.
func (b *bench) update(fn func(w store.Writer)) {
	b.Helper()
	b.ok(b.st.Update(b.ctx, func(w store.Writer) error { fn(w); return nil }))
}

// tryUpdate runs fn in a write transaction and returns the error.
func (b *bench) tryUpdate(fn func(w store.Writer) error) error {
	return b.st.Update(b.ctx, fn)
}

// view runs fn in a read transaction.
func (b *bench) view(fn func(r store.Reader)) {
	b.Helper()
	b.ok(b.st.View(b.ctx, func(r store.Reader) error { fn(r); return nil }))
}

// id returns a new id. Like real ids, they grow with time.
func (b *bench) id(kind string) string {
	b.ids++
	return fmt.Sprintf("%s_%026d", kind, b.ids)
}

// fact returns a plain fact that is not stored yet.
func (b *bench) fact(scope strata.Scope, s string) strata.Fact {
	return strata.Fact{ID: b.id("fact"), Scope: scope, Type: strata.TypeProject, Category: "general", Text: s,
		Confidence: 0.5, Origin: strata.OriginCLI, Generation: 1}
}

// save stores facts with their passages and vectors, and returns their numbers.
func (b *bench) save(facts ...strata.Fact) []int64 {
	b.Helper()
	var out []int64
	b.update(func(w store.Writer) {
		for _, f := range facts {
			out = append(out, b.put(w, f))
		}
	})
	return out
}

// put stores and indexes a fact. Every second one brings its analysis.
func (b *bench) put(w store.Writer, f strata.Fact) int64 {
	b.Helper()
	number, err := w.PutFact(b.ctx, f)
	b.ok(err)
	p := factPassage(w, f, number)
	if number%2 == 0 {
		p.Analysis = p.Analyzed()
	}
	b.ok(w.PutPassage(b.ctx, p))
	return number
}

// factPassage returns the passage of a fact, with a vector of its text.
func factPassage(w store.Writer, f strata.Fact, number int64) store.Passage {
	recorded := f.RecordedAt
	if recorded.IsZero() {
		recorded = w.Now()
	}
	return store.Passage{Number: number, Kind: strata.KindFact, Ref: f.ID, Scope: f.Scope, Parent: f.Category, Said: f.Text, Type: f.Type,
		Text: f.Text, RecordedAt: recorded, RetiredAt: f.RetiredAt, Model: model, Vector: vectorOf(f.Text)}
}

// change gives a fact a new version with another text.
func (b *bench) change(scope strata.Scope, id, s string) strata.Fact {
	b.Helper()
	var f strata.Fact
	b.update(func(w store.Writer) {
		var err error
		f, err = w.Fact(b.ctx, []strata.Scope{scope}, id)
		b.ok(err)
		b.ok(w.RetireFact(b.ctx, scope, id, f.Generation, ""))
		f.Generation++
		f.Text = s
		f.RecordedAt = time.Time{}
		b.put(w, f)
	})
	return f
}

// say appends turns to a session, one for each text, and returns them.
func (b *bench) say(scope strata.Scope, session string, texts ...string) []strata.Turn {
	b.Helper()
	var out []strata.Turn
	b.update(func(w store.Writer) {
		b.ok(w.OpenSession(b.ctx, strata.Session{ID: session, Scope: scope}))
		for _, s := range texts {
			u, number, err := w.AppendTurn(b.ctx, strata.Turn{ID: b.id("turn"), Scope: scope, Session: session,
				Role: strata.RoleUser, Text: s})
			b.ok(err)
			b.ok(w.PutPassage(b.ctx, store.Passage{Number: number, Kind: strata.KindTurn, Ref: u.ID, Scope: scope,
				Parent: session, Seq: u.Seq, Text: s, RecordedAt: u.RecordedAt, Model: model, Vector: vectorOf(s)}))
			out = append(out, u)
		}
	})
	return out
}

// inGroup opens a group session and appends turns to it.
func (b *bench) inGroup(scope strata.Scope, session string, texts ...string) []strata.Turn {
	b.Helper()
	b.update(func(w store.Writer) {
		b.ok(w.OpenSession(b.ctx, strata.Session{ID: session, Scope: scope, Kind: strata.SessionGroup}))
	})
	return b.say(scope, session, texts...)
}

// found returns the ids of the passages that hold any term of the query.
func (b *bench) found(scope strata.Scope, query string, f store.Filter) []string {
	b.Helper()
	var out []string
	b.view(func(r store.Reader) {
		m, err := r.Match(b.ctx, scope, text.Terms(query), f, store.MatchOptions{})
		b.ok(err)
		out = b.refs(r, scope, m.Passages)
	})
	return out
}

// refs returns the ids that passages refer to, in order; for a section, the id of its
// document and its place.
func (b *bench) refs(r store.Reader, scope strata.Scope, list []store.Meta) []string {
	b.Helper()
	numbers := make([]int64, len(list))
	for i, m := range list {
		numbers[i] = m.Number
	}
	items, err := r.Items(b.ctx, scope, numbers)
	b.ok(err)
	if len(items) != len(list) {
		b.Fatalf("%d passages were found and %d of them exist", len(list), len(items))
	}
	var out []string
	for _, it := range items {
		switch {
		case it.Fact != nil:
			out = append(out, it.Fact.ID)
		case it.Turn != nil:
			out = append(out, it.Turn.ID)
		case it.Section != nil:
			out = append(out, fmt.Sprint(it.Document.ID, "/", it.Section.Seq))
		}
	}
	return out
}

func idsOf(facts []strata.Fact) []string {
	var out []string
	for _, f := range facts {
		out = append(out, f.ID)
	}
	return out
}

func textsOf(facts []strata.Fact) []string {
	var out []string
	for _, f := range facts {
		out = append(out, f.Text)
	}
	return out
}
