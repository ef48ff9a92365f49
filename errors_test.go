package strata

import (
	"context"
	"errors"
	"fmt"
	"testing"
)

func TestCodeOf(t *testing.T) {
	inner := &Error{Code: CodeBusy, Message: "held"}
	for want, err := range map[Code]error{
		"":           nil,
		CodeBusy:     fmt.Errorf("save: %w", inner),
		CodeCanceled: fmt.Errorf("save: %w", context.DeadlineExceeded),
		CodeInternal: errors.New("something else"),
	} {
		if got := CodeOf(err); got != want {
			t.Errorf("CodeOf(%v) = %q, want %q", err, got, want)
		}
	}
}

// Codes are a contract: every one has an exit code and an error of MCP of its own, a
// status and a meaning.
func TestCodesAreComplete(t *testing.T) {
	seen, mcp := make(map[int]Code), make(map[int]Code)
	for _, c := range Codes() {
		if c.Meaning() == "" || c.HTTPStatus() < 400 || c.ExitCode() < 1 {
			t.Errorf("%s: exit %d, status %d, meaning %q", c, c.ExitCode(), c.HTTPStatus(), c.Meaning())
		}
		if other, taken := seen[c.ExitCode()]; taken {
			t.Errorf("%s and %s share exit code %d", c, other, c.ExitCode())
		}
		seen[c.ExitCode()] = c
		if other, taken := mcp[c.MCPError()]; taken || c.MCPError() > -32000 || c.MCPError() < -32768 {
			t.Errorf("%s: error %d of MCP lies outside the range of JSON-RPC, or is that of %q", c, c.MCPError(), other)
		}
		mcp[c.MCPError()] = c
	}
	if unknown := Code("nonsense"); unknown.ExitCode() != 1 || unknown.HTTPStatus() != 500 || unknown.MCPError() != CodeInternal.MCPError() {
		t.Errorf("an unknown code has exit %d, status %d and error %d", unknown.ExitCode(), unknown.HTTPStatus(), unknown.MCPError())
	}
}

func TestErrorTextNamesOperationMessageAndCause(t *testing.T) {
	err := &Error{Code: CodeFull, Op: "save", Message: "no room", Err: errors.New("disk")}
	if got := err.Error(); got != "save: no room: disk" {
		t.Errorf("Error() = %q", got)
	}
	if got := (&Error{Code: CodeFull}).Error(); got != "full" {
		t.Errorf("Error() = %q", got)
	}
}
