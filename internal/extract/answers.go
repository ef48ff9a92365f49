package extract

import "strings"

// A short answer says what its question asks for: "Where do you live?" – "Leeds."

// asking is a question about the user, and what its answer states: $1 and $2 are
// groups of the question, $a the answer. For a yes and a no it may state another
// thing.
type asking struct {
	re             *pattern
	says, yes, nay string
}

var askings = []asking{
	{re: expr(`(?i)\bwhat(?:'s| is) your name$`), says: "My name is $a"},
	{re: expr(`(?i)\bwhat (?:should|shall|can|may) i call you$`), says: "Call me $a"},
	{re: expr(`(?i)\bwhat do you do(?: for (?:a living|work))?$`), says: "I'm a $a"},
	{re: expr(`(?i)\b(?:what(?:'s| is)|who(?:'s| is)|how old is) your ([\pL' -]{2,40})$`), says: "My $1 is $a"},
	{re: expr(`(?i)\bwhen(?:'s| is) your ([\pL' -]{2,40})$`), says: "My $1 is on $a"},
	{re: expr(`(?i)\bwhere do you (live)(?: now| these days)?$`), says: "I live in $a"},
	{re: expr(`(?i)\bwhere (?:do you (work|study)|are you (working|studying))(?: now| these days)?$`), says: "I $1$2 at $a"},
	{re: expr(`(?i)\bwhere are you (from|based)(?: originally)?$`), says: "I'm from $a"},
	{re: expr(`(?i)\bhow old are you$`), says: "I'm $a"},
	{re: expr(`(?i)\b(?:do you have any|any|do you have) (?:food )?(?:allergies|intolerances)|are you allergic to anything`), says: "I'm allergic to $a", nay: "I have no allergies"},
	{re: expr(`(?i)\bdo you have (?:any )?(children|kids|pets|siblings|brothers or sisters)$`), says: "I have $a", nay: "I have no $1"},
	{re: expr(`(?i)\b(?:which|what)(?: [\pL-]+){1,3} do you (?:mostly |usually |normally |currently )?(use|speak|prefer|drive|play|work in|write in|work with|study|own|have|take|drink)$`), says: "I $1 $a"},
	{re: expr(`(?i)\bdo you prefer ([\pL -]{2,25}) or ([\pL -]{2,25})$`), says: "I prefer $a"},
	{re: expr(`(?i)\bdo you (eat|drink|smoke|drive|speak|own|have|like|play)((?: [\pL-]+){0,3})$`), yes: "I $1$2", nay: "I don't $1$2"},
}

var (
	answerLead = expr(`(?i)^(?:(?:yes|yeah|yep|well|oh|um|hmm|just|only|mostly|mainly|it's|that's|he's|she's|they're|i'd say|i have|i've got|call me|the)\b[,:]? *)+`)
	answerTail = expr(`(?i)(?:,? (?:please|thanks|is fine|will do|actually|mostly|i think|now|never))+$`)
	saysNo     = expr(`(?i)^(?:no|nope|nah|never|none|not at all|nothing)\b`)
	noAnswer   = expr(`(?i)\b(?:why|what|idea|sure|depends|rather not|say|private|never mind|don't|doesn't|later|maybe|anything|whatever|good question)\b`)
)

// answered returns what an answer of a few words states, in the first person, "" if
// it is none.
func answered(question, answer string) string {
	qs := sentences(question)
	if len(qs) == 0 || !qs[len(qs)-1].question {
		return ""
	}
	as := sentences(answer)
	if len(as) == 0 || as[0].question || words(as[0].text) > 9 {
		return ""
	}
	said := as[0].text
	for _, a := range askings {
		g := a.re.FindStringSubmatch(qs[len(qs)-1].text)
		if g == nil {
			continue
		}
		g = append(g, "", "")
		template := a.says
		switch {
		case saysNo.MatchString(said):
			template = a.nay
		case a.yes != "":
			template = ""
			if agrees.MatchString(said) && words(said) <= 3 {
				template = a.yes
			}
		default:
			said = answerTail.ReplaceAllString(answerLead.ReplaceAllString(said, ""), "")
			if said == "" || iSaid.MatchString(said) || noAnswer.MatchString(said) || words(said) > 7 {
				return ""
			}
			said = doubledPlace.ReplaceAllString(said, "")
		}
		return strings.NewReplacer("$1", g[1], "$2", g[2], "$a", said).Replace(template)
	}
	return ""
}

// doubledPlace is a preposition or article that the question brings.
var doubledPlace = expr(`(?i)^(?:in|at|on|an?|to|from) `)
