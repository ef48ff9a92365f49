// Package checkpoint records the files of scopes in their version history, and finds
// forgotten texts in that history.
package checkpoint

import (
	"cmp"
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/secrets"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/files"
)

// Recorder records files in their version history. It is safe for concurrent use.
type Recorder struct {
	history files.History
	store   store.Store
	now     func() time.Time
	log     *slog.Logger

	mu sync.Mutex // guards failed
	// failed is why files of a scope were not recorded, until they are.
	failed map[strata.Scope]string
}

// New returns a recorder.
func New(h files.History, s store.Store, now func() time.Time, log *slog.Logger) *Recorder {
	return &Recorder{history: h, store: s, now: now, log: log, failed: make(map[strata.Scope]string)}
}

// Subjects of automatic commits.
const (
	SubjectSession = "session-close"
	SubjectClose   = "close"
	SubjectDream   = "dream"
	subjectForget  = "forget"
)

// Commit records the files of a scope with the subject "checkpoint: " and the note, made
// one line; an empty note means manual. If nothing changed, the commit says so in
// Skipped. Files that contain a secret are left out and listed. agent is the author;
// empty means Strata.
func (r *Recorder) Commit(ctx context.Context, scope strata.Scope, note, agent string) (files.Commit, error) {
	if err := secrets.Refuse("commit", secrets.Name{Field: "agent", Text: agent}); err != nil {
		return files.Commit{}, err
	}
	clean, _ := secrets.Redact(note)
	line := strings.Join(strings.Fields(clean), " ")
	return r.commit(ctx, scope, files.Message{Subject: "checkpoint: " + cmp.Or(text.Clip(line, 200), "manual"), Agent: agent})
}

// commit records the files of a scope, and keeps the error if it fails.
func (r *Recorder) commit(ctx context.Context, scope strata.Scope, m files.Message) (files.Commit, error) {
	m.At = r.now()
	c, err := r.history.Commit(ctx, scope, m, refuseSecrets)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil {
		delete(r.failed, scope)
		return c, nil
	}
	r.failed[scope] = text.Clip(err.Error(), 200)
	return c, err
}

// refuseSecrets returns an error for files that contain a secret, which keeps them out of
// the history.
func refuseSecrets(path string, content []byte) error {
	if err := secrets.Refuse("commit", secrets.Name{Field: "file name", Text: path}); err != nil {
		return err
	}
	found := secrets.Scan(string(content))
	if len(found) == 0 {
		return nil
	}
	return &strata.Error{Code: strata.CodeRejectedSecret, Op: "commit", Message: path + " holds a secret: " + found[0].Rule,
		Hint: "take the secret out of the file"}
}

// CommitAll records the files of scopes and returns the scopes for which that failed.
// Errors are logged, recorded as events and listed by [Recorder.Problems].
func (r *Recorder) CommitAll(ctx context.Context, scopes []strata.Scope, m files.Message) (failed []strata.Scope) {
	for _, scope := range scopes {
		c, err := r.commit(ctx, scope, m)
		if err != nil {
			failed = append(failed, scope)
			r.log.Warn("files are not recorded in their history", "scope", scope.Key(), "error", err)
			r.tellDiary(ctx, scope, string(strata.CodeOf(err)))
		}
		for _, f := range c.LeftOut {
			r.log.Warn("a file is kept out of the history", "scope", scope.Key(), "path", f.Path, "reason", f.Reason)
		}
	}
	return failed
}

// tellDiary appends an event which says that files were not recorded.
func (r *Recorder) tellDiary(ctx context.Context, scope strata.Scope, why string) {
	err := r.store.Update(ctx, func(w store.Writer) error {
		return w.AppendEvent(ctx, strata.Event{Kind: strata.EventCommitFailed, Scope: scope, Detail: why, At: w.Now()})
	})
	if err != nil {
		r.log.Warn("the failed commit stands in no diary", "error", err)
	}
}

// Problems returns the reasons why files cannot be recorded, for the scopes that have a
// directory in the tree.
func (r *Recorder) Problems(ctx context.Context, tree files.Tree, scopes []strata.Scope) []store.Problem {
	var out []store.Problem
	for _, s := range scopes {
		r.mu.Lock()
		why := r.failed[s]
		r.mu.Unlock()
		if why == "" {
			if _, ok := tree.Directory(s); !ok {
				continue
			}
			log, err := r.history.Log(ctx, s, 1, false)
			switch code := strata.CodeOf(err); {
			case code == strata.CodeNotFound || code == strata.CodeUnavailable:
			case err != nil:
				why = strata.MessageOf(err)
			default:
				why = log.Note
			}
		}
		if why != "" {
			out = append(out, store.Problem{Kind: "history_broken", Scope: s.Key(), Detail: "the files have no sound history: " + text.Clip(why, 200)})
		}
	}
	return out
}
