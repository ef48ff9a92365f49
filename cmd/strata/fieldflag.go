package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/ops/schema"
)

// fieldFlag is the flag for an input field of an operation.
type fieldFlag struct {
	field schema.Field
	in    any // the input the field belongs to
	text  string
}

var _ pflag.Value = (*fieldFlag)(nil)

// String returns the value as it was given, or the default.
func (f *fieldFlag) String() string { return f.text }

// Type names the kind of value in the help.
func (f *fieldFlag) Type() string {
	switch strings.TrimPrefix(f.field.Type, "[]") {
	case "integer", "number":
		return "n"
	case "boolean":
		return "bool"
	}
	if len(f.field.Enum) > 0 {
		return strings.Join(f.field.Enum, "|")
	}
	return "string"
}

// Set sets the field. A list may be given in one flag, separated by commas, or by
// repeating the flag.
func (f *fieldFlag) Set(value string) error {
	values := []string{value}
	if f.field.List() {
		values = strings.Split(value, ",")
	}
	for _, v := range values {
		if err := f.field.Set(f.in, v); err != nil {
			return err
		}
	}
	f.text = value
	return nil
}

// flagName returns the name of a field's flag.
func flagName(f schema.Field) string { return strings.ReplaceAll(f.Name, "_", "-") }

// addFieldFlags gives cmd a flag for every field of in that is not its
// argument.
func (a *app) addFieldFlags(cmd *cobra.Command, op operation.Operation, in any) {
	cmd.Flags().SortFlags = false
	for _, f := range op.Inputs() {
		if f.Arg {
			continue
		}
		value := &fieldFlag{field: f, in: in, text: f.Default}
		flag := cmd.Flags().VarPF(value, flagName(f), f.Short, f.Doc)
		if f.Type == "boolean" {
			flag.NoOptDefVal = "true"
		}
		a.completeField(cmd, f)
	}
}

// choice is a flag whose value is one of a few words.
type choice struct {
	value *string
	kind  string // name of the value in the help
	of    []string
}

var _ pflag.Value = (*choice)(nil)

func (c *choice) String() string {
	if c.value == nil { // pflag calls String on a zero value to find the default
		return ""
	}
	return *c.value
}

// Type names the kind of value in the help.
func (c *choice) Type() string { return c.kind }

// Set accepts one of the words.
func (c *choice) Set(value string) error {
	if !slices.Contains(c.of, value) {
		return errors.New("use " + strings.Join(c.of, ", "))
	}
	*c.value = value
	return nil
}
