package chatui

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/input"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/internal/secrets"
	"github.com/strata-memory/strata/store"
)

// messages is where messages and commands come from.
type messages interface {
	// Read returns the next message or command, empty for none; io.EOF at the
	// end.
	Read() (string, error)
	// Confirm asks a question. Anything but yes is an error.
	Confirm(question string) error
	Close()
}

// newInput edits lines on a terminal, and else reads them from a pipe.
func (u *ui) newInput(ctx context.Context) (messages, error) {
	if !u.view.interactive {
		return input.NewLines(input.Interruptible(ctx, u.Stdin)), nil
	}
	edit, err := input.NewLineEditor(input.EditorOptions{
		Prompt: u.view.st.Strong("> "), Continued: u.view.letters("… "), Complete: u.complete, History: mostHistory,
		Interrupted: func() { u.view.notice("Ctrl-C again, or Ctrl-D, leaves") },
	})
	if err != nil {
		return nil, err
	}
	in := &typed{edit}
	for _, text := range u.history(ctx) {
		in.remember(text)
	}
	return in, nil
}

// typed are the messages that are typed on a terminal. What was said in earlier
// sessions, as memory has it, is their history: there is no file that forget
// would have to find.
type typed struct{ *input.LineEditor }

func (t *typed) Read() (string, error) {
	text, err := t.LineEditor.Read()
	if text != "" {
		t.remember(text)
	}
	return text, err
}

// remember puts a message into the history, without its secrets.
func (t *typed) remember(text string) {
	text, _ = secrets.Redact(text)
	t.Remember(text)
}

// mostHistory is how many messages the up key reaches, and historySessions in
// how many sessions they are looked for.
const (
	mostHistory     = 200
	historySessions = 12
)

// history is what the user said in the newest sessions, the oldest first. What
// cannot be read is left out: a history is a comfort.
func (u *ui) history(ctx context.Context) []string {
	list, err := u.sessions(ctx)
	if err != nil {
		return nil
	}
	var lines []string
	for _, s := range list[:min(len(list), historySessions)] {
		turns, err := u.Env.Engine.ListTurns(ctx, s.Scope.View(), s.ID, store.TurnFilter{After: max(s.Turns-4*mostHistory, 0), NoImages: true})
		if err != nil {
			continue
		}
		for _, t := range slices.Backward(turns) {
			if t.Role == strata.RoleUser && !t.Forgotten && len(t.Text) <= 4096 {
				lines = append(lines, t.Text)
			}
		}
		if len(lines) >= mostHistory {
			lines = lines[:mostHistory]
			break
		}
	}
	slices.Reverse(lines)
	return lines
}

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
