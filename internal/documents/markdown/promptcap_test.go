package markdown_test

import (
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata/internal/documents/markdown"
)

// Of long lines, few enough, 25,600 bytes reach a prompt, and nearly all of that.
func TestPromptIndexIsBoundedInBytes(t *testing.T) {
	content := "# Notes\n\n" + strings.Repeat(strings.Repeat("harbor ", 70)+"\n", 150)
	got := markdown.PromptIndex(content, nil, time.Time{})
	if len(got) > 25_600 || len(got) < 20_000 {
		t.Errorf("%d bytes of %d reach the prompt", len(got), len(content))
	}
}
