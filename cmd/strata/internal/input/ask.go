package input

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
)

// Prompter returns the writer for questions to the person at the terminal: standard
// error, or the terminal itself if standard error is redirected. It fails if standard
// input is not a terminal: then nobody can answer.
func Prompter(stdin io.Reader, stderr io.Writer) (io.WriteCloser, error) {
	if !terminal.Is(stdin) {
		return nil, errors.New("standard input is not a terminal")
	}
	if terminal.Is(stderr) {
		return nopCloser{stderr}, nil
	}
	return os.OpenFile("/dev/tty", os.O_WRONLY, 0)
}

// nopCloser is a writer that Close leaves open.
type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// Ask writes a question to tty and reads the answer from stdin. Any answer but yes is an
// error with code canceled.
func Ask(ctx context.Context, stdin io.Reader, tty io.Writer, question string) error {
	fmt.Fprint(tty, question+yesOrNo)
	answer, err := bufio.NewReader(Interruptible(ctx, stdin)).ReadString('\n')
	if ctx.Err() != nil {
		return ctx.Err()
	}
	declined := confirmed(answer)
	if err != nil && declined != nil {
		fmt.Fprintln(tty) // no answer has ended the line of the prompt
	}
	return declined
}

// Line writes a question to tty and reads a line from stdin, without surrounding space.
func Line(ctx context.Context, stdin io.Reader, tty io.Writer, question string) (string, error) {
	fmt.Fprint(tty, question)
	answer, err := bufio.NewReader(Interruptible(ctx, stdin)).ReadString('\n')
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil && answer == "" {
		fmt.Fprintln(tty) // no answer has ended the line of the prompt
	}
	return strings.TrimSpace(answer), nil
}

// yesOrNo follows a question.
const yesOrNo = " [y/N] "

// confirmed returns nil for yes, and for any other answer an error with code canceled.
func confirmed(answer string) error {
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return nil
	}
	return &strata.Error{Code: strata.CodeCanceled, Message: "nothing was changed", Hint: "answer y to go on"}
}
