package ingest

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/ingest/transcript"
)

// Limits of what is collected before it is stored.
const (
	batchTurns = 500
	batchBytes = 8 << 20
	// maxHeld limits the system messages held until somebody speaks.
	maxHeld = 16
)

// intake is the ingestion of one transcript.
type intake struct {
	memory   Memory
	opts     Options
	report   Report
	sessions map[string]*conversation // by the transcript's id of it, or a derived one
	order    []*conversation
	current  *conversation        // that of the previous message
	held     []transcript.Message // system messages that open a conversation without an id
	turns    int                  // number of turns waiting, in all conversations
	bytes    int
	ahead    bool // a message had a time in the future
}

// conversation is one conversation of a transcript.
type conversation struct {
	session  strata.Session
	left     string        // reason for leaving it out; empty if it is kept
	waiting  []strata.Turn // to be appended
	last     time.Time     // time of the previous message
	said     map[string]int
	added    int64
	known    int64
	existing int64 // turns that its session had before
}

func newIntake(m Memory, o Options) *intake {
	o.Now = orTime(o.Now, time.Now())
	o.At = orTime(o.At, o.Now)
	return &intake{
		memory: m, opts: o, sessions: make(map[string]*conversation),
		report: Report{Left: make(map[string]int64), Decided: make(map[strata.Op]int64)},
	}
}

// take adds a message. Many conversations begin with the same system messages, so a
// session id is derived from the first message after them.
func (in *intake) take(ctx context.Context, m transcript.Message) error {
	in.report.Messages++
	opens := m.First && m.Session == "" && in.opts.Session == "" || len(in.held) > 0 && !m.First
	if opens && m.Turn.Role == strata.RoleSystem && len(in.held) < maxHeld {
		in.held = append(in.held, m)
		return nil
	}
	held := in.held
	in.held = nil
	if len(held) > 0 && opens {
		m.First, m.Restart = true, held[0].Restart
		if _, err := in.conversation(ctx, m); err != nil {
			return err
		}
		m.First, held[0].First = false, false
	}
	for _, h := range held {
		if err := in.keep(ctx, h); err != nil {
			return err
		}
	}
	return in.keep(ctx, m)
}

// keep queues a message to be stored.
func (in *intake) keep(ctx context.Context, m transcript.Message) error {
	c, err := in.conversation(ctx, m)
	if err != nil {
		return err
	}
	turnID := in.turnID(c, m) // also for messages left out, so that equal ones are always counted alike
	t, left := clean(m.Turn)
	t.ID = turnID
	t.At = in.timeOf(c, m.Turn.At)
	switch {
	case c.left != "":
		left = c.left
	case left == "" && !in.opts.Since.IsZero() && t.At.Before(in.opts.Since):
		left = LeftBefore
	}
	if left != "" {
		in.report.Left[left]++
		return nil
	}
	c.waiting = append(c.waiting, t)
	in.turns++
	in.bytes += len(t.Text)
	if in.turns >= batchTurns || in.bytes >= batchBytes {
		return in.flush(ctx)
	}
	return nil
}

// conversation returns the one that a message belongs to.
func (in *intake) conversation(ctx context.Context, m transcript.Message) (*conversation, error) {
	if !m.First && in.current != nil {
		return in.current, nil
	}
	name := in.sessionID(m)
	c, ok := in.sessions[name]
	if !ok {
		var err error
		if c, err = in.open(ctx, name, m); err != nil {
			return nil, err
		}
		in.sessions[name] = c
		in.order = append(in.order, c)
	}
	if m.Restart {
		clear(c.said)
	}
	in.current = c
	return c, nil
}

// sessionID returns the id of the session that a message begins.
func (in *intake) sessionID(m transcript.Message) string {
	name := m.Session
	if in.opts.Session != "" {
		name = in.opts.Session
		if m.Parent != "" { // a subagent's session
			name += strings.TrimPrefix(m.Session, m.Parent)
		}
	}
	switch {
	case name == "":
		at := ""
		if !m.Turn.At.IsZero() {
			at = m.Turn.At.UTC().Format(time.RFC3339Nano)
		}
		return id.Of(id.Session, string(m.Turn.Role), m.Turn.Text, at)
	case strata.ValidateName("session", name) != nil:
		return id.Of(id.Session, name)
	}
	return name
}

// open finds the session of a conversation, or the scope for a new one.
func (in *intake) open(ctx context.Context, name string, m transcript.Message) (*conversation, error) {
	c := &conversation{said: make(map[string]int)}
	scope, ok, err := in.opts.Place(ctx, m.Dir)
	if err != nil {
		return nil, err
	}
	if !ok {
		c.left = LeftPlace
		return c, nil
	}
	c.session = strata.Session{ID: name, Scope: scope, Kind: strata.SessionMain, StartedAt: in.timeOf(c, m.Turn.At)}
	if m.Parent != "" && m.Parent != name && strata.ValidateName("session", m.Parent) == nil {
		c.session.Kind, c.session.Parent = strata.SessionSub, cmp.Or(in.opts.Session, m.Parent)
	}
	view := in.opts.View
	if !slices.Contains(view.Scopes, scope) {
		view.Scopes = append(slices.Clone(view.Scopes), scope)
	}
	known, err := in.memory.FindSession(ctx, view, name)
	switch {
	case err == nil:
		c.session.Scope, c.existing = known.Scope, known.Turns
	case strata.CodeOf(err) != strata.CodeNotFound:
		return nil, err
	}
	return c, nil
}

// turnID returns the id of a message as a turn. It is the same each time the message is
// read. A globally unique message id results in the same turn id in every session that
// has a copy of the message. A message without an id is identified by its position among
// those of the session with the same content.
func (in *intake) turnID(c *conversation, m transcript.Message) string {
	own := in.opts.Session
	switch {
	case m.Unique && strings.HasPrefix(m.ID, id.Turn+"_") && strata.ValidateName("turn id", m.ID) == nil:
		return m.ID // a turn that Strata exported
	case m.Unique:
		return id.Of(id.Turn, own, m.ID)
	case m.ID != "":
		return id.Of(id.Turn, c.session.ID, "id", m.ID)
	}
	text := id.Of("text", string(m.Turn.Role), m.Turn.Text, m.Turn.CallID, callsOf(m.Turn))
	c.said[text]++
	return id.Of(id.Turn, c.session.ID, text, strconv.Itoa(c.said[text]))
}

// callsOf returns the tool calls of a turn as one text.
func callsOf(t strata.Turn) string {
	var b strings.Builder
	for _, c := range t.Calls {
		fmt.Fprintf(&b, "%s\x00%s\x00%s\x00", c.ID, c.Name, c.Arguments)
	}
	return b.String()
}

// timeOf returns the time of a message or, if it has none, that of the previous one.
// Clocks of other machines may be wrong, but times more than a day in the future are
// replaced.
func (in *intake) timeOf(c *conversation, at time.Time) time.Time {
	switch {
	case at.IsZero() || at.Year() < 1980:
		at = orTime(c.last, in.opts.At)
	case at.After(in.opts.Now.AddDate(0, 0, 1)):
		at = in.opts.Now
		in.ahead = true
	}
	c.last = at
	return at
}

// flush stores the waiting turns of each conversation and extracts facts from them.
func (in *intake) flush(ctx context.Context) error {
	for _, c := range in.order {
		if len(c.waiting) == 0 {
			continue
		}
		err := in.append(ctx, c)
		if strata.CodeOf(err) == strata.CodeConflict {
			err = in.closed(ctx, c, err)
		}
		if err != nil {
			return fmt.Errorf("session %s: %w", c.session.ID, err)
		}
		c.waiting = c.waiting[:0]
	}
	in.turns, in.bytes = 0, 0
	return nil
}

// closed marks a conversation as left out if its session is closed. Otherwise it returns
// refusal, the error with which the turns were refused.
func (in *intake) closed(ctx context.Context, c *conversation, refusal error) error {
	s, err := in.memory.FindSession(ctx, c.session.Scope.View(), c.session.ID)
	if err != nil || s.ClosedAt == nil {
		return refusal
	}
	fresh, err := in.memory.NewTurns(ctx, s.Scope, c.waiting)
	c.left = LeftClosed
	c.known += int64(len(c.waiting) - len(fresh))
	in.report.Left[LeftClosed] += int64(len(fresh))
	return err
}

func (in *intake) append(ctx context.Context, c *conversation) error {
	// Sort by time what is waiting; transcripts may be out of order.
	slices.SortStableFunc(c.waiting, func(a, b strata.Turn) int { return a.At.Compare(b.At) })
	turns := c.waiting
	var decisions []strata.Decision
	var err error
	if in.opts.DryRun {
		if turns, err = in.memory.NewTurns(ctx, c.session.Scope, turns); err == nil {
			decisions, err = in.memory.PreviewFacts(ctx, c.session, turns)
		}
	} else if turns, err = in.memory.AppendOnce(ctx, c.session, turns); err == nil {
		decisions, err = in.memory.ExtractNew(ctx, c.session.Scope, c.session.ID)
	}
	in.decided(decisions)
	if err == nil {
		c.added += int64(len(turns))
		c.known += int64(len(c.waiting) - len(turns))
	}
	return err
}

func (in *intake) decided(decisions []strata.Decision) {
	for _, d := range decisions {
		in.report.Decided[d.Op]++
	}
	room := MaxDecisions - len(in.report.Decisions)
	in.report.Decisions = append(in.report.Decisions, decisions[:min(room, len(decisions))]...)
}

// finish completes the report.
func (in *intake) finish(r *transcript.Reader) Report {
	maps.Copy(in.report.Left, r.Left())
	for _, c := range in.order {
		if c.session.ID == "" {
			continue
		}
		in.report.Sessions = append(in.report.Sessions, Session{ID: c.session.ID, Scope: c.session.Scope, Added: c.added, Known: c.known})
		if others := c.existing - c.known; others > 0 && c.known+c.added > 0 && in.opts.Since.IsZero() {
			in.note("session %s has %d turns that are not in this transcript: another has the same id, or its agent shortened it", c.session.ID, others)
		}
	}
	if in.report.Left[transcript.LeftUnended]+in.report.Left[transcript.LeftUnread] > 0 {
		in.note("the transcript is not whole, its end or a part of it cannot be read: take it in again when it is")
	}
	if in.ahead {
		in.note("some times lie in the future: the clock of the machine was wrong, and the time now was taken")
	}
	return in.report
}

// note adds a note to the report, up to a few.
func (in *intake) note(format string, args ...any) {
	if len(in.report.Notes) < 10 {
		in.report.Notes = append(in.report.Notes, fmt.Sprintf(format, args...))
	}
}

func orTime(t, other time.Time) time.Time {
	if t.IsZero() {
		return other
	}
	return t
}
