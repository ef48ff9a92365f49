package engine

import (
	"context"
	"slices"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/learnings"
	"github.com/strata-memory/strata/store"
)

// The files of lessons.
const (
	errorsPath      = "learnings/errors.md"
	correctionsPath = "learnings/corrections.md"
)

// lessonRows is how many of the newest lessons are rendered: more than a file
// holds.
const lessonRows = 2000

// lessons renders the files of lessons.
func (r *rendering) lessons(ctx context.Context) error {
	if r.what&partLessons == 0 {
		return nil
	}
	for _, kind := range strata.LearningKinds() {
		path := correctionsPath
		if kind == strata.LearningError {
			path = errorsPath
		}
		var rows []strata.Learning
		was := ""
		err := r.store.View(ctx, func(v store.Reader) error {
			var err error
			if rows, err = v.Learnings(ctx, r.scope, store.LearningFilter{Kind: kind, Limit: lessonRows}); err != nil {
				return err
			}
			known, err := v.Document(ctx, r.scope, path)
			if err == nil {
				was = known.Content
			}
			if strata.CodeOf(err) == strata.CodeNotFound {
				err = nil
			}
			return err
		})
		if err != nil {
			return err
		}
		slices.Reverse(rows) // the oldest first
		err = r.rewrite(ctx, path, func(content string) string { return withLessons(kind, content, was, rows) })
		if err != nil {
			r.fail(err, r.concerning(partLessons)...)
		}
	}
	return nil
}

// withLessons returns a file of lessons that holds those of memory. was is the
// file as memory saw it last: a lesson that a person took out of it since stays
// out, and one that a person wrote into it stays in.
func withLessons(kind strata.LearningKind, content, was string, rows []strata.Learning) string {
	failures, corrections := lessonsOf(rows)
	if kind == strata.LearningError {
		now := learnings.ParseErrors(content)
		last := func(e learnings.Error) time.Time { return e.Last }
		return now.Set(merged(failures, now.Lessons(), learnings.ParseErrors(was).Lessons(), last, nearlyFull(content))).String()
	}
	now := learnings.ParseCorrections(content)
	last := func(c learnings.Correction) time.Time { return c.Last }
	return now.Set(merged(corrections, now.Lessons(), learnings.ParseCorrections(was).Lessons(), last, nearlyFull(content))).String()
}

// nearlyFull reports whether old lessons may have left a file for want of room.
func nearlyFull(content string) bool { return len(content) > learnings.MaxFile*3/4 }

// merged are the lessons that a file is to hold: those of memory, without those
// that it held before and holds no more, and those that it never held before.
// Into a file that is nearly full no lesson comes that is older than all of it.
func merged[T interface {
	comparable
	Clean() T
}](memory, now, was []T, last func(T) time.Time, full bool) []T {
	in := func(list []T) map[T]bool {
		set := make(map[T]bool, len(list))
		for _, l := range list {
			set[l.Clean()] = true
		}
		return set
	}
	held, holds, mine := in(was), in(now), in(memory)
	var oldest time.Time
	for _, l := range now {
		if at := last(l); full && (oldest.IsZero() || at.Before(oldest)) {
			oldest = at
		}
	}
	var out []T
	for _, l := range memory {
		c := l.Clean()
		if holds[c] || !held[c] && !last(c).Before(oldest) {
			out = append(out, c)
		}
	}
	for _, l := range now {
		if c := l.Clean(); !held[c] && !mine[c] {
			out = append(out, c)
		}
	}
	return out
}
