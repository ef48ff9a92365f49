// Package output writes results, decisions and errors of commands to their streams: as
// tables and sentences for people, or as JSON for scripts, which docs/cli-json.md
// describes. Each operation's output has a method of [Page] that writes it for people.
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

// Output formats.
const (
	Table = "table" // for people
	JSON  = "json"  // one document
	JSONL = "jsonl" // a line per item
)

// A Printer writes the output of one run of the program.
type Printer struct {
	Stdout, Stderr io.Writer
	Getenv         func(name string) string // looks up NO_COLOR, TERM, COLUMNS and the locale
	Now            func() time.Time         // the time that "yesterday" refers to
	Format         string
	Color          string // ColorAuto, ColorAlways or ColorNever
	Quiet          bool   // print no notes and no progress
	Why            bool   // explain each hit
}

// Values of Color.
const (
	ColorAuto   = "auto" // on a terminal, unless NO_COLOR is set
	ColorAlways = "always"
	ColorNever  = "never"
)

// lister is an output that is a list, with one line per row in jsonl.
type lister interface{ Rows() []any }

// failer is an output that reports a failure but can still be shown.
type failer interface{ Failure() error }

// ForPeople reports whether the output is for people rather than scripts.
func (p *Printer) ForPeople() bool { return p.Format == Table }

// Print writes an output in the requested format, and returns the failure that it
// reports, if any.
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

// JSON writes an indented JSON document.
func (p *Printer) JSON(v any) error { return writeJSON(p.Stdout, v, "  ") }

// Line writes one line of JSON.
func (p *Printer) Line(v any) error { return writeJSON(p.Stdout, v, "") }

// Item writes one of several outputs as it becomes available, unless the format is
// [JSON], which is one document at the end.
func (p *Printer) Item(v any) error {
	switch p.Format {
	case JSON:
		return nil
	case JSONL:
		return p.Line(v)
	}
	return p.Text(p.Stdout, v)
}

// writeJSON writes a value, escaping what would be invisible on a terminal.
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

// Data returns standard output for JSON that is written elsewhere. On a terminal it
// escapes the JSON like [Printer.JSON], and otherwise passes it on unchanged.
func (p *Printer) Data() io.Writer {
	if !terminal.Is(p.Stdout) {
		return p.Stdout
	}
	return &escaper{to: p.Stdout}
}

// escaper escapes JSON. A write may end within a character.
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

// Note tells people something that is not part of the result. Scripts find it in the
// output.
func (p *Printer) Note(format string, args ...any) {
	if p.Quiet || !p.ForPeople() {
		return
	}
	p.warn(p.Style(p.Stderr).Faint("note: " + terminal.Clean(fmt.Sprintf(format, args...))))
}

// warn writes a line to standard error, fitted to its screen. If that fails, there is
// nowhere to report it.
func (p *Printer) warn(line string) {
	page := p.Page(p.Stderr)
	page.Printf("%s\n", line)
}

// Summarize writes an output for people to standard error, because data goes to standard
// output.
func (p *Printer) Summarize(out any) error {
	if p.Quiet || !p.ForPeople() {
		return nil
	}
	return p.Text(p.Stderr, out)
}

// Style returns a style with colors if stream is a terminal and colors are wanted.
func (p *Printer) Style(stream io.Writer) terminal.Style {
	switch p.Color {
	case ColorAlways:
		return terminal.Style{Color: true}
	case ColorNever:
		return terminal.Style{}
	}
	return terminal.Style{Color: terminal.Is(stream) && p.Getenv("NO_COLOR") == "" && p.Getenv("TERM") != "dumb"}
}

// ByteProgress is [Printer.Progress] for a task whose items are bytes.
func (p *Printer) ByteProgress(label string) *progress.Progress {
	if p.Quiet || !p.ForPeople() {
		return progress.New(label, nil)
	}
	return progress.NewBytes(label, p.Stderr)
}

// Progress starts to show the progress of a task, unless nobody wants to see it.
func (p *Printer) Progress(label string) *progress.Progress {
	if p.Quiet || !p.ForPeople() {
		return progress.New(label, nil)
	}
	return progress.New(label, p.Stderr)
}
