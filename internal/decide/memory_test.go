package decide

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
)

// memory is the smallest store that Decide can be run against: it offers every
// current fact as near and applies what was decided.
type memory struct {
	facts []strata.Fact
	next  int
}

func (m *memory) input(c strata.Candidate) Input {
	in := Input{Candidate: c}
	for i := range m.facts {
		f := m.facts[i]
		if f.ID == c.Target {
			in.Target = &f
		}
		if !f.Current() || f.Scope != c.Scope {
			continue
		}
		if text.Normalize(f.Text) == text.Normalize(c.Content) {
			in.SameText = append(in.SameText, f)
		}
		if c.Entity != "" && f.Entity == c.Entity && f.Attribute == c.Attribute {
			in.Slot = append(in.Slot, f)
		}
		in.Near = append(in.Near, Near{Fact: f})
	}
	return in
}

func (m *memory) write(c strata.Candidate) Outcome {
	out := Decide(m.input(c))
	if out.Err != nil {
		return out
	}
	switch out.Op {
	case strata.OpUpdate:
		f := m.byID(out.Target.ID)
		f.Text = c.Content
		f.Generation++
	case strata.OpDelete:
		m.retire(out.Target.ID)
	case strata.OpSupersede:
		m.retire(out.Target.ID)
		m.add(c)
	case strata.OpAdd:
		m.add(c)
	}
	return out
}

func (m *memory) add(c strata.Candidate) {
	m.next++
	m.facts = append(m.facts, strata.Fact{
		ID: fmt.Sprintf("fact_%03d", m.next), Scope: c.Scope, Text: c.Content, Entity: c.Entity, Attribute: c.Attribute,
		Generation: 1, RecordedAt: noon.Add(time.Duration(m.next) * time.Second),
	})
}

func (m *memory) byID(id string) *strata.Fact {
	for i := range m.facts {
		if m.facts[i].ID == id {
			return &m.facts[i]
		}
	}
	return nil
}

func (m *memory) retire(id string) {
	at := noon
	m.byID(id).RetiredAt = &at
}

func (m *memory) texts() []string {
	var out []string
	for _, f := range m.facts {
		if f.Current() {
			out = append(out, f.Text)
		}
	}
	return out
}

func (m *memory) wantTexts(t *testing.T, want ...string) {
	t.Helper()
	if got := m.texts(); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("memory holds %q, want %q", got, want)
	}
}

func TestAddDeleteAddWorks(t *testing.T) {
	var m memory
	for _, want := range []strata.Op{strata.OpAdd, strata.OpDelete, strata.OpAdd, strata.OpDelete, strata.OpAdd} {
		c := save("User likes tea")
		if want == strata.OpDelete {
			c.Action = strata.ActionDelete
		}
		if out := m.write(c); out.Op != want {
			t.Fatalf("got %s (%s), want %s", out.Op, out.Reason, want)
		}
	}
	m.wantTexts(t, "User likes tea")
}

func TestRepeatedChangesAllApply(t *testing.T) {
	t.Run("slot", func(t *testing.T) {
		var m memory
		for _, name := range []string{"Tom", "Bob", "Tom", "Bob"} {
			c := save("My cat's name is " + name)
			c.Entity, c.Attribute = "user's cat", "name"
			m.write(c)
		}
		m.wantTexts(t, "My cat's name is Bob")
	})
	t.Run("contradiction", func(t *testing.T) {
		var m memory
		for _, day := range []string{"Monday", "Friday", "Monday", "Friday"} {
			m.write(save("The deploy day is " + day))
		}
		m.wantTexts(t, "The deploy day is Friday")
	})
	t.Run("update by id", func(t *testing.T) {
		var m memory
		m.write(save("A"))
		for _, s := range []string{"B", "A", "B"} {
			c := save(s)
			c.Target = "fact_001"
			if out := m.write(c); out.Op != strata.OpUpdate {
				t.Errorf("%s: %s (%s)", s, out.Op, out.Reason)
			}
		}
		m.wantTexts(t, "B")
	})
}

func TestOverlapIgnoresStopWords(t *testing.T) {
	var m memory
	texts := []string{
		"The user prefers the dark theme for all editors and terminals.",
		"The user prefers the metric system for all recipes and maps.",
		"The user has a cat named Whiskerino and feeds it twice a day.",
	}
	for _, s := range texts {
		c := save(s)
		c.Origin = strata.OriginExtractor
		if out := m.write(c); out.Op != strata.OpAdd || out.Ambiguous != nil {
			t.Errorf("%q: %s (%s)", s, out.Op, out.Reason)
		}
	}
	m.wantTexts(t, texts...)
}

func TestOneOfEightWritersWhoSawTheSameVersionWins(t *testing.T) {
	var m memory
	m.write(save("version 0"))
	won, lost := 0, 0
	for i := range 8 {
		c := save(fmt.Sprintf("version by writer %d", i))
		c.Target, c.BaseGeneration = "fact_001", 1
		switch out := m.write(c); {
		case out.Op == strata.OpUpdate:
			won++
		case out.Err != nil && out.Err.Code == strata.CodeConflict:
			lost++
		}
	}
	if won != 1 || lost != 7 {
		t.Errorf("%d won and %d were told of the conflict, want 1 and 7", won, lost)
	}
	m.wantTexts(t, "version by writer 0")
}

func TestValuesNeverOverwriteEachOther(t *testing.T) {
	var m memory
	texts := []string{
		"https://staging.example.com is the staging URL",
		"https://prod.example.com is the production URL",
		"Note: the build needs Go 1.26",
		"Note: the CI runner is arm64",
	}
	for _, s := range texts {
		m.write(save(s))
	}
	m.wantTexts(t, texts...)
}

func TestFactsOfOtherScopesCannotBeTouched(t *testing.T) {
	foreign := known("User likes tea")
	foreign.Scope = there
	del := strata.Candidate{Scope: here, Action: strata.ActionDelete, Target: foreign.ID}
	if out := Decide(Input{Candidate: del, Target: &foreign}); out.Op != strata.OpNoop || out.Target != nil {
		t.Errorf("delete: %s of %v", out.Op, out.Target)
	}
	update := save("User likes milk")
	update.Target = foreign.ID
	if out := Decide(Input{Candidate: update, Target: &foreign}); out.Err == nil || out.Err.Code != strata.CodeNotFound {
		t.Errorf("update: %s, error %v", out.Op, out.Err)
	}
}

func TestContradictionsReplaceAndNameWhatTheyReplace(t *testing.T) {
	var m memory
	m.write(save("User likes tea"))
	out := m.write(save("User does not like tea"))
	if out.Op != strata.OpSupersede || out.Target == nil || out.Target.Text != "User likes tea" {
		t.Errorf("%s of %v (%s)", out.Op, out.Target, out.Reason)
	}
	m.wantTexts(t, "User does not like tea")
	if len(m.facts) != 2 {
		t.Errorf("%d facts, want the old one kept as retired", len(m.facts))
	}
}

func TestTrueFactsAreNotInvalidated(t *testing.T) {
	var m memory
	texts := []string{
		"Anna is tall", "Anna is smart", "User likes tea", "User likes coffee", "User lives in Berlin in summer",
		"User lives in Rome in winter", "Anna manages Bob", "Bob manages Anna", "Open tickets are reviewed daily",
		"Closed tickets are reviewed daily", "Deploys are allowed", "Deploys are allowed on Fridays", "The build needs Go 1.25",
		"The tests need Go 1.26", "The deadline was Monday", "The deadline is Friday", "Users with access can read",
		"Users with no access can read", "User works at Acme", "User works at Acme Labs",
	}
	for _, s := range texts {
		m.write(save(s))
	}
	m.wantTexts(t, texts...)
}

func TestMemoryProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var m memory
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			c := save(statements().Draw(t, "content"))
			if text.Normalize(c.Content) == "" {
				continue
			}
			c.Origin = rapid.SampledFrom([]strata.Origin{strata.OriginAPI, strata.OriginExtractor}).Draw(t, "origin")
			if rapid.Bool().Draw(t, "slotted") {
				c.Entity, c.Attribute = "user", "drink"
			}
			if m.next > 0 && rapid.IntRange(0, 3).Draw(t, "targeted") == 0 {
				c.Target = fmt.Sprintf("fact_%03d", rapid.IntRange(1, m.next).Draw(t, "target"))
				c.BaseGeneration = rapid.Int64Range(0, 2).Draw(t, "generation")
			}
			if rapid.IntRange(0, 4).Draw(t, "delete") == 0 {
				c.Action = strata.ActionDelete
				if c.Target != "" {
					c.Content = ""
				}
			}
			in := m.input(c)
			out := m.write(c)
			checkOutcome(t, in, out)
			if c.Action == strata.ActionSave && c.Target == "" {
				if again := m.write(c); again.Op != strata.OpNoop {
					t.Fatalf("%q again: %s (%s)", c.Content, again.Op, again.Reason)
				}
			}
		}
	})
}

func TestAddDeleteAddProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var m memory
		content := "x " + statements().Draw(t, "content")
		m.write(save(content))
		del := save(content)
		del.Action = strata.ActionDelete
		if out := m.write(del); out.Op != strata.OpDelete {
			t.Fatalf("delete: %s (%s)", out.Op, out.Reason)
		}
		if out := m.write(save(content)); out.Op != strata.OpAdd {
			t.Fatalf("add again: %s (%s)", out.Op, out.Reason)
		}
	})
}

// What was kept in own words gives way to the same statement once a rule reads it.
func TestAReadStatementReplacesItsOwnWords(t *testing.T) {
	held := strata.Fact{ID: "fact_1", Scope: strata.Global(), Type: strata.TypeUser, Text: "The user is living in Ghent.", Verbatim: true, Generation: 1}
	c := strata.Candidate{Scope: strata.Global(), Content: "User is living in the Ghent", Entity: "user", Attribute: "city"}
	if out := Decide(Input{Candidate: c, Near: []Near{{Fact: held}}}); out.Op != strata.OpSupersede || out.Target == nil {
		t.Errorf("%s because %s, want supersede", out.Op, out.Reason)
	}
	held.Verbatim = false
	if out := Decide(Input{Candidate: c, Near: []Near{{Fact: held}}}); out.Op != strata.OpNoop {
		t.Errorf("%s because %s, want noop", out.Op, out.Reason)
	}
}
