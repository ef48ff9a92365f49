package handedit

import (
	"context"
	"path"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/files"
)

// maxGone is the maximum number of removed files that are read to find out whether they
// were renamed. If more were removed at once, they are recognized only by their content.
const maxGone = 256

// findRenamed finds out which of the new files were renamed by a person. It tries, in
// this order: files whose front matter has the id of a removed one, files with the same
// content as a removed one, and notes with the same time of creation as exactly one
// removed note.
func (in *Intake) findRenamed(ctx context.Context, l *look) error {
	l.renamed = make(map[string]string)
	var fresh []files.File
	for _, f := range l.Changed {
		if _, known := l.known[f.Path]; !known && !l.pending[f.Path] && isNamed(f.Path) && len(strings.TrimSpace(string(f.Content))) > 0 {
			fresh = append(fresh, f)
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	if err := in.skipLeaving(ctx, l); err != nil {
		return err
	}
	gone := make(map[string]bool)
	for _, p := range l.Removed {
		if !l.pending[p] && isNamed(p) {
			gone[p] = true
		}
	}
	if len(gone) == 0 {
		return nil
	}
	was, err := in.wereNotes(ctx, l.scope, gone)
	if err != nil {
		return err
	}
	signs := []func(f files.File, n markdown.Note, old string) bool{
		func(_ files.File, n markdown.Note, old string) bool { return n.ID != "" && n.ID == was[old].id },
		func(f files.File, _ markdown.Note, old string) bool {
			return f.Hash == l.known[old].Hash && path.Base(f.Path) == path.Base(old)
		},
		func(f files.File, _ markdown.Note, old string) bool { return f.Hash == l.known[old].Hash },
		func(_ files.File, n markdown.Note, old string) bool {
			made := n.Provenance.CreatedAt
			return !made.IsZero() && made.Equal(was[old].made.CreatedAt) && n.Provenance.Actor == was[old].made.Actor && l.madeAlone(was, old)
		},
	}
	for _, known := range signs {
		for _, f := range fresh {
			if _, done := l.renamed[f.Path]; done {
				continue
			}
			n, _ := markdown.ParseNote(string(f.Content)) // as far as it can be parsed
			for _, old := range l.Removed {
				if gone[old] && known(f, n, old) {
					l.renamed[f.Path] = old
					delete(gone, old)
					break
				}
			}
		}
	}
	return nil
}

// isNamed reports whether the file at a path has a name chosen by a person, rather than
// one that is a date or fixed.
func isNamed(p string) bool {
	switch strata.KindOfPath(p) {
	case strata.DocumentNote, strata.DocumentSkill, strata.DocumentOther:
		return !strings.HasPrefix(p, strata.ProjectPrefix) && !strings.HasPrefix(p, "learnings/")
	}
	return strings.HasPrefix(p, strata.InboxDir)
}

// wasNote identifies a removed file: by the id of its document, and by who created the
// note and when.
type wasNote struct {
	id   string
	made markdown.Provenance
}

// wereNotes reads what identifies the removed files, if there are at most maxGone.
func (in *Intake) wereNotes(ctx context.Context, scope strata.Scope, gone map[string]bool) (map[string]wasNote, error) {
	out := make(map[string]wasNote)
	if len(gone) > maxGone {
		return out, nil
	}
	err := in.o.Store.View(ctx, func(r store.Reader) error {
		for p := range gone {
			d, err := documents.At(ctx, r, scope, p)
			if err != nil {
				return err
			}
			if d != nil {
				n, _ := markdown.ParseNote(d.Content)
				out[p] = wasNote{d.ID, n.Provenance}
			}
		}
		return nil
	})
	return out, err
}

// madeAlone reports whether no other removed note was created by the same actor at the
// same time.
func (l *look) madeAlone(was map[string]wasNote, p string) bool {
	for other, w := range was {
		if other != p && w.made.CreatedAt.Equal(was[p].made.CreatedAt) && w.made.Actor == was[p].made.Actor {
			return false
		}
	}
	return true
}

// skipLeaving skips files that are still to be removed because a rename was reverted.
// They are not new.
func (in *Intake) skipLeaving(ctx context.Context, l *look) error {
	waits := false
	for _, p := range l.pending {
		waits = waits || p
	}
	if !waits {
		return nil
	}
	return in.o.Store.View(ctx, func(r store.Reader) error {
		f := strata.DecisionFilter{Pending: true, Limit: 1000}
		for {
			page, err := r.Decisions(ctx, l.scope, f)
			if err != nil {
				return err
			}
			for _, d := range page {
				if d.Document != nil && d.Document.RenamedFrom() != "" {
					l.pending[d.Document.RenamedFrom()] = true
				}
				f.After = d.ID
			}
			if len(page) < f.Limit {
				return nil
			}
		}
	})
}
