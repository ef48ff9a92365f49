package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/id"
	"github.com/strata-memory/strata/secretscan"
	"github.com/strata-memory/strata/store"
)

// Learn keeps a lesson, without its secrets, and returns it as it is kept: one
// that was learnt before counts up. A lesson whose text was forgotten does not
// come back; the error then has the code forgotten.
func (e *Engine) Learn(ctx context.Context, scope strata.Scope, l strata.Learning) (strata.Learning, error) {
	if err := scope.Validate(); err != nil {
		return strata.Learning{}, err
	}
	if err := l.Validate(); err != nil {
		return strata.Learning{}, err
	}
	l = e.prepareLearning(scope, l)
	var out strata.Learning
	err := e.store.Update(ctx, func(w store.Writer) error {
		for _, s := range []string{l.Text, l.Context} {
			if err := refuseForgotten(ctx, w, scope, s); err != nil {
				return err
			}
		}
		var err error
		out, err = w.PutLearning(ctx, l)
		return err
	})
	if err == nil {
		e.render(scope, partLessons)
	}
	return out, err
}

// prepareLearning redacts a learning and gives it what it lacks.
func (e *Engine) prepareLearning(scope strata.Scope, l strata.Learning) strata.Learning {
	l.Scope = scope
	if l.LastAt.IsZero() {
		l.LastAt = e.opts.Now()
	}
	if l.ID == "" {
		l.ID = e.ids.New(id.Learning, l.LastAt)
	}
	l.Key = hashKey(l.Key)
	l.Tool = redactName(l.Tool)
	l.Text, _ = secretscan.Redact(l.Text)
	l.Context, _ = secretscan.Redact(l.Context)
	return l
}

// keyPrefix marks a key that is a hash.
const keyPrefix = "sha256:"

// hashKey returns what is kept of a key, which may be made of a text: a hash,
// and of a hash itself.
func hashKey(key string) string {
	if rest, ok := strings.CutPrefix(key, keyPrefix); ok && len(rest) == 2*sha256.Size {
		return key
	}
	clean, _ := secretscan.Redact(key)
	sum := sha256.Sum256([]byte(clean))
	return keyPrefix + hex.EncodeToString(sum[:])
}

// refuseForgotten returns an error if a text was forgotten.
func refuseForgotten(ctx context.Context, r store.Reader, scope strata.Scope, s string) error {
	if s == "" {
		return nil
	}
	since, forgotten, err := r.Forgotten(ctx, scope, s)
	if err != nil || !forgotten {
		return err
	}
	return &strata.Error{Code: strata.CodeForgotten, Op: "learn", Message: "the text was forgotten on " + since.Format(time.DateOnly),
		Hint: "what was forgotten does not come back by itself"}
}

// Learnings lists the learnings of each scope of a view, those learnt last
// first; an empty kind means any. A correction is in the user's words, so that
// the view of a group session has none that was learnt in private, and names no
// private session.
func (e *Engine) Learnings(ctx context.Context, view strata.View, kind strata.LearningKind, limit int) ([]strata.Learning, error) {
	if kind != "" {
		if err := kind.Validate(); err != nil {
			return nil, err
		}
	}
	var out []strata.Learning
	err := e.eachScope(ctx, view, func(r store.Reader, s strata.Scope) error {
		list, err := r.Learnings(ctx, s, store.LearningFilter{Kind: kind, SessionKind: view.OnlySessions(), Limit: limit})
		if err != nil {
			return err
		}
		for _, l := range list {
			ok, err := opens(ctx, r, view, s, l.Session)
			if err != nil {
				return err
			}
			if !ok {
				l.Session = ""
			}
			out = append(out, l)
		}
		return nil
	})
	return out, err
}

// RecordOutcome keeps runs of tools, without secrets, in one transaction. Of
// each tool the newest runs are kept.
func (e *Engine) RecordOutcome(ctx context.Context, scope strata.Scope, outcomes ...strata.ToolOutcome) error {
	if err := scope.Validate(); err != nil {
		return err
	}
	kept := make([]strata.ToolOutcome, len(outcomes))
	for i, o := range outcomes {
		if err := o.Validate(); err != nil {
			return inBatch(err, i, len(outcomes))
		}
		o.Scope = scope
		if o.At.IsZero() {
			o.At = e.opts.Now()
		}
		o.Tool = redactName(o.Tool)
		o.Error, _ = secretscan.Redact(o.Error)
		kept[i] = o
	}
	if len(kept) == 0 {
		return nil
	}
	return e.store.Update(ctx, func(w store.Writer) error {
		for _, o := range kept {
			if err := w.PutOutcome(ctx, o); err != nil {
				return err
			}
		}
		return nil
	})
}

// Outcomes lists the runs of tools of each scope of a view, newest first.
func (e *Engine) Outcomes(ctx context.Context, view strata.View, f store.OutcomeFilter) ([]strata.ToolOutcome, error) {
	var out []strata.ToolOutcome
	err := e.eachScope(ctx, view, func(r store.Reader, s strata.Scope) error {
		list, err := r.Outcomes(ctx, s, f)
		out = append(out, list...)
		return err
	})
	return out, err
}

// redactName redacts a name that a model chose.
func redactName(s string) string {
	out, _ := secretscan.Redact(s)
	return out
}
