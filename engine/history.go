package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/files"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/secretscan"
	"github.com/strata-memory/strata/store"
)

// historian is what an engine knows of the history of files.
type historian struct {
	mu sync.Mutex // guards failed
	// failed is why files of a scope were not recorded, until they are.
	failed map[strata.Scope]string
}

// The subjects of commits that nobody asked for.
const (
	subjectSession = "session-close"
	subjectClose   = "close"
	subjectForget  = "forget"
)

// Checkpoint lets the files of a scope follow and records them in the history
// of its root, under the subject "checkpoint: " and the note (one line; empty
// means manual). Where nothing changed the commit says so in Skipped. Files that
// hold a secret are left out and named. The agent is the author; empty means
// Strata.
func (e *Engine) Checkpoint(ctx context.Context, scope strata.Scope, note, agent string) (files.Commit, error) {
	if err := e.hasHistory(scope); err != nil {
		return files.Commit{}, err
	}
	if agent != "" {
		if err := strata.ValidateName("agent", agent); err != nil {
			return files.Commit{}, err
		}
	}
	if err := e.projectNow(ctx, scope); err != nil {
		return files.Commit{}, fmt.Errorf("render files: %w", err)
	}
	clean, _ := secretscan.Redact(note)
	subject := "checkpoint: " + cmp.Or(text.Clip(oneLine(clean), 200), "manual")
	return e.commitFiles(ctx, scope, files.Message{Subject: subject, Agent: agent})
}

// History lists the newest commits of the root of a scope; see [files.History].
func (e *Engine) History(ctx context.Context, scope strata.Scope, limit int, diff bool) (files.Log, error) {
	if err := e.hasHistory(scope); err != nil {
		return files.Log{}, err
	}
	return e.opts.History.Log(ctx, scope, limit, diff)
}

// hasHistory reports why there is no history of a scope.
func (e *Engine) hasHistory(scope strata.Scope) error {
	if err := scope.Validate(); err != nil {
		return err
	}
	if e.opts.History == nil || e.projector == nil {
		return &strata.Error{Code: strata.CodeUnsupported, Op: "read history", Message: "this memory keeps no history of files",
			Hint: "open it with files and a history, as package local does"}
	}
	return nil
}

// commitFiles records the files of a scope, and remembers why not.
func (e *Engine) commitFiles(ctx context.Context, scope strata.Scope, m files.Message) (files.Commit, error) {
	m.At = e.opts.Now()
	c, err := e.opts.History.Commit(ctx, scope, m, refuseSecrets)
	e.history.mu.Lock()
	defer e.history.mu.Unlock()
	if err == nil {
		delete(e.history.failed, scope)
		return c, nil
	}
	if e.history.failed == nil {
		e.history.failed = make(map[strata.Scope]string)
	}
	e.history.failed[scope] = text.Clip(err.Error(), 200)
	return c, err
}

// refuseSecrets keeps a file with a secret out of the history.
func refuseSecrets(path string, content []byte) error {
	found := secretscan.Scan(string(content))
	if len(found) == 0 {
		return nil
	}
	return &strata.Error{Code: strata.CodeRejectedSecret, Op: "commit", Message: path + " holds a secret: " + found[0].Rule,
		Hint: "take the secret out of the file"}
}

// commitChanged records the files of every scope that changed since the last
// commit. It fails for nobody: what goes wrong is logged, stands in the diary
// of the scope, and is a problem that Doctor names.
func (e *Engine) commitChanged(ctx context.Context, m files.Message) {
	if e.opts.History == nil || e.projector == nil {
		return
	}
	for _, scope := range e.projector.takeChanged() {
		c, err := e.commitFiles(ctx, scope, m)
		if err != nil {
			e.projector.wrote(scope) // the next commit tries it again
			e.opts.Logger.Warn("files are not recorded in their history", "scope", scope.Key(), "error", err)
			e.tellDiary(ctx, scope, string(strata.CodeOf(err)))
		}
		for _, f := range c.LeftOut {
			e.opts.Logger.Warn("a file is kept out of the history", "scope", scope.Key(), "path", f.Path, "reason", f.Reason)
		}
	}
}

// tellDiary notes that files of a scope were not recorded.
func (e *Engine) tellDiary(ctx context.Context, scope strata.Scope, why string) {
	err := e.store.Update(ctx, func(w store.Writer) error {
		return w.AppendEvent(ctx, strata.Event{Kind: strata.EventCommitFailed, Scope: scope, Detail: why, At: w.Now()})
	})
	if err != nil {
		e.opts.Logger.Warn("the failed commit stands in no diary", "error", err)
	}
}

// commitSession records files at the end of a session.
func (e *Engine) commitSession(ctx context.Context, scope strata.Scope, session string) {
	if e.opts.History == nil || e.projector == nil {
		return
	}
	if err := e.projectNow(ctx, scope); err != nil {
		e.opts.Logger.Warn("files do not follow yet", "scope", scope.Key(), "error", err)
	}
	e.commitChanged(ctx, files.Message{Subject: subjectSession, Body: "session: " + session, Agent: scope.Agent})
}

// finishFiles lets files follow what this engine decided, and records them,
// before it closes.
func (e *Engine) finishFiles() {
	if e.projector == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeWait)
	defer cancel()
	if err := e.project(ctx, ctx, &turn{decisions: closeDecisions, scopes: closeScopes, own: true}); err != nil {
		e.opts.Logger.Warn("files do not follow yet", "error", err)
	}
	if !e.opts.LeaveUnrecorded {
		e.commitChanged(ctx, files.Message{Subject: subjectClose})
	}
}

// historyProblems are what keeps the files of scopes from their history.
func (e *Engine) historyProblems(ctx context.Context, scopes []strata.Scope) []store.Problem {
	if e.opts.History == nil || e.projector == nil {
		return nil
	}
	var out []store.Problem
	for _, s := range scopes {
		e.history.mu.Lock()
		why := e.history.failed[s]
		e.history.mu.Unlock()
		if why == "" {
			if _, ok := e.projector.tree.Directory(s); !ok {
				continue
			}
			log, err := e.opts.History.Log(ctx, s, 1, false)
			var known *strata.Error
			switch code := strata.CodeOf(err); {
			case code == strata.CodeNotFound || code == strata.CodeUnavailable:
			case errors.As(err, &known):
				why = known.Message
			case err != nil:
				why = err.Error()
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
