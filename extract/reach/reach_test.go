package reach

import (
	"testing"

	"github.com/strata-memory/strata"
)

func TestRulesOfAProject(t *testing.T) {
	for _, rule := range []string{
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
	} {
		if !OfProject(rule, strata.RuleOrder) {
			t.Errorf("%q is kept for everywhere", rule)
		}
	}
}

func TestRulesThatHoldEverywhere(t *testing.T) {
	for _, rule := range []string{
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
	} {
		if OfProject(rule, strata.RuleOrder) {
			t.Errorf("%q is kept for one project", rule)
		}
	}
	if OfProject("Write commit messages in English.", strata.RuleAnswers) {
		t.Error("a rule about answers is kept for one project")
	}
}

func FuzzOfProject(f *testing.F) {
	f.Add("Squash commits before merging.")
	f.Fuzz(func(t *testing.T, rule string) {
		if OfProject(rule, strata.RuleOrder) && OfProject("I "+rule, strata.RuleOrder) {
			t.Errorf("%q is of a project though it speaks of the user", rule)
		}
	})
}
