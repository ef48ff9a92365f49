package input

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/ergochat/readline"

	"github.com/strata-memory/strata"
)

// newlineMark replaces a line break in a message that is edited on one line, such as
// after a paste.
const newlineMark = '⏎'

// EditorOptions configure a LineEditor.
type EditorOptions struct {
	Prompt string
	// Continued is the prompt after a line that ends with a backslash.
	Continued string
	// Complete returns the words that may follow the text before the word that is being
	// completed.
	Complete func(before string) []string
	// History bounds the messages that the up key can reach.
	History int
	// Interrupted is called for an interrupt on an empty line; a second one in a row ends
	// the input.
	Interrupted func()
}

// LineEditor reads messages that a person edits on a terminal. A backslash at the end of
// a line joins it to the next. Its history is what was passed to Remember, and is not
// stored in a file.
type LineEditor struct {
	options     EditorOptions
	edit        *readline.Instance
	signals     chan os.Signal
	interrupted atomic.Bool // the last key was an interrupt
}

// NewLineEditor takes over the terminal until Close. A lost terminal or a termination
// signal ends the input.
func NewLineEditor(o EditorOptions) (*LineEditor, error) {
	edit, err := readline.NewFromConfig(&readline.Config{
		Prompt: o.Prompt, HistoryLimit: o.History, DisableAutoSaveHistory: true, HistorySearchFold: true, Undo: true,
		AutoComplete: completer(o.Complete), Stdin: &pasteReader{from: os.Stdin},
	})
	if err != nil {
		return nil, &strata.Error{Code: strata.CodeUnsupported, Message: "the terminal cannot be used for editing", Err: err,
			Hint: "write messages to a pipe instead, or use another terminal"}
	}
	e := &LineEditor{options: o, edit: edit, signals: make(chan os.Signal, 1)}
	signal.Notify(e.signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		for s := range e.signals {
			// Between two lines the interrupt key sends a signal, too. Any other
			// interrupt is meant for the work that runs meanwhile.
			if s != os.Interrupt || e.interrupted.Load() {
				_ = edit.Close()
			}
		}
	}()
	return e, nil
}

// Remember appends a message to the history.
func (e *LineEditor) Remember(text string) {
	_ = e.edit.SaveToHistory(strings.ReplaceAll(text, "\n", string(newlineMark))) // without a history file it cannot fail
}

// Read returns the next message without surrounding white space, an empty one if an
// interrupt dropped what was typed, and io.EOF at the end.
func (e *LineEditor) Read() (string, error) {
	var parts []string
	for {
		line, err := e.line()
		switch {
		case errors.Is(err, readline.ErrInterrupt):
			if len(parts) > 0 || line != "" {
				e.edit.SetPrompt(e.options.Prompt)
				return "", nil
			}
			if e.interrupted.Swap(true) {
				return "", io.EOF
			}
			e.options.Interrupted()
			continue
		case err != nil:
			return "", io.EOF
		}
		e.interrupted.Store(false)
		part, continued := strings.CutSuffix(line, `\`)
		parts = append(parts, part)
		if continued {
			e.edit.SetPrompt(e.options.Continued)
			continue
		}
		e.edit.SetPrompt(e.options.Prompt)
		return strings.TrimSpace(strings.ReplaceAll(strings.Join(parts, "\n"), string(newlineMark), "\n")), nil
	}
}

// line reads one line. While it does, the terminal marks pasted text.
func (e *LineEditor) line() (string, error) {
	io.WriteString(os.Stdout, "\x1b[?2004h")
	defer io.WriteString(os.Stdout, "\x1b[?2004l")
	return e.edit.ReadLine()
}

// Confirm asks a question. Any answer but yes is an error with code canceled.
func (e *LineEditor) Confirm(question string) error {
	e.edit.SetPrompt(question + yesOrNo)
	defer e.edit.SetPrompt(e.options.Prompt)
	answer, err := e.edit.ReadLine()
	if err != nil {
		answer = ""
	}
	return confirmed(answer)
}

// Close restores the terminal.
func (e *LineEditor) Close() {
	signal.Stop(e.signals)
	close(e.signals)
	_ = e.edit.Close() // only restores the terminal
}

// completer completes the last word of a line that begins with a slash.
type completer func(before string) []string

// Do returns the rest of each candidate for the line up to pos, and how many characters
// of it have been typed.
func (c completer) Do(line []rune, pos int) ([][]rune, int) {
	typed := string(line[:pos])
	if !strings.HasPrefix(typed, "/") {
		return nil, 0
	}
	at := strings.LastIndexByte(typed, ' ') + 1
	word := typed[at:]
	var out [][]rune
	for _, candidate := range c(strings.TrimSpace(typed[:at])) {
		if rest, ok := strings.CutPrefix(candidate, word); ok {
			out = append(out, []rune(rest+" "))
		}
	}
	return out, len([]rune(word))
}

// Lines reads messages from a pipe, one per line. A backslash at the end of a line joins
// it to the next.
type Lines struct{ from *bufio.Reader }

// NewLines returns a reader of the messages in r.
func NewLines(r io.Reader) *Lines { return &Lines{bufio.NewReader(r)} }

// Read returns the next message without surrounding white space, io.EOF at the end, and
// an error with code too_large for one longer than strata.MaxTurnBytes.
func (l *Lines) Read() (string, error) {
	var text strings.Builder
	for {
		line, err := l.from.ReadString('\n')
		if text.Len()+len(line) > strata.MaxTurnBytes {
			return "", tooLong("a message is")
		}
		part, continued := strings.CutSuffix(strings.TrimRight(line, "\r\n"), `\`)
		text.WriteString(part)
		switch {
		case err == nil && continued:
			text.WriteByte('\n')
			continue
		case err == nil, errors.Is(err, io.EOF) && text.Len() > 0:
			return strings.TrimSpace(text.String()), nil
		case errors.Is(err, io.EOF):
			return "", io.EOF
		}
		return "", ReadError("standard input", err)
	}
}

// Confirm always fails: nobody can be asked in a pipe.
func (l *Lines) Confirm(string) error {
	return strata.Invalid("", "there is no terminal to ask on", "add --yes to go ahead")
}

// Close does nothing: the reader belongs to the caller.
func (l *Lines) Close() {}
