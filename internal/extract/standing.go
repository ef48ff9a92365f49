package extract

import (
	"strings"
	"sync"

	"github.com/strata-memory/strata"
)

// ruleSlot returns the slot that a standing rule fills, so that a newer rule on the
// same takes its place: what it says of answers ("language", "length"), of code
// ("indentation"), or else the order itself without the words that bid or forbid it:
// "push to main" for "Never push to main" and for "You may push to main from now on".
// The slot is empty where an order is too long to be given twice in the same words.
func ruleSlot(text string) (entity, attribute string) {
	order := strings.ToLower(strings.Trim(text, " .,;:!?\"'"))
	for range 6 { // "please from now on always …"
		shorter := bidding.ReplaceAllString(order, "")
		shorter = strings.TrimSpace(fromNow.ReplaceAllString(shorter, ""))
		if shorter == order {
			break
		}
		order = shorter
	}
	if calledBy.MatchString(order) && !forbidding.MatchString(text) {
		return strata.RuleAnswers, strata.RuleAddress
	}
	order = strings.Join(strings.Fields(signWords.ReplaceAllString(order, " ")), " ")
	order = imperative(order)
	for _, t := range topics {
		if m := t.says.FindStringSubmatch(order); m != nil {
			if t.named != nil {
				return t.entity, t.named(m[1])
			}
			return t.entity, t.attribute
		}
	}
	order = strings.ReplaceAll(strings.ReplaceAll(order, "/", " "), `\`, " ")
	if n := words(order); n < 2 || n > maxOrderWords {
		return "", ""
	}
	if m := insteadOf.FindStringSubmatch(order); m != nil {
		return strata.RuleOrder, m[1] + " " + min(m[2], m[3]) + " or " + max(m[2], m[3])
	}
	return strata.RuleOrder, order
}

// maxOrderWords bounds an order that can be expected in the same words again.
const maxOrderWords = 14

var (
	// bidding opens a rule without being part of what it orders.
	bidding = expr(`^(?:please|always|never ever|never|ever|just|do not|don't|stop|avoid|no longer|quit|no more|no|without|feel free to|(?:it is|it's|its) (?:now )?(?:ok|okay|fine|alright|all right|allowed) (?:for you )?to|make sure (?:to|you|that you)|be sure to|remember to|(?:i|the user)(?:'d| would)?(?: really| very much)? (?:want|wants|need|needs|like|likes|love|loves|hate|hates|dislike|dislikes|don't like|don't want|doesn't like|doesn't want|expect|expects|prefer|prefers)(?: it)?(?: if| when| that)?(?: you)?(?: to)?|you(?: may| can| could| should| shouldn't| must| mustn't| will|'re allowed| are allowed| are not allowed| aren't allowed| don't have| do not have| don't need| do not need| need not| needn't| no longer have| no longer need)?(?: not)?(?: now| always| never| again| ever)*(?: to)?|to) `)
	// fromNow is since when a rule holds, and words that only strengthen it.
	fromNow = expr(`^(?:from now on|from here on|from today on|going forward|in (?:the )?future|starting (?:now|today)|as of (?:now|today)|as a (?:general )?rule|by default|in general|generally),? |,? (?:from now on|from here on|from today on|going forward|in (?:the )?future|in all (?:your )?(?:answers|replies|responses)|in your (?:answers|replies|responses)|starting (?:now|today)|as of (?:now|today)|by default|at all|any ?more|any longer|again|always|ever|now|please|at all times|no matter what|to me|with me)$`)
	// signWords are words inside an order that its other sign may lack.
	signWords = expr(`\b(?:always|never|ever|please|the|a|an|any|not)\b|,`)
	// calledBy is how the user wants to be called.
	calledBy   = expr(`^(?:be called|(?:call|address|refer to) me(?: as| by)?) (?:[\pL'.-]+ ?){1,4}$`)
	forbidding = expr(`(?i)\b(?:never|don't|do not|stop|no longer|formally|informally)\b`)
	// insteadOf orders one of two things.
	insteadOf = expr(`^(use|prefer|write|choose|pick|run) (.+?),? (?:instead of|rather than|over) (.+)$`)
)

// topic is what a whole order can be about, whatever it says of it.
type topic struct {
	entity, attribute string
	says              *pattern
	// named names the attribute after the first group.
	named func(string) string
}

const (
	answersWord = `(?:answers?|replies|reply|responses?|explanations?|messages?|output|text|writing|prose)`
	degree      = `(?:(?:very|really|too|so|more|quite|fairly|less|as|a bit|a little|much|far|rather|reasonably|nice and|and|be|being|only) )*`
	lengthWord  = `(?:short|shorter|brief|briefer|concise|terse|succinct|compact|crisp|long|longer|lengthy|detailed|in-depth|in depth|thorough|verbose|wordy|elaborate|extensive|comprehensive|to the point|in detail|briefly|concisely|tersely|succinctly|thoroughly|at length|in (?:one|single|two|three|few|short) sentences?|in (?:a )?few words)`
	making      = `(?:(?:keep|make|give|give me|show|show me|use|using|add|adding|include|write|write in|put|insert|skip|drop|keep to|stick to|prefer|have|get|want|like|see|need|start with|end with|end|with|without|no|fewer|more|so many|too many) )*`
)

// topics are tried in this order on what is left of a rule.
var topics = []topic{
	{entity: strata.RuleAnswers, attribute: "language", says: expr(`^(?:(?:answer|reply|respond|speak|write|talk|switch|communicate|chat|` + answersWord + `)(?: back)?(?: to me| with me| me)?(?: only)? (?:in|to) |(?:use|speak|prefer|stick to) |` + answersWord + ` in )(?:{language})(?: only)?$`)},
	{entity: strata.RuleAnswers, attribute: "length", says: expr(`^` + making + `(?:(?:your|all|of|me) )*` + degree + lengthWord + `(?:(?:,| and|, and) ` + degree + `[\pL-]+)* ` + answersWord + `$|^(?:(?:keep|make) )?(?:(?:your|all|it|things|them) )*(?:` + answersWord + ` )?(?:(?:should|must|are|need to|is|to) )?` + degree + lengthWord + `(?:(?: and|, and) [\pL-]+)*(?: as possible)?$|^(?:answer|explain|reply|respond|write|be)(?: things| everything| it)? ` + degree + lengthWord + `(?: as possible)?$|^(?:keep|limit|restrict) (?:(?:your|all) )*` + answersWord + ` (?:under|below|within|to|at most|no longer than) .*\b(?:words?|sentences?|lines?|paragraphs?)$|^(?:answer|explain|reply|respond)(?: me)? (?:in|with) (?:at most |no more than |under |less than |max )?[\pL\d]+ (?:words?|sentences?|lines?|paragraphs?)$`)},
	{entity: strata.RuleAnswers, attribute: "emoji", says: expr(`^` + making + `(?:emojis?|emoticons?|smileys?)(?: in .+)?$`)},
	{entity: strata.RuleAnswers, attribute: "spelling", says: expr(`^` + making + `(?:british|american|us|uk|canadian|australian)(?: (?:spelling|english))+(?: in .+)?$`)},
	{entity: strata.RuleAnswers, attribute: "units", says: expr(`^` + making + `(?:metric|imperial|si|us customary)(?: (?:units?|system|measurements?))*(?: for .+| in .+)?$`)},
	{entity: strata.RuleAnswers, attribute: "temperature", says: expr(`^` + making + `(?:(?:degrees|temperatures) (?:in )?)?(?:celsius|fahrenheit|kelvin)(?: for .+)?$`)},
	{entity: strata.RuleAnswers, attribute: "clock", says: expr(`^` + making + `(?:24|12)[- ]hour(?: (?:time|clock|format|notation))*(?: for .+)?$`)},
	{entity: strata.RuleAnswers, attribute: "tone", says: expr(`^(?:be|sound|write|speak|talk|answer|address me|keep it|keep|use|stay)? ?(?:(?:your|` + answersWord + `|tone|in) )*` + degree + `(?:formal|informal|casual|formally|informally|casually)(?: (?:tone|style|language|way|manner))?$`)},
	{entity: strata.RuleAnswers, says: expr(`^` + making + `(bullet points?|bullets|tables?|exclamation (?:marks|points)|em[- ]dashes|markdown|headings|headers|jargon|buzzwords|acronyms|abbreviations|disclaimers?|caveats|small talk|filler|flattery|compliments|preambles?|summaries|hedging|slang|iso dates|oxford commas?|passive voice|pleasantries|rhetorical questions|analogies|footnotes|semicolons|examples)(?: in .+)?$`), named: oneThing},
	{entity: "code", attribute: "indentation", says: expr(`^(?:use|prefer|indent(?: code| everything)?(?: with| by| using)?|indenting with) (?:tabs|spaces|(?:two|four|eight|\d)[- ]?spaces?)(?: (?:for indentation|for indenting|to indent|in (?:my |our )?code|for code|(?:(?:instead of|rather than|over) )?(?:tabs|spaces)))*$`)},
	{entity: "code", attribute: "quotes", says: expr(`^(?:use|prefer) (?:single|double) quotes(?: for strings| in (?:my |our )?code|(?: instead of| rather than| over)? (?:single|double)(?: quotes)?)*$`)},
}

// oneThing is the name of what answers are made of, in one form.
func oneThing(s string) string {
	switch s {
	case "bullets", "bullet point":
		return "bullet points"
	case "headers":
		return "headings"
	case "em-dashes":
		return "em dashes"
	}
	if strings.HasSuffix(s, "s") {
		return s
	}
	switch s {
	case "table", "disclaimer", "preamble", "oxford comma":
		return s + "s"
	}
	return s
}

// imperative gives the verb that an order opens with its plain form: "pushing to
// main" after "stop" is "push to main".
func imperative(order string) string {
	first, rest, _ := strings.Cut(order, " ")
	if verb, ok := gerunds()[first]; ok {
		return strings.TrimSpace(verb + " " + rest)
	}
	return order
}

// gerunds are the forms in -ing of the verbs of orders.
var gerunds = sync.OnceValue(func() map[string]string {
	out := make(map[string]string)
	for verb := range strings.SplitSeq(orders, "|") {
		if strings.ContainsAny(verb, "[?-") {
			continue
		}
		out[verb+"ing"] = verb
		if short, ok := strings.CutSuffix(verb, "e"); ok {
			out[short+"ing"] = verb
		}
		out[verb+verb[len(verb)-1:]+"ing"] = verb // "committing"
	}
	out["apologizing"], out["apologising"] = "apologize", "apologize"
	return out
})

// conventions keeps the orders that a sentence gives for the project at hand: "for
// this repo: use tabs, never force-push". It returns what else the sentence says, and
// whether what follows it is for the project too.
func (s *extractor) conventions(sen sentence, here bool, t strata.Turn) (rest string, next bool) {
	at := forProject.FindStringSubmatchIndex(sen.text)
	orders := sen.text
	if at != nil {
		orders, here = sen.text[at[1]:], here || at[2] >= 0 && sen.text[at[2]] == ':'
	}
	if sen.question || at == nil && !here {
		return sen.text, here
	}
	var each []string
	for _, order := range nextOrder.Split(orders) {
		if order = polite.ReplaceAllString(strings.TrimRight(order, " ,;.!"), ""); len(each) > 0 && !ordering.MatchString(order+" ") {
			each[len(each)-1] += " and " + order // "tabs and spaces"
			continue
		}
		if each = append(each, order); words(order) < 2 || !ordering.MatchString(order) || hasDeictic(order) || passingMark.MatchString(order) || trouble.MatchString(order) || forTask.MatchString(order) && !everyTime.MatchString(order) && !weighs.MatchString(order) {
			return sen.text, here && at == nil
		}
	}
	for _, order := range each {
		m := statement{match: match{compiled: &compiled{rule: rule{name: "convention", kind: strata.TypeProject, verbatim: true}}}, content: capitalize(order), confidence: sure}
		s.add(m, clause{text: order}, t, nil, previous{index: -1})
	}
	return "", here
}

var (
	forProject = expr(`(?i)^(?:(?:so|and|also|ok|okay|note),? )*(?:for|in|on|within|throughout) (?:this|our|the|my) (?:whole |entire )?(?:repo|repository|project|codebase|code base|workspace|monorepo)(:|,)? `)
	nextOrder  = expr(`(?i)(?:, and |[,;] | and )`)
	// forTask orders a thing to be done once.
	forTask = expr(`(?i)^(?:(?:please|just|now|then) )*(?:fix|debug|implement|find|look|explain|show|create|make|refactor|rename|delete|remove|list|count|summari[sz]e|describe|tell|give|help|check|open|update|upgrade|add|write|run|move|review|generate|build|test|rewrite|change|set|put|install|import|replace|convert|search|read|commit|push|deploy) (?:me|us|up|out|the|an?|all the|all|my|our|some|every place|everything|two|three|\d+)\b`)
)

// standingOrder reports whether an order is meant for every time and not for the
// task at hand: it says so ("always", "in all my code"), it weighs one thing against
// another ("tests before code", "tabs, not spaces"), or it bans a kind of thing
// ("avoid red and green charts"). What it is about may not be the thing on the table.
func standingOrder(text string) bool {
	if !ordering.MatchString(text) || onTheTable.MatchString(text) || trouble.MatchString(text) || once.MatchString(text) || words(text) < 4 || giveUp.MatchString(bareOrder.ReplaceAllString(text, "")) {
		return false
	}
	return everyTime.MatchString(text) || weighs.MatchString(text) || bans.MatchString(text)
}

var bareOrder = expr(`(?i)^(?:(?:please|always|never) )+`)

var (
	ordering   = expr(`(?i)^(?:(?:please|always|never|just|only|do not|don't|kindly|and|then|no) )*(?:` + orders + `|speak|limit|schedule|ping|wake|bother|spell|mix|abbreviate|capitali[sz]e|use|sort|group|start|number|teach|count|plan|cook|no)\b`)
	everyTime  = expr(`(?i)\b(?:always|never|whenever|every time|each time|from now on|by default|as a rule|in future|in the future|going forward|unless i (?:ask|say|tell)|(?:in|for|to|on|with|before|after|at|of) (?:all|every|any|each) (?:of )?(?:my |our |your |the )?\pL+|everywhere|at all times|without exception|ever)\b`)
	weighs     = expr(`(?i)^(?:please |always |just )*(?:write|do|put|use|prefer|run|show|give|list|explain|name|test|keep|say|call|spell|speak|answer|start|end|send) (?:[\pL-]+ ){1,4}?(?:before|after|first|instead of|rather than|over|,? not|and not|but not) |, not \pL+`)
	bans       = expr(`(?i)^(?:please )?(?:avoid|skip|no more|no (?:[\pL-]+ ){1,3}(?:for me|please|in (?:any|all|your)|with me)|stop (?:using|adding|writing|saying)|leave out) (?:\pL|any )`)
	onTheTable = expr(`(?i)\b(?:this|that|these|those|it|here|above|below|following|attached|again|now|yet|today|tomorrow|one more|another|the (?:\pL+ )?(?:file|function|button|page|line|section|paragraph|header|title|class|method|module|loop|query|image|color|colour|error|problem|issue|ticket|branch|draft|email|letter|essay|list|table|first|second|third|last|next|previous))\b|\b(?:problem|worries|idea|need|way|thanks|hurry|rush|luck|doubt|wonder|clue)\b`)
)
