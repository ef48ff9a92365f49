package strata

import (
	"math"
	"strings"
	"testing"
	"time"
)

func TestCandidatesAreChecked(t *testing.T) {
	good := Candidate{Scope: Global(), Content: "The build needs Go 1.26"}
	if err := good.Validate(); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		change func(*Candidate)
		code   Code
	}{
		"blank":                     {func(c *Candidate) { c.Content = " \n" }, CodeInvalid},
		"too long":                  {func(c *Candidate) { c.Content = strings.Repeat("a", MaxFactBytes+1) }, CodeTooLarge},
		"NUL":                       {func(c *Candidate) { c.Content = "a\x00" }, CodeInvalid},
		"half a slot":               {func(c *Candidate) { c.Attribute = "name" }, CodeInvalid},
		"confidence above one":      {func(c *Candidate) { c.Confidence = 1.1 }, CodeInvalid},
		"confidence not a number":   {func(c *Candidate) { c.Confidence = math.NaN() }, CodeInvalid},
		"generation without target": {func(c *Candidate) { c.BaseGeneration = 2 }, CodeInvalid},
		"unknown action":            {func(c *Candidate) { c.Action = "burn" }, CodeInvalid},
		"delete of nothing":         {func(c *Candidate) { c.Action, c.Content = ActionDelete, "" }, CodeInvalid},
		"delete of two things":      {func(c *Candidate) { c.Action, c.Target = ActionDelete, "fact_1" }, CodeInvalid},
		"unknown origin":            {func(c *Candidate) { c.Origin = "fax" }, CodeInvalid},
		"path as session":           {func(c *Candidate) { c.Session = "../x" }, CodeInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			c := good
			tt.change(&c)
			if got := CodeOf(c.Validate()); got != tt.code {
				t.Errorf("Validate gives %q, want %q", got, tt.code)
			}
		})
	}
}

func TestQueriesAreChecked(t *testing.T) {
	good := Query{View: Global().View(), Text: "cat"}
	if err := good.Validate(); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Query){
		"no view":         func(q *Query) { q.View = View{} },
		"blank":           func(q *Query) { q.Text = "\t" },
		"not UTF-8":       func(q *Query) { q.Text = "\xff" },
		"limit too high":  func(q *Query) { q.Limit = 1001 },
		"negative budget": func(q *Query) { q.Tokens = -1 },
		"unknown kind":    func(q *Query) { q.Kinds = []Kind{"dream"} },
		"unknown type":    func(q *Query) { q.Types = []Type{"secret"} },
		"path as session": func(q *Query) { q.Session = "a/b" },
	} {
		t.Run(name, func(t *testing.T) {
			q := good
			change(&q)
			if got := CodeOf(q.Validate()); got != CodeInvalid {
				t.Errorf("Validate gives %q, want invalid", got)
			}
		})
	}
}

func TestWhyListsWhatCounts(t *testing.T) {
	w := Why{Words: 0.48, Vector: 0.31, Parent: 0.12, Recency: 0.004}
	if got := w.String(); got != "words .48 · vector .31 · parent .12" {
		t.Errorf("String() = %q", got)
	}
}

func TestTurnsAreChecked(t *testing.T) {
	good := Turn{Session: "s", Role: RoleUser, Text: "hello", At: time.Now()}
	if err := good.Validate(); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Turn){
		"no session":      func(t *Turn) { t.Session = "" },
		"unknown role":    func(t *Turn) { t.Role = "owner" },
		"negative place":  func(t *Turn) { t.Seq = -1 },
		"blank":           func(t *Turn) { t.Text = " " },
		"path as speaker": func(t *Turn) { t.Speaker = "../x" },
	} {
		t.Run(name, func(t *testing.T) {
			turn := good
			change(&turn)
			if got := CodeOf(turn.Validate()); got != CodeInvalid {
				t.Errorf("Validate gives %q, want invalid", got)
			}
		})
	}
}

func TestTurnsOfModelsAndToolsAreChecked(t *testing.T) {
	call := []ToolCall{{ID: "c1", Name: "read_file", Arguments: `{"path": `}} // models write broken JSON
	image := []Image{{MediaType: "image/png", Data: []byte("x")}}
	for name, turn := range map[string]Turn{
		"calls without text":  {Role: RoleAssistant, Calls: call},
		"images without text": {Role: RoleUser, Images: image},
		"a silent tool":       {Role: RoleTool, CallID: "c1", Tool: "read_file"},
		"a tool's blank line": {Role: RoleTool, CallID: "c1", Text: "\n"},
		"a failed tool":       {Role: RoleTool, CallID: "c1", Failed: true, Text: "no such file"},
	} {
		turn.Session = "s"
		if err := turn.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, turn := range map[string]Turn{
		"nothing":               {Role: RoleAssistant},
		"a calling user":        {Role: RoleUser, Text: "x", Calls: call},
		"an answering user":     {Role: RoleUser, Text: "x", CallID: "c1"},
		"a failing user":        {Role: RoleUser, Text: "x", Failed: true},
		"a nameless call":       {Role: RoleAssistant, Calls: []ToolCall{{ID: "c1"}}},
		"a call id with a NUL":  {Role: RoleAssistant, Calls: []ToolCall{{ID: "c\x00", Name: "n"}}},
		"a long tool name":      {Role: RoleTool, Tool: strings.Repeat("n", MaxNameBytes+1)},
		"an empty image":        {Role: RoleUser, Images: []Image{{MediaType: "image/png"}}},
		"an image of no kind":   {Role: RoleUser, Images: []Image{{MediaType: "image/", Data: []byte("x")}}},
		"text as an image":      {Role: RoleUser, Images: []Image{{MediaType: "text/plain", Data: []byte("x")}}},
		"a tool that says NULs": {Role: RoleTool, Text: "\x00"},
	} {
		turn.Session = "s"
		if got := CodeOf(turn.Validate()); got != CodeInvalid {
			t.Errorf("%s: %q, want invalid", name, got)
		}
	}
}

func TestSessionsAndWhatTheyKeepAreChecked(t *testing.T) {
	for name, err := range map[string]error{
		"session":          Session{ID: "s", Parent: "top"}.Validate(),
		"empty snapshot":   Snapshot{Session: "s"}.Validate(),
		"error":            Learning{Kind: LearningError, Key: "k", Tool: "run", Text: "exit 1"}.Validate(),
		"correction":       Learning{Kind: LearningCorrection, Key: "k", Text: "No, Thursday", Context: "Friday"}.Validate(),
		"run of a tool":    ToolOutcome{Tool: "run", Params: "00112233aabbccdd", OK: true}.Validate(),
		"run that went on": ToolOutcome{Tool: "run", Params: "00112233aabbccdd", Error: "exit 1", Session: "s"}.Validate(),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, c := range map[string]struct {
		err  error
		code Code
	}{
		"its own parent":       {Session{ID: "s", Parent: "s"}.Validate(), CodeInvalid},
		"path as parent":       {Session{ID: "s", Parent: "../s"}.Validate(), CodeInvalid},
		"long snapshot":        {Snapshot{Session: "s", Text: strings.Repeat("x", MaxSnapshotBytes+1)}.Validate(), CodeTooLarge},
		"negative generation":  {Snapshot{Session: "s", Generation: -1}.Validate(), CodeInvalid},
		"unknown kind":         {Learning{Kind: "win", Key: "k", Text: "x"}.Validate(), CodeInvalid},
		"error of no tool":     {Learning{Kind: LearningError, Key: "k", Text: "x"}.Validate(), CodeInvalid},
		"correction of a tool": {Learning{Kind: LearningCorrection, Key: "k", Tool: "run", Text: "x"}.Validate(), CodeInvalid},
		"long learning":        {Learning{Kind: LearningCorrection, Key: "k", Text: strings.Repeat("x", MaxLearningBytes+1)}.Validate(), CodeTooLarge},
		"arguments as hash":    {ToolOutcome{Tool: "run", Params: `{"a":1}`}.Validate(), CodeInvalid},
		"short hash":           {ToolOutcome{Tool: "run", Params: "00ff"}.Validate(), CodeInvalid},
		"good with error":      {ToolOutcome{Tool: "run", Params: "00112233", OK: true, Error: "x"}.Validate(), CodeInvalid},
	} {
		if got := CodeOf(c.err); got != c.code {
			t.Errorf("%s: %q, want %q", name, got, c.code)
		}
	}
}
