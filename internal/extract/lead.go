package extract

import "strings"

var (
	// framing opens a statement that it only introduces: what a doctor has said is
	// taken for true, what a neighbor has said is not.
	framing  = expr(`(?i)^(?:(?:basically |so |well |ok |okay )*(?:what happened (?:is|was)(?: that)?|the (?:thing|point|fact|situation|story|upshot|short version) is(?: that)?|here's the (?:thing|situation|deal):?|long story short,?|you (?:already |probably |may |might |should |ought to |need to |must )?know(?: that)?,? (?:i|my|we|our)\b|my (?:doctor|gp|dentist|vet|physio|cardiologist|therapist|psychiatrist|optician|nurse|surgeon|midwife|neurologist|dermatologist|allergist)(?: \p{Lu}\pL+)? (?:told me|tells me|says|said|confirmed|found(?: out)?|thinks)(?: that)?,? (?:i|my)\b|our (?:convention|rule|policy|practice|standard|agreement|approach|process|guideline) is(?: that)?|the (?:convention|rule|policy|practice|standard|agreement|guideline) is(?: that)?|(?:it's|it is) (?:a rule|our policy|agreed|settled|a convention) that|on second thoughts?,?|thinking about it,?|come to think of it,?|(?:an? )?(?:quick |small )?reminder:?(?: that)?|heads[- ]up:?|note:|ps:|p\.s\.:?|i'd like to (?:add|mention|point out) that|(?:since|as of|starting) (?:today|this week|this month|now|yesterday|last week|last month),?|(?:as|like) i (?:mentioned|told you|said)(?: before| earlier)?,?|no secret(?: that)?,?|truth is,?|fact is,?|the reason (?:i ask|i'm asking|for asking)(?: is)?(?: that| because)?|the thing (?:about|with) me is(?: that)?|it's important to me that|unfortunately,?|sadly,?|luckily,?|fortunately,?|apparently,?|now that you ask,?|if you must know,?|in case you(?:'re| are) wondering,?|(?:quick |some |a bit of )?(?:context|background):?|\w+ (?:days?|weeks?|months?|years?) ago,?|since then,?|these days,?|nowadays,?|(?:in|since) (?:19|20)\d\d,?|growing up,?|as a (?:kid|child|teenager|student),?)\s*)`)
	greeting = expr(`(?i)^(?:hi|hey|hello|hiya|good (?:morning|evening|afternoon)|nice to meet you)\b(?:\s+(?:there|again|everyone|all))?[,!.\s]*`)
	// opening are words that say nothing by themselves. Those of the second
	// group count only before a comma or colon.
	opening = expr(`(?i)^(?:(?:oh no|well|so|oh|ah|um|hmm?|ok|okay|and|but|also|plus|anyway|btw|by the way|besides|then|as you know|as i (?:said|mentioned)|you know|i mean|turns out(?: that)?|it turns out(?: that)?|i should (?:also )?(?:mention|add|say)(?: that)?|i forgot to (?:mention|say)(?: that)?|did i mention(?: that)?|let me tell you(?: that)?|the thing is(?: that)?)[,:]?\s+|(?:argh|ugh|gah|oops|ouch|meh|phew|yikes|whoa|wow|aha|huh|yes|yeah|yep|right|sure|great|thanks|thanks a lot|thank you|thank you so much|perfect|cool|nice|first|firstly|second|secondly|finally|honestly|frankly|basically|personally|for context|some context|context|background|fun fact|(?:(?:quick|small|big|good|great|bad|huge|other|exciting|in other) )?(?:update|news)|about me|at home|at work|on the work side|one more thing|another thing|last thing|one thing|for starters|to be honest|in general|generally|speaking of [\pL ]{2,20}|other updates?|other news|since today is .{3,30}|since you ask)(?:\s*[,:!]|\s+[—–-])\s*)`)
	// asked marks what the person wants kept.
	asked = expr(`(?i)^(?:(?:please|can you|could you|do|just)\s+)*(?:(?:remember|note|keep in mind|bear in mind|don't forget|do not forget|make a note|take note|write down|memori[sz]e|save to memory|store)(?:\s*:|\s+(?:for (?:later|next time|the future|me))?[:,]?\s*(?:that|this:))|(?:for the record|fyi|for your information|just so you know|you should know(?: that)?|i want you to (?:know|remember)(?: that)?|note to self|remember this|remember the following)\s*[:,]?)\s*`)
	// askedBare is "remember my …": the same without "that".
	askedBare = expr(`(?i)^(?:please )?(?:remember|note|keep in mind) (?:my|i|i'm|we|our|the)\b`)
	// correcting marks a statement that puts an earlier one right.
	correcting = expr(`(?i)^(?:(?:(?:sorry,? )?i (?:got|had) (?:that|it) wrong|(?:that|this)(?:'s| is| was) (?:stale|out of date|outdated|old|wrong|not right|no longer (?:true|right)|changed|ancient history)|your notes (?:on me )?are out of date|that(?: has|'s)? changed(?: (?:in|at|after|with|since) [\pL' ]{2,20})?|apologies|my apologies|i(?:'ve| have)? changed my mind|i misspell?ed it|i misspelled (?:it|that)|i misremembered|i(?:'ve| have)? (?:got|been) tested|(?:gah|argh|ugh),? (?:no|wait|sorry)|(?:ah|oh),? (?:wait|sorry)|oops,? wrong|not any ?more|let me correct (?:that|myself)|(?:oops|sorry|argh|oh|ah)?,? ?i (?:mis-?(?:typed|spoke|wrote|read)|(?:typed|wrote|said|put|entered|spelled|gave you) (?:that|it|this|the wrong \pL+)(?: (?:in|down|all|the))*(?: wrong(?:ly)?| incorrectly| wrong way)?)(?: (?:that|it|this|there|myself|before|earlier|above))*|mis-?typed(?: (?:that|it))?|(?:(?:that|there) was |that's |there's |i made |my )?(?:an? )?(?:typo|mistake|error)(?: (?:in|with) (?:that|it|this|there)(?: one)?| there)?|slip of the tongue|hang on|hold on|strike that|make that|i tell a lie|beg your pardon|i stand corrected|no|nope|sorry|oops|wait|no wait|correction|my mistake|my bad|scratch that|i was wrong|i misspoke|small correction|update|in fact|actually no)(?:\s*[,:!.]|\s+[—–-])\s*|actually,?\s+|that's wrong,?\s+|that's not right,?\s+|correction\s+|change of plans?[,:]\s*)`)
)

// closing are words at the end of a clause that say nothing of its subject.
var closing = expr(`(?i)(?:,? (?:too|either|thanks|thank you|cheers|as well|though|by the way|btw|obviously|of course|naturally|please|god help me|haha|you know|i guess|for what it's worth|if that helps|claro|(?:nice|good|great|lovely|pleased|glad|happy) to meet (?:you(?: all| guys)?|everyone))|,? (?:in case (?:i|you|that|this)|if you (?:ever|need|want|wonder|ask)|just so you know|despite what)\b.*)$`)

// hence opens a statement of fact: "from now on we deploy on Wednesdays". Before
// an order it is part of the order.
var hence = expr(`(?i)^(?:from now on|going forward|from (?:today|next week) on|starting (?:now|today)|as of (?:now|today)),?\s+(we|the|our|i|my|it's|that's|it is)\s`)

var ownWord = expr(`(?i)^(?:i|my|we|our) ?$`)

// trimLead removes the words a clause opens with and notes what they say of it.
func trimLead(text string) clause {
	c := clause{text: strings.TrimSpace(text)}
	for c.text != "" {
		before := len(c.text)
		c.open()
		c.text = strings.TrimLeft(c.text, " ,:;!-–—*_.")
		if len(c.text) == before {
			break
		}
	}
	c.text = strings.TrimRight(c.text, " ,:;-–—*_.!")
	for range 3 {
		shorter := strings.TrimRight(closing.ReplaceAllString(c.text, ""), " ,:;-")
		if shorter == c.text {
			break
		}
		c.text = shorter
	}
	return c
}

// open removes one opening of each kind, if there is one, and notes what it says.
func (c *clause) open() {
	if m := greeting.FindString(c.text); m != "" {
		c.greeted = true
		c.text = c.text[len(m):]
	}
	if m := exchanged.FindString(c.text); m != "" {
		c.correct = true
		c.text = c.text[len(m):]
	}
	if m := correcting.FindString(c.text); m != "" {
		c.correct = true
		c.text = c.text[len(m):]
	}
	if m := asked.FindString(c.text); m != "" {
		c.explicit = true
		c.text = c.text[len(m):]
	} else if askedBare.MatchString(c.text) {
		c.explicit = true
		c.text = c.text[strings.Index(strings.ToLower(c.text), " ")+1:]
	}
	c.text = c.text[len(opening.FindString(c.text)):]
	if m := framing.FindString(c.text); m != "" {
		// The first word of the statement may be the last of what introduces it.
		kept := m
		if at := strings.LastIndexByte(strings.TrimRight(m, " "), ' '); at >= 0 && ownWord.MatchString(m[at+1:]) {
			kept = m[:at+1]
		}
		c.lead += c.text[:len(kept)]
		c.text = c.text[len(kept):]
	}
	if m := hence.FindStringSubmatchIndex(c.text); m != nil {
		c.correct = c.correct || strings.HasPrefix(strings.ToLower(c.text[m[2]:]), "it") || strings.HasPrefix(strings.ToLower(c.text[m[2]:]), "that")
		c.text = c.text[m[2]:]
	}
}
