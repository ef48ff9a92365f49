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

// oldestFirst returns the archives that are kept, oldest first.
func oldestFirst(all []store.Archive) []store.Archive {
	list := slices.DeleteFunc(slices.Clone(all), func(x store.Archive) bool { return x.State != store.ArchiveKept })
	slices.SortStableFunc(list, func(a, b store.Archive) int { return a.At.Compare(b.At) })
	return list
}

// Forget removes what is forgotten from the turns in the archives of a scope, as
// [forget.Subject.BlankTurn] does. It rewrites each archive that holds some of it and
// verifies the new file before removing the old one. It returns the turns, and in
// remaining the archives that could not be read or written and the turns that hold only a
// value; failed says why. With dryRun it changes nothing.
//
// Call Forget before the texts are forgotten in the store, from where they are known:
// then a process that is killed in between has only forgotten less than it was asked to,
// and can be asked again.
func (a *Archiver) Forget(ctx context.Context, scope strata.Scope, gone forget.Subject, dryRun bool) (turns, remaining []string, failed error) {
	if a.files == nil {
		return nil, nil, nil
	}
	if !dryRun {
		// An unfinished archive may hold the texts, and its session must not be archived
		// now.
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

// Elsewhere returns the archives of other scopes that hold some of what is forgotten, or
// a turn that it came from. They are not changed. If within is not nil, only its scopes
// are searched.
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
		if held || unread != nil && x.State == store.ArchiveKept { // an archive that cannot be read may hold it
			names = append(names, x.Scope.Key()+"/"+archiveName(x))
		}
	}
	return names, err
}

// archiveName names an archive for people.
func archiveName(x store.Archive) string {
	return fmt.Sprintf("archive %s of session %s", x.Place, x.Session)
}

// blank replaces an archive with one in which the given turns no longer hold what is
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
