// Package memorytool answers calls of the memory tool that Anthropic's models are trained
// with: a directory /memories of files that a model views, creates, edits, renames and
// deletes. Here the files are the notes of a scope, and every change is a decision like
// any other, with its history and the scan for secrets.
//
// A program declares the tool to the model as {"type": "memory_20250818", "name":
// "memory"}, passes the input of each call to [Tool.Handle] and the answer back to the
// model:
//
//	tool := memorytool.New(mem, memorytool.Options{Scope: strata.Global()})
//	answer, err := tool.Handle(ctx, block.Input)
//
// # Files
//
// /memories maps to the directory notes/ of the scope, and each path below it to the same
// path there: /memories/projects/a.md is notes/projects/a.md. Documents are Markdown, so
// a file with another extension is stored with "_.md" appended: todo.txt is
// notes/todo.txt_.md. A directory exists as long as it contains a file.
//
// The model sees the text of a note without its front matter. What it writes is stored
// byte for byte. A new file gets front matter; in a file that has some, it is kept up to
// date.
//
// # Answers
//
// Lines are shown with anything that could be taken for markup escaped, as everywhere:
// "‹div>" for a tag, "x (https://…)" for a link. A model may quote a line as it saw it,
// and what it does not touch stays as stored. Lines without a number below a file warn of
// text in it that reads like an instruction.
//
// Answers and refusals use the wording of the file system example in Anthropic's SDKs,
// which models know. A call that cannot be carried out gets an answer that says so; an
// error means that memory itself failed.
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

// Memory is what the tool needs of an engine.
type Memory interface {
	// Documents lists the documents of a view.
	Documents(ctx context.Context, view strata.View, f strata.DocumentFilter) ([]strata.Document, error)
	// Document returns a document by its path, with its content, or not_found.
	Document(ctx context.Context, view strata.View, path string) (strata.Document, error)
	// WriteBatch writes candidates in one transaction.
	WriteBatch(ctx context.Context, list []strata.Candidate) ([]strata.Decision, error)
	// Now returns the current time.
	Now() time.Time
}

// Options say whose files the tool works on and who calls it.
type Options struct {
	Scope   strata.Scope // owner of the notes; required
	Agent   string       // the agent that calls, if known
	Session string       // the session of the calls, if known
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

// Handle answers a call, given as the JSON that the model wrote. The answer says what is
// wrong with a call. An error, such as busy or internal, means that memory failed.
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
		// Another change came first. Wait for it to be committed, then answer from the
		// result.
		select {
		case <-ctx.Done():
			return Answer{}, ctx.Err()
		case <-time.After(time.Duration(try) * pause):
		}
	}
}

const (
	// tries is how often a call is tried when a file keeps changing meanwhile.
	tries = 20
	// pause is the wait before the second try; it grows with each try.
	pause = 2 * time.Millisecond
)

// isOvertaken reports whether a file had changed since it was read.
func isOvertaken(err error) bool {
	var e *strata.Error
	return errors.As(err, &e) && e.Code == strata.CodeConflict && e.Details["hash"] != ""
}

// refusal is the reason a call is not carried out, in words for the model.
type refusal struct{ message string }

// Error returns the message.
func (r *refusal) Error() string { return r.message }

func refuse(format string, args ...any) error { return &refusal{fmt.Sprintf(format, args...)} }

// answer converts the result of a command. An error that the caller can act on becomes an
// answer for the model; any other is for the program.
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

// clip shortens a text of the model for a message.
func clip(s string) string { return fence.Cut(fence.Line(s), 200) }

// Call is the input of a call. The comments name the commands that use each field.
type Call struct {
	Command    string  `json:"command" opt:"required" enum:"view,create,str_replace,insert,delete,rename" doc:"what to do"`
	Path       string  `json:"path,omitempty" doc:"path of the file or directory, such as /memories/todo.md; for all commands but rename"`
	ViewRange  []int   `json:"view_range,omitempty" doc:"for view: first and last line, from 1; -1 is the end"`
	FileText   *string `json:"file_text,omitempty" doc:"for create: text of the new file"`
	OldStr     *string `json:"old_str,omitempty" doc:"for str_replace: the text to replace, which must be there once"`
	NewStr     *string `json:"new_str,omitempty" doc:"for str_replace: what takes its place (default: nothing)"`
	InsertLine *int    `json:"insert_line,omitempty" doc:"for insert: the line after which the text goes; 0 is the beginning"`
	InsertText *string `json:"insert_text,omitempty" doc:"for insert: the text"`
	OldPath    string  `json:"old_path,omitempty" doc:"for rename: the file or directory"`
	NewPath    string  `json:"new_path,omitempty" doc:"for rename: where it goes"`
}

// Answer is the answer to the model.
type Answer struct {
	Content string `json:"content" doc:"what the model is told"`
	IsError bool   `json:"is_error" doc:"the call was refused, and nothing changed; content says why"`
}

// String returns the answer as a model reads it.
func (a Answer) String() string {
	if a.IsError {
		return "Error: " + a.Content
	}
	return a.Content
}

// parse parses a call. It ignores unknown fields: models invent some.
func parse(input []byte) (Call, error) {
	var c Call
	if !utf8.Valid(input) { // invalid bytes would be decoded as other text
		return c, refuse("The call is not valid UTF-8")
	}
	if err := json.Unmarshal(bytes.TrimSpace(input), &c); err != nil {
		return c, refuse("The call is not the JSON of the memory tool: %v", err)
	}
	return c, nil
}
