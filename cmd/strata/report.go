package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/config"
)

// The forms of output.
const (
	formatTable = "table"
	formatJSON  = "json"
	formatJSONL = "jsonl"
)

// errorOutput is an error for scripts: one line of JSON.
type errorOutput struct {
	Code    strata.Code       `json:"code"`
	Message string            `json:"message"`
	Hint    string            `json:"hint"`
	Details map[string]string `json:"details,omitempty"`
}

// report prints err to standard error in the form of the output.
func (a *app) report(err error) {
	a.log.Debug("failed", "error", err.Error())
	out := errorOf(err)
	if a.format != formatTable {
		// A write error to standard error leaves nowhere to report it.
		_ = json.NewEncoder(a.stderr).Encode(out)
		return
	}
	st := a.styleFor(a.stderr)
	fmt.Fprintf(a.stderr, "%s %s\n", st.alarm("strata:"), clean(out.Message))
	if out.Hint != "" {
		fmt.Fprintf(a.stderr, "  hint: %s\n", clean(out.Hint))
	}
}

// errorOf is an error as scripts read it.
func errorOf(err error) errorOutput {
	out := errorOutput{Code: strata.CodeOf(err), Message: message(err)}
	var known *strata.Error
	if errors.As(err, &known) {
		out.Hint, out.Details = known.Hint, known.Details
	}
	return out
}

// message is what a person reads of err: without the names of the operations
// inside Strata, which the log has.
func message(err error) string {
	known, ok := err.(*strata.Error)
	switch {
	case errors.Is(err, context.Canceled) && !ok:
		return "interrupted"
	case errors.Is(err, context.DeadlineExceeded) && !ok:
		return "time ran out"
	case !ok:
		return err.Error()
	case known.Err == nil:
		return known.Message
	case known.Message == "":
		return message(known.Err)
	}
	return known.Message + ": " + message(known.Err)
}

// earlyFormat looks for the form of output in arguments that may be wrong, and
// in the environment.
func earlyFormat(args []string, getenv func(string) string) string {
	format := getenv("STRATA_OUTPUT")
	for i, arg := range args {
		value, found := "", false
		switch {
		case arg == "--":
			return known(format)
		case arg == "-o" || arg == "--output":
			if i+1 < len(args) {
				value, found = args[i+1], true
			}
		case strings.HasPrefix(arg, "--output="):
			value, found = strings.TrimPrefix(arg, "--output="), true
		case strings.HasPrefix(arg, "-o"):
			value, found = strings.TrimPrefix(strings.TrimPrefix(arg, "-o"), "="), true
		}
		if found {
			format = value
		}
	}
	return known(format)
}

// known is format if it is a form of output, else table.
func known(format string) string {
	for _, s := range config.Settings() {
		if s.Name != config.Output {
			continue
		}
		for _, e := range s.Enum {
			if format == e {
				return format
			}
		}
	}
	return formatTable
}
