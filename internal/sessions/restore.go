package sessions

import (
	"context"
	"fmt"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// Restored says what was restored from an archive.
type Restored struct {
	Session strata.Session
	Turns   int // turns that have their text again
}

// Restore puts the turns of an archived session back into the store and its index, in one
// transaction, and then removes the file. What was forgotten meanwhile stays forgotten.
// Restore returns not_found for a session that is not archived. It returns corrupt, and
// changes nothing, if the file is damaged.
func (a *Archiver) Restore(ctx context.Context, view strata.View, name string) (Restored, error) {
	if a.files == nil {
		return Restored{}, noArchives("restore session")
	}
	s, err := a.ledger.FindSession(ctx, view, name)
	if err != nil {
		return Restored{}, err
	}
	x, err := a.archiveOf(ctx, s)
	if err != nil {
		return Restored{}, err
	}
	var turns, said []strata.Turn // all turns, and those to index again
	err = a.read(ctx, x, func(t strata.Turn) error {
		turns = append(turns, t)
		if !t.Forgotten {
			said = append(said, t)
		}
		return nil
	})
	if err != nil {
		return Restored{}, err
	}
	index := a.ledger.prepareIndex(ctx, said)
	err = a.ledger.store.Update(ctx, func(w store.Writer) error {
		if now, err := archiveAt(ctx, w, x); err != nil || now.State != store.ArchiveKept {
			return changedMeanwhile("restore session", name, err)
		}
		numbers, err := restoreTurns(ctx, w, turns)
		if err != nil {
			return err
		}
		if err := index.put(ctx, w, numbers, said); err != nil {
			return fmt.Errorf("index turns: %w", err)
		}
		x.State = store.ArchiveDropped
		if err := w.PutArchive(ctx, x); err != nil {
			return err
		}
		return w.AppendEvent(ctx, strata.Event{Kind: strata.EventSessionRestored, Scope: s.Scope, Ref: s.ID, At: w.Now()})
	})
	if err != nil {
		return Restored{}, err
	}
	index.done()
	a.transcripts.work.Wake()
	return Restored{Session: s, Turns: len(said)}, a.remove(ctx, x)
}

// restoreTurns puts the texts of turns back and returns the passage numbers of the turns
// that have a text.
func restoreTurns(ctx context.Context, w store.Writer, turns []strata.Turn) (numbers []int64, err error) {
	for _, t := range turns {
		n, err := w.RestoreTurn(ctx, t)
		switch {
		case err != nil:
			return nil, fmt.Errorf("restore turn %s: %w", t.ID, err)
		case n == 0 && !t.Forgotten:
			return nil, changedMeanwhile("restore session", t.Session, nil)
		case !t.Forgotten:
			numbers = append(numbers, n)
		}
	}
	return numbers, nil
}

// archiveOf returns the archive that holds the turns of a session.
func (a *Archiver) archiveOf(ctx context.Context, s strata.Session) (store.Archive, error) {
	all, err := a.Archives(ctx, s.Scope.View())
	for _, x := range all {
		if x.Session == s.ID && x.State == store.ArchiveKept {
			return x, err
		}
	}
	if err == nil {
		err = &strata.Error{Code: strata.CodeNotFound, Op: "restore session", Message: "session " + s.ID + " is not archived",
			Hint: "strata sessions archive --dry-run says which sessions are"}
	}
	return store.Archive{}, err
}

// changedMeanwhile returns err or, if that is nil, the error for an archive that another
// process changed.
func changedMeanwhile(op, session string, err error) error {
	if err != nil {
		return err
	}
	return &strata.Error{Code: strata.CodeConflict, Op: op, Message: "the archive of session " + session + " changed meanwhile", Hint: "try again"}
}

// Expire removes the oldest archives of a view until the rest takes up at most the given
// number of bytes. What was said in those sessions is lost; facts learnt from them stay.
func (a *Archiver) Expire(ctx context.Context, view strata.View, most int64, dryRun bool) ([]PrunedSession, error) {
	all, err := a.Archives(ctx, view)
	if err != nil {
		return nil, err
	}
	var sum int64
	for _, x := range all {
		if x.State == store.ArchiveKept {
			sum += x.Bytes
		}
	}
	var out []PrunedSession
	for _, x := range oldestFirst(all) {
		if sum <= most {
			break
		}
		s, err := a.ledger.Session(ctx, x.Scope, x.Session)
		if err != nil {
			return out, err
		}
		if !dryRun {
			if err := a.expire(ctx, x); err != nil {
				return out, err
			}
		}
		sum -= x.Bytes
		out = append(out, PrunedSession{s, x.Bytes})
	}
	return out, nil
}

// expire removes an archive and what it holds.
func (a *Archiver) expire(ctx context.Context, x store.Archive) error {
	err := a.ledger.store.Update(ctx, func(w store.Writer) error {
		if now, err := archiveAt(ctx, w, x); err != nil || now.State != store.ArchiveKept {
			return changedMeanwhile("prune archive", x.Session, err)
		}
		x.State = store.ArchiveDropped
		if err := w.PutArchive(ctx, x); err != nil {
			return err
		}
		if _, err := w.PruneSession(ctx, x.Scope, x.Session); err != nil {
			return err
		}
		return w.AppendEvent(ctx, strata.Event{Kind: strata.EventSessionPruned, Scope: x.Scope, Ref: x.Session, At: w.Now()})
	})
	if err != nil {
		return err
	}
	a.transcripts.work.Wake()
	return a.remove(ctx, x)
}
