package prompt

import (
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
)

var friday = time.Date(2026, 3, 6, 9, 0, 0, 0, time.UTC)

// talk is a part of a conversation with two facts that memory holds and one that a rule
// kept in the speaker's own words.
func talk() Request {
	turns := []strata.Turn{
		{ID: "turn_1", Session: "s", Seq: 7, Role: strata.RoleUser, Text: "Rex  died last week. I’ve moved to Lisbon, at number 120.", At: friday},
		{ID: "turn_2", Session: "s", Seq: 8, Role: strata.RoleAssistant, Text: "I am sorry. You must like Lisbon very much.", At: friday},
		{ID: "turn_3", Session: "s", Seq: 9, Role: strata.RoleUser, Text: "Never had a head for heights, me.", At: friday},
	}
	return Request{
		Turns:    turns,
		Messages: "[7] user: " + turns[0].Text + "\n[8] assistant: " + turns[1].Text + "\n[9] user: " + turns[2].Text + "\n",
		Facts: []strata.Fact{
			{ID: "fact_1", Scope: strata.Global(), Type: strata.TypeUser, Text: "The user lives in Porto.", Entity: "user", Attribute: "city", Generation: 3},
			{ID: "fact_2", Scope: strata.Global(), Type: strata.TypeUser, Text: "The user's dog is named Rex.", Generation: 1},
		},
		Found: []strata.Candidate{
			{Content: "Never had a head for heights, me.", Type: strata.TypeUser, Verbatim: true, Sources: []string{"turn_3"}},
			{Content: "The user moved to Lisbon.", Type: strata.TypeUser, Sources: []string{"turn_1"}},
		},
	}
}

func TestMaterialShowsMemoryDaysAndMessages(t *testing.T) {
	got := talk().Material()
	for _, want := range []string{
		"1. [user: city] The user lives in Porto.\n", "2. The user's dog is named Rex.\n",
		"3. [in the speaker's own words] Never had a head for heights, me. (noted from the messages below)\n",
		"From message 7 on it is Friday, 2026-03-06.\n", "\nMessages:\n[7] user: Rex",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Count(got, "2026-03-06") > 1 {
		t.Errorf("the day is named for each message:\n%s", got)
	}
}

func TestOperationsBecomeCandidates(t *testing.T) {
	a, err := talk().Read(`{"operations": [
		{"op": "supersede", "fact": 1, "text": "The user lives in Lisbon.", "type": "user", "turn": 7, "quote": "I've moved to Lisbon"},
		{"op": "retire", "fact": 2, "text": "", "type": "user", "turn": 7, "quote": "Rex died last week"},
		{"op": "supersede", "fact": 3, "text": "The user has no head for heights.", "type": "user", "turn": 9, "quote": "Never had a head for heights"},
		{"op": "none", "fact": 0, "text": "", "type": "user", "turn": 0, "quote": ""},
		{"op": "add", "fact": 0, "text": "Rex died in the week of 2026-02-23.", "type": "user", "turn": 7, "quote": "Rex died last week"}]}`, "tiny")
	if err != nil || len(a.Dropped) > 0 || len(a.Candidates) != 4 {
		t.Fatalf("%+v, %v", a, err)
	}
	moved, over, heights := a.Candidates[0], a.Candidates[1], a.Candidates[2]
	if moved.Replaces != "The user lives in Porto." || moved.Scope != strata.Global() || moved.Reason != "model: tiny" || moved.Sources[0] != "turn_1" {
		t.Errorf("superseded by %+v", moved)
	}
	if over.Action != strata.ActionDelete || over.Target != "fact_2" || over.BaseGeneration != 1 || over.Content != "" {
		t.Errorf("retired by %+v", over)
	}
	if len(a.Reworded) != 1 || a.Reworded[0] != 0 || heights.Replaces != "" {
		t.Errorf("reworded %v by %+v", a.Reworded, heights)
	}
}

// What no message says is dropped, with the reason; the rest is taken.
func TestWhatIsNotGroundedIsDropped(t *testing.T) {
	for name, o := range map[string]struct{ operation, why string }{
		"a quotation nobody said":    {`{"op":"add","fact":0,"text":"The user moved to Lisbon.","type":"user","turn":7,"quote":"I moved to Madrid"}`, "does not occur"},
		"the quotation of another":   {`{"op":"add","fact":0,"text":"The user moved to Lisbon.","type":"user","turn":9,"quote":"moved to Lisbon"}`, "does not occur"},
		"a quotation of a letter":    {`{"op":"add","fact":0,"text":"The user moved to Lisbon.","type":"user","turn":7,"quote":"to"}`, "too short"},
		"no quotation":               {`{"op":"add","fact":0,"text":"The user moved to Lisbon.","type":"user","turn":7,"quote":""}`, "too short"},
		"a message that is not here": {`{"op":"add","fact":0,"text":"The user moved to Lisbon.","type":"user","turn":70,"quote":"moved to Lisbon"}`, "no message 70"},
		"words of the model's own":   {`{"op":"add","fact":0,"text":"John Doe owns a yacht in Monaco.","type":"user","turn":7,"quote":"moved to Lisbon"}`, "do not come"},
		"a number nobody said":       {`{"op":"add","fact":0,"text":"The user moved to Lisbon, at number 450.","type":"user","turn":7,"quote":"moved to Lisbon"}`, "nobody said 450"},
		"a year nobody said":         {`{"op":"add","fact":0,"text":"The user moved to Lisbon in 2019.","type":"user","turn":7,"quote":"moved to Lisbon"}`, "nobody said 2019"},
		"what the assistant claims":  {`{"op":"add","fact":0,"text":"The user likes Lisbon very much.","type":"user","turn":8,"quote":"You must like Lisbon very much"}`, "somebody else"},
		"a fact that is not shown":   {`{"op":"retire","fact":9,"text":"","type":"user","turn":7,"quote":"Rex died last week"}`, "no fact 9"},
		"what a rule has read":       {`{"op":"supersede","fact":4,"text":"The user moved to Lisbon, number 120.","type":"user","turn":7,"quote":"moved to Lisbon"}`, "rule has read"},
		"an operation of its own":    {`{"op":"forget","fact":1,"text":"","type":"user","turn":7,"quote":"Rex died last week"}`, "no operation"},
		"no text":                    {`{"op":"add","fact":0,"text":" ","type":"user","turn":7,"quote":"Rex died last week"}`, "no text"},
	} {
		a, err := talk().Read(`{"operations": [`+o.operation+`]}`, "tiny")
		if err != nil || len(a.Candidates) > 0 || len(a.Dropped) != 1 || !strings.Contains(a.Dropped[0], o.why) {
			t.Errorf("%s: %+v, %v", name, a, err)
		}
	}
}

func TestTheAnswerIsReadStrictly(t *testing.T) {
	one := `{"op":"none","fact":0,"text":"","type":"user","turn":0,"quote":""}`
	for s, ok := range map[string]bool{
		`{"operations":[]}`: true, "```json\n{\"operations\":[" + one + "]}\n```": true,
		`{"operations":[]} Done.`: false, `{"operation":[]}`: false, `{}`: false, `[]`: false, `{"operations":[],"note":1}`: false, "": false,
		`Here: {"operations":[]}`: false, `{"operations":[` + strings.Repeat(one+",", maxOperations) + one + `]}`: false, instructions: false,
	} {
		if _, err := (Request{}).Read(s, "tiny"); (err == nil) != ok {
			t.Errorf("%.60s: %v", s, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`{"operations":[{"op":"add","fact":0,"text":"The user moved to Lisbon.","type":"user","turn":7,"quote":"moved to Lisbon"}]}`)
	f.Add(`{"operations":[{"op":"retire","fact":2,"text":"x","type":"","turn":7,"quote":"Rex died"}]}`)
	f.Add("```")
	f.Fuzz(func(t *testing.T, s string) {
		r := talk()
		a, err := r.Read(s, "tiny")
		if err != nil {
			return
		}
		for _, c := range a.Candidates {
			if err := c.Validate(); err != nil {
				t.Errorf("a candidate that cannot be written: %v", err)
			}
		}
		if n := len(Merge(r.Found, a)); n < len(r.Found)-len(a.Reworded) {
			t.Errorf("%d are left of what the rules found", n)
		}
	})
}

func TestMergeKeepsWhatRulesFound(t *testing.T) {
	rules := []strata.Candidate{
		{Content: "The user's cat is named Whiskerino.", Sources: []string{"turn_1"}},
		{Content: "Never had a head for heights, me.", Verbatim: true, Sources: []string{"turn_3"}},
		{Content: "Owned a boat called Petrel, the user.", Verbatim: true, Sources: []string{"turn_4"}},
	}
	got := Merge(rules, Answer{Reworded: []int{1}, Candidates: []strata.Candidate{
		{Content: "The user's cat is called Whiskerino.", Sources: []string{"turn_1"}},
		{Content: "The user's cat is named Whiskerino.", Sources: []string{"turn_9"}}, // said again elsewhere
		{Content: "The user has no head for heights.", Sources: []string{"turn_3"}},
		{Content: "The user owned a boat called Petrel.", Sources: []string{"turn_4"}},
	}})
	var texts []string
	for _, c := range got {
		texts = append(texts, c.Content)
	}
	want := "The user's cat is named Whiskerino.|The user owned a boat called Petrel.|The user's cat is named Whiskerino.|The user has no head for heights."
	if s := strings.Join(texts, "|"); s != want {
		t.Errorf("merged to %s", s)
	}
}
