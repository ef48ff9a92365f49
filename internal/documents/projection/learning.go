package projection

import (
	"context"
	"slices"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/secrets"
	"github.com/strata-memory/strata/learnings"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/files"
)

// learningRows is the number of newest learnings that are rendered, which is more than a
// file holds.
const learningRows = 2000

// learnings renders the files of learnings from memory. A learning that a person wrote
// into one is added to memory.
func (r *rendering) learnings(ctx context.Context) error {
	if r.what&markdown.PartLearnings == 0 {
		return nil
	}
	for _, kind := range strata.LearningKinds() {
		if err := r.learningFile(ctx, kind); err != nil {
			return err
		}
	}
	return nil
}

// learningFile renders the file of one kind of learning.
func (r *rendering) learningFile(ctx context.Context, kind strata.LearningKind) error {
	path := markdown.CorrectionsPath
	if kind == strata.LearningError {
		path = markdown.ErrorsPath
	}
	var rows []strata.Learning
	var known *strata.Document
	err := r.o.Store.View(ctx, func(v store.Reader) error {
		var err error
		if rows, err = v.Learnings(ctx, r.scope, store.LearningFilter{Kind: kind, Limit: learningRows}); err != nil {
			return err
		}
		known, err = documents.At(ctx, v, r.scope, path)
		return err
	})
	if err != nil {
		return err
	}
	trusted, err := r.isTrusted(ctx, path, known)
	if err != nil {
		return err
	}
	slices.Reverse(rows) // the oldest first
	failures, corrections := learnings.FromMemory(rows)
	err = r.rewrite(ctx, path, func(content string) string {
		// A learning that is not in memory was forgotten, unless somebody wrote it by
		// hand since memory last read the file.
		byHand := !r.forgets() || known == nil || known.Hash != files.Hash([]byte(content))
		take := func(l strata.Learning) bool { return byHand && (!trusted || r.takeLearning(ctx, l)) }
		if kind == strata.LearningError {
			f := learnings.ParseErrors(content)
			return f.Set(merge(failures, f.Learnings(), len(content), take, func(e learnings.Error) strata.Learning {
				return strata.Learning{Kind: kind, Key: e.Key(), Tool: e.Tool, Text: e.Text, Context: e.Context,
					Count: int64(e.Count), FirstAt: e.First, LastAt: e.Last}
			})).String()
		}
		f := learnings.ParseCorrections(content)
		return f.Set(merge(corrections, f.Learnings(), len(content), take, func(c learnings.Correction) strata.Learning {
			return strata.Learning{Kind: kind, Key: c.Key(), Text: c.Correction, Context: c.Original,
				Count: int64(c.Count), FirstAt: c.First, LastAt: c.Last}
		})).String()
	})
	if err != nil {
		r.fail(err, r.concerning(markdown.PartLearnings)...)
	}
	return nil
}

// isTrusted reports whether the learnings in a file may be added to memory. Those of a
// foreign file are not, until somebody has reviewed it.
func (r *rendering) isTrusted(ctx context.Context, path string, known *strata.Document) (bool, error) {
	if !r.judges() {
		return true, nil
	}
	now, err := r.read(ctx, path)
	if err != nil || now.Hash == strata.NoFile {
		return true, err
	}
	if now.Hash != documents.HashOf(known) && !r.forgets() {
		// New content may have come with a repository.
		place := documents.Place{Scope: r.scope, Path: path}
		if err := r.o.Notice(ctx, place); err != nil && strata.CodeOf(err) != strata.CodeConflict {
			return false, err
		}
		known, err = store.Read(ctx, r.o.Store, func(v store.Reader) (*strata.Document, error) { return documents.At(ctx, v, r.scope, path) })
	}
	return known != nil && !known.Foreign, err
}

// forgets reports whether the batch has a decision to forget something.
func (r *rendering) forgets() bool {
	return slices.ContainsFunc(r.pending, func(d strata.Decision) bool { return d.Op == strata.OpForget })
}

// merge returns the learnings for a file whose current size is size: those of memory, and
// those only in the file for which take returns true. If the file is nearly full,
// learnings older than everything in it are left out, since they were removed for lack of
// space.
func merge[T interface {
	comparable
	Clean() T
}](memory, now []T, size int, take func(strata.Learning) bool, learning func(T) strata.Learning) []T {
	var oldest time.Time
	for _, l := range now {
		if at := learning(l).LastAt; size > learnings.MaxFile*3/4 && (oldest.IsZero() || at.Before(oldest)) {
			oldest = at
		}
	}
	known := make(map[string]bool)
	var out []T
	for _, l := range memory {
		l = l.Clean()
		known[learning(l).Key] = true
		if slices.Contains(now, l) || !learning(l).LastAt.Before(oldest) {
			out = append(out, l)
		}
	}
	for _, l := range now {
		if row := learning(l); !known[row.Key] && take(row) {
			out = append(out, l)
		}
	}
	return out
}

// takeLearning adds a learning that a person wrote into a file to memory, and reports
// whether it may stay in the file, which it may not if it was forgotten. A learning with
// a secret is kept in the file only.
func (r *rendering) takeLearning(ctx context.Context, l strata.Learning) bool {
	if len(secrets.Scan(l.Text))+len(secrets.Scan(l.Context)) > 0 || l.Validate() != nil {
		return true
	}
	l.Scope = r.scope
	err := r.o.Learn(ctx, l)
	if err != nil && strata.CodeOf(err) != strata.CodeForgotten {
		r.o.Logger.Warn("a learning written by hand is not taken in yet", "scope", r.scope.Key(), "error", err)
	}
	return strata.CodeOf(err) != strata.CodeForgotten
}
