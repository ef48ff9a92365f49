package projection

import (
	"context"
	"slices"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/document"
	"github.com/strata-memory/strata/documents"
	"github.com/strata-memory/strata/files"
	"github.com/strata-memory/strata/learnings"
	"github.com/strata-memory/strata/secretscan"
	"github.com/strata-memory/strata/store"
)

// lessonRows is how many of the newest lessons are rendered: more than a file
// holds.
const lessonRows = 2000

// lessons renders the files of lessons, of which memory is the authority. A
// lesson that a person wrote into one becomes a lesson of memory.
func (r *rendering) lessons(ctx context.Context) error {
	if r.what&document.PartLessons == 0 {
		return nil
	}
	for _, kind := range strata.LearningKinds() {
		if err := r.lessonFile(ctx, kind); err != nil {
			return err
		}
	}
	return nil
}

// lessonFile renders the file of one kind of lesson.
func (r *rendering) lessonFile(ctx context.Context, kind strata.LearningKind) error {
	path := document.CorrectionsPath
	if kind == strata.LearningError {
		path = document.ErrorsPath
	}
	var rows []strata.Learning
	var known *strata.Document
	err := r.o.Store.View(ctx, func(v store.Reader) error {
		var err error
		if rows, err = v.Learnings(ctx, r.scope, store.LearningFilter{Kind: kind, Limit: lessonRows}); err != nil {
			return err
		}
		known, err = documents.At(ctx, v, r.scope, path)
		return err
	})
	if err != nil {
		return err
	}
	slices.Reverse(rows) // the oldest first
	failures, corrections := learnings.FromMemory(rows)
	err = r.rewrite(ctx, path, func(content string) string {
		// A lesson that is neither in memory nor was written by hand since memory
		// saw the file was forgotten.
		foreign := !r.forgets() || known == nil || known.Hash != files.Hash([]byte(content))
		if kind == strata.LearningError {
			f := learnings.ParseErrors(content)
			mine, others := merged(failures, f.Lessons(), learnings.Error.Key, func(e learnings.Error) time.Time { return e.Last }, content)
			if !foreign {
				return f.Set(mine).String()
			}
			for _, e := range others {
				if r.takeLesson(ctx, strata.Learning{Kind: kind, Key: e.Key(), Tool: e.Tool, Text: e.Text, Context: e.Context,
					Count: int64(e.Count), FirstAt: e.First, LastAt: e.Last}) {
					mine = append(mine, e)
				}
			}
			return f.Set(mine).String()
		}
		f := learnings.ParseCorrections(content)
		mine, others := merged(corrections, f.Lessons(), learnings.Correction.Key, func(c learnings.Correction) time.Time { return c.Last }, content)
		if !foreign {
			return f.Set(mine).String()
		}
		for _, c := range others {
			if r.takeLesson(ctx, strata.Learning{Kind: kind, Key: c.Key(), Text: c.Correction, Context: c.Original,
				Count: int64(c.Count), FirstAt: c.First, LastAt: c.Last}) {
				mine = append(mine, c)
			}
		}
		return f.Set(mine).String()
	})
	if err != nil {
		r.fail(err, r.concerning(document.PartLessons)...)
	}
	return nil
}

// forgets reports whether something of the batch was forgotten.
func (r *rendering) forgets() bool {
	return slices.ContainsFunc(r.pending, func(d strata.Decision) bool { return d.Op == strata.OpForget })
}

// merged returns the lessons of memory that a file is to hold, and those that
// only the file has. Into a file that is nearly full no lesson comes that is
// older than all of it: old ones left it for want of room.
func merged[T interface {
	comparable
	Clean() T
}](memory, now []T, key func(T) string, last func(T) time.Time, content string) (mine, others []T) {
	known, holds := make(map[string]bool), make(map[T]bool)
	for _, l := range memory {
		known[key(l.Clean())] = true
	}
	var oldest time.Time
	for _, l := range now {
		holds[l] = true
		if at := last(l); len(content) > learnings.MaxFile*3/4 && (oldest.IsZero() || at.Before(oldest)) {
			oldest = at
		}
		if !known[key(l)] {
			others = append(others, l)
		}
	}
	for _, l := range memory {
		if c := l.Clean(); holds[c] || !last(c).Before(oldest) {
			mine = append(mine, c)
		}
	}
	return mine, others
}

// takeLesson keeps a lesson that a person wrote into a file, and reports
// whether it may stay there: what was forgotten may not. One with a secret
// stays in the file alone.
func (r *rendering) takeLesson(ctx context.Context, l strata.Learning) bool {
	if len(secretscan.Scan(l.Text))+len(secretscan.Scan(l.Context)) > 0 || l.Validate() != nil {
		return true
	}
	l.Scope = r.scope
	err := r.o.Learn(ctx, l)
	if err != nil && strata.CodeOf(err) != strata.CodeForgotten {
		r.o.Logger.Warn("a lesson written by hand is not taken in yet", "scope", r.scope.Key(), "error", err)
	}
	return strata.CodeOf(err) != strata.CodeForgotten
}
