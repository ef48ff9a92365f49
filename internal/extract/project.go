package extract

import (
	"strings"

	"github.com/strata-memory/strata"
)

// projectRules are decisions, conventions and facts about the current work.
func projectRules() []rule {
	fact := func(name, heads, pattern string, reads func([]string) (reading, bool)) rule {
		return rule{name: name, heads: heads, pattern: pattern, kind: strata.TypeProject, reads: reads, tense: future}
	}
	return []rule{
		fact("decision", "we we've i've i", `(?:we|i)(?:'ve| have)? {adv}(?:decided|agreed|settled on|opted for|opted to|chose|chosen|picked|went with|voted|committed to|ruled out|rejected|dropped|abandoned|signed off on|standardi[sz]ed on)\b (.+)`, decision),
		fact("decision", "we're we", `(?:we're|we are) (?:{adv})(?:going with|sticking with|switching to|moving to|migrating to|migrating from|dropping|standardi[sz]ing on|adopting|replacing|deprecating|sunsetting|staying on|targeting|freezing|launching|releasing)\b (.+)`, decision),
		fact("decision", "let's", `let's (?:{adv})(?:use|go with|stick with|stick to|switch to|adopt|standardi[sz]e on|settle on|call (?:it|the)|drop support|keep using|move to|agree (?:that|on)|never|always) (.+)`, letUs),
		fact("decision", "the decision final", `(?:the |final )?(?:final )?decision(?: is|:| was)(?: to| that| we)? (.+)`, object(1)),
		fact("convention", "we our", `we {adv}(?:always|never|only|don't|do not|usually|no longer) (?:use|deploy|release|ship|run|write|store|keep|name|squash|merge|rebase|tag|review|host|log|test|build|target|support|follow|require|track|format|push|commit|allow|accept|start|put|pin|call|mock|sign|sell|work|meet|edit|touch|add|send|do)\b (.+)`, object(1)),
		fact("convention", "we", `we {adv}(?:use|deploy|release|ship|squash|squash-merge|merge|rebase|tag|host|run|store|keep|log|test|build|target|support|follow|require|track|format|name|write|pin|pay|charge|bill|sign|cut|rotate|hold|do|meet|freeze|version|lint|review)\b (.+)`, weDo),
		fact("deploy day", "deploys deployments releases deployment the our", `(?:the |our )?(?:deploys?|deployments?|releases?)(?: now)? (?:happen|go out|are|is|run|take place|ship)(?: now)? (?:on |every )({weekday})s?\b.*`, deployDay),
		fact("port", "the our", `(?:the|our) ((?:[\pL\d-]+ ){0,3}?(?:{system})) (?:runs|listens|is running|is|lives|sits)(?: now)? on port (\d{2,5})\b.*`, portOf),
		fact("naming", "the our", `(?:the|our) (?:[\pL-]+ )?(project|repo|service|app|product|team|company|module|library|codebase|side project|startup|blog|podcast|band|boat|newsletter)(?:'s name)? is (?:now )?(?:called|named|code-?named) (.+)`, naming),
		fact("project value", "the our", `(?:the|our) ((?:[\pL\d-]+ ){0,3}?[\pL\d-]+?)(?:'s)? ({pattr}) (?:is|are)(?: now| still| always| set to| called)? (.+)`, projectValue),
		{name: "of the project", heads: "the our", pattern: `(the|our) (customer|client|sponsor|(?:product )?owner|deadline|name|code ?name|(?:tech |team )?lead|maintainer|budget|stakeholder|due date|launch date) (?:of|for|on) (?:this|the|our|my) (?:new |current |whole )?(project|repo|repository|team|codebase|app|product|service)(?: is|:)(?: called| now| on| set to)* (.+)`, kind: strata.TypeProject, sure: sure, tense: future, reads: ofProject, deictic: true},
		{name: "of the project", heads: "this", pattern: `this (?:project|repo|repository|code ?base|monorepo|app|service|library|package) (?:{adv})(?:uses|targets|supports|requires|runs|depends on|follows|is (?:written|built|deployed|hosted|licensed|published))\b (.+)`, kind: strata.TypeProject, tense: future, reads: object(1), deictic: true},
		fact("deadline", "the our", `(?:the|our) (deadline|budget|launch date|release date|due date|launch|go-live|release|code freeze|feature freeze|kick-?off|demo)(?: for .+?)? (?:is|was moved to|moved to|has moved to|got moved to|slipped to|is set for|is scheduled for|has been moved to|is due)(?: now| still)?(?: on| by| to)? (.+)`, deadline),
		fact("project fact", "the our", `(?:the|our) (?:[\pL\d-]+ ){0,3}?(?:{system})(?:'s)? (?:{adv})(?:runs on|runs in|runs every|runs at|run on|run in|run every|run at|uses|use|is written in|are written in|is built with|is built on|is deployed|are deployed|is hosted|are hosted|listens on|lives? in|lives? on|depends? on|requires?|needs? (?:at least )?(?:\p{Lu}|\d)\S*|is called|are called|is named|is owned by|are owned by|is maintained by|connects? to|talks? to|stores?|expires?|is limited to|are limited to|supports?|takes (?:about |around )?\d+|returns?|targets?|is pinned to|are pinned to|is based on|is licensed|goes through|reads? from|writes? to|syncs? with|authenticates? (?:with|via|against)|is behind|are behind|is protected|is frozen|is closed|is at (?:\d|half)|meets?|has (?:a |an |\d+ |two |three |four |five )|are kept for|is kept for|is (?:read-only|immutable|private|public|open source|idempotent|append-only))\b ?(.*)`, projectFact),
		fact("project fact", "migrations tests deploys builds releases commits branches logs backups secrets prs pull staging production invoices prices", `(?:migrations|tests|deploys|builds|releases|commits|commit messages|branches|branch names|logs|backups|secrets|prs|pull requests|staging|production|invoices|prices) (?:{adv})(?:run|runs|live|lives|use|uses|follow|go|goes|are (?:kept|stored|named|written|signed|squashed|deployed|tagged|rotated|reviewed|run|in)|is (?:deployed|hosted|read-only|on)|start with|must|need(?:s)? (?:an?|one|two|\d+)|require)\b (.+)`, object(1)),
		fact("ownership", "*", `(\p{Lu}\pL+(?: \p{Lu}\pL+)?) (?:{adv})(?:owns|leads|maintains|manages|is responsible for|is in charge of|is on call for|reports to|is (?:our|my|the) (?:new |[\pL-]+ )?(?:{occupation}|lead|team lead|tech lead|head of \pL+|owner|maintainer|contact|point of contact|pm|counterpart|intern|recruiter|customer|client))\b ?(.*)`, ownership),
		{name: "own people", heads: "*", pattern: `(\p{Lu}\pL+(?: \p{Lu}\pL+)?) (?:{adv})is my (?:{relation})\b(.*)`, tense: future, reads: ownership},
		fact("team", "our my", `(?:our|my) (?:team|company|startup|customers?|client|boss|office|standup|stand-up|sprints?|retros?|on-call|product)(?: \p{Lu}\pL+)? (?:{adv})(?:is (?:called|based|made up|spread|in|at|on|every)|are (?:called|based|in|on|two|three|\w+ weeks)|has \S+ (?:people|engineers|developers|members)|uses?|works?|meets?|starts?|ends?|runs?|builds?|makes?|sells?|requires?|lasts?|happens?) (.+)`, object(1)),
		fact("naming", "our", `our ((?:[\pL-]+ ){0,2}[\pL-]+) is (?:now )?(?:called|named|nicknamed) (\p{Lu}.*)`, naming),
		fact("freeze", "code feature there", `(?:the |a |there's a |there is a )?(?:code|feature|deploy) freeze (?:is|starts|begins|ends|runs|until|from)\b(.+)`, nil),
		{name: "naming", heads: "my", pattern: `my ((?:[\pL-]+ ){0,2}[\pL-]+) is (?:now )?(?:called|named|nicknamed|code-?named) (.+)`, sure: sure, reads: namingOwn},
		{name: "household", heads: "we", pattern: `we (?:have|own) (?:{number}) (?:kids|children|cats|dogs|cars|bikes|sons|daughters|chickens|customers|engineers|developers|environments|servers|clusters|regions|offices)\b.*`, sure: sure, kind: strata.TypeUser},
	}
}

var lightObject = expr(`(?i)^(?:it|this|that|these|those|them|to (?:try|see|wait|talk|meet up|look|think)|the (?:first|second|third|last|other|latter|former) (?:one|option|approach|version)|option \w+|on (?:this|that|it)|against it|for it|with (?:it|that|this)|your\b)`)

func decision(m []string) (reading, bool) {
	low := strings.ToLower(m[1])
	return reading{}, !lightObject.MatchString(m[1]) && !strings.HasPrefix(low, "not sure") && !strings.HasPrefix(low, "to go for a")
}

var nextStep = expr(`(?i)^(?:the (?:next|following|other)|a (?:different|new|simpler|better)|another|something|an example|step)\b`)

// letUs refuses a step of the current work: "let's try the other approach".
func letUs(m []string) (reading, bool) {
	return reading{}, !lightObject.MatchString(m[1]) && !nextStep.MatchString(m[1])
}

var weWork = expr(`(?i)^(?:the (?:same|above|following|command|function|script|tests?|code)\b|a (?:lot|bit|loop|function|variable|for)\b|out\b|some\b|into\b|this|that|it\b|them\b|have\b|need\b|lunch|dinner|up\b|to\b)`)

var weDeploy = expr(`(?i)^we (?:\pL+ )?(?:deploy|release|ship)(?: to production| to prod)? (?:now )?(?:on|every) (` + weekdays + `)s?\b`)

// weDo reads a convention: "we deploy on Fridays", "we use Postgres for …".
func weDo(m []string) (reading, bool) {
	if weWork.MatchString(m[1]) || !concrete(m[1]) {
		return reading{}, false
	}
	if d := weDeploy.FindStringSubmatch(m[0]); d != nil {
		return reading{entity: "deploy", attribute: "day", value: d[1]}, true
	}
	return reading{}, true
}

func deployDay(m []string) (reading, bool) {
	return reading{entity: "deploy", attribute: "day", value: m[1]}, true
}

func portOf(m []string) (reading, bool) {
	return reading{entity: strings.ToLower(m[1]), attribute: "port", value: m[2]}, true
}

var loneWord = expr(`(?i)^(?:same|only|first|last|next|other|wrong|right|new|old|following|above|whole|current|previous|biggest|main|best|error|problem|issue|file|function|variable|method|class|input|output|return|user|users|max|min|full|actual|real|exact|correct|table|column|image|text|font|array|list|string|exit|stack|buffer|page|screen|loop|default branch name)$`)
var noValue = expr(`(?i)^(?:wrong|missing|broken|too|not|very|so|empty|null|nil|undefined|right|correct|fine|good|bad|slow|high|low|big|small|down|the (?:same|problem|issue|one)|a (?:problem|mess|bit)|unclear|unknown|changing|still|getting|being|already (?:in use|taken)|in use|blocked|here|ok|okay|great|important|irrelevant|up to you|hard|easy|tight|what|where|how|why|based on)\b`)

var called = expr(`(?i) (?:is|are) called `)

// projectValue reads "the staging URL is …", "the deploy day is Friday".
func projectValue(m []string) (reading, bool) {
	entity, attribute, value := strings.ToLower(m[1]), canonical(m[2]), strings.TrimSpace(m[3])
	if loneWord.MatchString(entity) || noValue.MatchString(value) || words(value) > 10 || !concrete(value) || words(entity) > 4 {
		return reading{}, false
	}
	if !fits(attribute, value) {
		return reading{}, false
	}
	if called.MatchString(m[0]) && attribute != "name" && !namedByValue.MatchString(attribute) { // "the staging database is called heron"
		return reading{entity: entity + " " + attribute, attribute: "name", value: value}, true
	}
	switch attribute { // "the deploy day", "the release day" are one thing
	case "deploy day", "release day":
		return reading{entity: entity + " deploy", attribute: "day", value: value}, true
	}
	return reading{entity: entity, attribute: attribute, value: value}, true
}

var datedValue = expr(`(?i)` + when + `|\d`)

// namedByValue are attributes whose value is a name: "the branch is called main".
var namedByValue = expr(`^(?:branch|channel|host|hostname|domain|prefix|codename|owner|maintainer|lead|reviewer|approver)$`)

func deadline(m []string) (reading, bool) {
	if !datedValue.MatchString(m[2]) {
		return reading{}, false
	}
	r := reading{}
	if !strings.Contains(strings.ToLower(m[0]), " for ") {
		r.entity, r.attribute = "project", canonical(m[1])
		if r.attribute == "launch" {
			r.attribute = "launch date"
		}
	}
	return r, true
}

// ofProject reads "the customer for this project is Acme".
func ofProject(m []string) (reading, bool) {
	attribute, value := canonical(m[2]), strings.TrimSpace(m[4])
	dated := fits("deadline", value)
	ok := concrete(value) && words(value) <= 8 && !noValue.MatchString(value) && !vague.MatchString(value)
	switch attribute {
	case "deadline", "launch date":
		ok = ok && dated
	case "name", "codename", "code name":
		ok = ok && words(value) <= 3
	case "budget":
		ok = ok && datedValue.MatchString(value)
	default:
		ok = ok && startsUpper(value) && !dated
	}
	return reading{say: "The " + m[2] + " of the " + strings.ToLower(m[3]) + " is " + value, entity: strings.ToLower(m[3]), attribute: attribute, value: value}, ok
}

var failing = expr(`(?i)\b(?:fails?|failing|crash\w*|broken|error|errors|exception|nil|null|undefined|500|404|timeout error|weird|wrong|too much|too many|a bug|an issue|a problem|a typo|nothing|no results)\b`)

func projectFact(m []string) (reading, bool) {
	return reading{}, !failing.MatchString(m[0]) && !lightObject.MatchString(m[1])
}

func naming(m []string) (reading, bool) {
	name := properName(m[2])
	if name == "" {
		return reading{}, false
	}
	what := strings.ToLower(m[1])
	if loneWord.MatchString(what) || !startsUpper(name) {
		return reading{}, false
	}
	return reading{entity: what, attribute: "name", value: name}, true
}

var notPerson = expr(`(?i)^(?:he|she|it|this|that|they|we|i|you|who|what|which|there|here|my|our|the|his|her|their|nobody|someone|everyone|somebody|anyone|one)\b`)

// namingOwn reads the name of a thing of the person's own.
func namingOwn(m []string) (reading, bool) {
	r, ok := naming(m)
	r.entity = self + "'s " + r.entity
	return r, ok
}

func ownership(m []string) (reading, bool) {
	if notPerson.MatchString(m[1]) || software.MatchString(m[1]) || !startsUpper(m[1]) {
		return reading{}, false
	}
	low := strings.ToLower(m[0])
	return reading{}, strings.Contains(low, " is ") || concrete(m[2])
}
