package extract

import (
	"strings"
)

var (
	// unsure marks guesses, wishes and conditions.
	unsure = expr(`(?i)^(?:if|unless|suppose|assume|pretend|say (?:i|we|you|my)\b|assuming|imagine|maybe|perhaps|probably|possibly|i (?:think|guess|suppose|wonder|wish|hope|doubt|feel like|might|may|could|would|wouldn't|should)\b|i'd (?:say|like|love|guess|think|need|want|appreciate|be|have|go|bet|hope|suggest|recommend|expect|call)\b|i'm (?:thinking|considering|wondering|guessing|not sure|tempted|trying to|looking (?:for|at|into|to|forward|up))\b|we (?:might|may|could|should|would)\b|we'd\b|what if|someday|one day)\b|\b(?:maybe|perhaps|probably|possibly|might|hypothetically|would be|would have|not sure|i think|i guess|or something|supposedly|allegedly)\b`)
	// joking marks what is not meant.
	joking = expr(`(?i)(?:^|\s|\()(?:/s|/j|jk|j/k|lol|just kidding|kidding|joking|yeah,? right|as if|sarcasm|not really|best \pL+ ever)(?:\)|$|[\s,.!])`)
	// reported marks what somebody else said.
	reported = expr(`(?i)^(?:[\pL'.-]+\s+){1,5}?(?:said|says|say|told|tells|claims|claimed|thinks|believes|wrote|writes|texted|replied|asked|asks|insists|mentioned|suggested|(?:think|believe|assume|assumes|suppose|reckon|reckons|suspect|suspects|imagine|expect)s? (?:that )?(?:i|i'm|i've|i'd|my|we|we're|our))\b|\baccording to\b`)
	// quoted introduces the words of somebody or something else.
	quoted = expr(`(?i)^(?:.{0,40}\b(?:wrote|said|says|goes|reads|texted|sings?|quote|saying|proverb|lyrics?|motto|slogan|according to)\b[^:]{0,20}: ?.+|as (?:the|they|my) .{2,40} (?:says?|goes|put it)\b)`)
	// invented places a statement in a story or a dream.
	invented = expr(`(?i)^(?:in|for) (?:my|the|our|a|this|that|his|her) (?:\pL+ )?(?:novel|story|book|game|dream|film|movie|series|show|play|comic|campaign|screenplay|song|simpsons|sims)\b|\bin (?:the|my|this|that) (?:novel|story|book|game|dream|film|movie|series|comic|campaign|screenplay|song)$|^the (?:\pL+ ){1,2}in (?:the|my|this) (?:series|novel|story|book|game|film|movie|show)\b`)
	iSaid    = expr(`(?i)^(?:i|we|i'm|i've|we're|we've)\s`)
	// vague marks words that point outside the clause.
	vague = expr(`(?i)\b(?:this|these|those|(?-i:[Ii]t)|here|the following|the latter|the former|aforementioned)\b|\bthat(?:'s| one| way| thing|\s*$)|\b(?:from|to|of|in|on|at|like|about|with|for|by) that\b|\b(?:right now|at the moment|for now|just now)\b|\b(?:above|below)(?:$|[,.;:]| (?:is|are|was|and|or|for|to)\b)|\[redacted|\{\{|\bthere(?:$|[,.]| (?:that|who|which|and|for|with|on|in|at|every|since|last|next|too)\b)|` + maskedQuote)
)

// calendarThis are the words with "this" that point at a time, not a thing.
var calendarThis = expr(`(?i)\b(?:these days|this (?:year|month|week|weekend|spring|summer|autumn|fall|winter|morning|afternoon|evening)|(?:` + months + `) this year)\b`)

// others are pronouns for people and things that must have been named before.
var others = expr(`(?i)\b(?:him|his|her|hers|he|she|they|them|their|theirs)\b`)

// knownOne is somebody or something that such a pronoun can mean.
var knownOne = expr(`(?i:{relation}|people|everyone|somebody|team|colleagues|customers|users)|\s(?:\p{Lu}\pL+|\pL{3,}s)\b`)

// hasDeictic reports whether a statement needs its surroundings to be understood.
func hasDeictic(text string) bool {
	if at := others.FindStringIndex(text); at != nil && iSaid.MatchString(text) && !knownOne.MatchString(text[:at[0]]) {
		return true
	}
	return vague.MatchString(text) && vague.MatchString(calendarThis.ReplaceAllString(text, ""))
}

var (
	because = expr(`(?i),? (?:because|since|as|so that|after|when|until) .*$`)
	itself  = expr(`(?i)\bit\b`)
)

// selfContained returns what of a statement is understood without its
// surroundings. "It" in a reason means what the statement is about ("… because
// everyone uses it"); a reason that points further away is left out.
func selfContained(text string) (string, bool) {
	if !hasDeictic(text) {
		return text, true
	}
	at := because.FindStringIndex(text)
	if at == nil || words(text[:at[0]]) < 3 || hasDeictic(text[:at[0]]) {
		return "", false
	}
	if hasDeictic(itself.ReplaceAllString(text[at[0]:], "")) {
		text = text[:at[0]]
	}
	return text, true
}

// refused reports whether a clause cannot be a fact, whatever it matches.
func refused(c clause) bool {
	switch {
	case words(c.text) < 2 && !strings.Contains(c.text, "'"), words(c.text) > 45:
		return true
	case joking.MatchString(c.text), strings.Contains(c.text, maskedQuote):
		return true
	case quoted.MatchString(c.text), invented.MatchString(c.text):
		return true
	case reported.MatchString(c.text) && !iSaid.MatchString(c.text):
		return true
	}
	return unsure.MatchString(c.text) && !sworn.MatchString(c.text)
}
