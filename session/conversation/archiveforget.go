package conversation

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/forget"
	"github.com/strata-memory/strata/session"
	"github.com/strata-memory/strata/store"
)

// oldestFirst are the archives that are kept, the oldest first.
func oldestFirst(all []store.Archive) []store.Archive {
	list := slices.DeleteFunc(slices.Clone(all), func(x store.Archive) bool { return x.State != store.ArchiveKept })
	slices.SortStableFunc(list, func(a, b store.Archive) int { return a.At.Compare(b.At) })
	return list
}

// Forget takes what some texts say out of the archives of a scope: the turns that hold one
// of them as words of its own or that are named in sources. Each archive that holds some
// is written anew and verified before the former goes. It returns the turns, and names the
// archives that could not be read or written; failed is why. With dryRun it only looks.
//
// It is to be called before the texts are forgotten in the store, which is where they are
// known from: a process that is killed in between has forgotten less than it was asked to,
// and is asked again.
func (a *Archiver) Forget(ctx context.Context, scope strata.Scope, said forget.Texts, sources []string, dryRun bool) (turns, remaining []string, failed error) {
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
		err := a.read(ctx, x, func(t strata.Turn) error {
			if !t.Forgotten && (slices.Contains(sources, t.ID) || said.InTurn(t.Text, t.Calls)) {
				blank[t.ID] = true
				turns = append(turns, t.ID)
			}
			return nil
		})
		if err == nil && len(blank) > 0 && !dryRun {
			err = a.blank(ctx, x, said, blank)
		}
		if err != nil {
			failed = errors.Join(failed, err)
			remaining = append(remaining, archiveName(x))
		}
	}
	return turns, remaining, failed
}

// Elsewhere names the archives of scopes other than one that hold one of some texts as
// words of its own, or a turn that is named in sources: they stay. Within are the only
// scopes that are looked through; none means all.
func (a *Archiver) Elsewhere(ctx context.Context, scope strata.Scope, said forget.Texts, sources []string, within []strata.Scope) (names []string, err error) {
	scopes, err := store.Read(ctx, a.ledger.store, func(r store.Reader) ([]strata.Scope, error) { return r.Scopes(ctx) })
	scopes = slices.DeleteFunc(scopes, func(s strata.Scope) bool { return s == scope || within != nil && !slices.Contains(within, s) })
	if err != nil || len(scopes) == 0 {
		return nil, err
	}
	all, err := a.Archives(ctx, strata.View{Scopes: scopes})
	for _, x := range all {
		held := false
		unread := a.read(ctx, x, func(t strata.Turn) error {
			held = held || !t.Forgotten && (slices.Contains(sources, t.ID) || said.InTurn(t.Text, t.Calls))
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

// blank has another archive without what some turns say take the place of one.
func (a *Archiver) blank(ctx context.Context, x store.Archive, said forget.Texts, turns map[string]bool) error {
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
		w, err := session.NewLedgerWriter(out, s)
		if err != nil {
			return err
		}
		err = a.read(ctx, x, func(t strata.Turn) error {
			if turns[t.ID] {
				said.BlankCalls(t.Calls)
				t.Text, t.Images, t.Forgotten = strata.ForgottenText, nil, true
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
