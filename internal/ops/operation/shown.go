package operation

import (
	"context"
	"errors"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/secrets"
	"github.com/strata-memory/strata/internal/secrets/fence"
)

// Shown returns a JSON document as it leaves the program: without the characters that show
// nothing and could carry a hidden message, and without secrets. Memory keeps none; what an
// earlier version did not know, or a hand wrote past it, stops here.
func Shown(data []byte) []byte {
	data = fence.JSON(data)
	text := string(data)
	if clean := secrets.RedactStrings(text, isOpaque); clean != text {
		return []byte(clean)
	}
	return data
}

// isOpaque reports whether the values of a member are handed back as they are: ids, hashes
// and cursors. They are made by Strata, of nothing that anybody said.
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

// Failure is an error as clients read it.
type Failure struct {
	Code    strata.Code       `json:"code"`
	Message string            `json:"message"`
	Hint    string            `json:"hint,omitempty"`
	Details map[string]string `json:"details,omitempty"`
}

// FailedInside is all that a client is told of an error that says nothing to anybody else.
const FailedInside = "it failed; the server's log says why"

// FailureOf is what a client is told of an error. The cause is for the log: it may hold
// anything.
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
