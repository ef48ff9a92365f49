package extract

import (
	"strings"
)

// planRules are plans and events. Both need a time, or are events that change a
// life whenever they were.
func planRules() []rule {
	return []rule{
		{name: "plan", heads: "i'm i we're we", pattern: `(?:i'm|i am|we're|we are) (?:{adv})(?:going|flying|travell?ing|driving|heading|moving|starting|visiting|meeting|seeing|leaving|having|taking|getting|running|hosting|giving|speaking|playing|doing|returning|coming back|back|off|away|on holiday|on call|on leave|on vacation|hiking|cycling|spending|celebrating|throwing|launching|shipping|releasing|presenting|attending|picking up|interviewing|defending|sailing|skiing|running in|booked|due)\b.*{when}.*`, sure: likely, tense: future, reads: plan},
		{name: "plan", heads: "i we i've we've i'll we'll", pattern: `(?:i|we)(?:'ve| have|'ve got| have got|'ll have|'ll be)? {adv}(?:have|got|booked|scheduled|arranged|planned|bought tickets|tickets|signed up|registered|an?|my|flying|going|travelling|moving|starting|away|on holiday|on leave) ?(?:an?|the|my|our|for|to)?.*\b(?:appointment|interview|exam|surgery|operation|flight|flights|check-?up|deadline|wedding|trip|holiday|vacation|conference|talk|concert|tickets|race|marathon|half marathon|10k|party|visit|meeting|lesson|class|scan|mri|blood test|viewing|move|movers|removal van|presentation|demo|launch|dinner|weekend|course|retreat|tournament|recital|ferry|train|hotel|cottage|cabin|airbnb|flat|apartment|room|table|campsite|holiday|leave|reunion|therapy|physio|session|job)\b.*{when}.*`, tense: future, reads: plan},
		{name: "event", heads: "my our the", pattern: `(?:my|our|the) (?:[\pL'-]+ ){0,3}?(?:appointment|interview|exam|surgery|operation|flight|check-?up|wedding|trip|holiday|vacation|conference|talk|concert|race|marathon|party|recital|scan|mri|blood test|viewing|moving day|move|presentation|housewarming|lease|contract|visa|passport|driving test|due date|retreat|tournament|ferry|train|hearing|graduation|anniversary|completion|keys|reunion|move-in date)(?: with [\pL. ]+?| at [\pL .]+?| for [\pL ]+?| to [\pL ]+?)? (?:is|are|'s|starts?|ends?|begins?|expires?|got moved|was moved|has been moved|moved|has moved|got pushed|takes place|leaves|departs|lands|arrives|runs?|falls|was rescheduled|got rescheduled|has been rescheduled|has been postponed|was postponed)\b.*{when}.*`, sure: likely, tense: future, reads: event},
		{name: "life event", heads: "i i've we we've", pattern: `(?:i|we)(?:'ve| have)? {adv}(?:got (?:my (?:driving licen[cs]e|citizenship|results)|my (?:\pL+ )?(?:licen[cs]e|visa|diploma|black belt)|the keys|the (?:job|position|promotion|scholarship)|a (?:new job|mortgage))|bought (?:an?|our|my) (?:[\pL-]+ ){0,3}?(?:house|flat|apartment|car|van|bike|boat|piano|guitar|kayak|tent|telescope|laptop|camera)|sold (?:the|my|our) (?:[\pL-]+ )?(?:house|flat|car|bike|van|company)|adopted two|had (?:a baby|twins|a (?:son|daughter|boy|girl)|surgery|an operation|my (?:appendix|tonsils|wisdom teeth|gallbladder) (?:out|removed))|broke my|sprained my|tore my|became (?:an?|the) |ran (?:my first|a|the) (?:[\pL-]+ )?(?:marathon|half marathon|10k|race)|finished (?:my (?:phd|degree|thesis|master's|first [\pL ]+)|the (?:marathon|race))|passed (?:my|the|an?) [\pL ]*(?:test|exam|exams|bar|finals|audition|certification|viva|defen[cs]e)|(?:completed|earned|defended|submitted|handed in) my [\pL ]*(?:phd|degree|thesis|dissertation|training|apprenticeship|diploma|certificate|certification|licen[cs]e|residency|badge|belt)|defended my|published (?:my|a|an) |signed (?:the|a|our) (?:[\pL-]+ )?(?:lease|contract|mortgage|papers)|won (?:the|a|an|second|first)|quit smoking|stopped smoking|lost my (?:job|mother|father|dad|mum|mom|dog|cat|grandmother|grandfather)|started (?:learning|therapy|a (?:blog|podcast|company|band|business|course|side project)))\b.*`, sure: likely, tense: past},
		{name: "past event", heads: "i we my", pattern: `(?:i|we) (?:{adv})(?:went to|visited|travelled to|traveled to|spent|saw|met|ran|climbed|hiked|cycled|finished|started|attended|performed|played|celebrated|flew to|moved in|moved out|stayed in|lived in|worked (?:at|for|as|in)|studied) (.+?(?:\b(?:in (?:19|20)\d\d|last (?:year|summer|winter|spring|autumn|month|week|weekend)|\w+ years ago|\w+ months ago|yesterday|on (?:{weekday})|for \w+ years|in (?:{month})|when i was)\b).*)`, sure: fair, tense: past, reads: pastEvent},
	}
}

var daily = expr(`(?i)\b(?:got the idea|going to (?:need|try|have|be|say|ask|use|look|check|write|start by|want|do|make|run|fix|refactor|add|test|take a|think|give|get)|getting (?:an? )?(?:error|exception|this|lots|null|weird|the|a 4|a 5)|having (?:trouble|issues|problems|a hard|fun|a (?:great|good|bad|rough|terrible|lovely|slow))|meeting (?:the|my) (?:deadline|goal)|seeing (?:an?|the|some|lots|this|errors)|doing (?:well|fine|ok|okay|great|good|this)|running (?:into|out|late|low|a bit|the (?:tests?|build|app|server|code|script|migrations?|command|program))|taking (?:a break|forever|ages|too)|leaving (?:it|this|work|now|soon))\b`)

// plan refuses what is only the work of the hour.
func plan(m []string) (reading, bool) {
	return reading{}, !daily.MatchString(m[0]) && !strings.HasSuffix(strings.ToLower(m[0]), "soon")
}

var shifts = expr(`(?i)\b(?:trip|flight|appointment|interview|exam|surgery|operation|wedding|concert|marathon|race|viewing|moving day|driving test|conference|talk|due date|graduation|completion|housewarming|move-in date)\b`)

var ownEvent = expr(`(?i)^(?:my|our) ((?:[\pL'-]+ ){0,3}?(?:appointment|interview|exam|surgery|operation|wedding|driving test|moving day|graduation|housewarming|due date|move-in date|completion|marathon|viewing))\b`)

// event reads a dated event of one's own; the event names the slot, so that a
// new date replaces the old.
func event(m []string) (reading, bool) {
	low := strings.ToLower(m[0])
	if strings.HasPrefix(low, "the ") {
		return reading{}, shifts.MatchString(low) || strings.Contains(low, "move") || strings.Contains(low, "keys") || strings.Contains(low, "lease") || strings.Contains(low, "contract")
	}
	subject := ownEvent.FindStringSubmatch(m[0])
	if subject == nil || strings.Contains(low, "expires") {
		return reading{}, true
	}
	if what := phrase(subject[1]); what != "" {
		return reading{entity: self + "'s " + what, attribute: "date"}, true
	}
	return reading{}, true
}

var smallPast = expr(`(?i)^(?:a (?:lot|while|few|couple|bit)|the (?:day|morning|afternoon|evening|whole|bug|error|weekend|code|ticket|task|report|book|show|film|movie|server|app|build|tests?|suite|linter|scripts?|migrations?|benchmarks?|pipeline|command|query|job)|an? (?:error|exception|hour|bug|issue)|it|this|that|\w+ hours|hours|all|with|to|most|my (?:day|morning|time|lunch))\b`)

func pastEvent(m []string) (reading, bool) { return reading{}, !smallPast.MatchString(m[1]) }
