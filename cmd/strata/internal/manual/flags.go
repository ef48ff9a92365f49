package manual

import (
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
)

const (
	// widestName is the widest flag that what it means stands beside.
	widestName = 30
	// longestValues is how long a list of values may be as the name of a value. A longer
	// one stands behind what the flag means.
	longestValues = 20
)

// Flags lists flags with what they mean, in the order in which they were declared. In
// brief what follows a semicolon is left out.
func Flags(flags *pflag.FlagSet, columns int, brief bool) string {
	var names, meanings []string
	column := 0
	each(flags, brief, func(name, meaning string) {
		names, meanings = append(names, name), append(meanings, meaning)
		if n := len(name); n <= widestName {
			column = max(column, n)
		}
	})
	var out []string
	begin := len("  ") + column + len("  ")
	for i, name := range names {
		if columns-begin < columns/3 { // no room beside the names
			out = append(out, "  "+name, terminal.Fold("    "+meanings[i], columns, 0))
			continue
		}
		lines := terminal.Wrap(meanings[i], columns-begin)
		first := "  " + name
		if len(name) <= column {
			first += strings.Repeat(" ", begin-len(first)) + lines[0]
			lines = lines[1:]
		}
		out = append(out, first)
		for _, l := range lines {
			out = append(out, strings.Repeat(" ", begin)+l)
		}
	}
	return strings.Join(out, "\n")
}

// each calls a function for every flag that help names: "-n, --limit N" and what it means.
func each(flags *pflag.FlagSet, brief bool, do func(name, meaning string)) {
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		name := "    --" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", --" + f.Name
		}
		value, meaning := pflag.UnquoteUsage(f)
		if brief {
			meaning, _, _ = strings.Cut(meaning, ";")
		}
		if f.Value.Type() == "bool" || f.NoOptDefVal == "true" {
			value = ""
		}
		if len(value) > longestValues {
			values := strings.Split(value, "|")
			if !strings.Contains(meaning, values[0]) {
				meaning += ": " + strings.Join(values[:len(values)-1], ", ") + " or " + values[len(values)-1]
			}
			value = "name"
		}
		if value != "" {
			name += " " + strings.ToUpper(value)
		}
		if d := Default(f.DefValue); d != "" && !strings.Contains(meaning, "default") {
			meaning += " (default " + d + ")"
		}
		do(name, meaning)
	})
}

// Default is the default of a flag as people read it; empty where that is what a flag
// without a default has. A large number is written in full, with commas.
func Default(value string) string {
	switch value {
	case "", "0", "false", "[]", "0s":
		return ""
	}
	value = strings.Trim(value, "[]")
	n, err := strconv.ParseFloat(value, 64)
	if err != nil || n != float64(int64(n)) || n < 10_000 {
		return value
	}
	digits := strconv.FormatInt(int64(n), 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
