// Package reach tells how far a statement reaches that was read in a project and names
// none: "squash commits before merging" and "Kim took over the scheduler" are of that
// project, "call me Sam" and "Kim has a cat" hold everywhere.
//
// A standing rule is in doubt for everywhere, as one that is not told where it holds is
// missed more than one that is told where it does not. A fact is in doubt where its type
// says.
package reach

import (
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/text/lazyregexp"
)

// OfProject reports whether what was read in a project is of that project though its type
// says that it holds everywhere: a rule that speaks of work by general words, and neither
// of answers nor of the user nor of every project; or a fact on a part of the work, and
// neither on the user nor on their people.
func OfProject(c strata.Candidate) bool {
	if ofUser.MatchString(c.Content) || everywhere.MatchString(c.Content) {
		return false
	}
	switch c.Type {
	case strata.TypeFeedback:
		return c.Entity != strata.RuleAnswers && (surely.MatchString(c.Content) || together(c.Content))
	case strata.TypeUser:
		return !homely.MatchString(c.Content) && (ofPart.MatchString(c.Attribute) || duty.MatchString(c.Content) || work.MatchString(c.Content))
	}
	return false
}

// WithoutHere returns a statement about a project without words that say no more than
// where it is kept: "we use pgx in this repository".
func WithoutHere(kind strata.Type, said string) string {
	if kind != strata.TypeProject {
		return said
	}
	said = inProject.ReplaceAllString(said, "")
	if m := here.FindStringSubmatchIndex(said); m != nil && !beforePlace[strings.ToLower(said[m[2]:m[3]])] {
		said = here.ReplaceAllString(said, "$1$2")
	}
	return said
}

// together reports whether a rule has two likely words that go together in work on code.
func together(rule string) bool {
	const stem = 4 // letters by which words are told apart
	first := ""
	for _, word := range likely.FindAllString(rule, -1) {
		switch word = strings.ToLower(word[:min(len(word), stem)]); {
		case first == "":
			first = word
		case first != word:
			return true
		}
	}
	return false
}

var (
	// inProject is the project at hand.
	inProject = lazyregexp.New(`(?i)(?:^(?:in|for|on) this (?:repo|repository|project|code ?base|monorepo|workspace),? |,? (?:in|for|on|across|throughout) this (?:repo|repository|project|code ?base|monorepo|workspace)\b)`)
	// here is that, too, after a word, at the end or before what is excluded.
	here = lazyregexp.New(`(?i)(\S+?),? (?:over |around )?here(, (?:not|never|rather than|instead of)\b|$)`)
	// beforePlace are words that say nothing without a place.
	beforePlace = text.WordSet(`from to in on of at near is are was were be live lives stay stays belong belongs`)
	// ofUser is said of whoever speaks: that holds wherever they are.
	ofUser = lazyregexp.New(`(?i)\b(?:i|me|my|mine|myself|the user|the user's)\b`)
	// everywhere says so itself.
	everywhere = lazyregexp.New(`(?i)\b(?:everywhere|anywhere|in general|generally|across (?:all|projects|repos)|whatever|no matter|regardless|(?:all|any|every|each)(?: \w+)? (?:projects?|repos|repositories|repository|repo|languages?|code))\b`)
	// surely is said of work on code alone.
	surely = lazyregexp.New(`(?i:\b(?:commits?|committing|commit messages?|rebas(?:e|ing)|pull requests?|merge requests?|force[- ]push(?:ing)?|linters?|linting|unit tests?|integration tests?|test suites?|code reviews?|codebase|monorepo|repo|repository|changelog|docstrings?|type hints?|(?:feature|release|main|master) branch(?:es)?|feature flags?|integers?|booleans?|endpoints?|stack ?traces?|firmware|source files?)\b)|\b(?:PRs?|MRs?|CI)\b`)
	// likely are words of work on code which mean other things too: two of them say it,
	// that differ in their first letters.
	likely = lazyregexp.New(`(?i)\b(?:tests?|code|functions?|refactor(?:ing)?|modules?|merg(?:e|ed|ing)|branch(?:es)?|push(?:ing)?|squash(?:ing)?|deploy(?:s|ing|ments?)?|releas(?:e|es|ing)|staging|production|rollbacks?|builds?|compil(?:e|es|ing)|lint|migrations?|schema|database|dependenc(?:y|ies)|tag(?:s|ged)?|tickets?|issues?|folders?|director(?:y|ies)|generated|config(?:uration)?|hardware|sensors?|simulat(?:e|es|ions?|ors?)|revisions?|memory|allocat(?:e|es|ing|ions?)|threads?|loops?|indent(?:ation)?|tabs)\b`)

	// homely speaks of people and of what is theirs: who took over the bakery from their
	// mother did so at home.
	homely = lazyregexp.New(`(?i)\b(?:mother|father|parents?|mum|mom|dad|daughters?|sons?|child(?:ren)?|kids?|baby|sisters?|brothers?|wife|husband|partner|girlfriend|boyfriend|aunt|uncle|cousins?|niece|nephew|grand\w+|famil(?:y|ies)|friends?|neighbou?rs?|landlord|landlady|cats?|dogs?|pets?|homes?|house|flat|apartment|garden|allotment|kitchen|school|nursery|choir|band|club|wedding|birthday|party|holidays?|vacation|dinner|bakery|caf[eé]|restaurant)\b`)
	// ofPart are attributes that parts of a program have and people have not.
	ofPart = lazyregexp.New(`^(?:port|url|branch|database|timeout|rate limit|retention|encoding)$`)
	// duty is whose a part of the work is.
	duty = lazyregexp.New(`(?i)\b(?:(?:responsible|accountable|on call) for|in charge of|t(?:akes?|ook|aken|aking) over|owns?|maintains?|(?:maintained|owned) by) (?:the|our|all|both)\b|\bthe [\w -]{2,40} (?:is|are|was|were) (?:now )?(?:maintained|owned) by \p{Lu}`)
	// work is what is said of programs, and of what people at work agree on.
	work = lazyregexp.New(`(?i)^(?:the )?(?:decision|agreement|outcome) (?:from|of|in) .{0,40}\b(?:meeting|standup|stand-up|retro|planning|review|call)\b|\bthe [\w -]{2,40} (?:is|are|was|were) (?:now )?(?:tested with|deployed (?:on|to|with)|hosted on|compiled (?:with|to)|implemented (?:in|with)|backed by)\b`)
)
