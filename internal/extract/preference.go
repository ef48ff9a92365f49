package extract

import (
	"sort"
	"strings"
)

// preferenceRules are tastes, habits, hobbies and tools.
func preferenceRules() []rule {
	return []rule{
		{name: "favorite", heads: "my", pattern: `my (?:all-time |absolute )?favou?rite ([\pL '-]+?)(?: of all time| ever| at the moment)?(?: is|'s| are| has always been| will always be)(?: now| definitely| still| probably)? (.+)`, sure: sure, reads: favorite},
		{name: "favorite", heads: "*", pattern: `(\p{Lu}[^,]{1,50}|[\pL -]{3,40}) (?:is|are) (?:still |by far |now |definitely )?my (?:all-time |absolute )?favou?rite ([\pL '-]+)$`, reads: favoriteLast},
		{name: "allergy", heads: "i'm i i've my we", pattern: `(?:i'm|i am|i've always been|we're) {adv}(?:(?:severely|mildly|badly|highly|deathly|slightly|seriously|a bit|very) )?(?:allergic|intolerant|sensitive) to (.+)`, sure: sure, reads: object(1)},
		{name: "allergy", heads: "i i've", pattern: `i(?:'ve| have)? {adv}(?:have|got|developed) (?:an? )?(?:(?:severe|mild|bad|serious|slight) )?(?:[\pL-]+ )?(?:allergy|intolerance|allergies)\b.*`, sure: sure, tense: past},
		{name: "allergy", heads: "i'm i", pattern: `i(?:'m| am) {adv}[\pL-]+[- ]intolerant.*`, sure: sure},
		{name: "diet", heads: "i we i've", pattern: `(?:i|we)(?:'ve| have)? {adv}(?:don't|do not|never|can't|cannot|no longer|stopped|quit|gave up|given up|avoid|cut out|only) ?{adv}(?:eat|eating|drink|drinking|have|having|smoking|smoke|meat|coffee|alcohol|sugar|dairy|gluten|caffeine)\b ?(.*)`, tense: past, reads: abstains},
		{name: "preference", heads: "i we i've", pattern: `(?:i|i've|we) {adv}(?:prefer|preferred) (.+?) (?:over|to|rather than|instead of|than) (.+)`, sure: sure, reads: pair},
		{name: "preference", heads: "*", pattern: `([\pL][\pL -]{1,30}?) (?:over|rather than) ([\pL -]{2,30}?)(?:,? (?:for me|any ?day|any day of the week|every time|always))\b.*`, sure: sure, reads: rather},
		{name: "preference", heads: "*", pattern: `([\pL][\pL\d -]{1,30}?) (?:is|are) (?:(?:much|far|way) )?better than ([\pL\d -]{2,30}?)(?:,? (?:for me|in my (?:book|opinion|view)|any ?day|if you ask me))$`, reads: rather},
		{name: "preference", heads: "i'd i", pattern: `i(?:'d| would) (?:much )?(?:rather|sooner|prefer to) (?:have |drink |eat |use |take |go |get )?(.+?) (?:than|over|rather than|instead of) (.+)`, sure: sure, reads: pair},
		{name: "choice", heads: "we i we're", pattern: `(?:we|i|we're) {adv}(?:use|using|run|drink|take|choose|buy|write|speak|ship|deploy with|build with|test with) ([^,]+?) (?:instead of|rather than) (.+)`, sure: sure, reads: choice},
		{name: "preference", heads: "i i've", pattern: `(?:i|i've) {adv}prefer(?:red)? (.+)`, reads: object(1)},
		{name: "taste", heads: "i i've", pattern: `(?:i|i've) {adv}(?:like|love|enjoy|adore|hate|dislike|can't stand|can't bear|cannot stand|detest|loathe|despise|don't (?:really |much )?(?:like|enjoy|care for)|do not like|no longer (?:like|enjoy)|am not a fan of) (.+)`, reads: taste},
		{name: "interest", heads: "i'm i i've", pattern: `i(?:'m| am|'ve become| have become) {adv}(?:(?:an? (?:big|huge|keen|lifelong|massive) |a |not a )?(?:fan of|lover of)|into|keen on|fond of|obsessed with|passionate about|interested in|crazy about|afraid of|scared of|terrified of|phobic of|hooked on) (.+)`, reads: object(1)},
		{name: "hobby", heads: "my", pattern: `my (?:main |biggest |favou?rite |other )?(?:hobby|hobbies|passion|pastime|sport)(?: is| are|'s) (.+)`, reads: object(1)},
		{name: "hobby", heads: "i i've i'm", pattern: `i(?:'m|'ve| have)? {adv}(?:been )?(?:(?:play|playing|played) (?:the )?(?:guitar|bass|piano|keyboard|violin|viola|cello|flute|clarinet|saxophone|trumpet|trombone|drums|harp|ukulele|banjo|accordion|organ|recorder|oboe|chess|go|bridge|poker|tennis|football|soccer|basketball|volleyball|badminton|squash|rugby|cricket|hockey|golf|handball|table tennis|padel|darts|d&d|dungeons|board games|video games|in an? )|(?:collect|collecting|brew|brewing|knit|crochet|knitting|sew|paint|painting|sketch|draw|drawing|bake|baking|garden|gardening|climb|climbing|boulder|bouldering|surf|surfing|sail|sailing|row|rowing|swim|swimming|cycle|cycling|hike|hiking|run|running|ski|skiing|dance|dancing|sing|singing|meditate|do (?:yoga|pilates|karate|judo|pottery|ceramics|crosswords)|doing (?:yoga|pilates|pottery|ceramics)|practi[sc]e (?:yoga|tai chi|karate|judo|aikido|calligraphy)|volunteer|volunteering|coach|keep bees|bird ?watch|make (?:pottery|ceramics|furniture|music|jewellery|jam|sourdough)|taking (?:[\pL-]+ )?(?:lessons|classes)|take (?:[\pL-]+ )?(?:lessons|classes)|training for|signed up for|joined (?:an? |the |our )?(?:[\pL-]+ ){0,3}(?:club|group|choir|band|team|gym|class|orchestra|league|society|course)|learning (?:to|the|how to) [\pL]+)\b)(.*)`, tense: future, reads: hobby},
		{name: "habit", heads: "i we", pattern: `(?:i|we) (?:(?:usually|always|never|often|mostly|normally|typically|rarely|generally|only ever|only|still|tend to) )+(?:eat|drink|wear|use|run|cycle|walk|swim|go to (?:bed|the gym|church|mass)|get up|wake up|cook|read|listen|play|travel|sleep|buy|commute|write|work|take|sit|fly|shop|skip|have (?:breakfast|lunch|dinner|coffee|tea|porridge|oatmeal)|do (?:my|the))\b(.*)`, reads: habit},
		{name: "habit", heads: "i we", pattern: `(?:i|we) (?:eat|drink|wear|run|cycle|walk|swim|go to (?:bed|the gym|church|yoga|pilates|therapy|choir)|get up|wake up|cook|commute|shop|meet|call|visit|see|train|have [\pL ]{3,30}?|play|do [\pL ]{3,20}?|take [\pL ]{2,30}?)\b.*\b(?:every|each|on (?:{weekday})s|(?:once|twice|three times|four times|five times) a (?:day|week|month|year)|daily|weekly|monthly|in the mornings?|in the evenings?|before work|after work)\b.*`},
		{name: "tool", heads: "i i've we", pattern: `(?:i|i've)(?: have)? {adv}(?:use|run|switched|moved|migrated|gone back|went back|changed)(?: over)?(?: from [\pL\d .+#-]+?)?(?: back)?(?: to| on)? ({editor}|{shell}|{os}|{browser})\b(.*)`, sure: sure, tense: past, reads: toolOf},
		{name: "tool", heads: "i i'm", pattern: `i(?:'m)? {adv}(?:use|using) (.+?) (?:for|as) (?:my |most of my |all my )?(.+)`, reads: useFor},
		{name: "tool", heads: "i", pattern: `i {adv}(?:use|write|code in|program in|develop in|type on|touch-type|self-host|host) ((?:an? |the |my |mostly |only )*(?:\p{Lu}|[\pL]+ keyboard|[\pL]+ layout|dark mode|light mode|tabs|spaces|two spaces|four spaces|tmux|git|zsh|tailwind|a standing desk).*)`, reads: useTool},
		{name: "tool", heads: "my", pattern: `my (?:dotfiles|setup|home server|blog|website|homepage|side project|pet project|hobby project|main machine|home network|homelab|garden|allotment|band|choir|book club|running club|football team|podcast|newsletter|startup|company) (?:is|are|'s|runs?|uses?|lives?|meets?|has|sits?)\b (.+)`, reads: ownThing},
	}
}

var favoritePart = expr(`(?i)^(?:part|thing|bit|one|way|moment)\b`)

// favorite reads one slot for each kind of thing a person has a favorite of.
func favorite(m []string) (reading, bool) {
	what, value := phrase(m[1]), strings.TrimSpace(m[2])
	if what == "" || !concrete(value) || words(value) > 12 || strings.HasPrefix(strings.ToLower(value), "when ") || favoritePart.MatchString(what) {
		return reading{}, false
	}
	return reading{entity: self, attribute: "favorite " + what, value: value}, true
}

func favoriteLast(m []string) (reading, bool) {
	return favorite([]string{m[0], m[2], m[1]})
}

var lacks = expr(`\b(?:can't|cannot|don't|never) have (?:to|a |an |any |the |time|access|my|enough|much|been|it|more)`)

// abstains accepts "I can't have dairy", but not "I don't have time".
func abstains(m []string) (reading, bool) {
	low := strings.ToLower(m[0])
	if strings.Contains(low, "have") && !strings.Contains(low, "can't") && !strings.Contains(low, "stopped") || strings.Contains(low, "having") {
		return reading{}, false
	}
	if lacks.MatchString(low) {
		return reading{}, false
	}
	return reading{}, m[1] == "" || concrete(m[1])
}

// pair reads a preference between two things. The two in either order name the
// slot, so that a change of mind replaces the old preference.
func pair(m []string) (reading, bool) {
	a, b := phrase(m[1]), phrase(m[2])
	if !concrete(m[1]) || !concrete(m[2]) {
		return reading{}, false
	}
	if a == "" || b == "" || words(a) > 3 || words(b) > 3 {
		return reading{}, true
	}
	two := []string{a, b}
	sort.Strings(two)
	return reading{entity: self, attribute: "preference of " + two[0] + " or " + two[1], value: a}, true
}

// rather reads "tea over coffee for me" as "I prefer tea over coffee".
func rather(m []string) (reading, bool) {
	r, ok := pair(m)
	r.say = "I prefer " + strings.ToLower(m[1][:1]) + m[1][1:] + " over " + m[2]
	return r, ok && r.entity != ""
}

// choice reads what is used in place of another thing; the two in either order name
// the slot.
func choice(m []string) (reading, bool) {
	r, ok := pair(m)
	r.attribute = strings.Replace(r.attribute, "preference", "choice", 1)
	if ours.MatchString(m[0]) && r.entity != "" {
		r.entity = "project"
	}
	return r, ok
}

var natural = expr(`(?i)^the (?:sea|seaside|ocean|mountains|beach|outdoors|countryside|rain|snow|cold|heat|smell|taste|sound|colou?r|theatre|theater|opera|cinema|gym|forest|desert|city|piano|violin|guitar|beatles|dark)\b`)

var ofYou = expr(`\b(?:you|idea|suggestion|thanks)\b`)

// taste reads what a person likes or dislikes; either fills the same slot.
func taste(m []string) (reading, bool) {
	low := strings.ToLower(m[1])
	if strings.HasPrefix(low, "the ") && !natural.MatchString(low) || strings.HasPrefix(low, "your ") || !concrete(m[1]) {
		return reading{}, false
	}
	if strings.HasPrefix(low, "when ") || strings.HasSuffix(low, "though") || ofYou.MatchString(low) {
		return reading{}, false
	}
	what := phrase(m[1])
	if what == "" || words(what) > 3 || strings.HasPrefix(what, "to ") {
		return reading{}, true
	}
	return reading{entity: self, attribute: "taste for " + what, value: ""}, true
}

var (
	atWork  = expr(`^i(?:'m)? (?:\pL+ )?(?:run|running|draw|drawing|climb|coach|learning) (?:the|an?|it|this|that|into|out|my|some|npm|make|go|docker|git|python|\W)`)
	runsOut = expr(`^(?:it|this|that|out of|through|late|low|behind|around)\b`)
)

// hobby accepts a pastime, but not the work of the hour.
func hobby(m []string) (reading, bool) {
	rest := strings.ToLower(strings.TrimSpace(m[1]))
	low := strings.ToLower(m[0])
	// "I run the tests", "I draw a diagram": the verbs have a working sense too.
	if atWork.MatchString(low) {
		return reading{}, false
	}
	return reading{}, rest == "" || !runsOut.MatchString(rest)
}

var atFault = expr(`(?i)\b(?:error|exception|bug|you)\b`)

// habit refuses what always goes wrong: "I always get this error".
func habit(m []string) (reading, bool) {
	rest := strings.TrimSpace(m[1])
	return reading{}, rest != "" && concrete(rest) && !atFault.MatchString(rest)
}

var (
	settled   = expr(`(?i)\b(?:switched|moved|migrated|changed|back)\b`)
	asMain    = expr(`^ (?:as my|for (?:everything|all|most)|exclusively|every day|daily|these days|now)`)
	toolKinds = []struct {
		attribute string
		re        *pattern
	}{
		{"editor", expr(`(?i)^(?:` + tools + `)$`)},
		{"shell", expr(`(?i)^(?:` + shells + `)$`)},
		{"operating system", expr(`(?i)^(?:` + systemsOS + `)$`)},
		{"browser", expr(`(?i)^(?:` + browsers + `)$`)},
	}
)

// toolOf reads the editor, shell, system or browser a person uses. It fills a
// slot only where they say that they settled on it.
func toolOf(m []string) (reading, bool) {
	r := reading{value: m[1]}
	if !settled.MatchString(m[0]) && !asMain.MatchString(strings.ToLower(m[2])) {
		return r, true
	}
	for _, kind := range toolKinds {
		if kind.re.MatchString(m[1]) {
			r.entity, r.attribute = self, kind.attribute
			break
		}
	}
	return r, true
}

func useFor(m []string) (reading, bool) {
	return reading{}, concrete(m[1]) && startsUpper(strings.TrimPrefix(m[1], "an ")) && concrete(m[2])
}

func useTool(m []string) (reading, bool) {
	return reading{}, concrete(m[1]) && startsUpperOrKnown(m[1])
}

func startsUpperOrKnown(s string) bool {
	for _, skip := range []string{"a ", "an ", "the ", "my ", "mostly ", "only "} {
		s = strings.TrimPrefix(s, skip)
	}
	return startsUpper(s) || knownTool.MatchString(s)
}

var knownTool = expr(`(?i)^(?:[\pL]+ (?:keyboard|layout)|dark mode|light mode|tabs|spaces|two spaces|four spaces|tmux|git|zsh|tailwind|standing desk)`)

func ownThing(m []string) (reading, bool) {
	value := strings.TrimSpace(m[1])
	return reading{}, concrete(value) && !badDetail.MatchString(value)
}
