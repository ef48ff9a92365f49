package extract

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/strata-memory/strata/internal/extract/verbframe"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/text/prefilter"
)

// The word lists that patterns name in braces. They are closed on purpose: a
// word that is missing costs a fact, a wide pattern costs the memory's worth.
const (
	// uniqueRelations are people and animals of whom a person has one at a time,
	// so that a new name replaces the old one.
	uniqueRelations = `wife|husband|spouse|partner|fianc[eé]e?|girlfriend|boyfriend|mother|mom|mum|father|dad|boss|manager|team lead|tech lead|landlord|landlady|dentist|doctor|gp|vet|therapist|accountant|lawyer|mother-in-law|father-in-law|cat|dog|puppy|kitten|rabbit|hamster|parrot|horse|pony|tortoise|turtle|guinea pig|goldfish|pet|bird|snake|lizard|budgie|ferret`
	// otherRelations are those of whom there may be several.
	otherRelations = `gf|bf|hubby|missus|other half|folks|nephews|nieces|cousins|grandchildren|grandkids|grandchild|stepdad|stepmum|stepmom|step-dad|foster mum|foster dad|supervisor|nanny|carer|godparents|lodger|tenant|sibling|gelding|mare|lad|lass|little girl|little boy|girl|boy|brother|sister|sibling|son|daughter|child|baby|toddler|kid|grandson|granddaughter|grandmother|grandfather|grandma|grandpa|gran|nan|granny|grandad|uncle|aunt|auntie|cousin|nephew|niece|friend|best friend|colleague|coworker|co-worker|teammate|neighbou?r|flatmate|roommate|housemate|godmother|godfather|godson|goddaughter|stepfather|stepmother|stepson|stepdaughter|sister-in-law|brother-in-law|son-in-law|daughter-in-law|teacher|coach|tutor|mentor|trainer|physio|ex|ex-wife|ex-husband|twin|twins|kids|children|sons|daughters|brothers|sisters|parents|grandparents|cats|dogs|chickens|hens|bees|in-laws`
	// kin are family and animals, whose names are worth knowing.
	kin = `wife|husband|partner|fianc[eé]e?|girlfriend|boyfriend|mother|mom|mum|father|dad|cat|dog|puppy|kitten|rabbit|hamster|parrot|horse|pony|tortoise|brothers?|sisters?|sons?|daughters?|kids|children|boys?|girls?|twins|cats|dogs|hens|child|baby|toddler|grandson|granddaughter|grandchildren|grandmother|grandfather|grandma|grandpa|gran|nan|uncle|aunt|cousin|nephews?|nieces?`
	// relationModifiers may precede one of them: "my younger sister".
	relationModifiers = `old|older|oldest|elder|eldest|young|younger|youngest|little|big|baby|twin|new|other|first|second|late|former|best|step|half|german|line`
	// attributes have one value at a time.
	attributes  = `name|birthday|date of birth|birth date|age|phone number|mobile number|phone|email|email address|e-mail|address|home address|postcode|zip code|time ?zone|blood type|blood group|shoe size|ring size|shirt size|height|weight|star sign|zodiac sign|pronouns|nationality|native language|mother tongue|first language|job title|job|role|occupation|profession|employer|company|hometown|home town|birthplace|wedding anniversary|anniversary|nickname|surname|last name|middle name|maiden name|username|github username|github handle|handle|licen[cs]e plate|bank|breed|editor|shell|operating system|os|browser|keyboard layout|keyboard|terminal|laptop|phone model|car|bike|diet|religion|start date|office|desk|working hours|commute|budget`
	occupations = verbframe.Occupations
	states      = `married|single|divorced|engaged|widowed|separated|pregnant|retired|unemployed|self-employed|left[- ]handed|right[- ]handed|ambidextrous|colou?r-?blind|dyslexic|autistic|deaf|blind|short-sighted|nearsighted|diabetic|asthmatic|anaemic|anemic|coeliac|celiac|bilingual|trilingual|an only child|a twin|an introvert|an extrovert|a night owl|a morning person|an early riser|an early bird|a non-smoker|a smoker`
	diets       = `vegetarian|vegan|pescatarian|pescetarian|gluten[- ]free|dairy[- ]free|lactose[- ]intolerant|teetotal|halal|kosher|keto|flexitarian|a vegetarian|a vegan|a pescatarian`
	conditions  = `asthma|diabetes|migraines?|epilepsy|arthritis|adhd|dyslexia|tinnitus|eczema|hay fever|insomnia|anxiety|depression|high blood pressure|low blood pressure|a pacemaker|ibs|crohn's|coeliac disease|celiac disease|hypothyroidism|a bad (?:back|knee|shoulder|hip)|back problems|type [12] diabetes|a heart condition|astigmatism|sciatica|anaemia|anemia|reflux|scoliosis|endometriosis|lupus|psoriasis|rosacea|vertigo|carpal tunnel(?: syndrome)?|rsi|tendinitis`
	// systems are the things of a project that statements are made about.
	systems = `api|apis|service|services|microservice|server|servers|database|databases|db|backend|back end|frontend|front end|app|application|build|builds|pipeline|pipelines|ci|cd|cluster|repo|repos|repository|deploy|deploys|deployment|deployments|staging|staging environment|production|prod|cache|queue|broker|worker|workers|gateway|proxy|load balancer|site|website|job|jobs|cron job|scheduler|team|project|library|module|package|release|releases|dashboard|docs|documentation|migrations?|schema|runner|runners|bucket|branch|branches|monorepo|platform|system|client|sdk|cli|tool|bot|model|tests|test suite|integration tests|unit tests|e2e tests|linter|formatter|compiler|container|containers|image|images|registry|vpn|office|standup|stand-up|retro|sprint|sprints|roadmap|contract|backups?|logs|metrics|alerts|secrets|config|configuration|feature flags?|code|codebase|scripts|importer|exporter|parser|indexer|ingester|webhook|webhooks|endpoint|ui|design system|mobile app|android app|ios app|web app|firmware|device|sensor|on-call rotation|rota|data warehouse|warehouse|lake|orchestrator|reverse proxy|mailer|search|search index|billing|ledger|invoices`
	// projectAttributes have one value at a time for one thing of a project.
	projectAttributes = `port|url|version|branch|owner|maintainer|deadline|due date|launch date|release date|release day|deploy day|start date|end date|day|region|database|language|licen[cs]e|limit|rate limit|timeout|time-?out|address|host|hostname|domain|channel|budget|path|prefix|name|codename|schedule|sla|retention|retention period|window|threshold|quota|size|interval|format|encoding|time ?zone|currency|lead|reviewer|approver|colou?r|font|capacity|page size|batch size`
	tools             = verbframe.Editors
	shells            = verbframe.Shells
	systemsOS         = verbframe.Systems
	browsers          = verbframe.Browsers
	languages         = `english|spanish|french|german|italian|portuguese|dutch|swedish|norwegian|danish|finnish|icelandic|polish|czech|slovak|hungarian|romanian|bulgarian|greek|turkish|russian|ukrainian|arabic|hebrew|farsi|persian|hindi|urdu|bengali|tamil|japanese|chinese|mandarin|cantonese|korean|vietnamese|thai|indonesian|swahili|catalan|basque|galician|welsh|irish|gaelic|croatian|serbian|lithuanian|latvian|estonian|esperanto|sign language|español|inglés|francés|alemán|deutsch|englisch|französisch|spanisch|français|anglais|espagnol|allemand|italiano`
	numbers           = `\d{1,3}|one hundred|a hundred|a dozen|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve`
	// often are adverbs that a statement may hold without losing its meaning.
	often      = `really|absolutely|quite|just|still|now|also|always|usually|mostly|mainly|generally|normally|typically|currently|actually|particularly|especially|definitely|much|truly|totally|only|recently|finally|originally|never|rarely|often|sometimes`
	dayPattern = `(?:(?:the )?\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:` + months + `)|(?:` + months + `)(?: the)? \d{1,2}(?:st|nd|rd|th)?)`
	url        = `(?:https?|ssh|git|s3|gs|file)://[^\s<>"']+`
	path       = `(?:~?/[\w.@+-]+(?:/[\w.@+-]+)*/?|(?:[\w.@+-]+/)+[\w.@+-]*)`
	modal      = `can|can't|cannot|must|mustn't|should|shouldn't|will|won't`
)

// when is an expression that names a time, for plans and events.
const when = `(?:(?:at )?the end of (?:the|this|next) (?:month|year|week)|today|tonight|tomorrow|yesterday|\b(?:next|this|last) (?:week|weekend|month|year|spring|summer|autumn|fall|winter|morning|afternoon|evening|` + weekdays + `|` + months + `)|\b(?:on|this|by|until|from|in|since|for|every|at the end of|end of|mid|early|late)(?: the)?(?: exactly| about| around| roughly| just)? (?:\d{1,2}(?:st|nd|rd|th)?\b|` + weekdays + `|` + months + `|(?:19|20)\d\d|spring|summer|autumn|winter|(?:` + counts + `) (?:days?|weeks?|months?|years?))|\b(?:` + months + `) \d{1,2}\b|\b\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:` + months + `)|\b(?:` + counts + `) (?:days?|weeks?|months?|years?) ago\b|\b(?:19|20)\d\d\b)`

// pattern is a regular expression, of which a clause meets some hundred.
type pattern = prefilter.Regexp

// expr makes a pattern of an expression. Names in braces stand for the word
// lists of [lexicon].
func expr(source string) *pattern {
	return prefilter.Of(func() string { return lexicon().Replace(source) })
}

// lexicon puts word lists in the place of their names.
var lexicon = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer(
		"{relation}", `(?:(?:`+relationModifiers+`) ){0,2}(?:`+uniqueRelations+`|`+otherRelations+`)`,
		"{kin}", `(?:`+kin+`)`, "{attribute}", attributes, "{occupation}", occupations, "{state}", states, "{diet}", diets,
		"{condition}", conditions, "{system}", systems, "{pattr}", projectAttributes, "{editor}", tools, "{shell}", shells,
		"{os}", systemsOS, "{browser}", browsers, "{language}", languages, "{number}", numbers,
		"{adv}", `(?:(?:`+often+`) )*`, "{day}", dayPattern, "{url}", url, "{path}", path, "{when}", when, "{modal}", modal,
		"{month}", months, "{weekday}", weekdays, "{date}", `(?:`+dayPattern+`(?:,? (?:19|20)\d\d)?|\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}(?:[./]\d{2,4})?)`,
	)
})

var uniqueRelation = expr(`(?i)(?:^|\s)(?:` + uniqueRelations + `)$`)
var ordinalRelation = expr(`(?i)^(?:oldest|eldest|youngest|first|second|best|other|former)\s`)

// isUnique reports whether a person can have one of a kind only.
func isUnique(relation string) bool {
	return uniqueRelation.MatchString(relation) || ordinalRelation.MatchString(relation)
}

// particles join the parts of a name.
var particles = text.WordSet(`de da do dos das del della di du van von der den la le las los el bin ibn al of the y e and zu upon am an`)

// notNames are capitalized words that open no name.
var notNames = text.WordSet(`i i'm i've my the a an this that these those it he she they we you not no yes very so too just never always
	and but or in on at with for from his her their our monday tuesday wednesday thursday friday saturday sunday`)

// titles stand before a name with a dot that ends nothing.
var titles = text.WordSet(`mr mrs ms dr prof st`)

// placeholders are invented names that nobody bears.
var placeholders = text.WordSet(`foo bar baz foobar xxx todo tbd name n/a none null undefined lorem`)

// properName returns the name that s opens with: capitalized words and what
// joins them. Where a writer uses no capitals, a text of one or two words is
// taken whole. It returns "" when s opens with no name.
func properName(s string) string {
	fields := strings.Fields(s)
	var out []string
	for i, f := range fields {
		core := strings.TrimRight(f, ",.;:!?)")
		low := strings.ToLower(core)
		r, _ := utf8.DecodeRuneInString(core)
		upper := unicode.IsUpper(r) || unicode.IsDigit(r) && i > 0
		switch {
		case notNames[low] && (i == 0 || !particles[low]):
			return join(out)
		case upper:
			out = append(out, core)
		case particles[low] && i > 0 && i+1 < len(fields) && startsUpper(fields[i+1]) && low != "and":
			out = append(out, core)
		default:
			if i == 0 && len(fields) <= 2 && unicode.IsLetter(r) && !particles[low] {
				return join([]string{strings.TrimRight(strings.Join(fields, " "), ",.;:!?)")})
			}
			return join(out)
		}
		if core != f && !titles[low] {
			break
		}
	}
	return join(out)
}

func join(words []string) string {
	s := strings.Join(words, " ")
	low := strings.ToLower(s)
	if low == "john doe" || low == "jane doe" || placeholders[low] || strings.HasPrefix(low, "your ") {
		return ""
	}
	return s
}

func startsUpper(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}

var phraseEnd = expr(`(?i)\s*(?:[,(;]|\s(?:because|since|although|though|but|which|who|whenever|when|as|if|so|and i|instead|rather than|over|anymore|any more|at all|too|as well|these days|nowadays|now|by far|of all time)\b).*$`)

// phrase returns the short noun phrase that s opens with, in lower case and
// without an article; "" when it is too long to name one thing.
func phrase(s string) string {
	s = strings.ToLower(strings.Trim(phraseEnd.ReplaceAllString(" "+s, ""), " .!,\"'"))
	for _, article := range []string{"a ", "an ", "the ", "my ", "some "} {
		s = strings.TrimPrefix(s, article)
	}
	if words(s) > 4 || len(s) > 60 || strings.ContainsAny(s, `/\`) {
		return ""
	}
	return s
}

var emptyObject = expr(`(?i)^(?:(?:it|this|that|these|those|them|him|her|you|your|yours|anything|nothing|something|how|what|where|when|why|whatever|all the|the (?:[\pL]+(?:er|est) (?:one|version|option)|idea|way|look|sound|first|second|third|last|other|new|old|former|latter|one|result|answer|output|plan|version|option|approach|suggestion|name|draft|same|sound|fact|question|previous|current|rest)|to (?:see|know|hear|think|understand|say|be|have|get|do|make|go)|being|having|seeing|getting|all of|(?:ones?|everything) (?:of|that|is|i|you|else|for|with|from|in the))\b|(?:ones?|everything|a lot|both|all|either|neither|thanks|to)$)`)

// concrete reports whether an object names something by itself.
func concrete(s string) bool {
	return s != "" && (!emptyObject.MatchString(s) || exceptFor.MatchString(s))
}

var exceptFor = expr(`(?i)^(?:anything|everything|anyone|everyone) (?:but|except|apart from) \pL`)
