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

const subjects = `neither|none|i|i'm|i've|i'll|my|mine|we|we're|we've|we'll|our|she|he|she's|he's|she'll|he'll|they|they're|they'll|his|hers|her|it|it's|this|that|everyone|nobody|not everyone|there|there's|please|let's|the`

var (
	strongCut = expr(`;\s|\s[—–]\s?|\s--?\s|,\s(?:so|but|though|although|whereas)\s|,\s(?:which|who) |,\sthat (?:hasn't|has|is|was|isn't) `)
	// weakCut joins two whole statements; the second has its own subject.
	weakCut = expr(`(?i)(?:, (?:and |or |plus )?|: | and | but | so | while )(?:also |then |now |btw,? |by the way,? |fyi,? )*(?:` + subjects + `)(?: |$)|, (?:and|but|while) (?-i:\p{Lu})\pL+ \pL+s `)
	// carried joins a second verb to the first subject.
	carried = expr(`(?i),?\s+and\s+(?:also\s+|now\s+|currently\s+|then\s+)?(?:am|is|was|live|lives|work|works|have|has|like|likes|love|loves|enjoy|hate|hates|prefer|prefers|use|uses|play|plays|study|studies|speak|speaks|grew|moved|drive|own|collect|take|takes|bought|sold|got|switched|joined|started|run|runs|deploy|release|can't|don't|never|always)\s`)
	// owner is the subject that a carried verb continues with.
	owner = expr(`(?i)^(i'm|i've|i|we're|we|my (?:[\pL'-]+ ){0,2}?[\pL-]+?)(?:'s)? (?:(?:am|is|are|was|were|has|have|had|live|lives|work|works|moved|grew|like|likes|love|loves|hate|hates|use|uses|turned|turns|study|studies|play|plays|can't|speak|speaks|drive|own|deploy|release|a|an|in|from|allergic)\b)`)
	// opensSub starts a sentence whose parts do not stand alone.
	opensSub = expr(`(?i)^(?:when|whenever|if|unless|while|since|because|after|before|once|until|although|though|as)\s`)
	asks     = expr(`(?i)^(?:and |so |but |or )?(?:what|which|where|when|who|whom|whose|how|why|can|could|do|does|did|would|will|should|any|have you|are there|is there|is that|is it|mind|any|got any|was)\b`)
)

// clauses cuts a sentence into its statements. Of a question only what is stated
// before it remains: "I'm vegetarian, what should I cook?".
func clauses(s sentence) []string {
	text := s.text
	if s.question {
		switch told := knownToYou.FindStringSubmatch(text); {
		case told != nil:
			text = told[1]
		case toRemember(text) != "":
			text = "remember that " + toRemember(text)
		default:
			if text = statedBefore(text); text == "" {
				return nil
			}
		}
	}
	if at := willSay.FindStringIndex(text); at != nil {
		text = text[:at[0]]
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

// willSay opens what somebody is going to say or to pretend, true or not.
var willSay = expr(`(?i)(?:^|[,;] |\b(?:and|but|so) )(?:(?:in|for|at|during|on) [^,]{2,40}?,? )?(?:i'll|i will|i'm going to|i am going to|i'm gonna|we'll|we will|we're going to|he'll|she'll|they'll|let me|let's|i might|i could|i want to|i'd like to|i plan to) (?:just |simply |probably |all |always )*(?:(?:say|pretend|claim|write|state|announce|argue|lie|joke|make believe|imagine|act as if|answer|reply)(?: to (?:them|him|her|everyone|people|everybody))?|tell (?:them|him|her|everyone|everybody|people|(?:the|my|our) \pL+|(?-i:\p{Lu})\pL+)|introduce (?:myself|him|her|them) as)(?: that|:)? (?:i|i'm|i've|my|we|we're|our|he|he's|she|she's|they|it|it's|the|an?|(?-i:\p{Lu})[\pL'-]+)\b`)

// splice is a comma between two statements, or between a statement and an order.
var splice = expr(`(?i),\s(?:also |now |and |so )?((?:from now on )?(?:i|it's|she's|he's|they're|we're|we|everything|everybody|please|use|write|avoid|always|never|don't|dont|do not|just)\s)`)

var (
	firstPersonStart = expr(`(?i)^(?:i|i'm|i've)\s`)
	// ownHabit goes on with the same subject: "I'm vegan, don't drink alcohol either".
	ownHabit = expr(`(?i)^(?:don't|do not|never) (?:really |ever )?(?:eat|drink|like|smoke|own|have|speak|drive|cook|watch|play|wear|live|work|want)\b`)
)

// cutSplices cuts parts at commas that join whole statements.
func cutSplices(parts []string) []string {
	var out []string
	for _, part := range parts {
		for from := 0; ; {
			at := splice.FindStringSubmatchIndex(part[from:])
			if at == nil {
				break
			}
			left, right := part[:from+at[0]], part[from+at[2]:]
			if words(left) < 3 && !contracted.MatchString(left) || opensSub.MatchString(strings.TrimSpace(part)) {
				break
			}
			if setsApart(right) {
				from += at[2]
				continue
			}
			if firstPersonStart.MatchString(left) && ownHabit.MatchString(right) {
				right = "I " + right
			}
			out, part, from = append(out, left), right, 0
		}
		out = append(out, part)
	}
	return out
}

// setsApart reports whether what follows a comma, up to the next, only says what a
// statement excludes, and is no statement or order of its own: "we use pnpm, never npm".
func setsApart(text string) bool {
	text, _, _ = strings.Cut(text, ", ")
	first, _, _ := strings.Cut(text, " ")
	return strings.EqualFold(first, "never") && !ownHabit.MatchString(text) && !isStatement(writtenOut(text))
}

// knownToYou is a question that states: "You know I only drink decaf, right?"
var knownToYou = expr(`(?i)^(?:but |and |so )?(?:you (?:do |should |ought to )?(?:know|remember|recall)|did you know|remember|have i (?:mentioned|told you|said)|did i (?:mention|tell you|say)) (?:that )?((?:i|i'm|i've|my|we|we're|our) .+?)(?:,? (?:right|yes|don't you|no|ok|okay|remember|correct))?$`)

// toRemember returns what a polite question asks to remember; "" where it asks for an
// answer, or for work: "can you remember my name", "could you remember to test".
func toRemember(text string) string {
	m := requested.FindStringSubmatch(text)
	if m == nil || readClaim(m[1]+m[2]).verb == "" && !isStatement(m[1]+m[2]) {
		return ""
	}
	return m[1] + m[2]
}

var requested = expr(`(?i)^(?:(?:and|so|also|oh|please|hi|hey|hello),? )*(?:can|could|would|will) you (?:please |kindly |just )?(?:remember|note(?: down)?|keep in mind|bear in mind|make a note|take note|memori[sz]e|save|store)(?: for (?:later|next time|the future|me))?,? (?:(?:that )?((?:` + whose + `|she|he|everyone|nobody)\b .+?)|that ((?:the|an?|all|every|each|(?-i:\p{Lu})[\pL'-]+|\pL+s) .+?))(?:,? (?:please|for me))?$`)

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
		if !label && partOfSubject.MatchString(left) && strings.HasPrefix(strings.ToLower(right), "i ") || !label && words(left) < 3 && !contracted.MatchString(left) || label && (asked.MatchString(left+":") || voiced.MatchString(left) || correcting.MatchString(left+":")) || words(right) < 3 && !contracted.MatchString(right) {
			if from += at[0] + 1; from >= len(s) {
				return append(out, s)
			}
			continue
		}
		out = append(out, left)
		s, from = right, 0
	}
}

// voiced introduces the words of somebody or something else.
var voiced = expr(`(?i)\b(?:goes?|wrote|writes?|says?|said|reads?|sayings?|sings?|claims?|states?|lyrics|quote|proverb|motto|slogan|posted|texted|replied)\b`)

// partOfSubject is somebody who does something together with the speaker: "my wife
// Lena and I run a shop".
var partOfSubject = expr(`(?i)^(?:(?:my|our) (?:[\pL-]+ ){0,2}?{relation}|(?-i:\p{Lu})[\pL'-]+)(?:,? \p{Lu}[\pL'-]+)?,?$`)

// contracted opens a statement of two words: "she's diabetic".
var contracted = expr(`(?i)^(?:the )?name's \pL+$|^(?-i:\p{Lu})\pL+ here$|^(?:i'm|she's|he's|we're|they're) \S|^\pL+(?:'s| is| has)? (?:left|quit|resigned|retired|gone|died|moved)$`)

var joining = expr(`(?i)^[,:\s]*(?:(?:and|or|but|plus|so|while)\s+)?(?:(?:also|then|btw|by the way|fyi),?\s+)*`)

func trimJoin(s string) string { return s[len(joining.FindString(s)):] }

// appendCarried appends a statement, of "I live in Berlin and work at Acme" two
// with the same subject.
func appendCarried(out []string, s string) []string {
	at := carried.FindStringIndex(s)
	if at == nil {
		at = carriedThird(s)
	}
	if at == nil || words(s[:at[0]]) < 3 {
		return append(out, s)
	}
	// The subject and its verb precede the "and", so that what is left
	// grows shorter: of "my sister Ana and works" nothing is cut.
	left := s[:at[0]]
	subject := ""
	if who := owner.FindStringSubmatch(left); who != nil {
		subject = strings.TrimSuffix(strings.TrimSuffix(who[1], "'m"), "'ve")
		subject = strings.TrimSuffix(subject, "'re")
	} else if says := readClaim(left); (says.subject == ownSubj || says.subject == namedSubj) && says.object != "" {
		whole := strings.Fields(left)
		subject = strings.Join(whole[:min(words(says.who), len(whole))], " ") // with the comma of "Also, Quentin"
	}
	if subject == "" {
		return append(out, s)
	}
	rest := strings.TrimPrefix(trimJoin(s[at[0]:]), "currently ")
	return appendCarried(append(out, left), subject+" "+rest)
}

// carriedThird finds an "and" before a verb in the third person, with more behind it:
// "my brother is a porter and sleeps till two".
func carriedThird(s string) []int {
	for from := 0; ; {
		at := strings.Index(s[from:], " and ")
		if at < 0 {
			return nil
		}
		from += at
		verb, rest, _ := strings.Cut(s[from+len(" and "):], " ")
		if thirdForm(strings.ToLower(verb)) && rest != "" && !prepositions[rest] {
			return []int{from, from + len(" and ")}
		}
		from += len(" and ")
	}
}

func words(s string) int { return len(strings.Fields(s)) }
