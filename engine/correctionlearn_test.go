package engine_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
)

// learnings lists the corrections of the project, each as its text and how often it was
// learnt.
func learnings(t *testing.T, e *engine.Engine) (shown string) {
	t.Helper()
	list, err := e.Learnings(context.Background(), project.View(), strata.LearningCorrection, 10)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range list {
		shown += fmt.Sprintf("%s %d;", l.Text, l.Count)
	}
	return shown
}

// Where the user corrects the agent in a conversation of another program, memory learns it
// as from its own chat, once a session, however the turns come.
func TestCorrectionsAreLearntFromTurnsOfAnyAgent(t *testing.T) {
	e, _ := withTree(t)
	read := func(session string, turns ...strata.Turn) {
		t.Helper()
		if _, err := e.AppendTurns(context.Background(), project, session, strata.SessionMain, turns); err != nil {
			t.Fatal(err)
		}
		if _, err := e.Extract(context.Background(), project, session); err != nil {
			t.Fatal(err)
		}
	}
	said := strata.Turn{Role: strata.RoleAssistant, Text: "I'll deploy the service to staging using npm."}
	corrected := strata.Turn{Role: strata.RoleUser, Text: "No, use pnpm instead."}

	read("monday", said)
	read("monday", run(1, "shell", `{"command":"npm ci"}`, "")...)
	read("monday", corrected)
	const once = "No, use pnpm instead. 1;"
	if got := learnings(t, e); got != once {
		t.Fatalf("learnt: %q", got)
	}
	read("monday", strata.Turn{Role: strata.RoleAssistant, Text: "Done with npm."}, corrected)
	if got := learnings(t, e); got != once {
		t.Errorf("learnt twice in one session: %q", got)
	}
	read("tuesday", corrected, said, strata.Turn{Role: strata.RoleUser, Text: "Thanks, and to production tomorrow?"})
	read("tuesday", corrected) // the user answered what was said before
	if got := learnings(t, e); got != once {
		t.Errorf("learnt of what corrects nothing: %q", got)
	}
	read("wednesday", said, corrected)
	if got := learnings(t, e); got != "No, use pnpm instead. 2;" {
		t.Errorf("after another session: %q", got)
	}
	list, err := e.Learnings(context.Background(), project.View(), strata.LearningCorrection, 10)
	if err != nil || len(list) != 1 || list[0].Session != "wednesday" || list[0].Context != said.Text {
		t.Fatalf("%+v, %v", list, err)
	}

	read("friday", run(1, "shell", `{"command":"npm test"}`, "")...)
	read("friday", corrected)
	if list, err = e.Learnings(context.Background(), project.View(), strata.LearningCorrection, 10); err != nil || len(list) != 1 || list[0].Context != "called shell command npm test" {
		t.Errorf("a call of a tool was corrected: %+v, %v", list, err)
	}

	fact := write(t, e, strata.Candidate{Scope: project, Content: corrected.Text})
	if _, err := e.Forget(context.Background(), project.View(), fact.FactID, engine.ForgetOptions{Origin: strata.OriginCLI}); err != nil {
		t.Fatal(err)
	}
	read("thursday", said, corrected)
	if got := learnings(t, e); got != "" {
		t.Errorf("what was forgotten is learnt again: %q", got)
	}
}

// Who takes back a slip of their own has corrected themselves, and not the agent.
func TestASlipOfTheUserIsNoLearning(t *testing.T) {
	e, _ := withTree(t)
	turn := func(role strata.Role, text string) strata.Turn { return strata.Turn{Role: role, Text: text} }
	turns := []strata.Turn{
		turn(strata.RoleUser, "My sister is called Frida."), turn(strata.RoleAssistant, "Frida, noted."),
		turn(strata.RoleUser, "Sorry, I meant Nele."), turn(strata.RoleAssistant, "Thanks for telling me."),
		turn(strata.RoleUser, "Most of the invoices come from Anders, he is my landlord."), turn(strata.RoleAssistant, "Thanks for telling me."),
		turn(strata.RoleUser, "I meant Dario of course, not Anders."), turn(strata.RoleAssistant, "Noted, Dario."),
		turn(strata.RoleUser, "No, not Dario! Elio."), turn(strata.RoleAssistant, "Okay! Anything else?"),
		turn(strata.RoleUser, "Scratch that, I said Elio but it's Emil."), turn(strata.RoleAssistant, "Okay."),
		turn(strata.RoleUser, "No, use yarn instead."), turn(strata.RoleAssistant, "Then I'll deploy with npm."),
		turn(strata.RoleUser, "No, use pnpm instead."),
	}
	if _, err := e.AppendTurns(context.Background(), project, "monday", strata.SessionMain, turns); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Extract(context.Background(), project, "monday"); err != nil {
		t.Fatal(err)
	}
	if got := learnings(t, e); got != "No, use pnpm instead. 1;No, use yarn instead. 1;" {
		t.Errorf("learnt: %q", got)
	}
}

// What was said is what the user answers, also where a tool was called since.
func TestACallDoesNotHideWhatWasSaid(t *testing.T) {
	e, _ := withTree(t)
	for session, talk := range map[string][2]string{
		"monday":  {"I'll write the importer in Python.", "In Rust, not Python."},
		"tuesday": {"Is the staging server in Frankfurt?", "No, it's in Dublin."},
	} {
		turns := append([]strata.Turn{{Role: strata.RoleAssistant, Text: talk[0]}}, run(1, "shell", `{"command":"ls"}`, "")...)
		turns = append(turns, strata.Turn{Role: strata.RoleUser, Text: talk[1]})
		if _, err := e.AppendTurns(context.Background(), project, session, strata.SessionMain, turns); err != nil {
			t.Fatal(err)
		}
		if _, err := e.Extract(context.Background(), project, session); err != nil {
			t.Fatal(err)
		}
	}
	if got := learnings(t, e); got != "In Rust, not Python. 1;" {
		t.Errorf("learnt: %q", got)
	}
}
