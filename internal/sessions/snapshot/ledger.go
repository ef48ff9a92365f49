package snapshot

import (
	"fmt"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/strata-memory/strata"
)

const (
	// LedgerVersion is the version of the ledger that [LedgerWriter] writes.
	LedgerVersion = 1
	// MaxLedgerLine is the longest line of a ledger, in bytes, without the line end. A
	// turn of [strata.MaxTurnBytes] fits even if every byte is escaped, and so do images
	// of 80 MB with an ordinary text.
	MaxLedgerLine = 128 << 20
)

// ledgerFormat names the format in the first line.
const ledgerFormat = "strata-ledger"

// ledgerMeta is the first line, which describes the session.
type ledgerMeta struct {
	Format    string             `json:"format"`
	Version   int                `json:"version"`
	Session   string             `json:"session"`
	Scope     string             `json:"scope"` // canonical key
	Kind      strata.SessionKind `json:"kind"`
	Parent    string             `json:"parent,omitempty"` // id of the session that started it
	StartedAt time.Time          `json:"started_at"`
	ClosedAt  *time.Time         `json:"closed_at,omitempty"`
	Turns     int64              `json:"turns"` // number of lines that follow
}

// ledgerTurn is one of the lines that follow. Its session and scope are those of the
// first line.
type ledgerTurn struct {
	Seq        int64             `json:"seq"`
	ID         string            `json:"id"`
	Role       strata.Role       `json:"role"`
	Speaker    string            `json:"speaker,omitempty"`
	Text       string            `json:"text"`
	Images     []strata.Image    `json:"images,omitempty"` // data as base64
	Calls      []strata.ToolCall `json:"calls,omitempty"`
	CallID     string            `json:"call_id,omitempty"`
	Tool       string            `json:"tool,omitempty"`
	Failed     bool              `json:"failed,omitempty"`
	At         time.Time         `json:"at"`
	RecordedAt time.Time         `json:"recorded_at"`
	Redacted   int               `json:"redacted,omitempty"`
	Forgotten  bool              `json:"forgotten,omitempty"`
}

// metaOf returns the first line for s.
func metaOf(s strata.Session) ledgerMeta {
	m := ledgerMeta{
		Format: ledgerFormat, Version: LedgerVersion, Session: s.ID, Scope: s.Scope.Key(),
		Kind: s.Kind, Parent: s.Parent, StartedAt: s.StartedAt.UTC(), Turns: s.Turns,
	}
	if m.Kind == "" {
		m.Kind = strata.SessionMain
	}
	if s.ClosedAt != nil {
		closed := s.ClosedAt.UTC()
		m.ClosedAt = &closed
	}
	return m
}

// session returns the session that the line describes, or an error if it is invalid.
func (m ledgerMeta) session() (strata.Session, error) {
	scope, err := strata.ParseScope(m.Scope)
	if err != nil {
		return strata.Session{}, err
	}
	s := strata.Session{ID: m.Session, Scope: scope, Kind: m.Kind, Parent: m.Parent, StartedAt: m.StartedAt, ClosedAt: m.ClosedAt, Turns: m.Turns}
	return s, checkSession(s)
}

// checkSession reports whether s can head a ledger.
func checkSession(s strata.Session) error {
	const op = "check session"
	if err := s.Validate(); err != nil {
		return err
	}
	if err := s.Scope.Validate(); err != nil {
		return err
	}
	if s.Turns < 0 {
		return strata.Invalid(op, "the count of turns is negative", "count from 0")
	}
	if !ordinary(s.StartedAt) || s.ClosedAt != nil && !ordinary(*s.ClosedAt) {
		return strata.Invalid(op, "a time lies outside the years 0 to 9999", "use the time of an ordinary clock")
	}
	return nil
}

// lineOf returns the line for t.
func lineOf(t strata.Turn) ledgerTurn {
	return ledgerTurn{
		Seq: t.Seq, ID: t.ID, Role: t.Role, Speaker: t.Speaker, Text: t.Text,
		Images: t.Images, Calls: t.Calls, CallID: t.CallID, Tool: t.Tool, Failed: t.Failed,
		At: t.At.UTC(), RecordedAt: t.RecordedAt.UTC(), Redacted: t.Redacted, Forgotten: t.Forgotten,
	}
}

// turn returns the turn of session s that the line describes.
func (l ledgerTurn) turn(s strata.Session) strata.Turn {
	return strata.Turn{
		ID: l.ID, Scope: s.Scope, Session: s.ID, Seq: l.Seq, Role: l.Role, Speaker: l.Speaker, Text: l.Text,
		Images: l.Images, Calls: l.Calls, CallID: l.CallID, Tool: l.Tool, Failed: l.Failed,
		At: l.At.UTC(), RecordedAt: l.RecordedAt.UTC(), Redacted: l.Redacted, Forgotten: l.Forgotten,
	}
}

// checkTurn reports whether t can follow a turn with sequence number after in the ledger
// of s. A turn that it accepts is read back exactly as written.
func checkTurn(s strata.Session, t strata.Turn, after int64) error {
	const op = "check turn"
	switch {
	case t.Session != s.ID || t.Scope != s.Scope:
		return strata.Invalid(op, fmt.Sprintf("the turn belongs to session %q of %s", t.Session, t.Scope), "write each session into its own ledger")
	case t.Seq <= after:
		return strata.Invalid(op, fmt.Sprintf("turn %d stands after turn %d", t.Seq, after), "sort the turns by their number; each number stands once")
	case t.Redacted < 0:
		return strata.Invalid(op, "the count of redactions is negative", "count from 0")
	case len(t.Text) > strata.MaxTurnBytes:
		return &strata.Error{Code: strata.CodeTooLarge, Op: op, Message: "the text is longer than 16 MiB", Hint: "split it into shorter turns"}
	case !ordinary(t.At) || !ordinary(t.RecordedAt):
		return strata.Invalid(op, "a time lies outside the years 0 to 9999", "use the time of an ordinary clock")
	}
	if err := strata.ValidateName("turn id", t.ID); err != nil {
		return err
	}
	if err := t.Role.Validate(); err != nil {
		return err
	}
	texts := []string{t.Speaker, t.Text, t.CallID, t.Tool}
	for _, c := range t.Calls {
		texts = append(texts, c.ID, c.Name, c.Arguments)
	}
	for _, i := range t.Images {
		texts = append(texts, i.MediaType)
	}
	for _, text := range texts {
		if !utf8.ValidString(text) {
			return strata.Invalid(op, "a text is not valid UTF-8", "send text in UTF-8")
		}
	}
	return nil
}

// ordinary reports whether JSON can hold the time.
func ordinary(t time.Time) bool {
	year := t.UTC().Year()
	return year >= 0 && year <= 9999
}

// atLine returns an error about a line of a ledger. A well-formed line with impossible
// content counts as damaged, too.
func atLine(line int64, code strata.Code, what string, err error) error {
	e := &strata.Error{
		Code: code, Op: "read ledger", Message: "line " + strconv.FormatInt(line, 10) + ": " + what,
		Details: map[string]string{"line": strconv.FormatInt(line, 10)}, Err: err,
	}
	switch code {
	case strata.CodeNewerVersion:
		e.Hint = "upgrade Strata"
	case strata.CodeTooLarge:
		e.Hint = "the file is not a ledger, or it is damaged"
	case strata.CodeCorrupt:
		e.Hint = "set the file aside and export the session again"
	}
	return e
}
