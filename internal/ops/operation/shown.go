package operation

import (
	"context"
	"errors"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/secrets"
	"github.com/strata-memory/strata/internal/secrets/fence"
)

// Shown returns a JSON document as it leaves the program: without secrets, and without
// invisible characters that could carry a hidden message. Memory stores no secrets, but
// this stops any that an earlier version did not recognize or that were written past it.
func Shown(data []byte) []byte {
	data = fence.JSON(data)
	text := string(data)
	if clean := secrets.RedactStrings(text, isOpaque); clean != text {
		return []byte(clean)
	}
	return data
}

// isOpaque reports whether the values of a member are returned as they are: ids, hashes
// and cursors. Strata generates them; they contain nothing that anybody said.
func isOpaque(name string) bool {
	switch name {
	case "id", "hash", "base", "cursor", "next_cursor", "rest", "trace":
		return true
	}
	return strings.HasSuffix(name, "_id") || strings.HasSuffix(name, "_oid")
}

// ShownText is [Shown] for a text.
func ShownText(text string) string {
	text = strings.Map(func(r rune) rune {
		if fence.Unseen(r) {
			return -1
		}
		return r
	}, text)
	clean, _ := secrets.Redact(text)
	return clean
}

// Failure is an error as clients see it.
type Failure struct {
	Code    strata.Code       `json:"code"`
	Message string            `json:"message"`
	Hint    string            `json:"hint,omitempty"`
	Details map[string]string `json:"details,omitempty"`
}

// FailedInside is all that a client learns about an internal error.
const FailedInside = "it failed; the server's log says why"

// FailureOf returns what a client is told about an error. It leaves out the cause, which
// may contain anything and belongs in the log.
func FailureOf(err error) Failure {
	out := Failure{Code: strata.CodeOf(err), Message: FailedInside}
	var known *strata.Error
	switch {
	case errors.As(err, &known):
		out.Hint, out.Details = known.Hint, known.Details
		if known.Message != "" {
			out.Message = known.Message
		}
	case errors.Is(err, context.DeadlineExceeded):
		out.Message = "time ran out"
	case errors.Is(err, context.Canceled):
		out.Message = "the call was canceled"
	}
	return out
}
