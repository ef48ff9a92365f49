package schema_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata/internal/ops/schema"
)

type common struct {
	View string `json:"view" doc:"what is seen" values:"scope"`
}

type inner struct {
	Words float64    `json:"words" doc:"of words"`
	At    *time.Time `json:"at,omitempty" doc:"when"`
}

// input has a field of every type and tag.
type input struct {
	common
	Text   string   `json:"text" doc:"what is kept" agents:"the text" opt:"arg,required,file" short:"t"`
	Limit  int      `json:"limit" doc:"how many" default:"10" range:"1-100"`
	Least  *float64 `json:"least" doc:"the least score" default:"0.5"`
	All    bool     `json:"all" doc:"also what was" default:"true" tool:"-"`
	Kinds  []string `json:"kinds" doc:"of what kind" enum:"fact,turn"`
	Order  string   `json:"order,omitempty" doc:"which first" enum:"new,old" default:"new"`
	Why    inner    `json:"why" doc:"how it was found"`
	Hits   []inner  `json:"hits" doc:"all that was found"`
	hidden string
	Inside string `json:"-"`
	Plain  string
}

func field(t *testing.T, name string) schema.Field {
	t.Helper()
	for _, f := range schema.Of(reflect.TypeFor[input]()) {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("there is no field %s", name)
	return schema.Field{}
}

func TestFieldsAreReadFromTheirTags(t *testing.T) {
	var names []string
	for _, f := range schema.Of(reflect.TypeFor[input]()) {
		names = append(names, f.Name+" "+f.Type)
	}
	want := []string{"view string", "text string", "limit integer", "least number", "all boolean", "kinds []string", "order string", "why object", "hits []object"}
	if !slices.Equal(names, want) {
		t.Errorf("the fields are %q, want %q", names, want)
	}
	if f := field(t, "text"); !f.Arg || !f.Required || !f.File || f.Short != "t" || f.Doc != "what is kept" || f.ToolDoc != "the text" || f.Optional {
		t.Errorf("text is %+v", f)
	}
	if f := field(t, "limit"); f.Min != 1 || f.Max != 100 || f.Doc != "how many, 1 to 100" || f.ToolDoc != f.Doc || f.Default != "10" || f.Arg || f.Required || f.File {
		t.Errorf("limit is %+v", f)
	}
	if f := field(t, "all"); !f.NoTool || f.List() {
		t.Errorf("all is %+v", f)
	}
	if f := field(t, "order"); !f.Optional || !slices.Equal(f.Enum, []string{"new", "old"}) || f.NoTool {
		t.Errorf("order is %+v", f)
	}
	names = nil
	for _, f := range schema.Nested(reflect.TypeFor[input]()) {
		if strings.Contains(f.Name, ".") {
			names = append(names, f.Name)
		}
	}
	if want := []string{"why.words", "why.at", "hits[].words", "hits[].at"}; !slices.Equal(names, want) {
		t.Errorf("inside are %q, want %q", names, want)
	}
}

// A value written as text is set as one of the field's type, also of an embedded struct.
func TestFieldsAreSetFromText(t *testing.T) {
	for _, tt := range []struct {
		name, value string
		want        any    // of the field
		err         string // a part of it
	}{
		{"view", "global", "global", ""},
		{"text", "two words", "two words", ""},
		{"limit", "7", 7, ""},
		{"limit", "seven", 0, "whole number"},
		{"all", "true", true, ""},
		{"all", "yes", false, "true or false"},
		{"kinds", "fact", []string{"fact"}, ""},
		{"kinds", "letter", []string(nil), "use one of fact, turn"},
		{"order", "old", "old", ""},
		{"order", "Old", "", "use one of new, old"},
		{"why", "{}", inner{}, "cannot be written as text"},
	} {
		var in input
		f := field(t, tt.name)
		err := f.Set(&in, tt.value)
		if got := f.Get(&in); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s from %q is %v, want %v", tt.name, tt.value, got, tt.want)
		}
		if (err != nil) != (tt.err != "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%s from %q: %v", tt.name, tt.value, err)
		}
	}
	var in input
	for _, kind := range []string{"fact", "turn"} {
		if err := field(t, "kinds").Set(&in, kind); err != nil {
			t.Error(err)
		}
	}
	if err := field(t, "least").Set(&in, "0.25"); err != nil || *in.Least != 0.25 || !slices.Equal(in.Kinds, []string{"fact", "turn"}) {
		t.Errorf("%v, %v, %v", in.Least, in.Kinds, err)
	}
	if err := field(t, "least").Set(&in, strings.Repeat("x", 1000)); err == nil || len(err.Error()) > 100 {
		t.Errorf("a long value is told as %v", err)
	}
}

func TestFieldsAreChecked(t *testing.T) {
	good := input{hidden: "y", Text: "x", Limit: 100, Kinds: []string{"turn"}, Order: "old"}
	for name, tt := range map[string]struct {
		change func(*input)
		field  string // that is at fault; empty for none
	}{
		"good":               {func(*input) {}, ""},
		"not given":          {func(in *input) { in.Limit, in.Kinds, in.Order = 0, nil, "" }, ""},
		"the least":          {func(in *input) { in.Limit = 1 }, ""},
		"missing":            {func(in *input) { in.Text = "" }, "text"},
		"too many":           {func(in *input) { in.Limit = 101 }, "limit"},
		"less than none":     {func(in *input) { in.Limit = -1 }, "limit"},
		"one that is not":    {func(in *input) { in.Kinds = []string{"fact", "letter"} }, "kinds"},
		"none of the values": {func(in *input) { in.Order = "newest" }, "order"},
	} {
		in := good
		tt.change(&in)
		var at []string
		for _, f := range schema.Of(reflect.TypeFor[input]()) {
			if f.Check(&in) != nil {
				at = append(at, f.Name)
			}
		}
		if strings.Join(at, " ") != tt.field {
			t.Errorf("%s: at fault are %q, want %q", name, at, tt.field)
		}
	}
}

func write(t *testing.T, s *schema.Schema) string {
	t.Helper()
	data, err := schema.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestSchemas(t *testing.T) {
	type small struct {
		Text  string     `json:"text" doc:"what is <kept>" opt:"required"`
		Limit int        `json:"limit" doc:"how many" default:"10" range:"1-100"`
		Kinds []string   `json:"kinds,omitempty" doc:"of what kind" enum:"fact,turn"`
		At    *time.Time `json:"at,omitempty" doc:"when"`
		Hits  []inner    `json:"hits" doc:"found"`
		Quiet bool       `json:"quiet" doc:"say nothing" tool:"-"`
	}
	typ := reflect.TypeFor[small]()
	further := schema.Property{Name: "memory", Schema: &schema.Schema{Type: "boolean"}}
	for name, tt := range map[string]struct {
		got  *schema.Schema
		want string
	}{
		"input": {schema.Input(typ, further), `{"type":"object","properties":{` +
			`"text":{"type":"string","description":"what is <kept>"},` +
			`"limit":{"type":"integer","description":"how many, 1 to 100","default":10},` +
			`"kinds":{"type":"array","description":"of what kind","items":{"type":"string","enum":["fact","turn"]}},` +
			`"at":{"type":"string","format":"date-time","description":"when"},` +
			`"hits":{"type":"array","description":"found","items":{"type":"object","properties":{` +
			`"words":{"type":"number"},"at":{"type":"string","format":"date-time"}},"required":["words"]}},` +
			`"memory":{"type":"boolean"}},"required":["text"],"additionalProperties":false}`},
		"output": {schema.Output(typ), `{"type":"object","properties":{` +
			`"text":{"type":"string"},"limit":{"type":"integer"},"kinds":{"type":"array"},"at":{"type":"string","format":"date-time"},` +
			`"hits":{"type":"array","description":"words, at"}},"required":["text","limit","hits"]}`},
		"tree of an input": {schema.Tree(schema.Nested(reflect.TypeFor[struct {
			Limit int     `json:"limit" doc:"how many" default:"10" range:"1-100"`
			Hits  []inner `json:"hits" doc:"found" opt:"required"`
		}]()), true), `{"type":"object","properties":{` +
			`"limit":{"type":"integer","description":"how many, 1 to 100","minimum":1,"maximum":100,"default":10},` +
			`"hits":{"type":"array","description":"found","items":{"type":"object","properties":{` +
			`"words":{"type":"number","description":"of words"},"at":{"type":"string","format":"date-time","description":"when"}}}}},` +
			`"required":["hits"],"additionalProperties":false}`},
		"tree of an output": {schema.Tree(schema.Nested(reflect.TypeFor[struct {
			Why inner `json:"why" doc:"how"`
		}]()), false), `{"type":"object","properties":{"why":{"type":"object","description":"how","properties":{` +
			`"words":{"type":"number","description":"of words"},"at":{"type":"string","format":"date-time","description":"when"}},"required":["words"]}},"required":["why"]}`},
	} {
		if got := write(t, tt.got); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, tt.want)
		}
	}
}

// Members keep their order, and an error of one is that of the object.
func TestObjectsAreWrittenInOrder(t *testing.T) {
	var empty, w, bad schema.Object
	w.Member("b", "<&>")
	w.Member("a", []int{1})
	w.Raw("c", []byte(`{"x":null}`))
	bad.Member("f", func() {})
	bad.Member("g", 1)
	for i, o := range []*schema.Object{&empty, &w} {
		if got, err := o.Bytes(); err != nil || string(got) != []string{`{}`, `{"b":"<&>","a":[1],"c":{"x":null}}`}[i] {
			t.Errorf("%s, %v", got, err)
		}
	}
	if _, err := bad.Bytes(); err == nil {
		t.Error("a function was written")
	}
}

func TestWhetherJSONHoldsAllOfAValue(t *testing.T) {
	type looped struct {
		Next *looped
		At   time.Time
	}
	for _, tt := range []struct {
		v    any
		want bool
	}{
		{looped{}, true}, {map[string][]inner{}, true}, {1, true},
		{input{}, false}, // it has a hidden field
		{struct {
			A string `json:"-"`
		}{}, false},
		{[]struct{ F func() }{}, false}, {struct{ A any }{}, false}, {struct{ C chan int }{}, false},
	} {
		if got := schema.Whole(reflect.TypeOf(tt.v)); got != tt.want {
			t.Errorf("%T is whole: %v", tt.v, got)
		}
	}
}
