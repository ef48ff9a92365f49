package chatui

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/chat"
	"github.com/strata-memory/strata/cmd/strata/internal/output"
	"github.com/strata-memory/strata/contextmgr"
	"github.com/strata-memory/strata/internal/sessions"
)

// flushKilled saves the facts that killed chats had no time to save. What cannot be saved
// now is tried again next time.
func (u *ui) flushKilled(ctx context.Context) {
	list, err := os.ReadDir(u.lockDir())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		u.Log.Warn("looking for chats that were killed", "error", err)
	}
	for _, e := range list {
		if !strings.HasSuffix(e.Name(), ".json") || ctx.Err() != nil {
			continue
		}
		lock, err := openLock(filepath.Join(u.lockDir(), e.Name()), os.O_RDWR)
		if err == nil {
			err = u.flushSession(ctx, lock)
			lock.release(err == nil)
		}
		if err != nil && !errors.Is(err, errInUse) {
			u.view.notice("what a chat that was killed had not saved yet waits: %s", output.Message(err))
		}
	}
}

// flushSession saves the facts of the session that a lock file names. It does nothing if
// the file names none, or if the session is closed or empty.
func (u *ui) flushSession(ctx context.Context, lock *sessionLock) error {
	record, owner, scope, ok := lock.read()
	if !ok {
		return nil
	}
	known, err := u.Env.Engine.Session(ctx, owner, record.Session)
	switch {
	case strata.CodeOf(err) == strata.CodeNotFound, err == nil && (known.ClosedAt != nil || known.Turns == 0):
		return nil
	case err != nil:
		return err
	}
	u.view.notice("session %s was left by a chat that was killed", record.Session)
	o := u.Chat
	o.Scope, o.OnEvent, o.OnDelta = scope, u.flushEvent, nil
	o.Talk = sessions.Options{Session: record.Session, Workspace: record.Workspace, Agent: record.Agent, Scope: owner}
	ctx, stop := u.interruptible(ctx)
	defer stop()
	return chat.FlushSession(ctx, o)
}

// flushEvent shows events while a session is flushed, except that its turns are read
// again, which matters only to a session that continues.
func (u *ui) flushEvent(e any) {
	if _, restored := e.(contextmgr.Restored); !restored {
		u.view.event(e)
	}
}

// maxRecord bounds how much of a file is read, in bytes.
const maxRecord = 16 << 10

// read returns the content of the file, with the scopes that it names; ok is false if it
// names no session.
func (l *sessionLock) read() (record lockRecord, owner, scope strata.Scope, ok bool) {
	data, err := io.ReadAll(io.LimitReader(l.file, maxRecord))
	if err != nil || json.Unmarshal(data, &record) != nil || record.Session == "" {
		return record, owner, scope, false
	}
	if owner, err = strata.ParseScope(record.Owner); err == nil && record.Scope != "" {
		scope, err = strata.ParseScope(record.Scope)
	}
	return record, owner, scope, err == nil
}
