package chatui

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/filelock"
)

// A sessionLock is a file in the home that names the session of a chat. The process holds
// a lock on it, which ends with the process, however that ends: two chats never write to
// the same session, and a file without a lock was left by a chat that was killed before
// it saved its latest facts.
type sessionLock struct {
	file *os.File // nil if the home is not writable
}

// lockRecord is the content of the file: nothing of what is said.
type lockRecord struct {
	Session   string `json:"session"`
	Owner     string `json:"owner"`           // key of the scope that owns the session
	Scope     string `json:"scope,omitempty"` // key of the scope that everything is saved to
	Workspace string `json:"workspace,omitempty"`
	Agent     string `json:"agent,omitempty"`
}

// errInUse means that another process holds the lock.
var errInUse = errors.New("another chat talks in the session")

func (u *ui) lockDir() string { return filepath.Join(u.Home, "chat") }

func (u *ui) lockPath(session string) string {
	return filepath.Join(u.lockDir(), session+".json")
}

// openLock opens a file, with flags as for [os.OpenFile], and locks it. The error is
// errInUse if another process holds the lock.
func openLock(path string, flags int) (*sessionLock, error) {
	f, err := os.OpenFile(path, flags, 0o600)
	if err != nil {
		return nil, err
	}
	locked, err := filelock.Try(f)
	if err == nil && !locked {
		err = errInUse
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &sessionLock{file: f}, nil
}

// lockSession locks a session for this chat. If the home is not writable, it locks
// nothing, and the chat continues.
func (u *ui) lockSession(session string) (*sessionLock, error) {
	if err := strata.ValidateName("session", session); err != nil {
		return nil, err
	}
	err := os.MkdirAll(u.lockDir(), 0o700)
	var lock *sessionLock
	if err == nil {
		lock, err = openLock(u.lockPath(session), os.O_RDWR|os.O_CREATE)
	}
	var path *os.PathError
	switch {
	case errors.Is(err, errInUse):
		return nil, &strata.Error{Code: strata.CodeBusy, Message: "another chat talks in session " + session,
			Hint: "leave that one first, or begin a new session"}
	case errors.As(err, &path):
		u.Log.Warn("the session in use is not marked", "error", err)
		return &sessionLock{}, nil
	case err != nil:
		return nil, fmt.Errorf("lock session %s: %w", session, err)
	}
	record := lockRecord{Session: session, Owner: u.scope().Key(), Workspace: u.Env.Workspace, Agent: u.Env.Agent}
	if !u.Env.Scope.IsZero() {
		record.Scope = u.Env.Scope.Key()
	}
	if err := lock.write(record); err != nil {
		lock.release(true)
		return nil, fmt.Errorf("mark session %s as in use: %w", session, err)
	}
	return lock, nil
}

// write replaces the content of the file.
func (l *sessionLock) write(record lockRecord) error {
	data, err := json.Marshal(record)
	if err != nil {
		return err
	}
	if err := l.file.Truncate(0); err != nil {
		return err
	}
	_, err = l.file.WriteAt(data, 0)
	return err
}

// release releases the lock. It removes the file only if everything is saved. It is
// idempotent.
func (l *sessionLock) release(saved bool) {
	if l == nil || l.file == nil {
		return
	}
	if saved {
		_ = os.Remove(l.file.Name()) // the next chat handles and removes a file that stays
	}
	_ = l.file.Close()
	l.file = nil
}

// inUse reports whether another chat uses a session.
func (u *ui) inUse(session string) bool {
	lock, err := openLock(u.lockPath(session), os.O_RDWR)
	lock.release(false)
	return errors.Is(err, errInUse)
}
