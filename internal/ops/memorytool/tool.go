// Package memorytool answers the calls of the memory tool that Anthropic's models are
// trained with: a directory /memories of files that a model views, creates, edits, renames
// and deletes. Here the files are the notes of a scope, and every change is a decision like
// any other, with its history and the scan for secrets.
//
// A program declares the tool to the model as {"type": "memory_20250818", "name":
// "memory"}, hands the input of each call to [Tool.Handle] and the answer back to the model:
//
//	tool := memorytool.New(mem, memorytool.Options{Scope: strata.Global()})
//	answer, err := tool.Handle(ctx, block.Input)
//
// # Files
//
// /memories is the directory notes/ of the scope, and what lies below it has the same path
// there: /memories/projects/a.md is notes/projects/a.md. Documents are Markdown, so a file
// of another name is kept under that name with "_.md" behind it: todo.txt is
// notes/todo.txt_.md. Directories are those that hold a file; they come and go with them.
//
// The model sees the text of a note and not its front matter. What it writes is kept to the
// byte. Front matter is made for a new file and kept up in one that has it.
//
// # Answers
//
// A line is shown with what could be taken for markup defused, as everywhere: "‹div>" for a
// tag, "x (https://…)" for a link. A model may name it as it saw it, and what it does not
// touch stays. Lines without a number below a file say what reads like an instruction in it.
//
// Answers and refusals have the words of the file system example in Anthropic's own SDKs,
// which models know. A call that cannot be carried out is an answer too, one that says so;
// an error means that memory itself failed.
package memorytool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/secrets/fence"
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

// Call is the input of a call of the tool. Which fields a command has is said beside them.
type Call struct {
	Command    string  `json:"command" opt:"required" enum:"view,create,str_replace,insert,delete,rename" doc:"what to do"`
	Path       string  `json:"path,omitempty" doc:"of the file or directory, such as /memories/todo.md; of all but rename"`
	ViewRange  []int   `json:"view_range,omitempty" doc:"of view: first and last line, from 1; -1 is the end"`
	FileText   *string `json:"file_text,omitempty" doc:"of create: text of the new file"`
	OldStr     *string `json:"old_str,omitempty" doc:"of str_replace: the text to replace, which must be there once"`
	NewStr     *string `json:"new_str,omitempty" doc:"of str_replace: what takes its place (default: nothing)"`
	InsertLine *int    `json:"insert_line,omitempty" doc:"of insert: the line behind which the text goes; 0 is the beginning"`
	InsertText *string `json:"insert_text,omitempty" doc:"of insert: the text"`
	OldPath    string  `json:"old_path,omitempty" doc:"of rename: the file or directory"`
	NewPath    string  `json:"new_path,omitempty" doc:"of rename: where it goes"`
}

// Answer is what the model is told.
type Answer struct {
	Content string `json:"content" doc:"what the model is told"`
	IsError bool   `json:"is_error" doc:"the call was refused, and nothing changed; content says why"`
}

// String is the answer as a model reads it.
func (a Answer) String() string {
	if a.IsError {
		return "Error: " + a.Content
	}
	return a.Content
}

// parse reads a call. Fields that are not known are left out: models invent some.
func parse(input []byte) (Call, error) {
	var c Call
	if !utf8.Valid(input) { // it would be read as other text
		return c, refuse("The call is not valid UTF-8")
	}
	if err := json.Unmarshal(bytes.TrimSpace(input), &c); err != nil {
		return c, refuse("The call is not the JSON of the memory tool: %v", err)
	}
	return c, nil
}
