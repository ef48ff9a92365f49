package chatui

import (
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
)

func TestTheWaitingLineGoesAway(t *testing.T) {
	var out strings.Builder
	w := wait(&out, terminal.Style{})
	w.hush()
	if shown := out.String(); !strings.HasPrefix(shown, clearLine+"…") || !strings.HasSuffix(shown, clearLine) {
		t.Errorf("shown %q", shown)
	}
	if got := waitingLine(terminal.Style{}, 1, 3*time.Second); got != clearLine+"…… 3 s" {
		t.Errorf("after 3 s: %q", got)
	}
}
