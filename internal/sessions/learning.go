package sessions

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/secrets"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

// Learn stores a learning, without its secrets, and returns it as stored. If it was
// learnt before, its count rises. A learning whose text was forgotten is refused with the
// code forgotten.
func (l *Ledger) Learn(ctx context.Context, scope strata.Scope, learning strata.Learning) (strata.Learning, error) {
	if err := scope.Validate(); err != nil {
		return strata.Learning{}, err
	}
	if err := learning.Validate(); err != nil {
		return strata.Learning{}, err
	}
	if err := refuseSecretNames("learn", scope, learning.Session, secrets.Name{Field: "learning id", Text: learning.ID}); err != nil {
		return strata.Learning{}, err
	}
	learning = l.prepareLearning(scope, learning)
	var out strata.Learning
	err := l.store.Update(ctx, func(w store.Writer) error {
		if err := refuseForgotten(ctx, w, learning); err != nil {
			return err
		}
		var err error
		out, err = w.PutLearning(ctx, learning)
		return err
	})
	if err == nil {
		l.projector.Want(scope, markdown.PartLearnings)
	}
	return out, err
}

// LearnByHand stores a learning that a person wrote into a file, unless it is known
// already. If it was forgotten, the error has the code forgotten.
func (l *Ledger) LearnByHand(ctx context.Context, learning strata.Learning) error {
	learning = l.prepareLearning(learning.Scope, learning)
	return l.store.Update(ctx, func(w store.Writer) error {
		_, err := w.LearningByKey(ctx, learning.Scope, learning.Kind, learning.Key)
		if strata.CodeOf(err) != strata.CodeNotFound {
			return err // known, or impossible to say
		}
		if err := refuseForgotten(ctx, w, learning); err != nil {
			return err
		}
		_, err = w.PutLearning(ctx, learning)
		return err
	})
}

// KnowsLearning reports whether the scope of a learning already has it.
func (l *Ledger) KnowsLearning(ctx context.Context, learning strata.Learning) (bool, error) {
	err := l.store.View(ctx, func(r store.Reader) error {
		_, err := r.LearningByKey(ctx, learning.Scope, learning.Kind, hashKey(learning.Key))
		return err
	})
	if strata.CodeOf(err) == strata.CodeNotFound {
		return false, nil
	}
	return err == nil, err
}

// prepareLearning returns a learning in the form in which a scope stores it: without
// secrets, and with an id, a time and a hashed key.
func (l *Ledger) prepareLearning(scope strata.Scope, learning strata.Learning) strata.Learning {
	learning.Scope = scope
	if learning.LastAt.IsZero() {
		learning.LastAt = l.now()
	}
	if learning.ID == "" {
		learning.ID = l.ids.New(id.Learning, learning.LastAt)
	}
	learning.Key = hashKey(learning.Key)
	learning.Tool = redacted(learning.Tool)
	learning.Text = redacted(learning.Text)
	learning.Context = redacted(learning.Context)
	return learning
}

// keyPrefix marks a key that is a hash.
const keyPrefix = "sha256:"

// hashKey returns the hash of a key, which may contain text. A key that is a hash already
// stays as it is.
func hashKey(key string) string {
	if rest, ok := strings.CutPrefix(key, keyPrefix); ok && len(rest) == 2*sha256.Size {
		return key
	}
	clean, _ := secrets.Redact(key)
	sum := sha256.Sum256([]byte(clean))
	return keyPrefix + hex.EncodeToString(sum[:])
}

// refuseForgotten returns an error if a text of a learning was forgotten.
func refuseForgotten(ctx context.Context, r store.Reader, learning strata.Learning) error {
	for _, s := range []string{learning.Text, learning.Context} {
		if s == "" {
			continue
		}
		since, forgotten, err := r.Forgotten(ctx, learning.Scope, text.Analyze(s))
		if err != nil {
			return err
		}
		if forgotten {
			return &strata.Error{Code: strata.CodeForgotten, Op: "learn", Message: "the text was forgotten on " + since.Format(time.DateOnly),
				Hint: "what was forgotten does not come back by itself"}
		}
	}
	return nil
}

// Learnings lists the learnings of each scope of a view, last learnt first; an empty kind
// means any. Corrections are in the user's words, so the view of a group session contains
// none that was learnt in private. It names no private session either.
func (l *Ledger) Learnings(ctx context.Context, view strata.View, kind strata.LearningKind, limit int) ([]strata.Learning, error) {
	if kind != "" {
		if err := kind.Validate(); err != nil {
			return nil, err
		}
	}
	var out []strata.Learning
	err := store.ViewEach(ctx, l.store, view, func(r store.Reader, s strata.Scope) error {
		list, err := r.Learnings(ctx, s, store.LearningFilter{Kind: kind, SessionKind: view.OnlySessions(), Limit: limit})
		if err != nil {
			return err
		}
		for _, learning := range list {
			ok, err := visible(ctx, r, view, s, learning.Session)
			if err != nil {
				return err
			}
			if !ok {
				learning.Session = ""
			}
			out = append(out, learning)
		}
		return nil
	})
	return out, err
}

// RecordOutcome stores runs of tools, without secrets, in one transaction. Of each tool
// the newest runs are kept.
func (l *Ledger) RecordOutcome(ctx context.Context, scope strata.Scope, outcomes ...strata.ToolOutcome) error {
	if err := scope.Validate(); err != nil {
		return err
	}
	kept := make([]strata.ToolOutcome, len(outcomes))
	for i, o := range outcomes {
		if err := o.Validate(); err != nil {
			return numbered("outcome", i, len(outcomes), err)
		}
		o.Scope = scope
		if o.At.IsZero() {
			o.At = l.now()
		}
		o.Tool, o.Error = redacted(o.Tool), redacted(o.Error)
		kept[i] = o
	}
	if len(kept) == 0 {
		return nil
	}
	return l.store.Update(ctx, func(w store.Writer) error {
		for _, o := range kept {
			if err := w.PutOutcome(ctx, o); err != nil {
				return err
			}
		}
		return nil
	})
}

// Outcomes lists the runs of tools of each scope of a view, newest first.
func (l *Ledger) Outcomes(ctx context.Context, view strata.View, f store.OutcomeFilter) ([]strata.ToolOutcome, error) {
	return store.ReadEach(ctx, l.store, view, func(r store.Reader, s strata.Scope) ([]strata.ToolOutcome, error) {
		return r.Outcomes(ctx, s, f)
	})
}

// redacted returns s without its secrets.
func redacted(s string) string {
	clean, _ := secrets.Redact(s)
	return clean
}
