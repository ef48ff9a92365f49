package extract

import "strings"

// clause is one statement of a sentence, ready to be tried against the rules.
type clause struct {
	text     string
	explicit bool   // "remember that …": the person asked for it to be kept
	correct  bool   // "no, …", "actually …": it puts something right
	greeted  bool   // it followed a greeting
	lead     string // what introduced it: "two years ago"
}

const subjects = `i|i'm|i've|i'll|my|mine|we|we're|we've|we'll|our|she|he|she's|he's|she'll|he'll|they|they're|they'll|his|hers|her|it|it's|this|that|everyone|nobody|not everyone|there|there's|please|let's|the|ich|meine?|yo|mi|je|j'|mon|ma`

var (
	strongCut = expr(`;\s|\s[—–]\s?|\s--?\s|,\s(?:so|but|though|although|whereas)\s|,\s(?:which|who) |,\sthat (?:hasn't|has|is|was|isn't) `)
	// weakCut joins two whole statements; the second has its own subject.
	weakCut = expr(`(?i)(?:, (?:and |or |plus )?|: | and | but | while | und | y | et )(?:also |then |now )?(?:` + subjects + `)(?: |$)|, (?:and|but|while) (?-i:\p{Lu})\pL+ \pL+s `)
	// carried joins a second verb to the first subject.
	carried = expr(`(?i),?\s+and\s+(?:also\s+|now\s+|currently\s+|then\s+)?(?:am|is|was|live|lives|work|works|have|has|like|likes|love|loves|enjoy|hate|hates|prefer|prefers|use|uses|play|plays|study|studies|speak|speaks|grew|moved|drive|own|collect|take|takes|run|runs|deploy|release|can't|don't|never|always)\s`)
	// owner is the subject that a carried verb continues with.
	owner = expr(`(?i)^(i'm|i've|i|we're|we|my (?:[\pL'-]+ ){0,2}?[\pL-]+?)(?:'s)? (?:(?:am|is|are|was|were|has|have|had|live|lives|work|works|moved|grew|like|likes|love|loves|hate|hates|use|uses|turned|turns|study|studies|play|plays|can't|speak|speaks|drive|own|deploy|release|a|an|in|from|allergic)\b)`)
	// opensSub starts a sentence whose parts do not stand alone.
	opensSub = expr(`(?i)^(?:when|whenever|if|unless|while|since|because|after|before|once|until|although|though|as|wenn|cuando|quand|si)\s`)
	asks     = expr(`(?i)^(?:and |so |but |or )?(?:what|which|where|when|who|whom|whose|how|why|can|could|do|does|did|would|will|should|any|have you|are there|is there|is that|is it|mind|any|got any|qué|cuál|cómo|dónde|puedes|was|wie|wo|kannst|que|comment|où)\b`)
)

// clauses cuts a sentence into its statements. Of a question only what is stated
// before it remains: "I'm vegetarian, what should I cook?".
func clauses(s sentence) []string {
	text := s.text
	if s.question {
		switch told := knownToYou.FindStringSubmatch(text); {
		case told != nil:
			text = told[1]
		default:
			if text = statedBefore(text); text == "" {
				return nil
			}
		}
	}
	var out []string
	for _, part := range cutSplices(strongCut.Split(text)) {
		part = strings.TrimSpace(part)
		if opensSub.MatchString(part) {
			out = append(out, part)
			continue
		}
		for _, whole := range cutWeak(part) {
			out = appendCarried(out, whole)
		}
	}
	return out
}

// splice is a comma between two statements, or between a statement and an order.
var splice = expr(`(?i),\s(?:also |now |and )?((?:i|it's|she's|he's|they're|we're|we|everything|everybody|please|use|write|avoid|always|never|don't|dont|do not|just)\s)`)

var (
	firstPersonStart = expr(`(?i)^(?:i|i'm|i've)\s`)
	// ownHabit goes on with the same subject: "I'm vegan, don't drink alcohol either".
	ownHabit = expr(`(?i)^(?:don't|do not|never) (?:really |ever )?(?:eat|drink|like|smoke|own|have|speak|drive|cook|watch|play|wear|live|work|want)\b`)
)

// cutSplices cuts parts at commas that join whole statements.
func cutSplices(parts []string) []string {
	var out []string
	for _, part := range parts {
		for {
			at := splice.FindStringSubmatchIndex(part)
			if at == nil || words(part[:at[0]]) < 3 || opensSub.MatchString(strings.TrimSpace(part)) {
				break
			}
			left, right := part[:at[0]], part[at[2]:]
			if firstPersonStart.MatchString(left) && ownHabit.MatchString(right) {
				right = "I " + right
			}
			out, part = append(out, left), right
		}
		out = append(out, part)
	}
	return out
}

// knownToYou is a question that states: "You know I only drink decaf, right?"
var knownToYou = expr(`(?i)^(?:but |and |so )?(?:you (?:do |should |ought to )?(?:know|remember|recall)|did you know|remember|have i (?:mentioned|told you|said)|did i (?:mention|tell you|say)) (?:that )?((?:i|i'm|i've|my|we|we're|our) .+?)(?:,? (?:right|yes|don't you|no|ok|okay|remember|correct))?$`)

// statedBefore returns the part of a question before the part that asks.
func statedBefore(text string) string {
	if asks.MatchString(text) {
		return ""
	}
	for i := len(text) - 1; i > 0; i-- {
		if c := text[i]; c != ',' && c != ';' && c != '-' && c != 0x94 {
			continue
		}
		if rest := strings.TrimLeft(text[i+1:], " "); asks.MatchString(rest) {
			return strings.TrimRight(strings.ToValidUTF8(text[:i], ""), " ,;-")
		}
	}
	return ""
}

// cutWeak splits a text that may hold a conjunction where both sides can stand
// alone.
func cutWeak(s string) []string {
	var out []string
	for from := 0; ; {
		at := weakCut.FindStringIndex(s[from:])
		if at == nil {
			return append(out, s)
		}
		left, right := s[:from+at[0]], trimJoin(s[from+at[0]:])
		label := s[from+at[0]] == ':'
		if !label && words(left) < 3 && !contracted.MatchString(left) || label && asked.MatchString(left+":") || words(right) < 3 && !contracted.MatchString(right) {
			if from += at[0] + 1; from >= len(s) {
				return append(out, s)
			}
			continue
		}
		out = append(out, left)
		s, from = right, 0
	}
}

// contracted opens a statement of two words: "she's diabetic".
var contracted = expr(`(?i)^(?:i'm|she's|he's|we're|they're) \S`)

var joining = expr(`(?i)^[,:\s]*(?:(?:and|or|but|plus|while|und|y|et)\s+)?(?:(?:also|then)\s+)?`)

func trimJoin(s string) string { return s[len(joining.FindString(s)):] }

// appendCarried appends a statement, of "I live in Berlin and work at Acme" two
// with the same subject.
func appendCarried(out []string, s string) []string {
	at := carried.FindStringIndex(s)
	if at == nil || words(s[:at[0]]) < 3 {
		return append(out, s)
	}
	// The subject and its verb precede the "and", so that what is left
	// grows shorter: of "my sister Ana and works" nothing is cut.
	who := owner.FindStringSubmatch(s[:at[0]])
	if who == nil {
		return append(out, s)
	}
	subject := strings.TrimSuffix(strings.TrimSuffix(who[1], "'m"), "'ve")
	subject = strings.TrimSuffix(subject, "'re")
	rest := strings.TrimPrefix(trimJoin(s[at[0]:]), "currently ")
	return appendCarried(append(out, s[:at[0]]), subject+" "+rest)
}

func words(s string) int { return len(strings.Fields(s)) }
