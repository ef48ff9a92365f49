package main

import (
	"slices"
	"strings"

	"github.com/strata-memory/strata/cmd/strata/internal/output"
	"github.com/strata-memory/strata/internal/config"
)

// earlyFormat looks for the form of output in arguments that may be wrong, and
// in the environment.
func earlyFormat(args []string, getenv func(string) string) string {
	format := getenv("STRATA_OUTPUT")
	for i, arg := range args {
		if arg == "--" {
			break
		}
		switch {
		case arg == "-o" || arg == "--output":
			if i+1 < len(args) {
				format = args[i+1]
			}
		case strings.HasPrefix(arg, "--output="):
			format = strings.TrimPrefix(arg, "--output=")
		case strings.HasPrefix(arg, "-o"):
			format = strings.TrimPrefix(strings.TrimPrefix(arg, "-o"), "=")
		}
	}
	for _, s := range config.Settings() {
		if s.Name == config.Output && slices.Contains(s.Enum, format) {
			return format
		}
	}
	return output.Table
}
