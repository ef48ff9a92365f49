package main

import (
	"encoding/json"
	"fmt"
)

// lister is an output that is a list, one line for each row in jsonl.
type lister interface{ Rows() []any }

// failer is an output that amounts to an error although it can be shown.
type failer interface{ Failure() error }

// print writes an operation's output in the form that was asked for, and
// returns the error it amounts to, if any.
func (a *app) print(out any) error {
	var err error
	switch list, isList := out.(lister); {
	case a.format == formatJSON:
		err = a.printJSON(out)
	case a.format == formatJSONL && isList:
		for _, row := range list.Rows() {
			if err = a.printLine(row); err != nil {
				break
			}
		}
	case a.format == formatJSONL:
		err = a.printLine(out)
	default:
		err = a.printTable(a.stdout, out)
	}
	if err != nil {
		return fmt.Errorf("write output: %w", err)
	}
	if f, ok := out.(failer); ok {
		return f.Failure()
	}
	return nil
}

// printJSON writes a document for scripts and for people who look at it.
func (a *app) printJSON(v any) error {
	enc := json.NewEncoder(a.stdout)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// printLine writes one line of JSON.
func (a *app) printLine(v any) error {
	enc := json.NewEncoder(a.stdout)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// note tells people something beside the result. Scripts find it in the
// output itself.
func (a *app) note(format string, args ...any) {
	if a.flags.quiet || a.format != formatTable {
		return
	}
	st := a.styleFor(a.stderr)
	fmt.Fprintln(a.stderr, st.faint("note: "+clean(fmt.Sprintf(format, args...))))
}
