package reach

import (
	"testing"

	"github.com/strata-memory/strata"
)

// rule is one that was read in a conversation.
func rule(text, entity string) strata.Candidate {
	return strata.Candidate{Type: strata.TypeFeedback, Content: text, Entity: entity}
}

// fact is one that was read, and taken for one on the user.
func fact(text, entity, attribute string) strata.Candidate {
	return strata.Candidate{Type: strata.TypeUser, Content: text, Entity: entity, Attribute: attribute}
}

func TestFactsOfAProject(t *testing.T) {
	for _, c := range []strata.Candidate{
		fact("Kim is responsible for the scheduler.", "", ""),
		fact("Kim is no longer in charge of the scheduler, Lou is.", "", ""),
		fact("Lou took over the scheduler from Kim.", "", ""),
		fact("Lou owns the build farm's scripts.", "", ""),
		fact("The scheduler is maintained by Kim.", "", ""),
		fact("The scheduler is tested with Hypothesis.", "", ""),
		fact("The job runner is deployed on Heroku.", "", ""),
		fact("Decision from Tuesday's meeting: Redis for the scheduler.", "", ""),
		fact("Port 8000 is the scheduler.", "scheduler", "port"),
	} {
		if !OfProject(c) {
			t.Errorf("%q is kept for everywhere", c.Content)
		}
	}
}

func TestFactsThatHoldEverywhere(t *testing.T) {
	for _, c := range []strata.Candidate{
		fact("The user owns the house on Mill Lane.", "", ""),
		fact("I am responsible for the scheduler.", "", ""),
		fact("Kim has a cat.", "", ""),
		fact("Kim lives in Leeds.", "kim", "city"),
		fact("Kim took over the bakery from her mother.", "", ""),
		fact("Kim is in charge of the school choir.", "", ""),
		fact("Kim owns three dogs.", "", ""),
		fact("The letter was written in French.", "", ""),
		fact("The album was released in 1999.", "", ""),
		fact("The party is hosted by Kim.", "", ""),
	} {
		if OfProject(c) {
			t.Errorf("%q is kept for one project", c.Content)
		}
	}
	if c := fact("Kim took over the scheduler.", "", ""); OfProject(strata.Candidate{Type: strata.TypeReference, Content: c.Content}) {
		t.Error("a type that says where it belongs is not asked")
	}
}

func TestRulesOfAProject(t *testing.T) {
	for _, text := range []string{
		"Squash commits before merging.",
		"Run the linter before each commit.",
		"Never push directly to the main branch.",
		"Always open a PR and wait for two approvals.",
		"Run the unit tests after every change.",
		"Write tests before the code.",
		"Never deploy a release on Fridays.",
		"Don't edit the migrations once they are merged.",
		"Keep the changelog up to date.",
		"Deploy to staging before you merge.",
		"Make sure that CI is green first.",
		"Store prices as integers.",
		"Leave the generated folder alone.",
		"Write a simulation before you add a sensor.",
		"Never allocate in the control loop.",
	} {
		if !OfProject(rule(text, strata.RuleOrder)) {
			t.Errorf("%q is kept for everywhere", text)
		}
	}
}

func TestRulesThatHoldEverywhere(t *testing.T) {
	for _, text := range []string{
		"Call me Sam.",
		"Answer briefly.",
		"Always answer in German.",
		"Never use emojis.",
		"Use metric units.",
		"Ask before you delete anything.",
		"Never cook squash.",
		"Always test the smoke alarm in spring.",
		"Never push people to decide.",
		"Always release the handbrake first.",
		"Always ask me before you commit.",
		"In all my projects, squash commits before merging.",
		"Run the linter before each commit, in every project.",
		"In general, write tests before the code.",
		"Show code without comments.",
		"Use four spaces for indentation.",
		"Quote the source of every number.",
		"Never tag people in pictures.",
		"Keep the tabs open.",
		"Ask before you clear my memory of a thread.",
	} {
		if OfProject(rule(text, strata.RuleOrder)) {
			t.Errorf("%q is kept for one project", text)
		}
	}
	if OfProject(rule("Write commit messages in English.", strata.RuleAnswers)) {
		t.Error("a rule about answers is kept for one project")
	}
}

func FuzzOfProject(f *testing.F) {
	f.Add("Squash commits before merging.")
	f.Fuzz(func(t *testing.T, text string) {
		if OfProject(rule(text, strata.RuleOrder)) && OfProject(rule("I "+text, strata.RuleOrder)) {
			t.Errorf("%q is of a project though it speaks of the user", text)
		}
	})
}
