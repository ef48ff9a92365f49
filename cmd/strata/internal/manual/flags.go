package manual

import (
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
)

const (
	// widestName is the widest flag that has its meaning next to it.
	widestName = 30
	// longestValues is the longest list of values shown as the name of a value. A longer
	// one comes after the meaning.
	longestValues = 20
)

// Flags lists flags with their meaning, in declaration order.
func Flags(flags *pflag.FlagSet, columns int) string {
	return strings.Join(listed(flags, false).lines(columns), "\n")
}

// briefFlags lists flags in at most the given number of lines, if possible. It leaves out
// what follows a semicolon, and shortens the meaning of the flags declared last, which
// are the least used.
func briefFlags(flags *pflag.FlagSet, columns, most int) string {
	list := listed(flags, true)
	for i := len(list) - 1; i >= 0 && len(list.lines(columns)) > most; i-- {
		list[i].meaning = opening(list[i].meaning, columns-list.begin())
	}
	return strings.Join(list.lines(columns), "\n")
}

// A flag is an entry of the help: "-n, --limit N" and its meaning.
type flag struct{ name, meaning string }

// flags are the flags of a command.
type flags []flag

// begin returns the column at which meanings begin.
func (l flags) begin() int {
	column := 0
	for _, f := range l {
		if n := len(f.name); n <= widestName {
			column = max(column, n)
		}
	}
	return len("  ") + column + len("  ")
}

// lines returns the flags as they are printed.
func (l flags) lines(columns int) (out []string) {
	begin := l.begin()
	for _, f := range l {
		if columns-begin < columns/3 { // no room beside the names
			out = append(out, "  "+f.name)
			out = append(out, strings.Split(terminal.Fold("    "+f.meaning, columns, 0), "\n")...)
			continue
		}
		lines := terminal.Wrap(f.meaning, columns-begin)
		first := "  " + f.name
		if len(first)+len("  ") <= begin {
			first += strings.Repeat(" ", begin-len(first)) + lines[0]
			lines = lines[1:]
		}
		out = append(out, first)
		for _, rest := range lines {
			out = append(out, strings.Repeat(" ", begin)+rest)
		}
	}
	return out
}

// opening returns a meaning that fits on a line, or else the part before a colon, a comma
// or a parenthesis: a list is dropped whole, because part of it would look complete.
func opening(meaning string, columns int) string {
	if len(meaning) <= columns {
		return meaning
	}
	for _, sign := range []string{": ", ", ", " ("} {
		meaning, _, _ = strings.Cut(meaning, sign)
	}
	return meaning
}

// listed returns the flags that help shows. In brief it drops what follows a semicolon.
func listed(set *pflag.FlagSet, brief bool) (list flags) {
	set.VisitAll(func(f *pflag.Flag) {
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
		list = append(list, flag{name, meaning})
	})
	return list
}

// Default formats the default of a flag for people; empty for the zero value of its type.
// A large number is written in full, with commas.
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
