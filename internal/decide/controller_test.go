package decide

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
)

var (
	noon  = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	here  = strata.Global()
	there = strata.InWorkspace("elsewhere")
)

// known returns a current fact. Its id follows from its text.
func known(text string) strata.Fact {
	return strata.Fact{ID: "fact_" + strings.ReplaceAll(text, " ", "_"), Scope: here, Text: text, Generation: 1, RecordedAt: noon}
}

func inSlot(f strata.Fact, entity, attribute string) strata.Fact {
	f.Entity, f.Attribute = entity, attribute
	return f
}

func retired(f strata.Fact) strata.Fact {
	at := noon
	f.RetiredAt = &at
	return f
}

func save(content string) strata.Candidate { return strata.Candidate{Scope: here, Content: content} }

func near(texts ...string) []Near {
	var out []Near
	for _, s := range texts {
		out = append(out, Near{Fact: known(s), Similarity: 0.9})
	}
	return out
}

func TestDecide(t *testing.T) {
	tea := known("User likes tea")
	old := retired(tea)
	foreign := tea
	foreign.Scope = there
	twin := known("user likes TEA")
	twin.RecordedAt = noon.Add(time.Hour)
	slotted := save("My cat's name is Tom")
	slotted.Entity, slotted.Attribute = "user's cat", "name"
	holder := func(text string) strata.Fact { return inSlot(known(text), "user's cat", "name") }
	with := func(c strata.Candidate, change func(*strata.Candidate)) strata.Candidate {
		change(&c)
		return c
	}
	extracted := func(c *strata.Candidate) { c.Origin = strata.OriginExtractor }
	target := func(id string, generation int64) func(*strata.Candidate) {
		return func(c *strata.Candidate) { c.Target, c.BaseGeneration = id, generation }
	}
	remove := strata.Candidate{Scope: here, Action: strata.ActionDelete, Target: tea.ID}
	removeText := strata.Candidate{Scope: here, Action: strata.ActionDelete, Content: tea.Text}

	tests := []struct {
		name   string
		in     Input
		op     strata.Op
		rule   string
		target string // text of the target
		reason string // part of the reason
		code   strata.Code
	}{
		{"nothing known", Input{Candidate: save("User likes tea")}, strata.OpAdd, "add", "", "nothing like it known", ""},

		{"secret, explicit", Input{Candidate: save("key"), Secrets: []string{"github", "aws", "aws"}},
			strata.OpReject, "secret", "", "the text holds a secret (aws, github)", ""},
		{"secret, extracted", Input{Candidate: with(save("key"), extracted), Secrets: []string{"aws"}},
			strata.OpReject, "secret", "", "dropped", ""},
		{"secret wins over everything", Input{Candidate: save("User likes tea"), Secrets: []string{"aws"}, Forgotten: true, SameText: []strata.Fact{tea}},
			strata.OpReject, "secret", "", "secret", ""},

		{"forgotten, extracted", Input{Candidate: with(save("User likes tea"), extracted), Forgotten: true},
			strata.OpNoop, "forgotten", "", "forgotten on request", ""},
		{"forgotten, said again", Input{Candidate: save("User likes tea"), Forgotten: true},
			strata.OpAdd, "add", "", "said again after it was forgotten: nothing like it", ""},

		{"delete by id", Input{Candidate: remove, Target: &tea}, strata.OpDelete, "delete", tea.Text, "by id", ""},
		{"delete what is missing", Input{Candidate: remove}, strata.OpNoop, "delete", "", "no fact " + tea.ID, ""},
		{"delete what is deleted", Input{Candidate: remove, Target: &old}, strata.OpNoop, "delete", tea.Text, "no longer believed", ""},
		{"delete another version", Input{Candidate: with(remove, target(tea.ID, 3)), Target: &tea},
			strata.OpReject, "delete", tea.Text, "at generation 1, not 3", strata.CodeConflict},
		{"delete another version, replayed", Input{Candidate: with(with(remove, target(tea.ID, 3)), extracted), Target: &tea},
			strata.OpNoop, "delete", tea.Text, "changed since", ""},
		{"delete by text", Input{Candidate: removeText, SameText: []strata.Fact{tea}}, strata.OpDelete, "delete", tea.Text, "exact text", ""},
		{"delete by text nobody said", Input{Candidate: removeText}, strata.OpNoop, "delete", "", "no fact says", ""},
		{"delete by text two facts share", Input{Candidate: removeText, SameText: []strata.Fact{tea, twin}}, strata.OpDelete, "delete", twin.Text, "newest of 2", ""},
		{"delete by text ignores what is near", Input{Candidate: removeText, Near: near("The user likes tea")}, strata.OpNoop, "delete", "", "no fact says", ""},

		{"update", Input{Candidate: with(save("User likes milk"), target(tea.ID, 1)), Target: &tea}, strata.OpUpdate, "update", tea.Text, `was "User likes tea"`, ""},
		{"update without generation", Input{Candidate: with(save("User likes milk"), target(tea.ID, 0)), Target: &tea}, strata.OpUpdate, "update", tea.Text, "", ""},
		{"update what is missing", Input{Candidate: with(save("x"), target(tea.ID, 0))}, strata.OpReject, "update", "", "no fact", strata.CodeNotFound},
		{"update what is retired", Input{Candidate: with(save("x"), target(tea.ID, 0)), Target: &old}, strata.OpReject, "update", "", "no longer believed", strata.CodeConflict},
		{"update another version", Input{Candidate: with(save("x"), target(tea.ID, 2)), Target: &tea}, strata.OpReject, "update", tea.Text, "changed", strata.CodeConflict},
		{"update another version, replayed", Input{Candidate: with(with(save("x"), target(tea.ID, 2)), extracted), Target: &tea},
			strata.OpNoop, "update", tea.Text, "changed", ""},
		{"update to the same text", Input{Candidate: with(save("User likes tea "), target(tea.ID, 1)), Target: &tea}, strata.OpNoop, "update", tea.Text, "exactly this", ""},
		{"update of capitals", Input{Candidate: with(save("User likes Tea"), target(tea.ID, 1)), Target: &tea}, strata.OpUpdate, "update", tea.Text, "", ""},
		{"update of capitals, extracted", Input{Candidate: with(with(save("User likes Tea"), target(tea.ID, 1)), extracted), Target: &tea},
			strata.OpNoop, "update", tea.Text, "", ""},
		{"update of a fact that was not named", Input{Candidate: with(save("x"), target("fact_other", 0)), Target: &tea},
			strata.OpReject, "update", "", "no fact fact_other", strata.CodeNotFound},

		{"same text", Input{Candidate: save("user likes TEA"), SameText: []strata.Fact{tea}}, strata.OpNoop, "same_text", tea.Text, "already known as " + tea.ID, ""},
		{"same text, retired", Input{Candidate: save("User likes tea"), SameText: []strata.Fact{old}}, strata.OpAdd, "add", "", "", ""},
		{"same text, other scope", Input{Candidate: save("User likes tea"), SameText: []strata.Fact{foreign}}, strata.OpAdd, "add", "", "", ""},

		{"slot, empty", Input{Candidate: slotted}, strata.OpAdd, "add", "", "", ""},
		{"slot, new value", Input{Candidate: slotted, Slot: []strata.Fact{holder("My cat's name is Bob")}},
			strata.OpSupersede, "slot", "My cat's name is Bob", `fills the slot user's cat · name, was "My cat's name is Bob"`, ""},
		{"slot, same value in other words", Input{Candidate: slotted, Slot: []strata.Fact{holder("The user's cat is called Tom")}},
			strata.OpNoop, "slot", "The user's cat is called Tom", "holds this already", ""},
		{"slot, value was another before", Input{Candidate: slotted, Slot: []strata.Fact{holder("My cat's name was Tom")}},
			strata.OpSupersede, "slot", "My cat's name was Tom", "", ""},
		{"slot, says more", Input{Candidate: with(slotted, func(c *strata.Candidate) { c.Content = "User has a cat named Tom" }), Slot: []strata.Fact{holder("User has a cat")}},
			strata.OpSupersede, "slot", "User has a cat", "", ""},
		{"slot, negated value", Input{Candidate: slotted, Slot: []strata.Fact{holder("My cat's name is not Tom")}},
			strata.OpSupersede, "slot", "My cat's name is not Tom", "", ""},
		{"slot, several values", Input{Candidate: slotted, Slot: []strata.Fact{holder("My cat's name is Bob"), holder("My cat's name is Rex")}},
			strata.OpAdd, "slot", "", "has 2 values", ""},
		{"slot, one of several", Input{Candidate: slotted, Slot: []strata.Fact{holder("My cat's name is Bob"), holder("My cat is called Tom")}},
			strata.OpNoop, "slot", "My cat is called Tom", "", ""},

		{"near, same content", Input{Candidate: save("The user likes tea."), Near: near("User likes coffee", "User likes tea")},
			strata.OpNoop, "near_duplicate", "User likes tea", "says the same as", ""},
		{"near, less", Input{Candidate: save("User likes tea"), Near: near("User likes tea and milk")},
			strata.OpNoop, "near_duplicate", "User likes tea and milk", "already part of", ""},
		{"near, more", Input{Candidate: save("User likes tea and milk"), Near: near("User likes tea")},
			strata.OpSupersede, "near_duplicate", "User likes tea", "says more than", ""},
		{"near, more, but the fact fills a slot", Input{Candidate: save("User likes tea and milk"), Near: []Near{{Fact: inSlot(known("User likes tea"), "user", "drink")}}},
			strata.OpAdd, "add", "", "", ""},
		{"near, other scope", Input{Candidate: save("User likes tea"), Near: []Near{{Fact: foreign}}}, strata.OpAdd, "add", "", "nothing like it", ""},
		{"near, relation turned round", Input{Candidate: save("Anna manages Bob"), Near: near("Bob manages Anna")}, strata.OpAdd, "add", "", "says something else", ""},

		{"contradiction", Input{Candidate: save("User does not like tea"), Near: near("User likes tea")},
			strata.OpSupersede, "contradiction", "User likes tea", `contradicts "User likes tea"`, ""},
		{"another value", Input{Candidate: save("The deploy day is Friday"), Near: near("The deploy day is Monday")},
			strata.OpSupersede, "contradiction", "The deploy day is Monday", "contradicts", ""},
		{"contradiction of several", Input{Candidate: save("The deploy day is Friday"), Near: near("The deploy day is Monday", "The deploy day is Tuesday")},
			strata.OpAdd, "contradiction", "", "several", ""},
		{"doubtful contradiction", Input{Candidate: save("User lives in Munich"), Near: near("User lives in Berlin")},
			strata.OpAdd, "contradiction", "", "may contradict fact_User_lives_in_Berlin, so both are kept", ""},
		{"contradiction of another slot", Input{Candidate: with(save("The day is Friday"), func(c *strata.Candidate) { c.Entity, c.Attribute = "deploy", "day" }),
			Near: []Near{{Fact: inSlot(known("The day is Monday"), "standup", "day")}}}, strata.OpAdd, "add", "", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out := Decide(tt.in)
			if out.Op != tt.op || out.Rules[len(out.Rules)-1] != tt.rule || !strings.Contains(out.Reason, tt.reason) {
				t.Fatalf("Decide = %s by %v because %q, want %s by %s because %q", out.Op, out.Rules, out.Reason, tt.op, tt.rule, tt.reason)
			}
			text := ""
			if out.Target != nil {
				text = out.Target.Text
			}
			if text != tt.target {
				t.Errorf("target %q, want %q", text, tt.target)
			}
			var code strata.Code
			if out.Err != nil {
				code = out.Err.Code
			}
			if code != tt.code {
				t.Errorf("error code %q, want %q", code, tt.code)
			}
			checkOutcome(t, tt.in, out)
		})
	}
}

// checkOutcome holds for every outcome.
func checkOutcome(t interface {
	Helper()
	Errorf(string, ...any)
}, in Input, out Outcome) {
	t.Helper()
	if out.Err != nil && out.Op.Changed() {
		t.Errorf("%s with the error %v", out.Op, out.Err)
	}
	if out.Reason == "" || len(out.Reason) > maxReason || strings.ContainsAny(out.Reason, "\n\r") {
		t.Errorf("bad reason %q (%d bytes)", out.Reason, len(out.Reason))
	}
	if !(out.Confidence > 0 && out.Confidence <= 1) {
		t.Errorf("confidence %v", out.Confidence)
	}
	if needs := out.Op == strata.OpUpdate || out.Op == strata.OpSupersede || out.Op == strata.OpDelete; needs && out.Target == nil {
		t.Errorf("%s of nothing", out.Op)
	}
	if out.Target == nil && out.Err == nil && strings.Contains(out.Reason, `"`) {
		t.Errorf("%q quotes a fact that the decision does not hold", out.Reason)
	}
	if out.Target != nil && out.Target.Scope != in.Candidate.Scope {
		t.Errorf("target of scope %s for a candidate of %s", out.Target.Scope, in.Candidate.Scope)
	}
	if out.Ambiguous != nil && (len(out.Ambiguous.Facts) == 0 || out.Confidence >= sureChange) {
		t.Errorf("ambiguous outcome %+v", out)
	}
	if again := Decide(in); !reflect.DeepEqual(out, again) {
		t.Errorf("not deterministic: %+v, then %+v", out, again)
	}
}

func TestRulesAreListedInTheOrderTried(t *testing.T) {
	got := Decide(Input{Candidate: save("x")}).Rules
	want := []string{"secret", "forgotten", "delete", "update", "same_text", "correction", "slot", "near_duplicate", "ended", "contradiction", "add"}
	if !slices.Equal(got, want) {
		t.Errorf("rules %v, want %v", got, want)
	}
}

func TestDecideDoesNotDependOnOrder(t *testing.T) {
	in := Input{Candidate: save("User lives in Munich"), Near: near("User lives in Berlin", "User lives in Rome", "User likes tea")}
	want := Decide(in)
	slices.Reverse(in.Near)
	first := in.Near[0].Fact.ID
	if got := Decide(in); !reflect.DeepEqual(got, want) {
		t.Errorf("reversed: %+v, want %+v", got, want)
	}
	if in.Near[0].Fact.ID != first {
		t.Error("Decide reordered the caller's facts")
	}
}

func TestAdvice(t *testing.T) {
	in := Input{Candidate: save("The deploy day is Friday"), Near: near("The deploy day is Monday", "The deploy day is Tuesday")}
	first := Decide(in)
	if first.Ambiguous == nil || first.Ambiguous.Kind != AmbiguousContradiction || len(first.Ambiguous.Facts) != 2 {
		t.Fatalf("want a question about two facts, got %+v", first)
	}
	tuesday := known("The deploy day is Tuesday").ID
	tests := []struct {
		name       string
		advice     Advice
		op         strata.Op
		target     string
		confidence float64
		reason     string
	}{
		{"supersede", Advice{Op: strata.OpSupersede, Target: tuesday, Reason: "moved\nagain", Confidence: 0.7}, strata.OpSupersede, tuesday, 0.7, "a model decided: moved again"},
		{"noop", Advice{Op: strata.OpNoop, Target: tuesday}, strata.OpNoop, tuesday, adviceConfidence, "a model decided"},
		{"add", Advice{Op: strata.OpAdd, Reason: "quotes a fact", Confidence: math.NaN()}, strata.OpAdd, "", adviceConfidence, "a model decided that both hold"},
		{"no target among several", Advice{Op: strata.OpSupersede}, strata.OpAdd, "", keptSeveral, "did not fit"},
		{"a fact nobody asked about", Advice{Op: strata.OpSupersede, Target: "fact_other"}, strata.OpAdd, "", keptSeveral, "did not fit"},
		{"an operation nobody offered", Advice{Op: strata.OpForget, Target: tuesday}, strata.OpAdd, "", keptSeveral, "did not fit"},
		{"junk", Advice{Op: "maybe"}, strata.OpAdd, "", keptSeveral, "did not fit"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := in
			in.Advice = &tt.advice
			out := Decide(in)
			id := ""
			if out.Target != nil {
				id = out.Target.ID
			}
			if out.Op != tt.op || id != tt.target || out.Confidence != tt.confidence || !strings.Contains(out.Reason, tt.reason) {
				t.Errorf("got %s %q %v %q", out.Op, id, out.Confidence, out.Reason)
			}
			if out.Rules[len(out.Rules)-1] != "advice" {
				t.Errorf("rules %v do not end with the advice", out.Rules)
			}
			checkOutcome(t, in, out)
		})
	}
	t.Run("ignored where nothing is ambiguous", func(t *testing.T) {
		out := Decide(Input{Candidate: save("User likes tea"), Advice: &Advice{Op: strata.OpNoop}})
		if out.Op != strata.OpAdd {
			t.Errorf("got %s", out.Op)
		}
	})
}

func TestReasonsAreShortAndPrintable(t *testing.T) {
	long := known(strings.Repeat("día \x00\n\u202e", 1000))
	c := save("x")
	c.Target = long.ID
	out := Decide(Input{Candidate: c, Target: &long})
	checkOutcome(t, Input{Candidate: c, Target: &long}, out)
	for _, n := range []int{0, 1, 3, 4, 5, 100} {
		if got := oneLine(strings.Repeat("é", 60), n); n >= len("…") && len(got) > n {
			t.Errorf("oneLine to %d bytes returned %d", n, len(got))
		}
	}
	if names := Decide(Input{Candidate: c, Secrets: []string{strings.Repeat("rule", 200)}}).Reason; len(names) > maxReason {
		t.Errorf("%d bytes", len(names))
	}
}

func BenchmarkDecide(b *testing.B) {
	in := Input{Candidate: save("The user prefers the dark theme for all editors and terminals")}
	for i := range 20 {
		in.Near = append(in.Near, Near{Fact: known(fmt.Sprintf("The user prefers theme %d for all editors and terminals", i)), Similarity: 0.8})
	}
	b.ReportAllocs()
	for b.Loop() {
		Decide(in)
	}
}

// What is passed over as one line already is what the long way leaves as it is.
func TestIsOneLine_AsTheLongWay(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	pieces := []string{"a", "said", " ", "  ", "\t", "\n", "é", "\x00", "\x7f", "~", `"`, "\xff", "\u00a0"}
	short := 0
	for range 20_000 {
		var s string
		for range rng.IntN(6) {
			s += pieces[rng.IntN(len(pieces))]
		}
		printable := !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' })
		want := printable && s != "" && s == strings.Join(strings.Fields(s), " ")
		if isOneLine(s) != want {
			t.Fatalf("%q: %t, want %t", s, !want, want)
		}
		if want {
			short++
		}
	}
	if short < 100 {
		t.Errorf("only %d texts were one line", short)
	}
}
