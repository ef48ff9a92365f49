package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

var errUndo = errors.New("undo this")

var transactionTests = []test{
	{"an error undoes the function and comes back as it is", func(b *bench) {
		b.save(b.fact(global, "stays"))
		err := b.tryUpdate(func(w store.Writer) error {
			b.put(w, b.fact(global, "goes"))
			b.put(w, b.fact(workspace, "goes, too"))
			b.ok(w.OpenSession(b.ctx, strata.Session{ID: "s1", Scope: global}))
			return errUndo
		})
		if err != errUndo {
			b.Fatalf("got %v, want the function's own error", err)
		}
		b.view(func(r store.Reader) {
			list, err := r.Facts(b.ctx, global, strata.FactFilter{})
			b.ok(err)
			b.equal("facts", textsOf(list), []string{"stays"})
			scopes, err := r.Scopes(b.ctx)
			b.ok(err)
			b.equal("scopes", scopes, []strata.Scope{global})
		})
		b.save(b.fact(workspace, "now it is there"))
	}},
	{"a function sees what it wrote", func(b *bench) {
		b.update(func(w store.Writer) {
			f := b.fact(workspace, "brand new")
			b.put(w, f)
			got, err := w.Fact(b.ctx, []strata.Scope{workspace}, f.ID)
			b.ok(err)
			b.equal("text", got.Text, f.Text)
			same, err := w.FactsByText(b.ctx, workspace, text.Analyze("Brand new"))
			b.ok(err)
			b.equal("by text", idsOf(same), []string{f.ID})
			m, err := w.Match(b.ctx, workspace, []string{"brand"}, store.Filter{}, store.MatchOptions{})
			b.ok(err)
			b.equal("matches", len(m.Passages), 1)
		})
	}},
	{"a view does not see what is committed after it began", func(b *bench) {
		b.save(b.fact(global, "before"))
		b.view(func(r store.Reader) {
			list, err := r.Facts(b.ctx, global, strata.FactFilter{})
			b.ok(err)
			b.equal("before the write", len(list), 1)
			b.save(b.fact(global, "meanwhile"))
			list, err = r.Facts(b.ctx, global, strata.FactFilter{})
			b.ok(err)
			b.equal("after the write", len(list), 1)
		})
		b.view(func(r store.Reader) {
			list, err := r.Facts(b.ctx, global, strata.FactFilter{})
			b.ok(err)
			b.equal("in the next view", len(list), 2)
		})
	}},
	{"all rows of a transaction carry its time", func(b *bench) {
		before := time.Now().Add(-time.Millisecond)
		f := b.fact(global, "timed")
		b.update(func(w store.Writer) {
			now := w.Now()
			if now.Before(before) || now.After(time.Now()) || now.Location() != time.UTC || now.Nanosecond()%1000 != 0 {
				b.Errorf("the time of the transaction is %v: want whole microseconds, UTC, now", now)
			}
			b.put(w, f)
			b.ok(w.AppendDecision(b.ctx, b.decision(global, strata.OpNoop, f.ID)))
			got, err := w.Fact(b.ctx, []strata.Scope{global}, f.ID)
			b.ok(err)
			b.equal("fact recorded", got.RecordedAt, now)
			list, err := w.Decisions(b.ctx, global, strata.DecisionFilter{})
			b.ok(err)
			b.equal("decided", list[0].DecidedAt, now)
			if w.Now() != now {
				b.Error("time passes inside a transaction")
			}
		})
	}},
	{"writers that share a commit are undone alone", func(b *bench) {
		const writers, each = 16, 12
		var wg sync.WaitGroup
		errs := make([]error, writers)
		for i := range writers {
			wg.Go(func() {
				for n := range each {
					scope := strata.InWorkspace(fmt.Sprint("w", i%4))
					f := strata.Fact{ID: fmt.Sprintf("fact_%02d_%02d", i, n), Scope: scope, Type: strata.TypeProject, Category: "c",
						Text: fmt.Sprintf("text %d of %d", n, i), Origin: strata.OriginAPI, Generation: 1}
					err := b.st.Update(b.ctx, func(w store.Writer) error {
						number, err := w.PutFact(b.ctx, f)
						if err == nil {
							err = w.PutPassage(b.ctx, factPassage(w, f, number))
						}
						if err == nil && n%3 == 2 {
							return errUndo
						}
						return err
					})
					if n%3 == 2 && err != errUndo || n%3 != 2 && err != nil {
						errs[i] = fmt.Errorf("write %d: %w", n, err)
						return
					}
				}
			})
		}
		wg.Wait()
		for _, err := range errs {
			b.ok(err)
		}
		total := 0
		b.view(func(r store.Reader) {
			for i := range 4 {
				list, err := r.Facts(b.ctx, strata.InWorkspace(fmt.Sprint("w", i)), strata.FactFilter{Limit: 1000})
				b.ok(err)
				total += len(list)
			}
		})
		b.equal("facts that were acknowledged", total, writers*each*2/3)
	}},
	{"writers that read before they write lose no count", func(b *bench) {
		f := b.fact(global, "0")
		b.save(f)
		const writers, each = 8, 10
		var wg sync.WaitGroup
		errs := make(chan error, writers*each)
		for range writers {
			wg.Go(func() {
				for range each {
					errs <- b.st.Update(b.ctx, func(w store.Writer) error {
						got, err := w.Fact(b.ctx, []strata.Scope{global}, f.ID)
						if err != nil {
							return err
						}
						if err := w.RetireFact(b.ctx, global, f.ID, got.Generation, ""); err != nil {
							return err
						}
						got.Generation++
						got.Text = fmt.Sprint(got.Generation)
						got.RecordedAt = time.Time{}
						number, err := w.PutFact(b.ctx, got)
						if err != nil {
							return err
						}
						return w.PutPassage(b.ctx, factPassage(w, got, number))
					})
				}
			})
		}
		wg.Wait()
		close(errs)
		for err := range errs {
			b.ok(err)
		}
		b.view(func(r store.Reader) {
			got, err := r.Fact(b.ctx, []strata.Scope{global}, f.ID)
			b.ok(err)
			b.equal("generation", got.Generation, 1+writers*each)
		})
	}},
	{"a panic takes its way and the store goes on", func(b *bench) {
		for range 2 {
			func() {
				defer func() {
					if recover() == nil {
						b.Error("the panic was swallowed")
					}
				}()
				_ = b.st.Update(b.ctx, func(w store.Writer) error {
					b.put(w, b.fact(global, "never"))
					panic("on purpose")
				})
			}()
			func() {
				defer func() { _ = recover() }()
				_ = b.st.View(b.ctx, func(store.Reader) error { panic("on purpose") })
			}()
		}
		b.save(b.fact(global, "after"))
		b.view(func(r store.Reader) {
			list, err := r.Facts(b.ctx, global, strata.FactFilter{})
			b.ok(err)
			b.equal("facts", textsOf(list), []string{"after"})
		})
	}},
	{"a panic among writers that share a commit harms nobody else", func(b *bench) {
		var wg sync.WaitGroup
		errs := make(chan error, 12)
		for i := range 12 {
			wg.Go(func() {
				defer func() { _ = recover() }()
				f := strata.Fact{ID: fmt.Sprintf("fact_%02d", i), Scope: global, Type: strata.TypeProject, Category: "c",
					Text: fmt.Sprint("text ", i), Origin: strata.OriginAPI, Generation: 1}
				errs <- b.st.Update(b.ctx, func(w store.Writer) error {
					number, err := w.PutFact(b.ctx, f)
					if err != nil {
						return err
					}
					if i%4 == 1 {
						panic("on purpose")
					}
					return w.PutPassage(b.ctx, factPassage(w, f, number))
				})
			})
		}
		wg.Wait()
		close(errs)
		for err := range errs {
			b.ok(err)
		}
		b.equal("facts", b.stats(global).Facts, 9)
	}},
	{"a context that has ended stops the work", func(b *bench) {
		b.save(b.fact(global, "stays"))
		ended, cancel := context.WithCancel(b.ctx)
		cancel()
		b.code(b.st.View(ended, func(store.Reader) error { return nil }), strata.CodeCanceled)
		b.code(b.st.Update(ended, func(store.Writer) error { return nil }), strata.CodeCanceled)

		ctx, cancel := context.WithCancel(b.ctx)
		err := b.st.Update(ctx, func(w store.Writer) error {
			f := b.fact(global, "goes")
			if _, err := w.PutFact(ctx, f); err != nil {
				return err
			}
			cancel()
			_, err := w.PutFact(ctx, b.fact(global, "never"))
			return err
		})
		b.code(err, strata.CodeCanceled)
		if !errors.Is(err, context.Canceled) {
			b.Errorf("%v does not wrap context.Canceled", err)
		}
		b.equal("facts", b.stats(global).Facts, 1)
	}},
	{"a writer that waits can give up", func(b *bench) {
		ctx, cancel := context.WithCancel(b.ctx)
		gaveUp := make(chan error, 1)
		b.update(func(w store.Writer) {
			go func() {
				gaveUp <- b.st.Update(ctx, func(store.Writer) error { return errors.New("it ran") })
			}()
			cancel()
			b.code(<-gaveUp, strata.CodeCanceled)
			b.put(w, b.fact(global, "the one that held the store"))
		})
		b.equal("facts", b.stats(global).Facts, 1)
	}},
	{"a closed store says so and closes again", func(b *bench) {
		b.save(b.fact(global, "x"))
		b.ok(b.st.Close())
		b.ok(b.st.Close())
		for _, err := range []error{
			b.st.View(b.ctx, func(store.Reader) error { return nil }),
			b.st.Update(b.ctx, func(store.Writer) error { return nil }),
			b.st.Compact(b.ctx),
		} {
			b.code(err, strata.CodeUnavailable)
		}
		_, err := b.st.Check(b.ctx, nil)
		b.code(err, strata.CodeUnavailable)
		b.closed = true
	}},
	{"compacting changes nothing that can be read", func(b *bench) {
		f := b.fact(global, "stays")
		b.save(f)
		b.ok(b.st.Compact(b.ctx))
		b.ok(b.st.Compact(b.ctx))
		b.view(func(r store.Reader) {
			list, err := r.Facts(b.ctx, global, strata.FactFilter{})
			b.ok(err)
			b.equal("facts", idsOf(list), []string{f.ID})
		})
		b.equal("found", b.found(global, "stays", store.Filter{}), []string{f.ID})
	}},
}
