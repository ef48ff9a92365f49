package strata

import (
	"strings"
	"time"
	"unicode/utf8"
)

// Origin says who proposed a change.
type Origin string

// The origins. Extractors, dreams, files and imports act on their own, so a forgotten
// text cannot come back through them.
const (
	OriginCLI       Origin = "cli"
	OriginAPI       Origin = "api"
	OriginTool      Origin = "tool"
	OriginExtractor Origin = "extractor"
	OriginDream     Origin = "dream"
	OriginFile      Origin = "file"
	OriginImport    Origin = "import"
)

// Validate reports whether o is known; the empty origin is [OriginAPI].
func (o Origin) Validate() error {
	switch o {
	case "", OriginCLI, OriginAPI, OriginTool, OriginExtractor, OriginDream, OriginFile, OriginImport:
		return nil
	}
	return Invalid("check origin", "no such origin: "+quote(string(o)), "use cli, api, tool, extractor, dream, file or import")
}

// Explicit reports whether a person or an agent asked for the change.
func (o Origin) Explicit() bool {
	switch o {
	case "", OriginCLI, OriginAPI, OriginTool:
		return true
	}
	return false
}

// Action is what a candidate asks for.
type Action string

// The actions.
const (
	ActionSave   Action = ""       // remember the text: add, update, supersede or noop follow
	ActionDelete Action = "delete" // stop believing the target; can be reverted
)

// Candidate is a request to change memory. Only Content, or Action and Target,
// must be set; the engine finds the rest.
type Candidate struct {
	// RequestID makes a call repeatable. The same id with the same operation, scope and
	// content returns the stored decision; with anything else it is a conflict. Without
	// an id every call counts.
	RequestID string `json:"request_id,omitempty"`
	// Scope is the scope that will own the fact. The zero Scope asks for the default by
	// type, within Workspace.
	Scope Scope `json:"scope,omitzero"`
	// Workspace is the id of the current workspace, used when Scope is zero.
	Workspace string `json:"workspace,omitempty"`
	Action    Action `json:"action,omitempty"`
	Content   string `json:"content,omitempty"`
	Type      Type   `json:"type,omitempty"`      // empty: inferred from the text
	Category  string `json:"category,omitempty"`  // empty: found by the engine
	Entity    string `json:"entity,omitempty"`    // slot; empty: inferred from the text
	Attribute string `json:"attribute,omitempty"` // slot; goes with Entity
	// Agreed means that the statement was put to the user, who agreed.
	Agreed bool `json:"agreed,omitempty"`
	// Target is the id of a fact to update or delete.
	Target string `json:"target,omitempty"`
	// Path makes this a candidate about a document: Content is then the whole text of the
	// file at this path of the scope, front matter included, and Category, Entity,
	// Attribute and Target stay empty.
	Path string `json:"path,omitempty"`
	// BaseHash is the hash of the file as the caller saw it, [NoFile] if there was none.
	// If it is set and no longer matches, nothing changes.
	BaseHash string `json:"base_hash,omitempty"`
	// RenamedFrom is the path the file has before it is renamed to Path. BaseHash is then
	// the hash of the file there. Empty if the path stays the same.
	RenamedFrom string `json:"renamed_from,omitempty"`
	// LoseSecret allows the file to be deleted or overwritten even if it holds a secret.
	// Memory does not keep secrets, so that loss cannot be undone.
	LoseSecret bool `json:"lose_secret,omitempty"`
	// Foreign means that the text comes from a foreign document, which makes the file at
	// Path foreign too: see [Document.Foreign]. It is invalid outside a workspace.
	Foreign bool `json:"foreign,omitempty"`
	// Replaces is the text of a fact that the candidate corrects: a current fact of the
	// scope with this text is superseded.
	Replaces string `json:"replaces,omitempty"`
	// BaseGeneration is the generation of the target that the caller saw. If it is not 0
	// and no longer matches, nothing changes.
	BaseGeneration int64     `json:"base_generation,omitempty"`
	Origin         Origin    `json:"origin,omitempty"` // empty: api
	Agent          string    `json:"agent,omitempty"`
	Session        string    `json:"session,omitempty"`
	Sources        []string  `json:"sources,omitempty"` // ids of turns
	Confidence     float64   `json:"confidence,omitempty"`
	ValidFrom      time.Time `json:"valid_from,omitzero"`
	ValidTo        time.Time `json:"valid_to,omitzero"`
	// Verbatim means that the content is in the speaker's own words: see [Fact].
	Verbatim bool `json:"verbatim,omitempty"`
	// Reason is the caller's own reason, kept with the decision.
	Reason string `json:"reason,omitempty"`
}

// NoFile is the BaseHash of a file that did not exist.
const NoFile = "none"

// Validate reports whether c is well formed. It does not look at memory.
func (c Candidate) Validate() error {
	const op = "check candidate"
	if !c.Scope.IsZero() {
		if err := c.Scope.Validate(); err != nil {
			return err
		}
	}
	if c.Type != "" {
		if err := c.Type.Validate(); err != nil {
			return err
		}
	}
	if err := c.Origin.Validate(); err != nil {
		return err
	}
	for _, n := range []struct{ field, name string }{
		{"request id", c.RequestID}, {"workspace", c.Workspace}, {"category", c.Category}, {"entity", c.Entity},
		{"attribute", c.Attribute}, {"target", c.Target}, {"agent", c.Agent}, {"session", c.Session},
	} {
		if n.name == "" {
			continue
		}
		if err := ValidateName(n.field, n.name); err != nil {
			return err
		}
	}
	if (c.Entity == "") != (c.Attribute == "") {
		return Invalid(op, "a slot needs both entity and attribute", "set both, or neither")
	}
	if !(c.Confidence >= 0 && c.Confidence <= 1) {
		return Invalid(op, "the confidence lies outside 0 to 1", "use a number between 0 and 1; 0 means not said")
	}
	if c.BaseGeneration < 0 || c.BaseGeneration > 0 && c.Target == "" {
		return Invalid(op, "a base generation needs a target", "name the fact the generation belongs to")
	}
	if err := validateText("reason", c.Reason, MaxFactBytes); c.Reason != "" && err != nil {
		return err
	}
	if c.Path != "" || c.BaseHash != "" {
		return c.validateDocument()
	}
	switch c.Action {
	case ActionSave:
		return validateText("fact", c.Content, MaxFactBytes)
	case ActionDelete:
		if c.Target == "" && strings.TrimSpace(c.Content) == "" {
			return Invalid(op, "nothing says what to delete", "name the fact by id, or give its exact text")
		}
		if c.Target != "" && c.Content != "" {
			return Invalid(op, "both a target and a text say what to delete", "give one of them")
		}
		return nil
	}
	return Invalid(op, "no such action: "+quote(string(c.Action)), "leave it empty to save, or use delete")
}

// validateDocument checks the fields that only a candidate about a document has.
func (c Candidate) validateDocument() error {
	const op = "check candidate"
	if err := ValidatePath(c.Path); err != nil {
		return err
	}
	switch {
	case strings.HasPrefix(c.Path, ProjectPrefix) && c.Origin != OriginFile, strings.HasPrefix(c.RenamedFrom, ProjectPrefix) && c.Origin != OriginFile:
		return Invalid(op, "memory reads files of the project itself but never writes them", "write a note instead")
	case c.Category != "" || c.Entity != "" || c.Target != "":
		return Invalid(op, "a document has no category, slot or target", "leave them empty")
	case c.RenamedFrom != "" && (c.Action != ActionSave || c.RenamedFrom == c.Path):
		return Invalid(op, "a file cannot be renamed to its own path, nor renamed and deleted at once", "save it at another path")
	case c.Action == ActionDelete && c.Content != "":
		return Invalid(op, "the deletion of a document has a text", "leave the text empty")
	case c.Action == ActionDelete:
		return nil
	case c.Action != ActionSave:
		return Invalid(op, "no such action: "+quote(string(c.Action)), "leave it empty to save, or use delete")
	}
	if c.Origin == OriginFile && strings.TrimSpace(c.Content) == "" && len(c.Content) <= MaxDocumentBytes {
		return nil // a file may be empty
	}
	return validateText("document", c.Content, MaxDocumentBytes)
}

// validateText reports whether s can be stored: not blank, valid UTF-8, no NUL
// byte, at most limit bytes.
func validateText(what, s string, limit int) error {
	const op = "check text"
	switch {
	case len(s) > limit:
		return &Error{Code: CodeTooLarge, Op: op, Message: "the " + what + " is longer than the limit",
			Hint: "split it into shorter pieces"}
	case !utf8.ValidString(s):
		return Invalid(op, "the "+what+" is not valid UTF-8", "send text in UTF-8")
	case strings.ContainsRune(s, 0):
		return Invalid(op, "the "+what+" holds a NUL byte", "send text, not binary data")
	case strings.TrimSpace(s) == "":
		return Invalid(op, "the "+what+" is empty", "write at least one word")
	}
	return nil
}
