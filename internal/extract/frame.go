package extract

import "strings"

// A message often states a fact in passing: as the reason of a request ("since I'm
// coeliac, …"), of somebody it names ("my brother Tom, who lives in Leeds, …"), or by
// what somebody is ("as a father of three, …"). Such parts are read as sentences of
// their own.

// framed returns the statements that a sentence makes in passing, followed by what
// is left of it.
func framed(s sentence) []sentence {
	var out []sentence
	for range 4 {
		said, rest, ok := takeAside(s)
		if !ok {
			break
		}
		out = append(out, sentence{text: said})
		s.text = rest
	}
	return append(out, s)
}

// takeAside takes one statement made in passing out of a sentence; rest is the sentence
// without it.
func takeAside(s sentence) (said, rest string, ok bool) {
	for _, f := range frames {
		m := f.re.FindStringSubmatchIndex(s.text)
		if m == nil {
			continue
		}
		group := func(i int) string {
			if m[2*i] < 0 {
				return ""
			}
			return s.text[m[2*i]:m[2*i+1]]
		}
		said, rest = f.read(group, s.question)
		if said == "" || !isStatement(said) {
			continue
		}
		return said, strings.TrimLeft(s.text[:m[0]]+rest+s.text[m[1]:], " ,"), true
	}
	return "", "", false
}

// frame is one way to say something in passing. It reads the groups of a match to
// the statement, "" for none, and to what stays in its place.
type frame struct {
	re   *pattern
	read func(group func(int) string, question bool) (said, rest string)
}

// given are conjunctions of a reason that is a fact.
const given = `since|as|because|given(?: that)?|seeing (?:as|that|how)|considering(?: that)?|now that|even though|although|though|bearing in mind(?: that)?|keeping in mind(?: that)?|knowing(?: that)?`

// whose opens a clause about the speaker and what is theirs.
const whose = `i|i'm|i've|we|we're|we've|my|our|both my|all my|one of my|neither of my|none of my|none of us|the (?:kids|twins|baby|dog|cat)`

var frames = []frame{
	// "Since I'm coeliac, can you …", "Because my son is deaf we all sign."
	{expr(`(?i)^(?:(?:and|but|so|well|hi|hello|hey|ok|okay)[, ] ?)*(?:` + given + `) ((?:` + whose + `)\b[^,]{4,160}?)(?:, (?:so )?| (?:(i|i'm|we|we're|can|could|would|what|which|where|how|please) ))`), func(g func(int) string, question bool) (string, string) {
		if g(2) != "" {
			return g(1), g(2) + " "
		}
		return g(1), " "
	}},
	// "Can you suggest a pizza base, since I'm coeliac?"
	{expr(`(?i),? (?:` + given + `) ((?:` + whose + `)\b[^?]{6,160})$`), func(g func(int) string, question bool) (string, string) {
		if !question {
			return "", ""
		}
		return g(1), ""
	}},
	// "What can I cook, I'm vegan?"
	{expr(`(?i)(?:, (?:and |but |so )?| [–—-] )((?:i'm|i am|i've|i have|i don't|i can't|we're|we have|we've|my [\pL'-]+ (?:is|has|can't|hates|loves|lives|works)) [^?]{3,160})$`), func(g func(int) string, question bool) (string, string) {
		if !question {
			return "", ""
		}
		return g(1), ""
	}},
	// "Could you always write the dates out?"
	{expr(`(?i)^(?:can|could|would|will) you (?:please )?(.{4,160})$`), func(g func(int) string, question bool) (string, string) {
		if !question || !everyTime.MatchString(g(1)) || onTheTable.MatchString(g(1)) {
			return "", ""
		}
		return g(1), ""
	}},
	// "As a father of three I …", "Being a nurse, I …"
	{expr(`(?i)^(?:as|being|speaking as|i'm asking as) ((?:an? |the (?:mother|father|mum|dad|owner|parent|only) |some(?:one|body) who)[^,]{3,80}?)(?:, ((?:my|our|his|her|their) (?:[\pL-]+ )?{relation} |(?:he|she|they|it) )?| (?:(i|i'm|i've|i'd|my|we|can|could|what|which|how|where|should|do) ))`), func(g func(int) string, question bool) (string, string) {
		if asWhen.MatchString(g(1)) || g(2) != "" || hasVerb.MatchString(g(1)) { // of another, or no part at all
			return "", ""
		}
		if m := someone.FindStringSubmatch(g(1)); m != nil {
			return ofMyself(m[1]), g(3) + " "
		}
		return "I'm " + g(1), g(3) + " "
	}},
	// "Which bed is right for someone who sleeps on his side": nobody's; "for someone like me who …" is the speaker's.
	{expr(`(?i),? (?:for|as|to|being) (?:someone|somebody|a person|a guy|a woman|a man|one|people) like me,? (?:who|that)('s| [\pL']+) ([^,?]{3,100})`), func(g func(int) string, question bool) (string, string) {
		return ofMyself(strings.TrimSpace(g(1) + " " + g(2))), ""
	}},
	// "With my two kids and a husky, which car …"
	{expr(`(?i)^(?:and |but |so )?with ((?:my|our) (?:{number} )?(?:[\pL-]+ ){0,2}?{relation}\b[^,]{0,60}|(?:an? |{number} )(?:[\pL-]+ ){0,2}?{relation}\b[^,]{0,60}),? (?:(which|what|where|how|can|could|should|i|we) )`), func(g func(int) string, question bool) (string, string) {
		return "I have " + myOwn.ReplaceAllString(g(1), ""), g(2) + " "
	}},
	// "My brother Tom, who lives in Leeds, …"
	{expr(`(?i)\b((?:my|our) (?:[\pL-]+ ){0,2}?{relation}(?:,? \p{Lu}[\pL'-]+)?),? who(?:('s|'ve|'d)|\b) ?([^,?;]{3,120}?)(,|$| (?:and|but) (?:i|we|i'm|i've|my)\b)`), relative},
	// "My sister Ines, a cellist, …"
	{expr(`(?i)\b((?:my|our) (?:[\pL-]+ ){0,2}?{relation}(?:,? \p{Lu}[\pL'-]+)?), ((?:an? |the )[^,?;]{3,60}|\d{1,2}|\pL+ (?:years|months) old)(,|$)`), apposition},
	// "What can I give my wife Lena?", "Our two girls, Ada and Noor, broke …"
	{expr(`(?i:\b(my|our) ((?:{number} )?(?:[\pL-]+ )?(?:{kin})))((?:,? | \()\p{Lu}[\pL'-]+(?: \p{Lu}[\pL'-]+)?(?:(?:, \p{Lu}[\pL'-]+)*,? and \p{Lu}[\pL'-]+)?)(?:\)|,|\?|\b)`), namedInPassing},
}

var (
	asWhen = expr(`(?i)^an? (?:kid|child|boy|girl|teenager|student|teen|baby|rule|result|side note|matter|consequence|joke|test|precaution|compromise|first|last|next|workaround|follow-up|bonus|reminder|thank|gift|reference|general|start|quick|fallback|favou?r|whole|team|company|family|group|couple|users?\b.{0,3} i want|example|customer|visitor|human|model|developer,)\b`)
	// hasVerb is of a whole sentence: "Being a nurse runs in the family, …".
	hasVerb = expr(`(?i)^an? (?:[\pL-]+ ){1,2}?(?:is|was|isn't|wasn't|has|had|runs|ran|means|meant|makes|made|gets|got|feels|felt|comes|came|takes|took|pays|paid|sounds|seems|helps|can|can't|doesn't|didn't)\b`)
	someone = expr(`(?i)^(?:a )?(?:someone|somebody|person|guy|woman|man)(?: (?:who|that))?('s .+| .+)$`)
	myOwn   = expr(`(?i)^(?:my|our) `)
)

// ofMyself turns "lives in Leeds", said of "someone who", into "I live in Leeds".
func ofMyself(said string) string {
	said = strings.TrimSpace(said)
	if rest, ok := strings.CutPrefix(said, "'s "); ok {
		return "I'm " + rest
	}
	verb, rest, _ := strings.Cut(said, " ")
	if strings.EqualFold(verb, "is") {
		return "I'm " + rest
	}
	return "I " + baseForm(verb) + " " + rest
}

// relative reads a relative clause about somebody of the speaker's.
func relative(g func(int) string, _ bool) (said, rest string) {
	verb := map[string]string{"'s": "is ", "'ve": "have ", "'d": "would "}[strings.ToLower(g(2))]
	said = g(1) + " " + verb + g(3)
	rest = g(1) + g(4)
	if g(4) == "," {
		rest = g(1)
	}
	return said, rest
}

// apposition reads what somebody of the speaker's is.
func apposition(g func(int) string, _ bool) (said, rest string) {
	if g(3) == "" && !strings.ContainsAny(g(1), "ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
		return "", ""
	}
	return g(1) + " is " + g(2), g(1)
}

// namedInPassing reads the name of one of the family.
func namedInPassing(g func(int) string, question bool) (said, rest string) {
	name := strings.Trim(g(3), " ,(")
	if !question && !plural(g(2)) || !startsUpper(name) || demonym.MatchString(name) || dayWord.MatchString(name) || notNames[strings.ToLower(name)] {
		return "", ""
	}
	verb := " is named "
	if plural(g(2)) {
		verb = " are named "
	}
	return g(1) + " " + g(2) + verb + name, g(1) + " " + g(2)
}

// isStatement reports whether a part of a sentence states something that lasts.
func isStatement(text string) bool {
	if unsure.MatchString(text) || passes(text) {
		return false
	}
	if _, ok := rules().find(text); ok {
		return true
	}
	says := readClaim(text)
	_, ok := says.lasting(text)
	return ok
}
