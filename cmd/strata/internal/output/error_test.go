package output

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/strata-memory/strata"
)

func TestMessagesLeaveOutOperations(t *testing.T) {
	inner := strata.Invalid("check text", "the fact is empty", "write at least one word")
	tests := []struct {
		name string
		err  error
		want string
	}{
		{"its own message", inner, "the fact is empty"},
		{"with a cause", &strata.Error{Code: strata.CodeFull, Op: "save", Message: "no room left", Err: errors.New("disk full")}, "no room left: disk full"},
		{"only a cause", &strata.Error{Op: "save", Err: inner}, "the fact is empty"},
		{"wrapped", fmt.Errorf("line 3: %w", errors.New("broken")), "line 3: broken"},
		{"interrupted", context.Canceled, "interrupted"},
		{"too late", context.DeadlineExceeded, "time ran out"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Message(tt.err); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
