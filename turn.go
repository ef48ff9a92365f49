package strata

import "time"

// Role is who speaks in a turn, in the words of the chat protocols.
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

// Turn is one message of a session, kept verbatim save for secrets, which are
// redacted before anything touches the disk.
type Turn struct {
	ID      string `json:"id"` // "turn_" and a ULID
	Scope   Scope  `json:"scope"`
	Session string `json:"session"`
	// Seq orders the turns of a session from 1.
	Seq  int64 `json:"seq"`
	Role Role  `json:"role"`
	// Speaker is a person's name where the session has more than user and
	// assistant; empty otherwise.
	Speaker string `json:"speaker,omitempty"`
	Text    string `json:"text"`
	// Images that came with the text, in order.
	Images []Image `json:"images,omitempty"`
	// Calls are the tool calls an assistant asked for in this turn.
	Calls []ToolCall `json:"calls,omitempty"`
	// CallID, of a tool turn, is the ID of the call it answers, Tool the name
	// of the tool, and Failed says that the call did not succeed.
	CallID string    `json:"call_id,omitempty"`
	Tool   string    `json:"tool,omitempty"`
	Failed bool      `json:"failed,omitempty"`
	At     time.Time `json:"at"` // when it was said
	// RecordedAt is when it was committed.
	RecordedAt time.Time `json:"recorded_at"`
	// Redacted counts the secrets removed from the text.
	Redacted int `json:"redacted,omitempty"`
	// Forgotten says that the text was blanked because a fact it was the
	// source of was forgotten.
	Forgotten bool `json:"forgotten,omitempty"`
}

// ToolCall is a wish of a model to have a tool run.
type ToolCall struct {
	// ID is the model's own name for the call; the answer repeats it.
	ID   string `json:"id"`
	Name string `json:"name"` // of the tool
	// Arguments is a JSON object as the model wrote it, which may be malformed;
	// empty means no arguments.
	Arguments string `json:"arguments,omitempty"`
}

// Image is a picture in a turn.
type Image struct {
	MediaType string `json:"media_type"` // such as "image/png"
	Data      []byte `json:"data"`       // the encoded file
}

// Validate reports whether t can be appended to a session. Id, sequence number
// and times may be missing: the engine sets them.
func (t Turn) Validate() error {
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
		return Invalid("check turn", "the sequence number is negative", "count turns from 1, or leave it 0")
	}
	return validateText("turn", t.Text, MaxTurnBytes)
}
