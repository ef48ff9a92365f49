package strata

import (
	"context"
	"errors"
	"strings"
)

// Code classifies an error. Codes are permanent: scripts and clients of the CLI, MCP and
// HTTP may branch on them.
type Code string

// The codes. The table below maps each to exit code, HTTP status and MCP error.
const (
	CodeInvalid        Code = "invalid"         // the input cannot be accepted as it is
	CodeNotFound       Code = "not_found"       // no such fact, decision, session, …
	CodeConflict       Code = "conflict"        // the target changed since it was read, or a name or id fits several
	CodeScopeRequired  Code = "scope_required"  // no scope was named and none follows
	CodeTooLarge       Code = "too_large"       // a documented limit is exceeded
	CodeRejectedSecret Code = "rejected_secret" // the text holds a secret
	CodeForgotten      Code = "forgotten"       // the text was forgotten and may not return by itself
	CodeBusy           Code = "busy"            // another process held the store for too long
	CodeReadOnly       Code = "read_only"       // the store cannot be written
	CodeFull           Code = "full"            // no room on the disk
	CodeCorrupt        Code = "corrupt"         // stored bytes are damaged
	CodeNewerVersion   Code = "newer_version"   // written by a newer Strata
	CodeUnavailable    Code = "unavailable"     // something outside does not answer
	CodeDenied         Code = "denied"          // a key or right is missing or wrong
	CodeUnsupported    Code = "unsupported"     // this build or store cannot do it
	CodeCanceled       Code = "canceled"        // the caller gave up or time ran out
	CodeIncomplete     Code = "incomplete"      // done, but for what could not be read
	CodeInternal       Code = "internal"        // a fault of Strata
)

// codeTable lists every code with its exit code, HTTP status, MCP error and meaning.
var codeTable = []struct {
	Code Code
	Exit int
	HTTP int
	MCP  int // JSON-RPC error: a predefined one that means the same, else one of the server range
	Mean string
}{
	{CodeInternal, 1, 500, -32603, "a fault of Strata"},
	{CodeInvalid, 2, 400, -32602, "the input cannot be accepted as it is"},
	{CodeNotFound, 3, 404, -32002, "nothing by that name"},
	{CodeConflict, 4, 409, -32054, "the target changed since it was read, a request id was used for something else, or a name or id fits several"},
	{CodeScopeRequired, 5, 422, -32055, "no scope was named and none follows"},
	{CodeTooLarge, 6, 413, -32056, "a documented limit is exceeded"},
	{CodeRejectedSecret, 7, 422, -32057, "the text holds a secret"},
	{CodeForgotten, 8, 410, -32058, "the text was forgotten"},
	{CodeBusy, 9, 503, -32059, "another process held the store for too long"},
	{CodeReadOnly, 10, 403, -32060, "the store cannot be written"},
	{CodeFull, 11, 507, -32061, "no room on the disk"},
	{CodeCorrupt, 12, 500, -32062, "stored bytes are damaged"},
	{CodeNewerVersion, 13, 500, -32063, "written by a newer Strata"},
	{CodeUnavailable, 14, 502, -32064, "something outside does not answer"},
	{CodeUnsupported, 15, 501, -32065, "this build cannot do it"},
	{CodeCanceled, 16, 499, -32066, "canceled, or time ran out"},
	{CodeDenied, 17, 403, -32067, "a key or right is missing or wrong"},
	{CodeIncomplete, 18, 500, -32068, "it was done but for what could not be read, which is named"},
}

// Codes returns every code, in the order of their exit codes.
func Codes() []Code {
	out := make([]Code, len(codeTable))
	for i, c := range codeTable {
		out[i] = c.Code
	}
	return out
}

// ExitCode is the process exit code for c; 1 for an unknown code.
func (c Code) ExitCode() int {
	for _, row := range codeTable {
		if row.Code == c {
			return row.Exit
		}
	}
	return 1
}

// HTTPStatus is the HTTP status for c; 500 for an unknown code.
func (c Code) HTTPStatus() int {
	for _, row := range codeTable {
		if row.Code == c {
			return row.HTTP
		}
	}
	return 500
}

// MCPError is the MCP (JSON-RPC) error code for c; that of an internal error for an
// unknown code.
func (c Code) MCPError() int {
	for _, row := range codeTable {
		if row.Code == c {
			return row.MCP
		}
	}
	return -32603
}

// Meaning says in a few words what c stands for; empty for an unknown code.
func (c Code) Meaning() string {
	for _, row := range codeTable {
		if row.Code == c {
			return row.Mean
		}
	}
	return ""
}

// Error is the one error type that crosses Strata's boundaries.
type Error struct {
	// Code classifies the error and never changes between releases.
	Code Code `json:"code"`
	// Op is the operation that failed, such as "save" or "open store".
	Op string `json:"op,omitempty"`
	// Message says what is wrong in a sentence that users understand. It never contains a
	// secret.
	Message string `json:"message"`
	// Hint says what the user can do about it; empty if nothing can be done.
	Hint string `json:"hint,omitempty"`
	// Details are machine-readable particulars, such as the rule that matched.
	Details map[string]string `json:"details,omitempty"`
	// Err is the cause. It is for logs; clients of a server do not see it.
	Err error `json:"-"`
}

// Error returns operation, message and cause on one line, without the hint.
func (e *Error) Error() string {
	var parts []string
	if e.Op != "" {
		parts = append(parts, e.Op)
	}
	if e.Message != "" {
		parts = append(parts, e.Message)
	}
	if e.Err != nil {
		parts = append(parts, e.Err.Error())
	}
	if len(parts) == 0 {
		return string(e.Code)
	}
	return strings.Join(parts, ": ")
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// CodeOf returns the code of err: that of the first [Error] in its chain,
// [CodeCanceled] for a context that ended, [CodeInternal] for any other error
// and the empty code for nil.
func CodeOf(err error) Code {
	var e *Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &e):
		return e.Code
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return CodeCanceled
	}
	return CodeInternal
}

// MessageOf returns the part of err meant for a person: the message of the first [Error]
// in its chain, without operation and cause, or the text of any other error.
func MessageOf(err error) string {
	var e *Error
	if errors.As(err, &e) && e.Message != "" {
		return e.Message
	}
	return err.Error()
}

// Invalid returns an error with [CodeInvalid].
func Invalid(op, message, hint string) *Error {
	return &Error{Code: CodeInvalid, Op: op, Message: message, Hint: hint}
}

// NotFound returns an error with [CodeNotFound] for the named thing, as in NotFound("show
// fact", "fact", "fact_01J…"). The message repeats only the start of a long id, on one
// line.
func NotFound(op, kind, id string) *Error {
	return &Error{
		Code: CodeNotFound, Op: op,
		Message: "no " + kind + " " + clipped(id, 200),
		Hint:    "list what there is, or check the scope and the home you are looking in",
	}
}
