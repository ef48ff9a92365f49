package chatui

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops"
)

// scope returns the scope that owns the sessions of this chat.
func (u *ui) scope() strata.Scope {
	switch {
	case !u.Env.Scope.IsZero():
		return u.Env.Scope
	case u.Env.Workspace != "":
		return strata.InWorkspace(u.Env.Workspace)
	}
	return strata.Global()
}

// mostSessions bounds the sessions that are looked through and listed.
const mostSessions = 100

// sessions returns the sessions of this scope that have turns, newest first.
func (u *ui) sessions(ctx context.Context) ([]strata.Session, error) {
	list, err := u.Env.Engine.Sessions(ctx, u.scope().View(), mostSessions)
	if err != nil {
		return nil, err
	}
	var out []strata.Session
	for _, s := range list {
		if s.Turns > 0 && s.Parent == "" && (s.Kind == "" || s.Kind == strata.SessionMain) {
			out = append(out, s)
		}
	}
	return out, nil
}

// newestOpen returns the id of the newest session that can be continued; empty if there
// is none.
func (u *ui) newestOpen(ctx context.Context) (string, error) {
	list, err := u.sessions(ctx)
	if err != nil {
		return "", err
	}
	for _, s := range list {
		if s.ClosedAt == nil && !u.inUse(s.ID) {
			return s.ID, nil
		}
	}
	u.Out.Note("no session is open: this is a new one")
	return "", nil
}

// reset starts a new session.
func (u *ui) reset(ctx context.Context, _ string) error {
	former := u.lock
	if err := u.agent.Reset(ctx); err != nil {
		return err
	}
	former.release(true)
	lock, err := u.lockSession(u.agent.Session())
	if err != nil {
		return err
	}
	u.entered(lock)
	return nil
}

// switchTo lists the sessions, or continues the named one.
func (u *ui) switchTo(ctx context.Context, id string) error {
	if id == "" {
		return u.listSessions(ctx)
	}
	if id == u.agent.Session() {
		u.view.notice("this is session %s", id)
		return nil
	}
	if _, err := u.Env.Engine.Session(ctx, u.scope(), id); err != nil {
		return err
	}
	lock, err := u.lockSession(id)
	if err != nil {
		return err
	}
	if err := u.agent.Switch(ctx, id); err != nil {
		lock.release(true)
		return err
	}
	u.lock.release(true)
	u.entered(lock)
	return nil
}

// entered records that the agent is in another session, whose lock is held.
func (u *ui) entered(lock *sessionLock) {
	u.lock = lock
	report := u.agent.Report()
	if u.view.json() {
		u.view.session(report)
		return
	}
	u.view.notice("session %s", report.Session)
}

func (u *ui) listSessions(ctx context.Context) error {
	list, err := u.sessions(ctx)
	if err != nil {
		return err
	}
	out := ops.Sessions{Sessions: make([]ops.Session, len(list))}
	for i, s := range list {
		out.Sessions[i] = ops.SessionOf(s)
	}
	return u.printOutput("sessions", out)
}
