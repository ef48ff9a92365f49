package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/chat"
	"github.com/strata-memory/strata/contextmgr"
	"github.com/strata-memory/strata/internal/filelock"
	"github.com/strata-memory/strata/session/conversation"
)

// A seat is a file in the home that says who talks in a session. The process
// holds a lock on it, which ends with the process however that ends: two chats
// never write one session, and a file without a lock tells of a chat that was
// killed before the facts of what was said last were saved.
type seat struct {
	file *os.File // nil where the home takes no files
	path string
}

// seatRecord is what the file holds: nothing of what is said.
type seatRecord struct {
	Session   string `json:"session"`
	Owner     string `json:"owner"`           // key of the scope of the session
	Scope     string `json:"scope,omitempty"` // key of the scope that takes everything
	Workspace string `json:"workspace,omitempty"`
	Agent     string `json:"agent,omitempty"`
}

// maxSeat bounds such a file, in bytes.
const maxSeat = 16 << 10

func (r *chatRun) seatDir() string { return filepath.Join(r.app.home(), "chat") }

func (r *chatRun) seatPath(session string) string {
	return filepath.Join(r.seatDir(), session+".json")
}

// take takes the seat of a session. A home that takes no files is no reason not
// to talk: then nobody is kept out.
func (r *chatRun) take(session string) (*seat, error) {
	if err := strata.ValidateName("session", session); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(r.seatDir(), 0o700); err != nil {
		r.app.log.Warn("sessions in use are not marked", "error", err)
		return &seat{}, nil
	}
	f, err := os.OpenFile(r.seatPath(session), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		r.app.log.Warn("the session in use is not marked", "error", err)
		return &seat{}, nil
	}
	held, err := filelock.Try(f)
	if err != nil || !held {
		f.Close()
		if err != nil {
			return nil, fmt.Errorf("lock the seat of session %s: %w", session, err)
		}
		return nil, &strata.Error{Code: strata.CodeBusy, Message: "another chat talks in session " + session,
			Hint: "leave that one first, or begin a new session"}
	}
	s := &seat{file: f, path: f.Name()}
	record := seatRecord{Session: session, Owner: r.scope().Key(), Workspace: r.env.Workspace, Agent: r.env.Agent}
	if !r.env.Scope.IsZero() {
		record.Scope = r.env.Scope.Key()
	}
	data, err := json.Marshal(record)
	if err == nil {
		if err = f.Truncate(0); err == nil {
			_, err = f.WriteAt(data, 0)
		}
	}
	if err != nil {
		s.leave(true)
		return nil, fmt.Errorf("mark session %s as in use: %w", session, err)
	}
	return s, nil
}

// leave gives the seat up. The file goes only when everything is saved. It is
// idempotent.
func (s *seat) leave(saved bool) {
	if s == nil || s.file == nil {
		return
	}
	if saved {
		_ = os.Remove(s.path) // a file that stays costs the next chat a look
	}
	_ = s.file.Close() // it gives the lock up
	s.file = nil
}

// taken reports whether another chat talks in a session.
func (r *chatRun) taken(session string) bool {
	f, err := os.OpenFile(r.seatPath(session), os.O_RDWR, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	held, err := filelock.Try(f)
	return err == nil && !held
}

// settle saves what chats that were killed had no time to save. What cannot be
// saved now is tried again next time.
func (r *chatRun) settle(ctx context.Context) {
	list, err := os.ReadDir(r.seatDir())
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			r.app.log.Warn("looking for chats that were killed", "error", err)
		}
		return
	}
	for _, e := range list {
		if !strings.HasSuffix(e.Name(), ".json") || ctx.Err() != nil {
			continue
		}
		if err := r.settleOne(ctx, filepath.Join(r.seatDir(), e.Name())); err != nil {
			r.view.notice("what a chat that was killed had not saved yet waits: %s", message(err))
		}
	}
}

// settling shows what happens while a session is settled. That it is read again
// is no news: nobody goes on with it.
func (r *chatRun) settling(e any) {
	if _, restored := e.(contextmgr.Restored); !restored {
		r.view.event(e)
	}
}

// settleOne saves the facts of the session whose file lies at path.
func (r *chatRun) settleOne(ctx context.Context, path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	s := &seat{file: f, path: path}
	if held, err := filelock.Try(f); err != nil || !held {
		s.leave(false)
		return err
	}
	var record seatRecord
	data, err := io.ReadAll(io.LimitReader(f, maxSeat))
	if err == nil {
		err = json.Unmarshal(data, &record)
	}
	owner, scopeErr := strata.ParseScope(record.Owner)
	if err != nil || scopeErr != nil || record.Session == "" {
		s.leave(true) // it tells of no session: nothing was said in it
		return nil
	}
	var scope strata.Scope
	if record.Scope != "" {
		if scope, err = strata.ParseScope(record.Scope); err != nil {
			s.leave(true)
			return nil
		}
	}
	known, err := r.env.Engine.Session(ctx, owner, record.Session)
	if strata.CodeOf(err) == strata.CodeNotFound || err == nil && (known.ClosedAt != nil || known.Turns == 0) {
		s.leave(true)
		return nil
	}
	if err == nil {
		r.view.notice("session %s was left by a chat that was killed", record.Session)
		ctx, stop := r.interruptible(ctx)
		err = chat.Settle(ctx, chat.Options{
			Memory: r.env.Engine, Model: r.opened.Model, Small: r.opened.Small, Window: r.opened.Window, SmallWindow: r.opened.SmallWindow,
			Scope: scope, OnEvent: r.settling,
			Talk: conversation.Options{Session: record.Session, Workspace: record.Workspace, Agent: record.Agent, Scope: owner},
		})
		stop()
	}
	s.leave(err == nil)
	return err
}
