// Package schematest generates JSON from a schema, for property tests of whatever has
// one: JSON that fits, and JSON that almost does.
package schematest

import (
	"encoding/json"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata/internal/ops/schema"
)

// Drawing generates values. The zero value generates arbitrary texts, and empty lists.
type Drawing struct {
	Texts []string // used in addition to arbitrary ones
	Most  int      // longest list
}

// Value generates a value that fits a schema.
func (d Drawing) Value(t *rapid.T, s *schema.Schema, name string) any {
	switch s.Type {
	case "object":
		out := make(map[string]any)
		for _, p := range s.Properties {
			if p.Required || rapid.Bool().Draw(t, name+"."+p.Name+"?") {
				out[p.Name] = d.Value(t, p.Schema, name+"."+p.Name)
			}
		}
		return out
	case "array":
		out := []any{}
		for range rapid.IntRange(0, d.Most).Draw(t, name+" length") {
			out = append(out, d.Value(t, s.Items, name))
		}
		return out
	case "boolean":
		return rapid.Bool().Draw(t, name)
	case "integer":
		if s.Max > 0 {
			return rapid.Int64Range(s.Min, s.Max).Draw(t, name)
		}
		return rapid.OneOf(rapid.Int64Range(-1, 20), rapid.Int64Range(-1<<53, 1<<53)).Draw(t, name)
	case "number":
		return rapid.Float64Range(-2, 2).Draw(t, name)
	}
	if len(s.Enum) > 0 && rapid.Bool().Draw(t, name+" of the list") {
		return rapid.SampledFrom(s.Enum).Draw(t, name)
	}
	texts := []*rapid.Generator[string]{rapid.StringN(0, 40, -1)}
	if len(d.Texts) > 0 {
		texts = append(texts, rapid.SampledFrom(d.Texts))
	}
	return rapid.OneOf(texts...).Draw(t, name)
}

// JSON generates a document that fits a schema.
func (d Drawing) JSON(t *rapid.T, s *schema.Schema, name string) []byte {
	return encode(d.Value(t, s, name))
}

// Broken generates a document that fits a schema of an object except for one mistake: a
// value of another type, a missing or an extra field, or something other than an object.
// It is valid JSON.
func (d Drawing) Broken(t *rapid.T, s *schema.Schema, name string) []byte {
	in, ok := d.Value(t, s, name).(map[string]any)
	if !ok || len(s.Properties) == 0 || rapid.IntRange(0, 4).Draw(t, name+" whole") == 0 {
		return encode(strange(t, name))
	}
	p := rapid.SampledFrom(s.Properties).Draw(t, name+" mistake in")
	switch rapid.IntRange(0, 2).Draw(t, name+" mistake") {
	case 0:
		delete(in, p.Name)
	case 1:
		in[p.Name+"s"] = strange(t, name)
	default:
		in[p.Name] = strange(t, name)
	}
	return encode(in)
}

// strange generates a value that few schemas accept.
func strange(t *rapid.T, name string) any {
	return rapid.SampledFrom([]any{
		nil, true, -1, 1e300, "", "\x00", "\u202e", []any{}, []any{nil}, []any{[]any{[]any{1}}}, map[string]any{}, map[string]any{"": map[string]any{"a": nil}},
		"9223372036854775808", json.Number("9223372036854775808"), json.Number("1.5"),
	}).Draw(t, name+" strange")
}

// encode marshals a generated value.
func encode(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // only strings, numbers, lists and maps
	}
	return data
}
