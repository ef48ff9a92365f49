package sessions

import (
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/failpoint"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/sessions/snapshot"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/files"
)

// Archiver moves the turns of old sessions out of the store into compressed files, one
// per session, and back. A file is a complete ledger, like a transcript, compressed with
// gzip.
//
// The place of a file is recorded before the file is written. The turns leave the store
// in the transaction that records that the file was read back and found complete. So a
// process that is killed loses nothing and leaves no file that Forget does not know
// about.
type Archiver struct {
	ledger      *Ledger
	transcripts *Transcripts
	files       files.Transcripts // nil: no archives are kept
}

// NewArchiver returns the archiver of a ledger. files is nil if no archives are kept.
func NewArchiver(l *Ledger, files files.Transcripts) *Archiver {
	return &Archiver{ledger: l, transcripts: l.transcripts, files: files}
}

// Archive is like [Transcripts.Prune], but first writes the turns of each session to a
// file. [Archiver.Restore] brings a session back.
func (a *Archiver) Archive(ctx context.Context, view strata.View, now time.Time, o PruneOptions) (Pruned, error) {
	if a.files == nil {
		return Pruned{}, noArchives("archive sessions")
	}
	if !o.DryRun {
		if err := a.sweep(ctx, view, now.Add(-abandoned)); err != nil {
			return Pruned{}, err
		}
	}
	return a.transcripts.retain(ctx, view, now, o, a.archive)
}

// noArchives returns the error for a memory that keeps no archives.
func noArchives(op string) error {
	return &strata.Error{Code: strata.CodeUnsupported, Op: op, Message: "this memory keeps no archives", Hint: "open it with a place for files"}
}

// archive archives a session. It reports false if the session must be kept after all
// because of a change meanwhile.
func (a *Archiver) archive(ctx context.Context, u store.SessionUse) (gone bool, err error) {
	scope, name := u.Session.Scope, u.Session.ID
	x, err := a.begin(ctx, scope, name)
	if err != nil {
		return false, err
	}
	failpoint.Hit(failpoint.ArchiveBegun)
	x, err = a.write(ctx, x, func(w io.Writer) error {
		_, err := a.transcripts.render(ctx, w, scope, name)
		return err
	})
	if err != nil {
		return false, errors.Join(err, a.drop(ctx, x))
	}
	failpoint.Hit(failpoint.ArchiveWritten)
	err = a.ledger.store.Update(ctx, func(w store.Writer) error {
		if gone, err = unchanged(ctx, w, u); err != nil || !gone {
			return err
		}
		// Another process may have dropped the archive, because it was not finished.
		if now, err := archiveAt(ctx, w, x); err != nil || now.State != store.ArchiveBegun {
			gone = false
			return err
		}
		x.State = store.ArchiveKept
		if err := w.PutArchive(ctx, x); err != nil {
			return err
		}
		if _, err := w.PruneSession(ctx, scope, name); err != nil {
			return err
		}
		return w.AppendEvent(ctx, strata.Event{Kind: strata.EventSessionArchived, Scope: scope, Ref: name, At: w.Now()})
	})
	if err != nil || !gone {
		return false, errors.Join(err, a.drop(ctx, x))
	}
	failpoint.Hit(failpoint.ArchiveKept)
	return true, nil
}

// begin records that an archive of a session is about to be written.
func (a *Archiver) begin(ctx context.Context, scope strata.Scope, session string) (store.Archive, error) {
	x := store.Archive{
		Scope: scope, Session: session, State: store.ArchiveBegun,
		Place: a.files.Place(scope, a.ledger.ids.New(id.Archive, a.ledger.now())),
	}
	return x, a.ledger.store.Update(ctx, func(w store.Writer) error { return w.PutArchive(ctx, x) })
}

// write writes the file of an archive and reads it back. It returns the archive with the
// size, hash and number of turns of the file.
func (a *Archiver) write(ctx context.Context, x store.Archive, content files.Content) (store.Archive, error) {
	sum, size := sha256.New(), new(counter)
	err := a.files.Write(ctx, x.Place, func(out io.Writer) error {
		sum.Reset()
		*size = 0
		zip := gzip.NewWriter(io.MultiWriter(out, sum, size))
		return errors.Join(content(zip), zip.Close())
	})
	if err != nil {
		return x, fmt.Errorf("archive session %s: %w", x.Session, err)
	}
	x.Sum, x.Bytes, x.Turns = hex.EncodeToString(sum.Sum(nil)), int64(*size), 0
	err = a.read(ctx, x, func(strata.Turn) error {
		x.Turns++
		return nil
	})
	return x, err
}

// counter counts the bytes written to it.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// read calls each with the turns of an archive in order. It may return an error after
// some of them: corrupt if the file is not what was written.
func (a *Archiver) read(ctx context.Context, x store.Archive, each func(strata.Turn) error) error {
	damaged := func(err error) error {
		return &strata.Error{Code: strata.CodeCorrupt, Op: "read archive", Message: "the archive " + x.Place + " of session " + x.Session + " is damaged",
			Hint: "put the file back from a backup of the home", Err: err}
	}
	f, err := a.files.Open(ctx, x.Place)
	if strata.CodeOf(err) == strata.CodeNotFound {
		return damaged(err)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	sum, size := sha256.New(), new(counter)
	zip, err := gzip.NewReader(io.TeeReader(f, io.MultiWriter(sum, size)))
	if err != nil {
		return damaged(err)
	}
	turns, err := snapshot.NewLedgerReader(zip)
	if err != nil {
		return damaged(err)
	}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		t, err := turns.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return damaged(err)
		}
		if err := each(t); err != nil {
			return err
		}
	}
	s := turns.Session()
	if hex.EncodeToString(sum.Sum(nil)) != x.Sum || int64(*size) != x.Bytes || s.ID != x.Session || s.Scope != x.Scope {
		return damaged(nil)
	}
	return nil
}

// archiveAt returns the current record of an archive; its state is gone if there is none.
func archiveAt(ctx context.Context, r store.Reader, x store.Archive) (store.Archive, error) {
	list, err := r.Archives(ctx, x.Scope)
	for _, y := range list {
		if y.Place == x.Place {
			return y, nil
		}
	}
	x.State = store.ArchiveGone
	return x, err
}

// drop drops an archive that was begun and not finished, and removes its file.
func (a *Archiver) drop(ctx context.Context, x store.Archive) error {
	begun := false
	err := a.ledger.store.Update(ctx, func(w store.Writer) error {
		now, err := archiveAt(ctx, w, x)
		if begun = err == nil && now.State == store.ArchiveBegun; !begun {
			return err // another process has finished or dropped it
		}
		x.State = store.ArchiveDropped
		return w.PutArchive(ctx, x)
	})
	if err != nil || !begun {
		return err
	}
	return a.remove(ctx, x)
}

// remove removes the file of an archive that was dropped, then the archive's record.
func (a *Archiver) remove(ctx context.Context, x store.Archive) error {
	failpoint.Hit(failpoint.ArchiveDropped)
	if err := a.files.Remove(ctx, x.Place); err != nil {
		return fmt.Errorf("remove archive of session %s: %w", x.Session, err)
	}
	x.State = store.ArchiveGone
	return a.ledger.store.Update(ctx, func(w store.Writer) error { return w.PutArchive(ctx, x) })
}

// abandoned is the age from which an unfinished archive is assumed to be abandoned.
const abandoned = time.Hour

// sweep removes archive files of a view that killed processes left: those of dropped
// archives, and those of archives begun before a time.
func (a *Archiver) sweep(ctx context.Context, view strata.View, before time.Time) error {
	all, err := a.Archives(ctx, view)
	if err != nil {
		return err
	}
	for _, x := range all {
		switch {
		case x.State == store.ArchiveBegun && x.At.Before(before):
			err = errors.Join(err, a.drop(ctx, x))
		case x.State == store.ArchiveDropped:
			err = errors.Join(err, a.remove(ctx, x))
		}
	}
	return err
}

// Archives lists the archives of a view in any state, oldest first within each scope.
func (a *Archiver) Archives(ctx context.Context, view strata.View) ([]store.Archive, error) {
	if a.files == nil {
		return nil, nil
	}
	return store.ReadEach(ctx, a.ledger.store, view, func(r store.Reader, s strata.Scope) ([]store.Archive, error) {
		return r.Archives(ctx, s)
	})
}

// ArchiveUse is the storage that archives take up.
type ArchiveUse struct {
	Bytes    int64 // size of all files
	Sessions int   // archived sessions
}

// Use returns what the archives of all scopes take up.
func (a *Archiver) Use(ctx context.Context) (use ArchiveUse, err error) {
	err = a.ledger.store.View(ctx, func(r store.Reader) error {
		scopes, err := r.Scopes(ctx)
		for _, s := range scopes {
			list, err := r.Archives(ctx, s)
			if err != nil {
				return err
			}
			for _, x := range list {
				if use.Bytes += x.Bytes; x.State == store.ArchiveKept {
					use.Sessions++
				}
			}
		}
		return err
	})
	return use, err
}
