package extract

import (
	"strings"
)

// self is the entity of what a person says of themselves.
const self = "user"

// identityRules are who the person is: name, age, home, work, health.
func identityRules() []rule {
	return []rule{
		{name: "own name", heads: "my", pattern: `my (?:full |first |real )?name(?: is|'s) (.+)`, sure: sure, reads: ownName("name", "My name is %s")},
		{name: "own name", heads: "i'm i", pattern: `i(?:'m| am) called (.+)`, sure: sure, reads: ownName("name", "My name is %s")},
		{name: "nickname", heads: "people everyone everybody friends my", pattern: `(?:people|everyone|everybody|friends|my friends) (?:just )?calls? me (.+)`, sure: sure, reads: nickname},
		{name: "nickname", heads: "i", pattern: `i go by (.+)`, reads: ownName("nickname", "I go by %s")},
		{name: "age", heads: "i'm i", pattern: `i(?:'m| am|'ve just turned| just turned| turned) (\d{1,3})(?: years old| years of age)?(?: now| today| yesterday| last \w+| this \w+| in \w+| on .{3,20})?$`, tense: past, reads: age},
		{name: "birthday", heads: "my", pattern: `my birthday(?: is|'s)(?: on)?(?: the)? ({date})`, sure: sure, reads: slot(self, "birthday")},
		{name: "birthday", heads: "i", pattern: `i was born on (?:the )?({date})`, sure: sure, reads: slot(self, "birthday")},
		{name: "birthplace", heads: "i", pattern: `i was born (?:and raised )?in (\pL.+)`, reads: place("birthplace")},
		{name: "birth year", heads: "i", pattern: `i was born in ((?:19|20)\d\d)$`, sure: sure, reads: slot(self, "birth year")},
		{name: "home", heads: "i i'm i've we we're we've", pattern: `(?:i|i'm|i am|i've|we|we're|we've) (?:{adv})(?:live|lived|been living|living|based|reside|settled)(?: together| alone| with .{1,30}?)? in (.+)`, sure: sure, reads: home},
		{name: "home", heads: "i i'm we", pattern: `(?:i|i'm|we) {adv}(?:live|living) (?:alone|on my own|by myself|with|near|next to|close to|above|outside|on|at) (.+)`, reads: object(1)},
		{name: "move", heads: "i i've we we've", pattern: `(?:i|we)(?:'ve| have)? {adv}(?:moved|relocated)(?: house| home| back| over| here| away| flat)?(?: from (?:.{1,30}?))? to (.+)`, sure: sure, tense: past, reads: moved},
		{name: "move", heads: "i i've we we've", pattern: `(?:i|we)(?:'ve| have)? {adv}moved (?:house|home|flat|out|into|in with)\b.*`, tense: past},
		{name: "origin", heads: "i i'm", pattern: `(?:i grew up|i was raised|i'm originally from|i am originally from|i {adv}come from|i'm from|i am from)(?: in| from)? (.+)`, reads: place("hometown")},
		{name: "employer", heads: "i i'm i've", pattern: `(?:i|i'm|i've) {adv}(?:work|working|been working|employed) (?:at|for|by) (.+)`, sure: sure, reads: employer},
		{name: "employer", heads: "i i've", pattern: `(?:i|i've|i have) {adv}(?:joined|started(?: working)? (?:at|for)|got (?:a|the) (?:new )?job (?:at|with)|started (?:a|my) new job (?:at|with)) (.+)`, sure: sure, tense: past, reads: newEmployer},
		{name: "job", heads: "i i've i'm", pattern: `i(?:'ve| have|'m)? {adv}(?:work|working|been working|worked) as (?:an? |the )?(.+)`, sure: sure, reads: job},
		{name: "job", heads: "i i've", pattern: `i(?:'ve| have| was| got| just got)? {adv}(?:been )?(?:promoted|made) to (?:an? |the )?(.+)`, sure: sure, tense: past, reads: job},
		{name: "job", heads: "i'm i", pattern: `i(?:'m| am) {adv}(?:an? |the )((?:[\pL+#-]+ ){0,4}?(?:{occupation}))\b`, sure: sure, reads: job},
		{name: "work", heads: "i", pattern: `i {adv}(?:work|do) (?:(?:from home|remotely|part[- ]time|full[- ]time|nights|night shifts|shifts|weekends|freelance|four days a week|from (?:the|a|an) )|(?:in|on|with) (?:[\pL-]+ ?){0,3}(?:team|industry|sector|department|finance|marketing|sales|education|healthcare|health care|logistics|hospitality|publishing|insurance|retail|tech|software|research|academia|construction|energy)\b|(?:mondays?|tuesdays?|wednesdays?|thursdays?|fridays?) (?:to|through) ).*`},
		{name: "team", heads: "i'm i", pattern: `i(?:'m| am) {adv}(?:on|in|part of|leading|the lead of|in charge of|responsible for) (?:the |our )?(?:[\pL-]+ ){1,3}(?:team|squad|group|department|guild|service|rollout|migration|project)\b.*`, reads: nil},
		{name: "job change", heads: "i i've", pattern: `i(?:'ve| have)? {adv}(?:left (?:my job|\pL+)|quit(?: (?:my job|last|on|in|\pL+)|$)|(?:was|got|been) (?:laid off|fired|made redundant|promoted|hired)|handed in my notice|changed jobs|started (?:a|my) new (?:job|role|position)|retired|resigned)\b.*`, tense: past, reads: lifeEvent},
		{name: "studies", heads: "i i've i'm", pattern: `i(?:'ve| have|'m| am)? {adv}(?:studied|study|studying|graduated|majored|got (?:a|my) (?:degree|master's|phd|diploma)|have (?:a|my) (?:degree|master's|phd|diploma|bachelor's)|a (?:degree|master's|phd|diploma)|doing (?:a|my) (?:phd|master's|degree)|took a course|finished (?:school|university|college))(?: .+|$)`, tense: past, reads: concreteAfter(`(?:studied|study|studying) `)},
		{name: "languages", heads: "i i'm", pattern: `i(?:'m| am)? {adv}(?:speak|fluent in|learning|taking lessons in|native in|bilingual in) (?:(?:a bit of|a little|some|good|basic|fluent|both|conversational|native) )?(?:{language})\b.*`, sure: sure},
		{name: "diet", heads: "i'm i we're i've", pattern: `(?:i|we)(?:'m|'re| am| are|'ve been| have been|'ve gone| went| became) {adv}({diet})\b.*`, sure: sure, reads: diet},
		{name: "state", heads: "i'm i i've", pattern: `i(?:'m| am|'ve been| have been| got) {adv}({state})\b.*`, sure: sure, reads: state},
		{name: "nationality", heads: "i'm i", pattern: `i(?:'m| am) {adv}(?:half[- ])?(\p{Lu}\pL+(?:an|ish|ese|ian|ch|sh|i|ss|ek|wegian|lander|ean))(?:[- ]\p{Lu}\pL+)?(?:$|,| by (?:birth|nationality))`, reads: nationality},
		{name: "height and weight", heads: "i'm i", pattern: `i(?:'m| am| weigh| measure) (?:about |around )?(\d[\d.,]* ?(?:m|cm|kg|kilos?|lbs?|pounds|feet|ft|metres|meters)\b.*)`},
		{name: "health", heads: "i i've i'm", pattern: `i(?:'ve| have)? {adv}(?:have|got|had|suffer from|been diagnosed with|was diagnosed with|live with|developed) (?:(?:severe|mild|chronic|bad|a touch of|frequent|some|slight|seasonal) )*({condition})\b.*`, sure: sure, tense: past},
		{name: "health", heads: "my", pattern: `my (?:doctor|gp|dentist|physio|cardiologist|therapist|optician)(?: \p{Lu}\pL+)? (?:has )?(?:prescribed|put me on|diagnosed|recommended|told me to|wants me to|said i (?:should|must|need)|found)\b.+`, tense: past},
		{name: "medication", heads: "i i'm i've", pattern: `i(?:'m| am|'ve been| have to| need to| was)? {adv}(?:take|taking|on|inject|prescribed|started|put on) (?:\d+ ?(?:mg|µg|mcg|ml|g|iu) (?:of )?|(?:an? |my )?(?:[\pL-]+ )?(?:pills?|tablets?|medication|inhaler|insulin|antihistamines?|ibuprofen|levothyroxine|metformin|omeprazole|statins?|antidepressants?|iron|vitamin \w+|magnesium|melatonin|beta blockers?)\b).*`, tense: past},
		{name: "possession", heads: "i i've we we've", pattern: `(?:i|we)(?:'ve| have)? {adv}(?:have|got|own|drive|ride|keep|adopted|am the (?:father|mother) of) ((?:(?:an?|one|my|our|{number}|a couple of) )(?:[\pL\d-]+ ){0,4}?(?:{relation}|kids|car|van|motorbike|motorcycle|bike|bicycle|scooter|boat|house|flat|apartment|cottage|garden|allotment|balcony|greenhouse|piano|guitar|violin|cello|drum kit|telescope|camper|caravan|3d printer|sewing machine|record player|raspberry pi|nas|laptop|macbook|thinkpad|chromebook|monitors?|standing desk|mechanical keyboard|printer|tattoos?|chickens|bees|fish)\b.*)`, reads: possession},
		{name: "car", heads: "i", pattern: `i {adv}(?:drive|ride) (?:an? )?(?:old |new |blue |red |black |white |grey |electric )*(\p{Lu}.+)`, reads: capitalAt(1)},
		{name: "own detail", heads: "my", pattern: `my (?:new |current )?({attribute})(?: is|'s| are)(?: now| actually| really| currently| always)? (?:on |at |spelled |spelt |written )?(.+)`, sure: sure, reads: ownDetail},
	}
}

// ownName reads a name and says it in one form.
func ownName(attribute, say string) func([]string) (reading, bool) {
	return func(m []string) (reading, bool) {
		name := properName(m[1])
		return reading{say: strings.Replace(say, "%s", name, 1), entity: self, attribute: attribute, value: name}, name != ""
	}
}

var laterWords = expr(`(?i)^(?:back|later|tomorrow|when|if|a|an|the|crazy|old|on|at|in|for|again|to|out|up|by|over)\b`)

func nickname(m []string) (reading, bool) {
	name := properName(m[1])
	ok := name != "" && !laterWords.MatchString(m[1]) && words(m[1]) <= 4
	return reading{say: "I go by " + name, entity: self, attribute: "nickname", value: name}, ok
}

func age(m []string) (reading, bool) {
	if len(m[1]) > 2 && m[1] > "115" || len(m[1]) < 2 {
		return reading{}, false
	}
	return reading{entity: self, attribute: "age", value: m[1]}, true
}

var noPlace = expr(`(?i)^(?:it|this|that|fear|hope|peace|denial|sin|pain|a bubble|the moment|the past|the future|general|fact|case|order|sync|terms|production|prod|staging|git|memory|cache|java|python|go|rust|\d)\b`)

// home reads where a person lives; the city is the name at its front.
func home(m []string) (reading, bool) {
	if noPlace.MatchString(m[1]) {
		return reading{}, false
	}
	if city := cityOf(m[1]); city != "" {
		return reading{entity: self, attribute: "city", value: city}, true
	}
	return reading{}, concrete(m[1])
}

var inCity = expr(`\b(?:in|near|of) (\p{Lu}.*)$`)

// cityOf returns the city a place names: "Berlin with my sister", "a small flat
// in Berlin".
func cityOf(s string) string {
	if strings.HasPrefix(strings.ToLower(s), "a ") || strings.HasPrefix(strings.ToLower(s), "the ") {
		if m := inCity.FindStringSubmatch(s); m != nil && strings.Contains(m[0], "in ") {
			return properName(m[1])
		}
		return ""
	}
	return properName(s)
}

var software = expr(`(?i)^(?:` + tools + `|` + shells + `|` + systemsOS + `|` + browsers + `|go|golang|rust|python|java|kotlin|typescript|javascript|ruby|postgres\w*|mysql|sqlite|mongodb|redis|kubernetes|k8s|docker|podman|terraform|aws|gcp|azure|hetzner|fly(?:\.io)?|github|gitlab|bitbucket|jira|linear|notion|obsidian|slack|teams|discord|grafana|nginx|caddy|react|vue|svelte|htmx|gmail|fastmail|proton\w*|v\d|version|main|master|trunk)\b`)

var aHome = expr(`(?i)^(?:a|an|the|my|our) (?:\pL+ ){0,2}(?:flat|house|apartment|place|home|city|country|town|village|countryside|coast|suburbs)\b`)

// moved reads a change of home, not of tools.
func moved(m []string) (reading, bool) {
	if software.MatchString(m[1]) || noPlace.MatchString(m[1]) {
		return reading{}, false
	}
	if city := cityOf(m[1]); city != "" && startsUpper(city) {
		return reading{entity: self, attribute: "city", value: city}, true
	}
	return reading{}, aHome.MatchString(m[1])
}

func place(attribute string) func([]string) (reading, bool) {
	return func(m []string) (reading, bool) {
		p := cityOf(m[1])
		if p == "" || !startsUpper(p) {
			return reading{}, inCity.MatchString(m[1])
		}
		return reading{entity: self, attribute: attribute, value: p}, true
	}
}

var noEmployer = expr(`(?i)^(?:night|home|the moment|weekends?|it|this|that|me|you|myself|now|hours|years|a while|free|\d|least|most|all|them|him|her|us|some|many|days|weeks|months|ages|two|three|a (?:long|few|couple))\b`)
var employerEnd = expr(`(?i)\s*(?:[,(]|\s(?:as|in|on|for|since|from|last|this|next|at|and|where|which|now|today|yesterday|two|three|a few|because|doing|until|with)\b).*$`)

// newEmployer reads whom somebody joined. Clubs and calls are joined too, so
// that only a name counts.
func newEmployer(m []string) (reading, bool) {
	if !startsUpper(m[1]) {
		return reading{}, false
	}
	return employer(m)
}

func employer(m []string) (reading, bool) {
	if noEmployer.MatchString(m[1]) {
		return reading{}, false
	}
	name := properName(m[1])
	if name == "" || !startsUpper(name) {
		name = employerEnd.ReplaceAllString(m[1], "")
	}
	if name == "" || words(name) > 6 {
		return reading{}, concrete(m[1])
	}
	if !startsUpper(name) && !anEmployer.MatchString(name) && (words(name) > 2 || determiners[strings.ToLower(strings.Fields(name)[0])]) {
		return reading{}, false
	}
	return reading{entity: self, attribute: "employer", value: name}, concrete(name)
}

// anEmployer is a place of work without a name: "a bank", "the city library".
var anEmployer = expr(`(?i)\b(?:bank|library|hospital|clinic|school|university|college|shop|store|supermarket|restaurant|caf[eé]|bakery|bar|hotel|factory|farm|museum|theatre|theater|agency|startup|start-up|company|firm|studio|lab|laboratory|institute|office|charity|ngo|nonprofit|non-profit|government|ministry|council|court|police|army|airport|airline|garage|warehouse|newspaper|magazine|publisher|pharmacy|practice|nursery|kindergarten|zoo|gym|garden cent(?:re|er)|consultancy|insurer|utility|brewery|winery)\b`)

var sideJob = expr(`(?i)\b(?:hobby|amateur|former|ex|volunteer|keen|aspiring|wannabe|part-time|weekend|retired|once|bad|good|terrible|better|great|big|huge|fan|used)\b`)

// job reads an occupation. A side occupation is a fact, but fills no slot.
func job(m []string) (reading, bool) {
	title := phrase(m[1])
	if !concrete(m[1]) {
		return reading{}, false
	}
	if first, _, _ := strings.Cut(title, " "); passingStates[first] || judged.MatchString(m[1]) {
		return reading{}, false
	}
	if title == "" || sideJob.MatchString(m[1]) {
		return reading{}, true
	}
	return reading{entity: self, attribute: "job", value: title}, true
}

var (
	leaves    = expr(`(?i)\b(?:left|quit)\b`)
	leavesJob = expr(`\bquit(?:$| (?:last (?:week|month|year)|yesterday|in|on) ?)|\b(?:left|quit) (?:my job|the company|\p{Lu}\pL+)`)
)

// lifeEvent accepts leaving a job, but not leaving the house.
func lifeEvent(m []string) (reading, bool) {
	return reading{}, !leaves.MatchString(m[0]) || leavesJob.MatchString(m[0])
}

func diet(m []string) (reading, bool) {
	switch kind := strings.ToLower(strings.TrimPrefix(m[1], "a ")); kind {
	case "vegetarian", "vegan", "pescatarian", "pescetarian", "flexitarian":
		return reading{entity: self, attribute: "diet", value: kind}, true
	}
	return reading{}, true // one can be gluten-free and vegan
}

func state(m []string) (reading, bool) {
	switch strings.ToLower(m[1]) {
	case "married", "single", "divorced", "engaged", "widowed", "separated":
		return reading{entity: self, attribute: "marital status", value: m[1]}, true
	}
	return reading{}, true
}

func nationality(m []string) (reading, bool) {
	return reading{}, startsUpper(m[1]) && len(m[1]) > 4
}

var errand = expr(`(?i)\b(?:appointment|meeting|question|problem|issue|call|interview)\b`)

// possession accepts "I have a vet", but not "I have a vet appointment".
func possession(m []string) (reading, bool) {
	return reading{}, !errand.MatchString(m[0])
}

var badDetail = expr(`(?i)^(?:broken|slow|fast|full|empty|dead|down|up|not|too|so|very|great|good|bad|fine|ok|okay|wrong|missing|terrible|awful|killing|going|being|getting|making|acting|running|crashing|frozen|coming|the (?:one|same|problem|issue)|a (?:mess|problem|bit|bargain)|in (?:the way|use)|right|ready|back|home|late|over|changing|irrelevant|private|secret|none)\b`)

// ownDetail reads "my phone number is …" and its like.
func ownDetail(m []string) (reading, bool) {
	value := strings.TrimSpace(m[2])
	if strings.EqualFold(m[1], "name") || badDetail.MatchString(value) || words(value) > 12 || !concrete(value) {
		return reading{}, false
	}
	attribute := canonical(m[1])
	if attribute == "phone number" && !fits(attribute, value) && !strings.Contains(strings.ToLower(m[1]), "number") {
		attribute = "phone" // "my phone is a Pixel 8"
	}
	return reading{entity: self, attribute: attribute, value: value}, fits(attribute, value)
}
