package sessions

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/forget"
	"github.com/strata-memory/strata/internal/sessions/snapshot"
	"github.com/strata-memory/strata/store"
)

// oldestFirst are the archives that are kept, the oldest first.
func oldestFirst(all []store.Archive) []store.Archive {
	list := slices.DeleteFunc(slices.Clone(all), func(x store.Archive) bool { return x.State != store.ArchiveKept })
	slices.SortStableFunc(list, func(a, b store.Archive) int { return a.At.Compare(b.At) })
	return list
}

// Forget takes what is forgotten out of the turns in the archives of a scope, as
// [forget.Subject.BlankTurn] does. Each archive that holds some is written anew and verified
// before the former goes. It returns the turns, and names the archives that could not be
// read or written, and the turns that only hold a value; failed is why. With dryRun it only
// looks.
//
// It is to be called before the texts are forgotten in the store, which is where they are
// known from: a process that is killed in between has forgotten less than it was asked to,
// and is asked again.
func (a *Archiver) Forget(ctx context.Context, scope strata.Scope, gone forget.Subject, dryRun bool) (turns, remaining []string, failed error) {
	if a.files == nil {
		return nil, nil, nil
	}
	if !dryRun {
		// What was begun may hold the texts, and its session is not to be archived now.
		failed = a.sweep(ctx, scope.View(), time.Unix(1<<40, 0))
	}
	all, err := a.Archives(ctx, scope.View())
	if err != nil {
		return nil, nil, errors.Join(failed, err)
	}
	for _, x := range all {
		if x.State != store.ArchiveKept {
			if !dryRun {
				remaining = append(remaining, archiveName(x))
			}
			continue
		}
		blank := make(map[string]bool)
		var held []string
		err := a.read(ctx, x, func(t strata.Turn) error {
			switch {
			case t.Forgotten:
			case gone.BlankTurn(&t, gone.Where(x.Scope, x.Session, t.ID)):
				blank[t.ID] = true
				turns = append(turns, t.ID)
			case gone.Remains(t):
				held = append(held, t.ID)
			}
			return nil
		})
		if err == nil && len(blank) > 0 && !dryRun {
			err = a.blank(ctx, x, gone, blank)
		}
		remaining = append(remaining, held...)
		if err != nil {
			failed = errors.Join(failed, err)
			remaining = append(remaining, archiveName(x))
		}
	}
	return turns, remaining, failed
}

// Elsewhere names the archives of scopes other than one that hold some of what is
// forgotten, or a turn that it came from: they stay. Within are the only
// scopes that are looked through; none means all.
func (a *Archiver) Elsewhere(ctx context.Context, scope strata.Scope, gone forget.Subject, within []strata.Scope) (names []string, err error) {
	scopes, err := store.Read(ctx, a.ledger.store, func(r store.Reader) ([]strata.Scope, error) { return r.Scopes(ctx) })
	scopes = slices.DeleteFunc(scopes, func(s strata.Scope) bool { return s == scope || within != nil && !slices.Contains(within, s) })
	if err != nil || len(scopes) == 0 {
		return nil, err
	}
	all, err := a.Archives(ctx, strata.View{Scopes: scopes})
	for _, x := range all {
		held := false
		unread := a.read(ctx, x, func(t strata.Turn) error {
			held = held || !t.Forgotten && (slices.Contains(gone.Sources, t.ID) || gone.Remains(t))
			return nil
		})
		if held || unread != nil && x.State == store.ArchiveKept { // who cannot look cannot say that it does not
			names = append(names, x.Scope.Key()+"/"+archiveName(x))
		}
	}
	return names, err
}

// archiveName says which archive is meant.
func archiveName(x store.Archive) string {
	return fmt.Sprintf("archive %s of session %s", x.Place, x.Session)
}

// blank has another archive take the place of one, in which some turns are without what is
// forgotten.
func (a *Archiver) blank(ctx context.Context, x store.Archive, gone forget.Subject, turns map[string]bool) error {
	next, err := a.begin(ctx, x.Scope, x.Session)
	if err != nil {
		return err
	}
	next, err = a.write(ctx, next, func(out io.Writer) error {
		s, err := a.ledger.Session(ctx, x.Scope, x.Session)
		if err != nil {
			return err
		}
		s.Turns = x.Turns
		w, err := snapshot.NewLedgerWriter(out, s)
		if err != nil {
			return err
		}
		err = a.read(ctx, x, func(t strata.Turn) error {
			if turns[t.ID] {
				gone.BlankTurn(&t, gone.Where(x.Scope, x.Session, t.ID))
			}
			return w.Append(t)
		})
		if err != nil {
			return err
		}
		return w.Close()
	})
	if err != nil {
		return errors.Join(err, a.drop(ctx, next))
	}
	err = a.ledger.store.Update(ctx, func(w store.Writer) error {
		for _, y := range []store.Archive{x, next} {
			if now, err := archiveAt(ctx, w, y); err != nil || now.State != y.State {
				return changedMeanwhile("forget", x.Session, err)
			}
		}
		next.State, x.State = store.ArchiveKept, store.ArchiveDropped
		return errors.Join(w.PutArchive(ctx, next), w.PutArchive(ctx, x))
	})
	if err != nil {
		next.State = store.ArchiveBegun
		return errors.Join(err, a.drop(ctx, next))
	}
	return a.remove(ctx, x)
}
