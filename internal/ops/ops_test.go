package ops

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/ops/upkeep"
)

func TestEveryOperationIsDeclaredWell(t *testing.T) {
	name := regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`)
	seen := make(map[string]bool)
	for _, op := range All() {
		info := op.About()
		if !name.MatchString(info.Name) || seen[info.Name] {
			t.Errorf("operation %q has a bad name or is declared twice", info.Name)
		}
		seen[info.Name] = true
		if info.Family != "" && (len(info.Words()) != 2 || info.Toolset == operation.CoreTools) {
			t.Errorf("%s: family %q is not the first word of its name, or agents get it as a tool", info.Name, info.Family)
		}
		if info.Summary == "" || strings.HasSuffix(info.Summary, ".") {
			t.Errorf("%s: the summary is missing or ends in a period: %q", info.Name, info.Summary)
		}
		if info.Description != "" && !strings.HasSuffix(info.Description, ".") {
			t.Errorf("%s: the description does not end in a period", info.Name)
		}
		if len(info.Examples) == 0 {
			t.Errorf("%s has no example", info.Name)
		}
		if info.Destructive && info.ReadOnly {
			t.Errorf("%s is destructive and read-only", info.Name)
		}
		if found, ok := Find(info.Name); !ok || found.About().Name != info.Name {
			t.Errorf("Find(%q) does not find it", info.Name)
		}
	}
	if _, ok := Find("nothing"); ok {
		t.Error(`Find("nothing") finds something`)
	}
}

func TestEveryFieldIsDeclaredWell(t *testing.T) {
	types := []string{"string", "integer", "number", "boolean", "time", "object"}
	for _, op := range All() {
		name := op.About().Name
		args, text, dryRun := 0, false, false
		seen := make(map[string]bool)
		for _, f := range op.Inputs() {
			where := name + " input " + f.Name
			if f.Doc == "" || seen[f.Name] || !slices.Contains(types, strings.TrimPrefix(f.Type, "[]")) {
				t.Errorf("%s: doc %q, type %q, twice %v", where, f.Doc, f.Type, seen[f.Name])
			}
			seen[f.Name] = true
			if f.Arg {
				if text {
					t.Errorf("%s: it follows a text, which takes all words that are left", where)
				}
				args, text = args+1, f.File
			}
			dryRun = dryRun || f.Name == "dry_run" && f.Type == "boolean"
			if f.Name == "limit" && f.Max == 0 && name != "turns" || f.Max < f.Min || f.Min < 0 {
				t.Errorf("%s: from %d to %d", where, f.Min, f.Max)
			}
			if f.Default != "" {
				if err := f.Set(op.NewInput(), f.Default); err != nil {
					t.Errorf("%s: the default: %v", where, err)
				}
			}
		}
		if args > 2 {
			t.Errorf("%s has %d arguments: nobody remembers their order", name, args)
		}
		if op.About().Destructive && !dryRun {
			t.Errorf("%s is destructive and has no dry_run", name)
		}
		for _, f := range op.Outputs() {
			if f.Doc == "" {
				t.Errorf("%s output %s has no doc", name, f.Name)
			}
		}
	}
}

func TestEveryExampleDecodes(t *testing.T) {
	for _, op := range All() {
		for _, e := range op.About().Examples {
			if _, err := op.Decode([]byte(e.Input)); err != nil || e.Doc == "" {
				t.Errorf("%s: example %s (%q): %v", op.About().Name, e.Input, e.Doc, err)
			}
		}
	}
}

// The lists of values must be those of the nouns.
func TestEnumsFollowTheNouns(t *testing.T) {
	var types, decisions []string
	for _, typ := range strata.Types() {
		types = append(types, string(typ))
	}
	for _, op := range strata.Ops() {
		decisions = append(decisions, string(op))
	}
	for _, op := range All() {
		for _, f := range op.Inputs() {
			var want []string
			switch f.Name {
			case "type", "types":
				want = types
			case "decision":
				want = decisions
			default:
				continue
			}
			if !reflect.DeepEqual(f.Enum, want) {
				t.Errorf("%s %s allows %v, want %v", op.About().Name, f.Name, f.Enum, want)
			}
		}
	}
}

func TestDecodeIsStrict(t *testing.T) {
	op, _ := Find("save")
	tests := []struct{ name, in, want string }{
		{"unknown field", `{"content": "a", "colour": "red"}`, "unknown field"},
		{"wrong type", `{"content": 5}`, "field content cannot hold a number"},
		{"no object", `["a"]`, "want a JSON object, got a array"},
		{"cut off", `{"content": "a`, "ends too early"},
		{"two objects", `{"content": "a"} {"content": "b"}`, "there is more"},
		{"no JSON", `content=a`, "invalid character"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := op.Decode([]byte(tt.in))
			if strata.CodeOf(err) != strata.CodeInvalid || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Decode = %v; want invalid with %q", err, tt.want)
			}
		})
	}
}

func TestRunChecksTheInput(t *testing.T) {
	tests := []struct{ name, op, in, want string }{
		{"missing text", "save", `{}`, "content is missing"},
		{"outside the list", "save", `{"content": "a", "type": "pet"}`, `type cannot be "pet"`},
		{"list outside the list", "recall", `{"query": "a", "types": ["user", "pet"]}`, `types cannot be "pet"`},
		{"half a slot", "save", `{"content": "a", "entity": "cat"}`, "needs both"},
		{"limit", "recall", `{"query": "a", "max_results": 5000}`, "max_results wants a number from 1 to 1000, not 5000"},
		{"session is a path", "turns", `{"session": "../../etc"}`, "must not be a path"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			op, _ := Find(tt.op)
			in, err := op.Decode([]byte(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			// No engine: the input must be refused before it is asked.
			_, err = op.Run(t.Context(), &operation.Env{View: strata.Global().View()}, in)
			if strata.CodeOf(err) != strata.CodeInvalid || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Run = %v; want invalid with %q", err, tt.want)
			}
		})
	}
}

// Every number with a range is refused outside of it.
func TestNumbersStayInTheirRange(t *testing.T) {
	for _, op := range All() {
		for _, f := range op.Inputs() {
			if f.Max == 0 {
				continue
			}
			for _, n := range []int64{-1, f.Min - 1, f.Max + 1, math.MaxInt32} {
				if n == 0 {
					continue // as if it were not given
				}
				in := op.NewInput()
				for _, other := range op.Inputs() {
					if other.Required {
						_ = other.Set(in, "a") // ranges are looked at before what it names
					}
				}
				if err := f.Set(in, strconv.FormatInt(n, 10)); err != nil {
					t.Fatal(err)
				}
				// No engine: the input must be refused before it is asked.
				_, err := op.Run(t.Context(), &operation.Env{View: strata.Global().View()}, in)
				if want := fmt.Sprintf("%s wants a number from %d to %d, not %d", f.Name, f.Min, f.Max, n); strata.CodeOf(err) != strata.CodeInvalid || !strings.Contains(err.Error(), want) {
					t.Errorf("%s: Run = %v, want invalid with %q", op.About().Name, err, want)
				}
			}
		}
	}
}

// The budget of context is named twice: for its field, and for the prompt of the same text.
func TestTheBudgetOfContextIsOne(t *testing.T) {
	op, _ := Find("context")
	if f := op.Inputs()[0]; f.Min != MinContext || f.Max != MaxContext {
		t.Errorf("%s takes %d to %d, and the prompt %d to %d", f.Name, f.Min, f.Max, MinContext, MaxContext)
	}
}

func TestDefaultsAreThereHoweverTheInputIsMade(t *testing.T) {
	op, _ := Find("recall")
	decoded, err := op.Decode([]byte(`{"query": "a"}`))
	if err != nil {
		t.Fatal(err)
	}
	empty, err := op.Decode(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range []any{op.NewInput(), decoded, empty} {
		if got := in.(*RecallIn).MaxResults; got != 10 {
			t.Errorf("max_results = %d, want 10", got)
		}
	}
}

func TestFieldsAreSetFromText(t *testing.T) {
	op, _ := Find("save")
	in := op.NewInput()
	for _, f := range op.Inputs() {
		var err error
		switch f.Name {
		case "content":
			err = f.Set(in, "a")
		case "sources":
			err = f.Set(in, "turn_1")
			if err == nil {
				err = f.Set(in, "turn_2")
			}
		case "confidence":
			if f.Set(in, "high") == nil {
				t.Error("confidence takes a word")
			}
			err = f.Set(in, "0.5")
		case "base_generation":
			if f.Set(in, "1.5") == nil {
				t.Error("base_generation takes a fraction")
			}
			err = f.Set(in, "2")
		case "dry_run":
			if f.Set(in, "maybe") == nil {
				t.Error("dry_run takes maybe")
			}
			err = f.Set(in, "true")
		}
		if err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
	want := SaveIn{
		Statement: Statement{Content: "a", Sources: []string{"turn_1", "turn_2"}, Confidence: 0.5, BaseGeneration: 2}, DryRun: true,
	}
	if got := *in.(*SaveIn); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// A list in an output is never null: a script may range over it.
func TestListsInOutputsAreNeverNull(t *testing.T) {
	for _, out := range []any{
		Found{Hits: []Hit{}}, Facts{Facts: operation.Each(nil, factOf)}, upkeep.Checkup{Problems: []upkeep.Problem{}},
	} {
		data, err := json.Marshal(out)
		if err != nil || strings.Contains(string(data), "null") {
			t.Errorf("%T = %s, %v", out, data, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add("save", []byte(`{"content": "a", "type": "user"}`))
	f.Add("recall", []byte(`{"query": "a", "max_results": 3, "types": ["user"]}`))
	f.Add("save_batch", []byte(`{"items": [{"content": "a", "scope": "global"}]}`))
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		op, ok := Find(name)
		if !ok {
			return
		}
		in, err := op.Decode(data)
		if err != nil {
			if strata.CodeOf(err) != strata.CodeInvalid {
				t.Errorf("code %s, want invalid: %v", strata.CodeOf(err), err)
			}
			return
		}
		for _, field := range op.Inputs() {
			_ = field.Check(in) // must not panic, whatever was decoded
		}
	})
}
