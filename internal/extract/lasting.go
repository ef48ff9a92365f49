package extract

import (
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
)

// lasting decides from its grammar whether a clause states something that will
// still be true and of use in another conversation, and of what type that is. It
// is for what no rule knows: what passes is kept in the speaker's own words.
//
// In English the plain present of a verb that does something is a habit ("I
// cycle to work"); the progressive is of the moment ("I'm cycling"), the past an
// event, which lasts only where it changes a life or has a date; what follows "is"
// may be either, and the words decide.
func (c *claim) lasting(text string) (strata.Type, bool) {
	if c.subject == noSubj && len(c.words) >= 3 && standingOrder(text) {
		return strata.TypeFeedback, true
	}
	if c.object == "" && (c.subject == selfSubj || c.subject == ownSubj) && c.negated && (abilities[c.verb] || c.has("never")) {
		return strata.TypeUser, c.modal == "can" || c.has("never") || c.tense == timeless
	}
	if c.object == "" && abilities[c.verb] && nobody.MatchString(c.who) {
		return strata.TypeUser, true
	}
	if c.subject == selfSubj && c.verb == "give" && strings.EqualFold(c.object, "up") {
		return "", false
	}
	if c.verb == "" || c.object == "" && c.verb != "retire" || len(c.words) < 3 || trouble.MatchString(text) && !(c.has("never") && (c.modal == "must" || c.subject == selfSubj && c.perfect)) || talkNouns.MatchString(text) && !dayOff.MatchString(text) {
		return "", false
	}
	if c.subject == ownSubj && (attributeOf(c.who) || favoriteBit.MatchString(text)) || idiom.MatchString(text) {
		return "", false
	}
	if changedTo.MatchString(text) && (c.subject == thingSubj || c.subject == ourSubj || c.subject == ownSubj) {
		if c.subject == ownSubj && !isOurWork.MatchString(text) {
			return strata.TypeUser, true
		}
		return strata.TypeProject, true
	}
	if termed.MatchString(text) && someDay.MatchString(text) && !c.negated {
		return map[bool]strata.Type{true: strata.TypeProject, false: strata.TypeUser}[c.subject == ourSubj && !homely.MatchString(text)], c.subject == ourSubj || c.subject == ownSubj
	}
	if rathers.MatchString(text) {
		return strata.TypeUser, !you.MatchString(text)
	}
	if onlyThing.MatchString(text) {
		return strata.TypeUser, !you.MatchString(text) && !trouble.MatchString(text)
	}
	if sworn.MatchString(text) {
		return strata.TypeUser, concrete(c.object) && !c.perfect
	}
	if (c.modal == "could" || c.modal == "would") && !(c.subject == thingSubj && affectsMe.MatchString(c.object)) || c.modal == "should" && c.subject == selfSubj || c.modal == "might" || c.modal == "may" {
		return "", false
	}
	if you.MatchString(text) && c.subject != thingSubj {
		return "", false
	}
	if c.momentary(text) && !resumes.MatchString(text) {
		return "", false
	}
	switch c.subject {
	case selfSubj:
		return strata.TypeUser, c.ofPerson(text)
	case ownSubj:
		if isOurWork.MatchString(text) {
			return strata.TypeProject, c.ofWork(text)
		}
		return strata.TypeUser, c.ofPerson(text)
	case namedSubj:
		return strata.TypeUser, c.ofPerson(text) && !generalKnowledge.MatchString(text)
	case weSubj, ourSubj:
		if homely.MatchString(text) || c.who == "our youngest" || c.who == "our eldest" || c.who == "our oldest" || c.subject == weSubj && private.MatchString(text) {
			if c.ofPerson(text) {
				return strata.TypeUser, true
			}
			return strata.TypeProject, c.tense == past && c.ofWork(text)
		}
		if c.ofWork(text) || namedRole.MatchString(text) && c.ofPerson(text) {
			return strata.TypeProject, true
		}
		return strata.TypeUser, c.subject == weSubj && c.tense == past && c.lifeEvent(text)
	case pronSubj:
		return strata.TypeProject, c.who == "there" && c.verb == "be" && ofOurs.MatchString(text)
	case thingSubj:
		if c.ofUser(text) || ofNamed.MatchString(text) && c.ofPerson(text) {
			return strata.TypeUser, true
		}
		return strata.TypeProject, c.ofThing(text)
	}
	return "", false
}

// passes reports whether a statement is of the moment, whatever it says: an
// appointment with a day is not, nor is what changed a life.
func passes(text string) bool {
	c := readClaim(text)
	if idiom.MatchString(text) {
		return true
	}
	if c.verb == "be" && passingPhrase.MatchString(c.object) && !c.planned(text) {
		return true
	}
	return c.momentary(text) && c.tense == timeless
}

// momentary reports whether words bind a claim to the moment. Until what hour somebody
// does something is their habit: "he sleeps till noon", but not "I'm out till noon".
func (c *claim) momentary(text string) bool {
	if c.planned(text) {
		return false
	}
	if c.tense == timeless && c.modal == "" && !c.progressive && c.verb != "be" && c.verb != "have" && c.form != notVerb && !mental[c.verb] {
		text = tillHour.ReplaceAllString(text, "")
		if (c.subject == selfSubj || c.subject == weSubj) && concrete(c.object) && !workObject.MatchString(c.object) {
			text = strings.TrimSuffix(text, " again") // a habit taken up again
		}
	}
	return passingMark.MatchString(text) || temporary.MatchString(text)
}

var tillHour = expr(`(?i)\b(?:un)?till? (?:noon|midnight|late|lunch|dinner|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2}(?::\d\d)?(?: ?[ap]m)?)\b`)

// dayOff is a day of every week.
var dayOff = expr(`(?i)^(?:my|our) (?:days? off|day job|night job|head office)\b`)

// resumes is a habit taken up again.
var resumes = expr(`(?i)\b(?:started|began|stopped|quit|resumed|went back to) \pL+ing\b`)

// attributeOf reports whether a subject is one of the attributes whose values have a
// kind: what no rule took as a name or a birthday is none.
func attributeOf(who string) bool {
	last := who[strings.LastIndexByte(who, ' ')+1:]
	_, known := kindOf[canonical(last)]
	return known
}

// changedTo is a thing of the speaker's, or one that was named, that has another
// value or day now, or has none any more.
var changedTo = expr(`(?i)(?:(?:was|has been|have been|got|is|went|has|were) (?:now )?(?:raised|lowered|increased|reduced|cut|extended|changed|bumped(?: up)?|dropped|up|down|moved|postponed|rescheduled|pushed(?: back)?|shortened|upped|set|renamed|switched) to|(?:went|goes) (?:up|down|over) to|(?:moved|slipped|changed|grew|rose|fell|switched|shifted) to) (?:\d|\p{Lu}|[€$£]|` + weekdays + `|` + months + `|` + numbers + `)|(?:appointment|flight|trip|wedding|concert|meeting|interview|surgery|operation|conference|course|class|party|event|talk|exam|launch|release|visit|subscription|contract|lease)(?:.{0,30}) (?:was|got|has been|is|were) (?:cancell?ed|called off|postponed)`)

// termed is what was agreed for a time, and what has become of it.
var termed = expr(`(?i)^(?:my|our) (?:[\pL'-]+ ){0,3}?(?:contract|lease|licen[cs]e|subscription|warranty|guarantee|insurance|policy|visa|passport|permit|membership|retainer|agreement|mortgage|tenancy|certification)(?: (?:with|for|on|at|from|to) .{2,40}?)? (?:(?:has|have|had|was|is|got|just|finally|been|will|be|only|were|are) )*(?:ran out|runs? out|running out|expire[sd]?|expiring|lapse[sd]?|ended|ends?|signed|renewed|renews?|extended|terminated|up for renewal)\b`)

var rathers = expr(`(?i)^i(?:'d| would) (?:much |really )?(?:rather|sooner|prefer) .+ (?:than|over|instead of|rather than) `)

// nobody is a subject of which nothing is true.
var nobody = expr(`(?i)^(?:neither|none|nobody|no one) (?:of|in) (?:us|my|our)\b`)

// onlyThing puts one thing before all others.
var onlyThing = expr(`(?i)^(?:the (?:only|one) (?:thing|food|person|drink|sport)|what|one thing) i (?:\pL+ )?(?:can't|don't|love|hate|like|enjoy|miss|collect|do for) .*\bis \pL`)

// sworn is what somebody would never do, or not do without.
var sworn = expr(`(?i)^i(?:'d| would| could) never \pL+ (?:an? |any )?\pL|^i (?:couldn't|could not|can't|wouldn't) (?:live|do|be|function|start the day) without\b|^you(?:'ll| will) never (?:catch|get|find|see) me\b|^you won't (?:catch|get|find|see) me\b`)

var (
	favoriteBit = expr(`(?i)\bfavou?rite (?:part|thing|bit|one|way|moment)\b`)
	// idiom are phrases that say another thing than their words.
	idiom = expr(`(?i)\b(?:live in (?:the moment|a bubble|fear|hope|denial|peace|sin|the past)|married to (?:my|this|that|the)|name is mud|die for|kill for|dying (?:to|for)|break a leg|over the moon|under the weather|on the same page|in my book|the end of the world|pulling my leg|my two cents|a piece of cake|last straw|drives? me|zero tolerance|best thing ever|(?:work|sleep|eat|drink|feel|look)s? like an? \pL+|rest my case|stand corrected|a million|on my plate|my vote is|batman|santa claus|the pope|the queen of \pL+|the walrus|died laughing)\b`)
)

// ofUser decides about a thing by what it does to the speaker ("cats make me
// sneeze"), when it is ("Sundays are for family"), or because every home has one.
func (c *claim) ofUser(text string) bool {
	if c.tense == past || c.progressive || !concrete(c.object) && !ofTheWeek.MatchString(c.who) || c.perfect {
		return false
	}
	first, _, _ := strings.Cut(c.who, " ")
	switch {
	case theHome.MatchString(c.who):
		return c.ofPerson(text)
	case determiners[first] || c.modal != "" && c.modal != "can" && c.modal != "could":
		return false
	case ofTheWeek.MatchString(c.who) && c.verb == "be" && strings.HasPrefix(c.object, "when "):
		return true
	case ofTheWeek.MatchString(c.who):
		return c.verb == "be" && !passingStates[strings.ToLower(c.object)]
	}
	return affectsMe.MatchString(c.object) && !mental[c.verb] || affectsMe.MatchString(c.object) && (c.verb == "make" || c.verb == "hurt" || c.verb == "let")
}

var (
	theHome   = expr(`(?i)^the (?:[\pL-]+ )?(?:boys?|girls?|flat|apartment|house|garden|car|boat|allotment|kids|children|twins|baby|cat|dog|landlord|landlady|cottage|cabin|caravan|greenhouse|shed)$`)
	ofTheWeek = expr(`(?i)^(?:mornings|evenings|afternoons|nights|weekends|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays|mornings and evenings)$`)
	affectsMe = expr(`(?i)^(?:me|us)\b|\b(?:for|with|to|from|on) (?:me|us|my (?:skin|stomach|eyes|nerves))$|^my (?:skin|stomach|eyes|nerves|head|back|teeth)\b`)
	// ofNamed is somebody who is another's: "Marta's brother".
	ofNamed = expr(`^\p{Lu}[\pL-]+'s (?i:{relation})\b`)
	// namedRole is somebody at work by role and name: "our designer Noor".
	namedRole = expr(`(?i)^(?:our|my) (?:[\pL-]+ ){0,2}?(?:{occupation}|{relation}|lead|intern|apprentice|trainee|assistant|client|customer|contact|pm|cto|ceo),? (?-i:\p{Lu})[\pL'-]+(?:,| (?-i:\p{Ll}))`)
	// private are matters of a household.
	private = expr(`(?i)^we(?:'re| are)? (?:\pL+ly |both |all |always |also )*(?:expecting|live|rent(?:ing)?|foster(?:ing)?|go to \p{Lu}\pL*|vegetarians?|vegans?|married|engaged|retired|muslims?|jewish|catholics?|hindus?|buddhists?|(?:{number}) (?:adults|kids|people|sisters|brothers|grown-ups|girls|boys)|(?:lost|buried|adopted|rescued|got) (?:our|a|an|two) (?:\pL+ )?(?:dog|cat|puppy|kitten|son|daughter|baby|horse))\b`)
)

// ofOurs places what there is with the speaker.
var ofOurs = expr(`(?i)\b(?:of us|in (?:my|our) \pL+|in this (?:house|home|family|household|flat|village|town|team|company|school|garden|office|class|street)|in the (?:\pL+ )?(?:team|family|company|village|household))\b`)

var (
	you              = expr(`(?i)\b(?:you|your|yours|you're|you've)\b`)
	generalKnowledge = expr(`(?i)\b(?:capital of|invented|discovered|president|century|means that)\b`)
	homely           = expr(`(?i)\b(?:kids?|children|house|flat|apartment|home|wedding|married|marry|honeymoon|garden|family|baby|holiday|vacation|anniversary|son|daughter|dog|cat|neighbou?rs?|school|church|dinner|weekends?|mortgage|rent|landlord)\b`)
)

// planned reports whether a clause tells of something with a date: an
// appointment, a trip, a move.
func (c *claim) planned(text string) bool {
	return eventNoun.MatchString(text) && someDay.MatchString(text)
}

var (
	eventNoun = expr(`(?i)\b(?:appointment|surgery|operation|exam|interview|wedding|flight|trip|journey|concert|marathon|race|conference|talk|funeral|graduation|visit|holiday|vacation|leave|party|birthday|anniversary|course|class|lesson|move|moving|meeting|demo|release|launch|deadline|viewing|hearing|check-?up|scan|visa|passport|lease|contract|retire\w*|baby|due|honeymoon|reunion|festival|retreat|camp|semester|term)\b`)
	someDay   = expr(`(?i)` + when)
)

// ofPerson decides about the speaker, somebody of theirs, or a person with a name.
func (c *claim) ofPerson(text string) bool {
	own := c.subject == ownSubj
	switch {
	case c.modal == "will" && c.negated && (abilities[c.verb] || refuses[c.verb]):
		return (!own || relationStart.MatchString(text)) && concrete(c.object) && !definiteObject.MatchString(c.object)
	case c.modal == "will":
		return someDay.MatchString(text) && (c.planned(text) || lifeVerbs[c.verb] || c.verb == "be")
	case c.modal == "can":
		if c.negated {
			return abilities[c.verb] && concrete(c.object) && !strings.HasPrefix(strings.ToLower(c.object), "the ") || concrete(c.object) && !definiteObject.MatchString(c.object) && !ofDiscourse.MatchString(c.object) && !mental[c.verb]
		}
		return skills.MatchString(c.object) || !smallVerbs[c.verb] && concrete(c.object) && !definiteObject.MatchString(c.object) && !mental[c.verb]
	case c.modal == "must":
		return habitual.MatchString(text)
	case c.modal == "used to":
		return concrete(c.object)
	case c.progressive:
		return c.underway(text)
	case c.perfect && c.negated:
		return (c.has("never") || habitual.MatchString(text) || lasted.MatchString(text)) && concrete(c.object) && !mental[c.verb]
	case c.perfect && !c.progressive && (lasted.MatchString(text) || c.verb == "have" && !errandNouns.MatchString(c.object) || c.verb == "get"):
		return concrete(c.object) && !ofDiscourse.MatchString(c.object)
	case c.verb == "be":
		return c.tense != past && (c.complement(text) || c.inGeneral(text)) || c.tense == past && (c.planned(text) || bornOrDated.MatchString(c.object) || wasOnce.MatchString(c.object))
	case c.tense == past:
		return c.lifeEvent(text)
	case c.verb == "have":
		return (!errandNouns.MatchString(c.object) || fondOf.MatchString(c.object)) && concrete(c.object) || c.planned(text)
	case c.verb == "keep" && keepsDoing.MatchString(c.object):
		return false
	case phrasalHabit.MatchString(c.verb + " " + c.object):
		return !ofDiscourse.MatchString(afterPreposition(c.object))
	case mental[c.verb]:
		return (habitual.MatchString(text) || c.verb == "go" && routine.MatchString(c.object)) && concrete(c.object) && c.verb != "think"
	case own && thingVerbs[c.verb] && !relationStart.MatchString(text):
		return someDay.MatchString(text) || atClock.MatchString(c.object) && !eventNoun.MatchString(c.who) && !transport.MatchString(c.who)
	}
	return (concrete(c.object) || toBe.MatchString(c.object)) && !ofDiscourse.MatchString(c.object) && !c.atWork()
}

// phrasalHabit are habits and relations in verbs that else tell of the moment.
var phrasalHabit = expr(`(?i)^(?:(?:swear|go|live) by \pL|look (?:after|out for) |come from |(?:go|get) (?:around|about|by) |get (?:along|on) (?:with|well|badly)|report to |believe in |live for |get (?:sea|car|air|travel |home)?-?sick$|get (?:paid|my salary|migraines?|headaches|hay fever|nosebleeds|cramps|rashes|hives|dizzy|panic attacks|sunburnt|no |little |lots of (?:sun|rain))|try (?:not )?to (?:avoid|eat|drink|live|stay|keep|buy|fly|walk|cycle)\b|like to \pL+|make my own|turn (?:\d|forty|fifty|sixty|thirty|twenty|eighty|ninety|seventy)|need (?:glasses|a cane|a hearing aid|subtitles|captions|insulin|an inhaler|crutches|large print|step-free|a ramp)\b|let (?:rooms|our|my)|have a (?:thing|soft spot|weakness|phobia|knack|passion|fear|sweet tooth)\b)`)

// fondOf is what somebody has for years.
var fondOf = expr(`(?i)^an? (?:[\pL-]+ )?(?:thing|soft spot|weakness|phobia|knack|passion|fear|sweet tooth|fever allergy|reading list) (?:for|about|of|with)\b`)

// inGeneral reports whether somebody is said to be something again and again.
func (c *claim) inGeneral(text string) bool {
	for _, w := range [...]string{"usually", "often", "always", "rarely", "never", "mostly", "generally"} {
		if c.has(w) {
			return !ofDiscourse.MatchString(afterPreposition(c.object))
		}
	}
	first, _, _ := strings.Cut(c.object, " ")
	return habitual.MatchString(text) && (prepositions[first] || first == "away" || first == "up" || first == "off" || first == "out" || first == "home")
}

// lasted says how long something has gone on.
var lasted = expr(`(?i)\b(?:since (?:i|we|my|\d+|the|childhood|birth|school|university)|for (?:[\pL-]+ )?(?:\d+ )?(?:years|decades|months|ages|ever|a decade)|in (?:\pL+|\d+) (?:years|months)|since (?:\p{Lu}\pL+|last|school|the)|all (?:my|our|his|her|their) (?:life|lives)|(?:twice|three times|several times|many times) (?:in|since))\b`)

var (
	atClock   = expr(`(?i)^(?:at|from) (?:\d{1,2}|noon|midnight|` + numbers + `|half|quarter)\b`)
	transport = expr(`(?i)\b(?:train|bus|plane|ferry|taxi|cab|call|class|lecture|webinar|stream|film|movie|show|shop)\b`)
)

// toBe is what somebody likes to have done: "to be pinged on Signal".
var toBe = expr(`(?i)^(?:to be|being) \pL+(?:ed|en|n|t)\b`)

var (
	keepsDoing = expr(`(?i)^(?:on )?\pL+ing\b`)
	skills     = expr(`(?i)\b(?:blindfold|fluently|by heart|by ear|from memory|in my sleep)\b`)
	// smallVerbs are what somebody can do in the conversation or at once.
	smallVerbs = text.WordSet(`tell say do try wait help send share give show provide add go come meet start be have find make change check use call join pay
		confirm explain reproduce fix run test put take set pick open close move remove upload paste post work live reach access connect log sign edit write read`)
	lifeVerbs = text.WordSet(`move marry retire graduate turn start join leave quit study visit travel fly go have give adopt become celebrate attend run
		stop buy sell take begin finish launch open close return take`)
	abilities   = text.WordSet(`eat drink tolerate swim drive ride cook sing dance speak read play whistle stand bear hear smell walk run climb sleep digest see use have fly`)
	refuses     = text.WordSet(`touch do wear go take watch try accept answer`)
	habitual    = expr(`(?i)\b(?:every|each|always|never|usually|on (?:` + weekdays + `)s|(?:once|twice|three times|four times) a (?:day|week|month|year)|on weekdays|on weeknights|daily|weekly|monthly|yearly|in the mornings?|in the evenings?|at weekends|on weekends|since (?:i|we|my|\d+|the|childhood|birth)|for (?:\w+ )?(?:years|decades|months)|before noon|(?:second|third|first|last|other) (?:` + weekdays + `))\b`)
	routine     = expr(`(?i)^to (?:(?:the|an?|\p{Lu}\pL+|\pL+) ){0,3}?(?:gym|church|mosque|synagogue|temple|bed|school|university|college|therapy|choir|yoga|work)\b`)
	ofDiscourse = expr(`(?i)^(?:the (?:second|first|third|last|latter|former|other|new|old|same|next|previous|current|above|following|one|result|answer|output|way|idea|look|sound|parser|code|build|branch|ticket|bug)\b|this|that|these|those|it\b|them\b|all (?:of )?(?:this|that|it)|here\b|there\b|how\b|what\b|why\b|whether\b|if\b|since\b|your?\b)`)
	wasOnce     = expr(`(?i)^in (?:hospital|the (?:army|navy|air force)|prison|rehab|foster care)\b|^(?:an? )(?:[\pL-]+ ){0,3}?(?:{occupation}|drummer|bassist|sailor|monk|nun|miner|smoker|vegetarian|vegan|dancer|swimmer|boxer|gymnast|athlete|monk|nun|single (?:mother|father|parent)|refugee|orphan)\b`)
	bornOrDated = expr(`(?i)^(?:born|built|founded|renovated|bought|married in|converted|extended|rewired|raised|brought up|adopted|diagnosed|married|divorced|promoted|laid off|fired|hired|named after)\b`)
	thingVerbs  = text.WordSet(`arrive expire start end begin run come leave open close work run need`)
	workVerbs   = text.WordSet(`fix debug check test review compile deploy commit push merge rebase run work build write implement refactor read open close click install update upgrade call type paste copy click press pass drag scroll enter select submit invoke load save`)
)

// atWork reports whether a habit is only the work of the hour: "I work on the
// parser", "I run the tests".
func (c *claim) atWork() bool {
	return c.subject == selfSubj && (workVerbs[c.verb] && definiteObject.MatchString(c.object) && !venture.MatchString(c.object) || c.verb == "click" || c.verb == "type" && !strings.Contains(c.object, "finger"))
}

// venture is what somebody runs or writes for years.
var venture = expr(`(?i)\b(?:bakery|shop|store|farm|company|business|restaurant|caf[eé]|studio|team|department|blog|podcast|newsletter|club|school|agency|startup|start-up|practice|clinic|charity|gallery|salon|hostel|hotel|b&b|stall|group|choir|band|novel|book|memoir|column|marathons?|nursery|kennel|vineyard|brewery|nonprofit)\b`)

var definiteObject = expr(`(?i)^(?:on |in |with |at )?(?:the|this|that|an?|some|my) `)

// underway decides about what is being done: what takes months lasts.
func (c *claim) underway(text string) bool {
	if workObject.MatchString(c.object) {
		return false
	}
	if lengthy.MatchString(c.verb + " " + c.object) {
		return true
	}
	if (longActions[c.verb] || longDoing.MatchString(c.object) && (c.verb == "do" || c.verb == "write" || c.verb == "read" || c.verb == "call" || c.verb == "make")) && concrete(c.object) {
		return true
	}
	if c.perfect {
		return habitual.MatchString(text) && !mental[c.verb]
	}
	return (lifeVerbs[c.verb] || c.verb == "get" && personal.MatchString(c.object) || c.planned(text)) && someDay.MatchString(text)
}

// lengthy is what takes months, or is done these days.
var lengthy = expr(`(?i)^(?:(?:train|study) to be |try for a baby|go through (?:a divorce|a separation|menopause|chemo\w*|therapy|ivf)|look after |care for |bring up |push (?:forty|fifty|sixty|seventy|eighty)|(?:use|drive|live|work|play|read|eat|drink|wear|teach|sing|stay) .*\b(?:these days|nowadays|this year)\b)`)

var longDoing = expr(`(?i)^(?:(?:my|a|an|the) (?:[\pL-]+ ){0,3}?(?:phd|masters?|master's|degree|mba|bachelor'?s?|year|yr|thesis|dissertation|apprenticeship|course|internship|training|book|novel|memoir|living)\b|(?:him|her|them|it) \p{Lu}|\p{Lu}\pL+ at \p{Lu})`)

var longActions = text.WordSet(`retrain homeschool learn study plan train raise expect date save recover teach rent renovate restore apply organize organise foster mentor coach prepare bring renovate convert train`)

// complement decides about what somebody or something is.
func (c *claim) complement(text string) bool {
	what := strings.ToLower(c.object)
	if passingPhrase.MatchString(what) && !c.planned(text) || !concrete(c.object) {
		return false
	}
	if lastingStates.MatchString(c.object) {
		return !strings.Contains(what, " to this ") && !strings.Contains(what, " with this ")
	}
	first, rest, _ := strings.Cut(what, " ")
	switch {
	case trait.MatchString(c.object) && !ofDiscourse.MatchString(rest):
		return true
	case first == "a" || first == "an" || first == "the" || first == "one":
		return rest != "" && !opinion.MatchString(rest)
	case first == "from" || first == "in" || first == "on" || first == "at" || first == "with" || first == "near":
		return properName(strings.TrimSpace(c.object[len(first):])) != "" && startsUpper(strings.TrimSpace(c.object[len(first):])) || onLong.MatchString(what) || c.subject == selfSubj && (first == "with" || first == "in" && endsAsField.MatchString(rest)) && !ofDiscourse.MatchString(rest)
	case first == "off" && c.subject == selfSubj:
		return rest != "" && !strings.HasPrefix(rest, "to ") && !ofDiscourse.MatchString(rest)
	case first == "my" || first == "our":
		return c.subject != selfSubj
	case passingStates[strings.TrimRight(first, ",;")]:
		return bodily.MatchString(c.who)
	}
	if _, f := verbOf(first); (f == pastForm || f == participle) && c.subject != selfSubj && c.subject != weSubj {
		return specific.MatchString(c.object) || habitual.MatchString(text) || agent.MatchString(c.object)
	}
	if _, f := verbOf(first); f == ing || len(first) > 6 && strings.HasSuffix(first, "ing") || f == pastForm && !lastingStates.MatchString(c.object) {
		return false
	}
	switch {
	case strings.ContainsAny(first, "0123456789@+/"), strings.Contains(first, "-based"), aCount[first] && rest != "":
		return true
	case offices.MatchString(what), systemNoun.MatchString(c.who) && software.MatchString(c.object):
		return true
	case startsUpper(c.object):
		return true
	case bodily.MatchString(c.who):
		return true
	case c.subject == ownSubj: // "my favourite food is ramen"
		return !strings.HasSuffix(first, "ly") && !likelyAdjective(first)
	case strings.Contains(c.object, "'s "):
		return true
	}
	return c.subject == selfSubj && c.tense == timeless && describes(strings.TrimRight(first, ",;"))
}

// bodily is what of a person changes in years.
var bodily = expr(`(?i)^(?:my|his|her) (?:[\pL' ]+'s )?(?:eyesight|hearing|vision|memory|sense of \pL+|balance|immune system|handwriting|spelling|circulation|metabolism)$`)

// trait is a state that goes with a kind of things, and not with the one at hand:
// "shy around strangers", "useless with computers".
var trait = expr(`(?i)^(?:(?:very|really|quite|a bit|so|pretty|always|usually|absolutely) )*(?:(?:useless|hopeless|bad|good|great|terrible|awful|brilliant|rubbish|awkward|shy|nervous|clumsy|comfortable|careful|strict|allergic|fine|better|funny|confident|anxious|impatient) (?:with|around|at|about|on|in) (?:\pL+ing|[\pL-]*\pLs|public|crowds?|people|children|money|maths?|numbers|heights)$|hard of \pL+ing|short of (?:sight|hearing)|(?:not )?(?:much of|really|exactly) an? \pL|not (?:an? |on (?:social|any|facebook|instagram|whatsapp|twitter|\pL+ pills)|allowed to|supposed to)|allowed to|prone to|used to|confined to|blessed with|up (?:at|by) \pL+ (?:most|every|on)|from an? (?:[\pL-]+ ){0,2}(?:family|town|village|city|island|farm|background|line|place)|more of an? |big on |mad about |halfway through (?:an?|my) |easily |new to (?-i:\p{Lu})|on an? (?:[\pL-]+ )?(?:budget|mac|macbook|pc|chromebook|tablet|plan|pension|waiting list|visa|scholarship|low income)|the one who |(?:a )?\d+ (?:percent|%)|in (?:a|my) (?:[\pL-]+ )?(?:wheelchair|band|choir|relationship|book club|care home|union|cast|nursing home)|on (?:the|a) (?:[\pL-]+ )?(?:board|committee|council|team|waiting list|spectrum|pension|diet|floor|pill|visa)|on the \pL+ floor|between jobs|out of work)`)

// describes reports whether an adjective, by what it is not, tells of a person and not
// of a mood or of the moment.
func describes(w string) bool {
	if len(w) < 5 || passingStates[w] || prepositions[w] || midAdverbs[w] || determiners[w] || auxiliaries[w] || verbless[w] {
		return false
	}
	for _, end := range []string{"ing", "ed", "ly", "ful", "n't"} {
		if strings.HasSuffix(w, end) {
			return false
		}
	}
	_, f := verbOf(w)
	return f == notVerb
}

// verbless are words after "I am" that say nothing of a person.
var verbless = text.WordSet(`about after again against almost alone along already another anyway around asleep because before behind below beside between beyond both
	either enough every exactly forever gonna halfway having himself inside instead kinda maybe merely myself neither nobody nothing outside over perhaps quite
	rather really should since sorta still sudden though through together tonight toward under unless until whatever where whether which while within without wanna`)

// endsAsField is a line of work or a stage of life: "I'm in insurance".
var endsAsField = expr(`(?i)^(?:\pL{2,}|\pL+ (?:sales|relations|resources|engineering|development|management|design|support|care|work|law|school))$|^(?:the|my|her|his) (?:[\pL-]+ )?(?:year|month|trimester|semester|\pL+ties)\b`)

var (
	agent   = expr(`(?i)\b(?:by|with|in|on|at|through|via|to) (?:the |our |my )?\pL+`)
	aCount  = text.WordSet(`two three four five six seven eight nine ten eleven twelve`)
	offices = expr(`(?i)^(?:head|chief|deputy|vice|assistant|junior|senior|lead|captain|president|treasurer|chair|chairman|chairwoman|secretary|director|manager|principal|owner|founder|co-founder|godfather|godmother|guardian|executor|ceo|cto|cfo|coo)\b`)
)

// opinion are nouns that judge: "a mess", "a bit tired", "a fan of yours".
var opinion = expr(`(?i)^(?:(?:bit|little|lot|tad|total|complete|real|huge|big|massive|absolute|such|great|good|bad|terrible|nice|lovely|true|right|whole) )*(?:bit|little|lot|tad|mess|pain|idiot|fool|genius|legend|star|nightmare|disaster|joke|shame|pity|relief|surprise|mystery|problem|issue|bug|fan of (?:yours|this|that|it)|fan of|mistake|question|good (?:idea|point|question)|idea|point|must|treat|dream|wreck|ghost|zombie|monster|saint|angel|hero|one|same|best|worst|only one|first|last|next|way|thing|case|reason|result|answer|truth|fact|key|end|goal|plan|question)\b`)

var onLong = expr(`(?i)^(?:(?:on|at|in) .*\d|(?:on|at) \pL+ (?:for|every|each|once|twice|three|on|at) |on (?:\pL+(?:pril|sartan|olol|pine|statin|mab|azole|oxine|ine|amide|formin|profen|xaban|idone|cillin|mycin)|nights|days|call|benefits|dialysis|chemo|hormones|blood thinners|statins|insulin|medication|metformin|antidepressants|a (?:\pL+ )?diet|keto|(?:parental|maternity|paternity|sick) leave|the (?:board|\pL+ team)|\pL+ \d)|in (?:my|their|her|his) (?:\pL+ )?(?:teens|twenties|thirties|forties|fifties|sixties|seventies)|in (?:finance|marketing|sales|education|healthcare|logistics|it|tech|academia|retail|therapy|recovery|remission)|in (?:\pL+ )?(?:grade|year|school|college|kindergarten|nursery)|at (?:school|university|college)|from (?:the|a) (?:netherlands|us|usa|uk|states|north|south|east|west))\b`)

// likelyAdjective guesses by its ending that a word describes.
func likelyAdjective(w string) bool {
	if len(w) < 5 {
		return passingStates[w]
	}
	for _, end := range []string{"ful", "ous", "able", "ible", "less", "ish", "ed", "ive", "ic", "al"} {
		if strings.HasSuffix(w, end) {
			return true
		}
	}
	return passingStates[w]
}

// lifeEvent decides about what happened: it lasts where it changed a life, or has a
// date and is not the work of the hour.
func (c *claim) lifeEvent(text string) bool {
	if c.subject == ownSubj && relationStart.MatchString(text) && (c.verb == "leave" || c.verb == "die") && eraDate.MatchString(text) {
		return true
	}
	if !concrete(c.object) && c.verb != "die" && c.verb != "retire" || ofDiscourse.MatchString(c.object) {
		return false
	}
	if c.has("never") {
		return true
	}
	if turningPoints[c.verb] || phrasal.MatchString(text) || resumes.MatchString(text) {
		return !workObject.MatchString(c.object)
	}
	return changes[c.verb] && (startsUpper(afterPreposition(c.object)) || c.subject == ownSubj && relationStart.MatchString(text) && specific.MatchString(c.object) || eraDate.MatchString(text) || personal.MatchString(c.object)) && !workObject.MatchString(c.object)
}

var (
	turningPoints = text.WordSet(`marry divorce graduate retire adopt inherit emigrate immigrate die major enlist relocate convert enrol enroll`)
	phrasal       = expr(`(?i)\b(?:stepped down|got rid of|gave up|signed up|dropped out|broke up|moved in|moved out|took over|was promoted|got promoted|set up|passed away|fell in love|came out|settled)\b`)
	changes       = text.WordSet(`move get buy quit leave join start stop begin break lose sell finish become live work study grow raise have win publish found build
		change switch give take go come turn meet visit travel spend run learn teach serve receive bring do write earn have pick retire train raise fight design paint
		climb direct record volunteer lead manage own date play cross expire end sail cycle walk ride swim donate trade swap replace ditch exchange`)
	eraDate    = expr(`(?i)\b(?:for (?:[\pL-]+|\d+) (?:years|months)|in (?:the )?(?:(?:early |late |mid[- ]?)?(?:19|20)\d\d|` + months + `|spring|summer|autumn|fall|winter)|(?:19|20)\d\d|(?:\w+ )?(?:years?|months?) ago|last (?:year|summer|winter|spring|autumn|fall|month)|as a (?:kid|child|teenager|student)|when i was|over the (?:summer|winter|holidays)|since|on (?:the )?\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:` + months + `))\b`)
	personal   = expr(`(?i)\b(?:(?:my|our|his|her) (?:childhood|youth|teens|studies|apprenticeship|training|residency|leg|arm|wrist|ankle|knee|back|job|degree|phd|master's|bachelor's|licen[cs]e|first|wife|husband|partner|house|flat|car|mother|father|mom|mum|dad|sister|brother|son|daughter|dog|cat|own)|married|divorced|engaged|promoted|me up|^me$|an? (?:new )?(?:house|flat|apartment|car|dog|cat|puppy|kitten|baby|job|degree|phd|scholarship|promotion|visa|citizenship|company|business|motorbike|bike|boat|garden)|smoking|drinking|eating|twins|surgery|married|divorced|engaged|promoted|diabetes|cancer|asthma)\b`)
	workObject = expr(`(?i)\b(?:tests?|build|server|container|branch|file|files|code|bug|ticket|pr|commit|script|command|error|connection|comment|log|logs|deploy|function|query|page|button|variable|service|process|docs?)\b`)
)

// afterPreposition returns what follows a preposition or article at the front.
func afterPreposition(s string) string {
	for range 3 {
		first, rest, ok := strings.Cut(s, " ")
		if low := strings.ToLower(first); !ok || !prepositions[low] && !determiners[low] && low != "back" && low != "working" {
			return s
		}
		s = rest
	}
	return s
}

// ofWork decides about what a team does or has.
func (c *claim) ofWork(text string) bool {
	switch {
	case c.modal == "must" || c.modal == "can":
		return concrete(c.object)
	case c.modal == "will":
		return someDay.MatchString(text)
	case c.progressive:
		return decisions[c.verb] && concrete(c.object) || c.negated && concrete(c.object)
	case c.verb == "be":
		return c.tense != past && c.complement(text) && (c.subject == ourSubj || c.subject == ownSubj || strings.HasPrefix(c.object, "on ") || startsUpper(c.object) || strings.HasPrefix(c.object, "a "))
	case c.tense == past:
		return (decisions[c.verb] || phrasal.MatchString(text)) && concrete(c.object) && !ofDiscourse.MatchString(c.object)
	case c.verb == "have":
		return concrete(c.object) && (!errandNouns.MatchString(c.object) || startsUpper(afterPreposition(c.object)))
	case mental[c.verb]:
		return c.has("always") || c.has("never") || c.has("only")
	}
	return concrete(c.object) && !ofDiscourse.MatchString(c.object)
}

var decisions = text.WordSet(`migrate decide switch drop replace move rename deprecate agree choose adopt split hire launch standardize settle pick
	change ban retire sunset merge freeze cancel postpone buy sell raise sign hire`)

// ofThing decides about a thing that is nobody's by its words: only what is said
// to hold always or to be required, what has a schedule, a name or a number.
func (c *claim) ofThing(text string) bool {
	if c.modal == "will" && someDay.MatchString(text) && c.verb == "be" || c.tense == past && done.MatchString(text) && eraDate.MatchString(text) {
		return true
	}
	if c.tense == past && !decisions[c.verb] && c.verb != "be" || c.progressive {
		return false
	}
	general := c.has("always") || c.has("never") || c.has("only") || c.modal == "must" || c.modal == "need" ||
		c.verb == "need" && strings.HasPrefix(c.object, "to ") || habitual.MatchString(text) || required.MatchString(text)
	if c.who == "nobody" && !ofOurs.MatchString(text) && !habitual.MatchString(text) || c.who == "nothing" {
		return false
	}
	if !general && ofTheTask.MatchString(c.who) {
		return false
	}
	if c.verb == "be" {
		first, rest, _ := strings.Cut(c.object, " ")
		if _, f := verbOf(first); (f == pastForm || f == participle) && c.tense != past && systemNoun.MatchString(c.who) && agent.MatchString(" "+rest) {
			return true
		}
		return c.tense != past && c.complement(text) && (general || strings.HasPrefix(c.object, "called ") && !you.MatchString(text) || specific.MatchString(c.object) || people.MatchString(c.who))
	}
	if demands[c.verb] && payers.MatchString(c.who) && concrete(c.object) && c.modal == "" {
		return true
	}
	if mental[c.verb] && !general {
		return false
	}
	return general || (specific.MatchString(c.object) || people.MatchString(c.who)) && concrete(c.object) && c.modal == ""
}

// systemNoun is a part of a project.
var systemNoun = expr(`(?i)\b(?:{system})$`)

// ofTheTask is a thing of the code, the text or the exercise at hand.
var ofTheTask = expr(`(?i)^(?:the|a|an|this|each) (?:[\pL-]+ ){0,2}?(?:functions?|methods?|variables?|tests?|class|parameters?|arguments?|images?|arrays?|lists?|strings?|loops?|regex|scripts?|snippets?|examples?|novels?|books?|story|stories|films?|movies?|heroe?s?|heroine|characters?|poem|recipe|exam|exercise|task|questions?|answers?|texts?|articles?|papers?|paragraphs?|sentences?|output|input|result|error|log|screenshot|plot|figure|slide|chapter|game)$`)

// demands are verbs of what payers require.
var (
	demands = text.WordSet(`want need expect insist require prefer demand`)
	payers  = expr(`(?i)\b(?:clients?|customers?|legal|compliance|sponsors?|publisher|board|regulator|auditors?|stakeholders?)\b`)
)

// done is what was brought to an end, with a date.
var done = expr(`(?i)\bwas (?:finished|completed|released|launched|shipped|renamed|deprecated|removed|replaced|dropped|approved|signed|cancell?ed|founded|built|rewritten|migrated|sold|bought|opened|closed)\b`)

var (
	required = expr(`(?i)\b(?:by (?:at least )?(?:two|three|\d+|every|each)|must|needs? to|has to|have to|required|mandatory|forbidden|not allowed|by default|by convention)\b`)
	// specific is a name or a number inside.
	specific = expr(`(?:^|[ (])(?:\p{Lu}[\pL\d.-]+|[\d][\d.,:]*\w*|https?://\S+|[\w.-]+\.[\w-]+|[\w-]+/[\w/-]+)`)
	people   = expr(`(?i)\b(?:landlord|landlady|neighbou?rs?|teacher|doctor|dentist|boss|manager|team|client|customer|kids?|children|cat|dog|baby|twins|vet|plumber|nanny|babysitter|cleaner|tutor|coach|roommate|flatmate)\b`)
)
