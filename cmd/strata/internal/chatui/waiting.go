package chatui

import (
	"fmt"
	"io"
	"time"

	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
)

// waiting is a line that shows that the model reads, and for how long, until there is
// something else to show.
type waiting struct {
	stop, done chan struct{}
}

// beat is how often the line is drawn anew.
const beat = 250 * time.Millisecond

// wait shows the line and returns at once. Nothing may be written before it was hushed.
func wait(out io.Writer, st terminal.Style) *waiting {
	w := &waiting{stop: make(chan struct{}), done: make(chan struct{})}
	began := time.Now()
	go func() {
		defer close(w.done)
		tick := time.NewTicker(beat)
		defer tick.Stop()
		for n := 0; ; n++ {
			fmt.Fprint(out, waitingLine(st, n, time.Since(began)))
			select {
			case <-w.stop:
				fmt.Fprint(out, clearLine)
				return
			case <-tick.C:
			}
		}
	}()
	return w
}

// clearLine empties the line and returns to its beginning (ECMA-48, 8.3.41).
const clearLine = "\r\x1b[K"

// waitingLine is the line in its n-th state.
func waitingLine(st terminal.Style, n int, took time.Duration) string {
	line := "…"
	for range n % 3 {
		line += "…"
	}
	if s := int(took.Seconds()); s > 0 {
		line += fmt.Sprintf(" %d s", s)
	}
	return clearLine + st.Faint(line)
}

// hush takes the line away, and returns when it is gone.
func (w *waiting) hush() {
	close(w.stop)
	<-w.done
}
