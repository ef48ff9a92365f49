package demo_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/demo"
	"github.com/strata-memory/strata/internal/extract"
	"github.com/strata-memory/strata/internal/secrets"
)

var update = flag.Bool("update", false, "write the golden file anew")

func load(t *testing.T) demo.Conversation {
	t.Helper()
	c, err := demo.Load()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestConversationIsLongAndOrderly(t *testing.T) {
	c := load(t)
	if n := len(c.Sessions); n < 6 || n > 8 {
		t.Errorf("%d sessions, want 6 to 8", n)
	}
	var last time.Time
	said := map[string]bool{}
	turns := 0
	for _, s := range c.Sessions {
		turns += len(s.Turns)
		for i, turn := range s.Turns {
			want := strata.RoleUser
			if i%2 == 1 {
				want = strata.RoleAssistant
			}
			if turn.Role != want {
				t.Errorf("%s#%d: role %s, want %s", s.ID, turn.Seq, turn.Role, want)
			}
			if !turn.At.After(last) {
				t.Errorf("%s#%d: said at %s, not after the turn before", s.ID, turn.Seq, turn.At)
			}
			if said[turn.Text] {
				t.Errorf("%s#%d: said twice: %s", s.ID, turn.Seq, turn.Text)
			}
			last, said[turn.Text] = turn.At, true
		}
		if got := s.Turns[0].At.Format(time.DateOnly); !strings.HasPrefix(s.ID, got) {
			t.Errorf("session %s starts on %s", s.ID, got)
		}
	}
	if turns < 220 {
		t.Errorf("%d turns, want at least 220", turns)
	}
	weeks := last.Sub(c.Sessions[0].Turns[0].At).Hours() / 24 / 7
	if weeks < 4 {
		t.Errorf("%.1f weeks, want several", weeks)
	}
}

func TestQuestionsAreAnsweredByTheirTurns(t *testing.T) {
	c := load(t)
	if len(c.Questions) != 10 {
		t.Errorf("%d questions, want 10", len(c.Questions))
	}
	texts := map[string]string{}
	for _, s := range c.Sessions {
		for _, turn := range s.Turns {
			if turn.Role == strata.RoleUser {
				texts[fmt.Sprintf("%s#%d", s.ID, turn.Seq)] = turn.Text
			}
		}
	}
	for _, q := range c.Questions {
		answer := ""
		for _, id := range q.Turns {
			if texts[id] == "" {
				t.Errorf("%s: no user turn %s", q.Text, id)
			}
			answer += texts[id] + "\n"
		}
		for _, want := range q.Expect {
			if !strings.Contains(answer, want) {
				t.Errorf("%s: %q is not in %q", q.Text, want, answer)
			}
		}
	}
}

// The secret appears once the data is loaded, and only then, and is caught.
func TestPastedSecretIsCaught(t *testing.T) {
	data, err := os.ReadFile("conversation.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(data), demo.FakeSecret()) {
		t.Error("the data file holds the secret itself")
	}
	found := 0
	for _, s := range load(t).Sessions {
		for _, turn := range s.Turns {
			has := strings.Contains(turn.Text, demo.FakeSecret())
			caught := len(secrets.Scan(turn.Text)) > 0
			if has {
				found++
			}
			if has != caught {
				t.Errorf("%s#%d: holds the secret: %v, scan finds one: %v", s.ID, turn.Seq, has, caught)
			}
		}
	}
	if found != 1 {
		t.Errorf("the secret is pasted %d times, want once", found)
	}
}

// The facts are compared with a list that people have read line by line. Run
// the test with -update after a change of rules, and read the difference.
func TestFactsAreTrueAndLasting(t *testing.T) {
	var b strings.Builder
	all := 0
	for _, s := range load(t).Sessions {
		for i := range s.Turns {
			s.Turns[i].ID = fmt.Sprintf("%s#%d", s.ID, s.Turns[i].Seq)
		}
		facts := extract.Turns(s.Turns)
		if len(facts) < 5 || len(facts) > 30 {
			t.Errorf("%s: %d facts", s.ID, len(facts))
		}
		all += len(facts)
		for _, f := range facts {
			slot := "-"
			if f.Entity != "" {
				slot = f.Entity + " / " + f.Attribute
			}
			fmt.Fprintf(&b, "%-9s  %-36s  %s  [%s]\n", f.Type, slot, f.Content, strings.Join(f.Sources, " "))
		}
	}
	if all < 60 || all > 140 {
		t.Errorf("%d facts, want 60 to 140", all)
	}
	golden := filepath.Join("testdata", "facts.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("the facts differ from %s; run with -update and read the difference\n%s", golden, b.String())
	}
}
