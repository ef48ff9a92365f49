package extract

import (
	"strings"

	"github.com/strata-memory/strata"
)

// What an assistant says of the user is no fact, unless the user agrees: "You're
// based in Utrecht, right?" – "Yes, exactly." It is then read as if the user had said
// it.

// proposed returns what an assistant's turn says of the user, in the first person,
// as the last of its sentences that does; "" where none does.
func proposed(text string) string {
	found := sentences(text)
	for i := len(found) - 1; i >= max(0, len(found)-3); i-- {
		s := found[i].text
		if checks.MatchString(s) {
			continue // "Is that right?"
		}
		said := saidOfUser.FindString(s)
		s = strings.TrimSpace(s[len(said):])
		s = tag.ReplaceAllString(s, "")
		if m := shallI.FindStringSubmatch(s); m != nil {
			if everyTime.MatchString(m[1]) {
				return m[1]
			}
			continue
		}
		if spokenTo.MatchString(s) || said != "" && notes.MatchString(said) {
			if own := fromYou(s); !asks.MatchString(own) {
				return own
			}
		}
	}
	return ""
}

var (
	checks     = expr(`(?i)^(?:is (?:that|this) (?:right|correct|so|true)|right|correct|did i get (?:that|it) right|does that sound right|am i right|ok|okay)\??$`)
	saidOfUser = expr(`(?i)^(?:(?:shall|should) i remember that|(?:it seems|it looks like)(?: that)?|if i'm not mistaken,?|(?:just )?to (?:confirm|be sure|recap|sum up|clarify|double-check)|so|noted|got it|understood|okay|ok|i see|if i (?:understand|remember|recall) (?:correctly|right|you right)|(?:as far as )?i (?:remember|recall|understand|take it|guess|assume|believe|gather|think)(?: that)?|you (?:told me|said|mentioned|wrote)(?: earlier| before)?(?: that)?|i've noted(?: that)?|i'll remember that|let me (?:confirm|check|recap)|from what you(?:'ve)? (?:said|told me)|sounds like|it sounds like|in other words|correct me if i'm wrong)\b[,:]?\s*`)
	notes      = expr(`(?i)^(?:noted|got it|understood|i've noted|i'll remember|(?:just )?to (?:confirm|recap))`)
	tag        = expr(`(?i),? (?:right|correct|then|yes|no|(?:is|are|was|do|does|has|have|can|will)n't (?:he|she|it|they|you|we)|is that (?:right|correct)|have i got that right|did i get that right)\??$`)
	shallI     = expr(`(?i)^(?:should|shall|do you want me to|would you like me to|do you prefer that i|may) (?:i )?(.+?)(?: for you)?$`)
	spokenTo   = expr(`(?i)\b(?:you|your|you're|you've|yours)\b`)
)

// fromYou turns what is said to the user into what the user says.
func fromYou(s string) string {
	fields := strings.Fields(s)
	for i, f := range fields {
		core, after := splitTail(f)
		low := strings.ToLower(core)
		if low == "you" && i+1 < len(fields) && strings.EqualFold(fields[i+1], "are") {
			fields[i+1] = "am"
		}
		if own, ok := ofUser[low]; ok {
			fields[i] = own + after
		}
	}
	if len(fields) > 1 && strings.EqualFold(fields[0], "are") && fields[1] == "I" { // "are you a student"
		fields[0], fields[1] = "I", "am"
	}
	return strings.Join(fields, " ")
}

var ofUser = map[string]string{"you": "I", "your": "my", "you're": "I'm", "you've": "I've", "you'll": "I'll", "you'd": "I'd", "yours": "mine", "yourself": "myself"}

var (
	// agrees opens an answer that says yes, and may go on.
	agrees = expr(`(?i)^(?:yes|yep|yeah|yup|ya|sure|correct|exactly|right|that's right|that is right|that's correct|absolutely|indeed|precisely|of course|definitely|true|you got it|spot on|affirmative|totally|ja|oui|sí|sì|sim|да|はい|是的|对)\b`)
	// disagrees opens an answer that says no.
	disagrees = expr(`(?i)^(?:no|nope|nah|not (?:quite|exactly|really)|wrong|actually)\b`)
	hedged    = expr(`(?i)\b(?:but|not|except|although|almost|used to|no longer|any ?more)\b`)
)

// answer reads a turn as an answer to what the assistant said before it: what is
// agreed to is kept, and of what is denied the subject is remembered for "she" and
// "it".
func (s *extractor) answer(t strata.Turn) {
	before := s.proposed
	s.proposed = ""
	answer := strings.TrimSpace(t.Text)
	if said := answered(head(before, 2*maxSentence), head(answer, maxSentence)); said != "" {
		s.clause(trimLead(said), t)
		return
	}
	if before == "" || !agrees.MatchString(answer) && !disagrees.MatchString(answer) {
		return
	}
	said := proposed(before)
	switch {
	case said == "":
	case disagrees.MatchString(answer):
		if k := relationSubject(said); k != "" {
			s.subject = k
		}
	case agrees.MatchString(answer) && !hedged.MatchString(head(answer, 60)):
		c := trimLead(said)
		c.explicit = true // asked for and confirmed
		first := len(s.out)
		s.clause(c, t)
		for i := first; i < len(s.out); i++ {
			s.out[i].Agreed = true
		}
	}
}
