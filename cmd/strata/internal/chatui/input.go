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

// messages is a source of messages and commands.
type messages interface {
	// Read returns the next message or command; empty for none, and io.EOF at the end.
	Read() (string, error)
	// Confirm asks a question. Any answer but yes is an error.
	Confirm(question string) error
	Close()
}

// newInput returns a line editor on a terminal, or else a reader of lines from a pipe.
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

// typed reads messages that are typed on a terminal. Its history is what was said in
// earlier sessions, taken from memory: a history file would be one more place to forget
// from.
type typed struct{ *input.LineEditor }

func (t *typed) Read() (string, error) {
	text, err := t.LineEditor.Read()
	if text != "" {
		t.remember(text)
	}
	return text, err
}

// remember adds a message to the history, without secrets.
func (t *typed) remember(text string) {
	text, _ = secrets.Redact(text)
	t.Remember(text)
}

// mostHistory is how many messages the up key can reach, and historySessions in how many
// sessions they are looked up.
const (
	mostHistory     = 200
	historySessions = 12
)

// history returns what the user said in the newest sessions, oldest first. It ignores
// errors, because a history is only a convenience.
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

// waiting is a line that shows that the model is reading, and for how long, until there
// is something else to show.
type waiting struct {
	stop, done chan struct{}
}

// beat is how often the line is redrawn.
const beat = 250 * time.Millisecond

// wait shows the line and returns at once. The caller must hush it before writing
// anything.
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

// clearLine clears the line and returns to its beginning (ECMA-48, 8.3.41).
const clearLine = "\r\x1b[K"

// waitingLine returns the n-th frame of the line.
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

// hush removes the line, and returns when it is gone.
func (w *waiting) hush() {
	close(w.stop)
	<-w.done
}
