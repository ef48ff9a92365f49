// Package output writes what a command found, decided or failed at to its
// streams: as tables and sentences for people, or as JSON for scripts, which
// docs/cli-json.md describes. Each operation's output has a method of [Page]
// that writes it for people.
package output

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"time"
	"unicode/utf8"

	"github.com/strata-memory/strata/cmd/strata/internal/progress"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/internal/secrets/fence"
)

// The forms of output.
const (
	Table = "table" // for people
	JSON  = "json"  // one document
	JSONL = "jsonl" // a line for each item
)

// A Printer writes the output of one run of the program.
type Printer struct {
	Stdout, Stderr io.Writer
	Getenv         func(name string) string // of NO_COLOR, TERM, COLUMNS and the locale
	Now            func() time.Time         // what "yesterday" is counted from
	Format         string
	Color          string // ColorAuto, ColorAlways or ColorNever
	Quiet          bool   // no notes and no progress
	Why            bool   // explain each hit
}

// When output has colors.
const (
	ColorAuto   = "auto" // on a terminal, unless NO_COLOR is set
	ColorAlways = "always"
	ColorNever  = "never"
)

// lister is an output that is a list, one line for each row in jsonl.
type lister interface{ Rows() []any }

// failer is an output that amounts to an error although it can be shown.
type failer interface{ Failure() error }

// ForPeople reports whether people read the output, and not a script.
func (p *Printer) ForPeople() bool { return p.Format == Table }

// Print writes an output in the form that was asked for, and returns the error
// it amounts to, if any.
func (p *Printer) Print(out any) error {
	var err error
	switch list, isList := out.(lister); {
	case p.Format == JSON:
		err = p.JSON(out)
	case p.Format == JSONL && isList:
		for _, row := range list.Rows() {
			if err = p.Line(row); err != nil {
				break
			}
		}
	case p.Format == JSONL:
		err = p.Line(out)
	default:
		err = p.Text(p.Stdout, out)
	}
	if err != nil {
		return fmt.Errorf("write output: %w", err)
	}
	if f, ok := out.(failer); ok {
		return f.Failure()
	}
	return nil
}

// JSON writes a document for scripts and for people who look at it.
func (p *Printer) JSON(v any) error { return writeJSON(p.Stdout, v, "  ") }

// Line writes one line of JSON.
func (p *Printer) Line(v any) error { return writeJSON(p.Stdout, v, "") }

// Item writes one of many answers as it comes, but for [JSON], which is one document at the
// end.
func (p *Printer) Item(v any) error {
	switch p.Format {
	case JSON:
		return nil
	case JSONL:
		return p.Line(v)
	}
	return p.Text(p.Stdout, v)
}

// writeJSON writes a value with whatever could not be seen on a terminal escaped.
func writeJSON(to io.Writer, v any, indent string) error {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := to.Write(fence.Escape(text.Bytes()))
	return err
}

// Data is standard output for JSON that is written elsewhere: on a terminal it is escaped
// as that of [Printer.JSON] is, and goes on byte by byte otherwise.
func (p *Printer) Data() io.Writer {
	if !terminal.Is(p.Stdout) {
		return p.Stdout
	}
	return &escaper{to: p.Stdout}
}

// escaper escapes JSON. What comes may end inside of a character.
type escaper struct {
	to   io.Writer
	rest []byte
}

func (e *escaper) Write(data []byte) (int, error) {
	all := append(e.rest, data...)
	end := len(all)
	for i := end - 1; i >= max(0, end-utf8.UTFMax); i-- {
		if utf8.RuneStart(all[i]) {
			if !utf8.FullRune(all[i:]) {
				end = i
			}
			break
		}
	}
	_, err := e.to.Write(fence.Escape(all[:end]))
	e.rest = append([]byte(nil), all[end:]...)
	return len(data), err
}

// Note tells people something that is not the result itself. Scripts find it in
// the output.
func (p *Printer) Note(format string, args ...any) {
	if p.Quiet || !p.ForPeople() {
		return
	}
	p.warn(p.Style(p.Stderr).Faint("note: " + terminal.Clean(fmt.Sprintf(format, args...))))
}

// warn writes a line to standard error, fitted to its screen. An error of writing it
// leaves nowhere to report it.
func (p *Printer) warn(line string) {
	page := p.Page(p.Stderr)
	page.Printf("%s\n", line)
}

// Summarize writes an output for people to standard error, where standard output
// is taken by data.
func (p *Printer) Summarize(out any) error {
	if p.Quiet || !p.ForPeople() {
		return nil
	}
	return p.Text(p.Stderr, out)
}

// Style colors what goes to a terminal unless colors are unwanted.
func (p *Printer) Style(stream io.Writer) terminal.Style {
	switch p.Color {
	case ColorAlways:
		return terminal.Style{Color: true}
	case ColorNever:
		return terminal.Style{}
	}
	return terminal.Style{Color: terminal.Is(stream) && p.Getenv("NO_COLOR") == "" && p.Getenv("TERM") != "dumb"}
}

// ByteProgress is [Printer.Progress] of a task whose items are bytes.
func (p *Printer) ByteProgress(label string) *progress.Progress {
	if p.Quiet || !p.ForPeople() {
		return progress.New(label, nil)
	}
	return progress.NewBytes(label, p.Stderr)
}

// Progress starts to show how far a task has come, unless nobody wants to see it.
func (p *Printer) Progress(label string) *progress.Progress {
	if p.Quiet || !p.ForPeople() {
		return progress.New(label, nil)
	}
	return progress.New(label, p.Stderr)
}
