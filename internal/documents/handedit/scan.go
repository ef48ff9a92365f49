package handedit

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/secrets"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/files"
)

// look is the result of scanning the files of a scope: their known state, which of them
// have yet to follow a decision, and what differs.
type look struct {
	scope   strata.Scope
	known   map[string]files.Stat // by path
	pending map[string]bool
	renamed map[string]string // former paths of new files
	files.Changes
}

// scan scans the files of a scope. If its files must not be taken for deleted or edited,
// away is true and the report says why.
func (in *Intake) scan(ctx context.Context, scope strata.Scope, report *Report) (l look, away bool, err error) {
	stats, err := store.Read(ctx, in.o.Store, func(r store.Reader) (map[string]store.DocumentStat, error) { return r.DocumentStats(ctx, scope) })
	if err != nil {
		return l, false, err
	}
	l = look{scope: scope, known: make(map[string]files.Stat, len(stats)), pending: make(map[string]bool)}
	for path, s := range stats {
		l.pending[path] = s.Pending
		if s.Hash != "" {
			l.known[path] = files.Stat{Hash: s.Hash, Size: s.Size, ModifiedAt: time.UnixMicro(s.ModifiedAt).UTC()}
		}
	}
	l.Changes, err = in.o.Tree.Scan(ctx, scope, l.known)
	l.skipSecretNames()
	if err == nil {
		err = in.findRenamed(ctx, &l)
	}
	why := ""
	switch {
	case strata.CodeOf(err) == strata.CodeUnavailable:
		why = strata.MessageOf(err)
	case err != nil:
		return l, false, err
	case len(l.known) > 1 && len(l.Removed) == len(l.known) && len(l.Changed) == 0:
		// The directory was moved or is not mounted. Nobody deletes all files one by one.
		why = fmt.Sprintf("all %d files are gone at once: nothing is taken for deleted; strata recover writes those of a project back", len(l.known))
	default:
		return l, false, nil
	}
	report.Away = append(report.Away, documents.File{Scope: scope, Reason: why})
	return l, true, nil
}

// skipSecretNames skips files whose names contain secrets.
func (l *look) skipSecretNames() {
	l.Changed = slices.DeleteFunc(l.Changed, func(f files.File) bool {
		secret := secrets.Name{Text: f.Path}.HasSecret()
		if secret {
			l.Skipped = append(l.Skipped, files.Skipped{Path: f.Path, Reason: "its name holds a secret"})
		}
		return secret
	})
}

// edits returns the hand edits found, except for files that have yet to follow a
// decision.
func (l look) edits() handEdits {
	var out handEdits
	base := func(path string) string {
		if s, ok := l.known[path]; ok {
			return s.Hash
		}
		return strata.NoFile
	}
	left := make(map[string]bool) // former paths
	for _, f := range l.Changed {
		from, ok := l.renamed[f.Path]
		switch {
		case l.pending[f.Path]:
		case ok:
			left[from] = true
			out.renamed(l.scope, f, from, base(from))
		default:
			out.changed(l.scope, f, base(f.Path))
		}
	}
	for _, path := range l.Removed {
		if !l.pending[path] && !left[path] {
			out.removed(l.scope, path, base(path))
		}
	}
	return out
}

// renderDirty queues the rendering of stale files left by a process that ended early. It
// removes them from the files touched, so that they stay marked until they are rendered.
// It also queues the index if there are notes but no index.
func (in *Intake) renderDirty(l *look) {
	for path := range l.Touched {
		if l.known[path].ModifiedAt.Equal(time.UnixMicro(documents.DirtyTime)) && markdown.GeneratedFrom(path) == path {
			delete(l.Touched, path)
			in.o.Projector.Want(l.scope, markdown.PartOf(path))
		}
	}
	if _, ok := l.known[strata.IndexPath]; ok {
		return
	}
	for path := range l.known {
		if strata.KindOfPath(path) == strata.DocumentNote && markdown.PartOf(path) == markdown.PartIndex {
			in.o.Projector.Want(l.scope, markdown.PartIndex)
			return
		}
	}
}

// touch records the new times of files that were rewritten with the same content, so that
// they are not read again in the next scan.
func (in *Intake) touch(ctx context.Context, l look) error {
	if len(l.Touched) == 0 {
		return nil
	}
	err := in.o.Store.Update(ctx, func(w store.Writer) error {
		for path, s := range l.Touched {
			st := store.DocumentStat{Hash: s.Hash, Size: s.Size, ModifiedAt: s.ModifiedAt.UnixMicro()}
			if err := w.TouchDocument(ctx, l.scope, path, st); err != nil {
				return err
			}
		}
		return nil
	})
	if strata.CodeOf(err) == strata.CodeReadOnly {
		return nil // a read-only process leaves it to others
	}
	return err
}
