package strata

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// Role is who speaks in a turn, as chat protocols name it.
type Role string

// The roles.
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleSystem    Role = "system"
	RoleTool      Role = "tool"
)

// Validate reports whether r is a known role.
func (r Role) Validate() error {
	switch r {
	case RoleUser, RoleAssistant, RoleSystem, RoleTool:
		return nil
	}
	return Invalid("check role", "no such role: "+quote(string(r)), "use user, assistant, system or tool")
}

// Turn is one message of a session, kept verbatim except for secrets, which are redacted
// before anything is written to disk.
type Turn struct {
	ID      string `json:"id"` // "turn_" and a ULID
	Scope   Scope  `json:"scope"`
	Session string `json:"session"`
	// Seq orders the turns of a session from 1.
	Seq  int64 `json:"seq"`
	Role Role  `json:"role"`
	// Speaker is a person's name if the session has more speakers than user and
	// assistant; empty otherwise.
	Speaker string `json:"speaker,omitempty"`
	Text    string `json:"text"`
	// Images are the images that came with the text, in order. Listings may omit their
	// Data.
	Images []Image `json:"images,omitempty"`
	// Calls are the tool calls that an assistant requested in this turn.
	Calls []ToolCall `json:"calls,omitempty"`
	// For a tool turn, CallID is the ID of the call it answers, Tool is the name of the
	// tool, and Failed says that the call did not succeed.
	CallID string    `json:"call_id,omitempty"`
	Tool   string    `json:"tool,omitempty"`
	Failed bool      `json:"failed,omitempty"`
	At     time.Time `json:"at"` // when it was said
	// RecordedAt is when it was committed.
	RecordedAt time.Time `json:"recorded_at"`
	// Redacted counts the secrets removed from the text and the calls.
	Redacted int `json:"redacted,omitempty"`
	// Forgotten means that text, images and call arguments were blanked because a fact
	// that came from the turn was forgotten, or because of the turn's age.
	Forgotten bool `json:"forgotten,omitempty"`
}

// Pruned reports whether the turn was blanked because its session was pruned for its age.
// Such a turn is also Forgotten, since nothing of it is left.
func (t Turn) Pruned() bool { return t.Forgotten && t.Text == PrunedText }

// Archived reports whether the turn was blanked because its session was archived, from
// which it can be restored.
func (t Turn) Archived() bool { return t.Forgotten && t.Text == ArchivedText }

// ToolCall is a model's request to run a tool.
type ToolCall struct {
	// ID is the model's own id for the call; the answer repeats it.
	ID   string `json:"id"`
	Name string `json:"name"` // of the tool
	// Arguments is a JSON object as the model wrote it and may be malformed; empty means
	// no arguments.
	Arguments string `json:"arguments,omitempty"`
}

// Image is a picture in a turn.
type Image struct {
	MediaType string `json:"media_type"` // such as "image/png"
	Data      []byte `json:"data"`       // the encoded file
}

// Validate reports whether t can be appended to a session. ID, sequence number and times
// may be missing: the engine sets them. The text may be empty if the turn has calls or
// images, and in a tool turn, since tools may return nothing.
func (t Turn) Validate() error {
	const op = "check turn"
	if err := ValidateName("session", t.Session); err != nil {
		return err
	}
	if err := t.Role.Validate(); err != nil {
		return err
	}
	if t.Speaker != "" {
		if err := ValidateName("speaker", t.Speaker); err != nil {
			return err
		}
	}
	if t.Seq < 0 {
		return Invalid(op, "the sequence number is negative", "count turns from 1, or leave it 0")
	}
	if t.Role != RoleTool && (t.CallID != "" || t.Tool != "" || t.Failed) {
		return Invalid(op, "only a tool turn can answer a tool call", "use the role tool for the answer to a call")
	}
	for _, n := range []struct{ field, name string }{{"call id", t.CallID}, {"tool", t.Tool}} {
		if err := validateLabel(n.field, n.name); err != nil {
			return err
		}
	}
	if err := t.validateCalls(); err != nil {
		return err
	}
	if err := t.validateImages(); err != nil {
		return err
	}
	if t.Text == "" && (len(t.Calls) > 0 || len(t.Images) > 0 || t.Role == RoleTool) {
		return nil
	}
	err := validateText("turn", t.Text, MaxTurnBytes)
	if t.Role == RoleTool && CodeOf(err) == CodeInvalid && strings.TrimSpace(t.Text) == "" {
		return nil // a tool may answer with white space alone
	}
	return err
}

func (t Turn) validateCalls() error {
	const op = "check turn"
	switch {
	case len(t.Calls) == 0:
		return nil
	case t.Role != RoleAssistant:
		return Invalid(op, "a turn that is not the assistant's calls a tool", "only the assistant calls tools")
	case len(t.Calls) > MaxCalls:
		return &Error{Code: CodeTooLarge, Op: op, Message: fmt.Sprintf("%d tool calls, the limit is %d", len(t.Calls), MaxCalls),
			Hint: "ask for fewer tool calls at once"}
	}
	size := 0
	for _, c := range t.Calls {
		if err := validateLabel("call id", c.ID); err != nil {
			return err
		}
		if strings.TrimSpace(c.Name) == "" {
			return Invalid(op, "a tool call names no tool", "name the tool that is called")
		}
		if err := validateLabel("tool", c.Name); err != nil {
			return err
		}
		size += len(c.Arguments)
		if size > MaxCallBytes {
			return &Error{Code: CodeTooLarge, Op: op, Message: "the arguments of the tool calls are longer than 4 MiB",
				Hint: "pass large content by a file, or split the call"}
		}
		if c.Arguments == "" {
			continue
		}
		if err := validateBytes("tool call", c.Arguments); err != nil {
			return err
		}
	}
	return nil
}

func (t Turn) validateImages() error {
	const op = "check turn"
	if len(t.Images) > MaxImages {
		return &Error{Code: CodeTooLarge, Op: op, Message: fmt.Sprintf("%d images, the limit is %d", len(t.Images), MaxImages),
			Hint: "send them in several turns"}
	}
	size := 0
	for _, img := range t.Images {
		kind, sub, ok := strings.Cut(img.MediaType, "/")
		if !ok || kind != "image" || sub == "" {
			return Invalid(op, "an image has the media type "+quote(img.MediaType), "name it, such as image/png")
		}
		if err := validateLabel("media type", img.MediaType); err != nil {
			return err
		}
		if len(img.Data) == 0 {
			return Invalid(op, "an image is empty", "send the encoded file, such as a PNG")
		}
		size += len(img.Data)
		if size > MaxImageBytes {
			return &Error{Code: CodeTooLarge, Op: op, Message: "the images of the turn are larger than 32 MiB",
				Hint: "make them smaller, or send them in several turns"}
		}
	}
	return nil
}

// validateLabel reports whether s, a name chosen by a model or protocol, can be stored:
// short text of any form, or none.
func validateLabel(field, s string) error {
	if len(s) > MaxNameBytes {
		return Invalid("check "+field, field+" is longer than 256 bytes", "use a short plain name")
	}
	return validateBytes(field, s)
}

// validateBytes reports whether s is text: UTF-8 without a NUL byte.
func validateBytes(what, s string) error {
	switch {
	case !utf8.ValidString(s):
		return Invalid("check "+what, "the "+what+" is not valid UTF-8", "send text in UTF-8")
	case strings.ContainsRune(s, 0):
		return Invalid("check "+what, "the "+what+" holds a NUL byte", "send text, not binary data")
	}
	return nil
}
