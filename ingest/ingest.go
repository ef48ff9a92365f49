// Package ingest takes conversations that were held elsewhere into memory: their
// messages as turns of sessions, each once, and what they say as facts.
package ingest

import (
	"context"
	"io"
	"strconv"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/id"
	"github.com/strata-memory/strata/transcript"
)

// Memory is where conversations go.
type Memory interface {
	// AppendOnce adds those turns to a session that it does not have yet, by their
	// ids, and has facts extracted from them.
	AppendOnce(ctx context.Context, s strata.Session, turns []strata.Turn) ([]strata.Turn, error)
	// ExtractNew extracts facts from the turns of a session that wait for it.
	ExtractNew(ctx context.Context, scope strata.Scope, session string) ([]strata.Decision, error)
}

// Options say how a transcript is taken in.
type Options struct {
	// Session is the id of the session; empty means the transcript's own, else one
	// that follows from its first turn.
	Session string
	Scope   strata.Scope // owns the session
	Since   time.Time    // turns that were said before are left out; zero: none
	DryRun  bool         // change nothing
}

// Report says what became of a transcript.
type Report struct {
	Session   string
	Turns     int64 // messages that were read
	Added     int64 // turns that were new
	Decisions []strata.Decision
}

// batch is how many turns are appended in one transaction.
const batch = 500

// Run takes a transcript into memory.
func Run(ctx context.Context, m Memory, r io.Reader, o Options) (Report, error) {
	in := intake{memory: m, opts: o, said: make(map[string]int)}
	for msg, err := range transcript.Read(r) {
		if err != nil {
			return in.report, err
		}
		if err := in.take(ctx, msg); err != nil {
			return in.report, err
		}
	}
	return in.report, in.flush(ctx)
}

// intake is a transcript on its way into memory.
type intake struct {
	memory  Memory
	opts    Options
	report  Report
	session string
	waiting []strata.Turn
	said    map[string]int // how often each text of a message without an id was said
}

func (in *intake) take(ctx context.Context, m transcript.Message) error {
	in.report.Turns++
	if in.session == "" {
		in.session = in.opts.Session
		if in.session == "" {
			in.session = m.Session
		}
		if in.session == "" {
			in.session = id.Of(id.Session, string(m.Turn.Role), m.Turn.Text)
		}
		in.report.Session = in.session
	}
	t := m.Turn
	t.ID = in.turnID(m)
	if !in.opts.Since.IsZero() && t.At.Before(in.opts.Since) {
		return nil
	}
	in.waiting = append(in.waiting, t)
	if len(in.waiting) == batch {
		return in.flush(ctx)
	}
	return nil
}

// turnID is the id of a message as a turn: the same for the same message, however
// often it is read.
func (in *intake) turnID(m transcript.Message) string {
	if m.ID != "" {
		return id.Of(id.Turn, in.session, "id", m.ID)
	}
	text := id.Of("text", string(m.Turn.Role), m.Turn.Text)
	in.said[text]++
	return id.Of(id.Turn, in.session, text, strconv.Itoa(in.said[text]))
}

func (in *intake) flush(ctx context.Context) error {
	if len(in.waiting) == 0 || in.opts.DryRun {
		return nil
	}
	s := strata.Session{ID: in.session, Scope: in.opts.Scope, StartedAt: in.waiting[0].At}
	kept, err := in.memory.AppendOnce(ctx, s, in.waiting)
	if err != nil {
		return err
	}
	in.waiting = in.waiting[:0]
	in.report.Added += int64(len(kept))
	decisions, err := in.memory.ExtractNew(ctx, s.Scope, s.ID)
	in.report.Decisions = append(in.report.Decisions, decisions...)
	return err
}
