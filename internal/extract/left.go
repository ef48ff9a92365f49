package extract

import (
	"slices"
	"strings"

	"github.com/strata-memory/strata"
)

// Left is something a person said of which nothing is remembered, and why.
type Left struct {
	Source string // id of the turn
	Text   string // the clause
	Reason string // one of the Left constants
}

// Why a clause is left out.
const (
	LeftGreeting = "a greeting or thanks"
	LeftQuestion = "a question"
	LeftShort    = "too short to say anything"
	LeftLong     = "too long for one statement"
	LeftJoke     = "not meant"
	LeftOthers   = "the words of somebody else"
	LeftInvented = "of a story or a dream"
	LeftUnsure   = "a guess, a wish or a condition"
	LeftPassing  = "of the moment"
	LeftPointing = "not understood without what it points at"
	LeftGeneral  = "nothing that lasts about the user or the project"
	LeftSaved    = "saved by the agent itself in the same turns"
)

// Explain is [After] with what of the turns is left out, in the order it was said. What
// is in another language than English and what a correction took back is not listed.
func Explain(before, turns []strata.Turn) (found []strata.Candidate, left []Left) {
	fresh := make(map[string]bool, len(turns))
	for _, t := range turns {
		fresh[t.ID] = true
	}
	s := extractor{seen: make(map[string]int), replaced: make(map[int]bool), leave: func(l Left) {
		if fresh[l.Source] {
			left = append(left, l)
		}
	}}
	s.read(append(slices.Clip(before), turns...))
	return slices.DeleteFunc(s.out, func(c strata.Candidate) bool {
		return !slices.ContainsFunc(c.Sources, func(id string) bool { return fresh[id] })
	}), left
}

// thanks is what is said for the sake of politeness.
var thanks = expr(`(?i)^(?:(?:many |so much|a lot|very much|much|again|and|so|ok(?:ay)?|yes|no|great|cool|nice|perfect|awesome|well) ?)*(?:hi|hello|hey|thanks|thank you|thx|cheers|bye|goodbye|good (?:morning|evening|night|afternoon)|welcome|see you|please|sorry)?(?: (?:there|all|everyone|again|so much|a lot|very much|for (?:your|the) help|later|tomorrow))*$`)

// whyLeft says why nothing is remembered of a clause, whose words were text.
func whyLeft(c clause, text string, question bool) string {
	switch {
	case thanks.MatchString(strings.Trim(text, " .!,")) || c.text == "":
		return LeftGreeting
	case question:
		return LeftQuestion
	case joking.MatchString(c.text):
		return LeftJoke
	case quoted.MatchString(c.text), reported.MatchString(c.text) && !iSaid.MatchString(c.text):
		return LeftOthers
	case invented.MatchString(c.text):
		return LeftInvented
	case unsure.MatchString(c.text) && !sworn.MatchString(c.text):
		return LeftUnsure
	case words(c.text) > 45:
		return LeftLong
	case words(c.text) < 2:
		return LeftShort
	case passes(c.text):
		return LeftPassing
	}
	if _, ok := selfContained(c.text); !ok {
		return LeftPointing
	}
	return LeftGeneral
}
