package memorytool

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/fence"
)

// Memory is what the tool works on; an engine is one.
type Memory interface {
	// Documents lists the documents of a view.
	Documents(ctx context.Context, view strata.View, f strata.DocumentFilter) ([]strata.Document, error)
	// Document returns a document by its path, with its content, or not_found.
	Document(ctx context.Context, view strata.View, path string) (strata.Document, error)
	// WriteBatch writes candidates in one transaction.
	WriteBatch(ctx context.Context, list []strata.Candidate) ([]strata.Decision, error)
	// Now is the time.
	Now() time.Time
}

// Options say whose files they are and who calls.
type Options struct {
	Scope   strata.Scope // whose notes the files are; must be set
	Agent   string       // who calls, if that is known
	Session string       // in which the call is made
}

// Tool answers calls. It is safe for concurrent use.
type Tool struct {
	memory  Memory
	options Options
}

// New returns a tool over the notes of a scope.
func New(m Memory, o Options) *Tool {
	return &Tool{memory: m, options: o}
}

// Handle answers a call, given as the JSON that the model wrote. What is wrong with a call
// is in the answer. An error, such as busy or internal, means that memory failed.
func (t *Tool) Handle(ctx context.Context, input []byte) (Answer, error) {
	c, err := parse(input)
	if err != nil {
		return answer("", err)
	}
	return t.Run(ctx, c)
}

// Run answers a call. See [Tool.Handle].
func (t *Tool) Run(ctx context.Context, c Call) (Answer, error) {
	if err := t.options.Scope.Validate(); err != nil {
		return Answer{}, err
	}
	run := map[string]func(context.Context, Call) (string, error){
		"view": t.view, "create": t.create, "str_replace": t.replace, "insert": t.insert, "delete": t.delete, "rename": t.rename,
	}[c.Command]
	if run == nil {
		return answer("", refuse("Unknown command: %s", clip(c.Command)))
	}
	for try := 1; ; try++ {
		text, err := run(ctx, c)
		if !isOvertaken(err) || try == tries {
			return answer(text, err)
		}
		// The call is answered by what is there once the other change is committed.
		select {
		case <-ctx.Done():
			return Answer{}, ctx.Err()
		case <-time.After(time.Duration(try) * pause):
		}
	}
}

const (
	// tries is how often a call is carried out anew because a file changed meanwhile.
	tries = 20
	// pause is for how long it waits before the second try; later ones wait longer.
	pause = 2 * time.Millisecond
)

// isOvertaken reports whether a file was not as it had been read.
func isOvertaken(err error) bool {
	var e *strata.Error
	return errors.As(err, &e) && e.Code == strata.CodeConflict && e.Details["hash"] != ""
}

// refusal is why a call is not carried out, in words for the model.
type refusal struct{ message string }

// Error returns the message.
func (r *refusal) Error() string { return r.message }

func refuse(format string, args ...any) error { return &refusal{fmt.Sprintf(format, args...)} }

// answer makes an answer of what a command returned. What the caller can do something
// about is for the model, and the rest for the program.
func answer(text string, err error) (Answer, error) {
	var r *refusal
	if errors.As(err, &r) {
		return Answer{Content: r.message, IsError: true}, nil
	}
	switch strata.CodeOf(err) {
	case "":
		return Answer{Content: text}, nil
	case strata.CodeInvalid, strata.CodeTooLarge, strata.CodeRejectedSecret, strata.CodeDenied, strata.CodeConflict, strata.CodeNotFound, strata.CodeForgotten:
		var e *strata.Error
		errors.As(err, &e)
		return Answer{Content: strings.TrimSuffix(e.Message, ".") + ". " + e.Hint, IsError: true}, nil
	}
	return Answer{}, err
}

// clip shortens what a model wrote for a message.
func clip(s string) string { return fence.Cut(fence.Line(s), 200) }
