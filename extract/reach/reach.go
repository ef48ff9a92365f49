// Package reach tells how far a standing rule reaches that was said in a project: "squash
// commits before merging" is of that project, "call me Sam" and "answer briefly" hold
// everywhere.
//
// It is in doubt for everywhere, as a rule that is not told where it holds is missed more
// than one that is told where it does not.
package reach

import (
	"regexp"
	"strings"

	"github.com/strata-memory/strata"
)

// OfProject reports whether a rule that was said in a project, about an entity that it
// fills a slot of, is one of that project: it speaks of work on code by general words, and
// neither of answers nor of the user nor of every project.
func OfProject(rule, entity string) bool {
	if entity == strata.RuleAnswers || ofUser.MatchString(rule) || everywhere.MatchString(rule) {
		return false
	}
	if surely.MatchString(rule) {
		return true
	}
	first := ""
	for _, word := range likely.FindAllString(rule, -1) {
		switch stem := strings.ToLower(word[:4]); {
		case first == "":
			first = stem
		case first != stem:
			return true // they go together in work on code
		}
	}
	return false
}

var (
	// ofUser is said of whoever speaks: that holds wherever they are.
	ofUser = regexp.MustCompile(`(?i)\b(?:i|me|my|mine|myself|the user|the user's)\b`)
	// everywhere says so itself.
	everywhere = regexp.MustCompile(`(?i)\b(?:everywhere|anywhere|in general|generally|across (?:all|projects|repos)|whatever|no matter|regardless|(?:all|any|every|each)(?: \w+)? (?:projects?|repos|repositories|repository|repo|languages?|code))\b`)
	// surely is said of work on code alone.
	surely = regexp.MustCompile(`(?i:\b(?:commits?|committing|commit messages?|rebas(?:e|ing)|pull requests?|merge requests?|force[- ]push(?:ing)?|linters?|linting|unit tests?|integration tests?|test suites?|code reviews?|codebase|monorepo|repo|repository|changelog|docstrings?|type hints?|(?:feature|release|main|master) branch(?:es)?|feature flags?)\b)|\b(?:PRs?|MRs?|CI)\b`)
	// likely are words of work on code which mean other things too: two of them say it,
	// that differ in their first four letters.
	likely = regexp.MustCompile(`(?i)\b(?:tests?|code|functions?|refactor(?:ing)?|modules?|merg(?:e|ed|ing)|branch(?:es)?|push(?:ing)?|squash(?:ing)?|deploy(?:s|ing|ments?)?|releas(?:e|es|ing)|staging|production|rollbacks?|builds?|compil(?:e|es|ing)|lint|migrations?|schema|database|dependenc(?:y|ies))\b`)
)
