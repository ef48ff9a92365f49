package extract

import (
	"strings"

	"github.com/strata-memory/strata"
)

// styleThings are what answers are made of. A request about one of them is meant
// to last even where nobody says "always".
const styleThings = `emojis?|emoticons?|bullet points?|bullets|tables?|exclamation (?:marks|points)|em[- ]dashes|markdown|headings|headers|jargon|buzzwords|acronyms|abbreviations|apologi[sz]\w*|disclaimers?|caveats|small talk|filler|flattery|compliments|preambles?|summaries|hedging|slang|british (?:spelling|english)|american (?:spelling|english)|metric(?: units)?|imperial(?: units)?|celsius|fahrenheit|24-hour (?:time|clock|format)|the 24-hour clock|iso dates|oxford commas?|passive voice|pleasantries|rhetorical questions|analogies|footnotes|semicolons`

// feedbackRules are standing wishes about how the agent works. The words stay
// the person's own: an instruction loses by being retold.
func feedbackRules() []rule {
	wish := func(name, heads, pattern string, reads func([]string) (reading, bool)) rule {
		return rule{name: name, heads: heads, pattern: pattern, kind: strata.TypeFeedback, sure: sure, reads: reads, verbatim: true, deictic: true}
	}
	// A request that opens with "I" is a statement about the user like any other.
	ofUser := func(name, heads, pattern string, reads func([]string) (reading, bool)) rule {
		r := wish(name, heads, pattern, reads)
		r.verbatim = false
		return r
	}
	return []rule{
		wish("language", "always from answer reply respond speak write talk always please", `(?:from now on,? )?(?:please )?(?:always )?(?:answer|reply|respond|speak|write|talk)(?: to)?(?: me)? (?:only )?in ({language})(?: (?:from now on|always|in future|by default|unless .+|please))*$`, answerLanguage),
		wish("standing rule", "always never please don't do", `(?:please )?(?:always|never|never ever|don't ever|do not ever) ((?:`+orders+`)\b.+)`, standing),
		wish("standing rule", "from going in as for whenever", `(?:from now on|from here on|from today on|going forward|in (?:the )?future|in all (?:your )?(?:answers|replies|responses)|as a (?:general )?rule|for all future (?:answers|replies|sessions|code)|whenever you|in (?:your )?(?:answers|replies|responses|code reviews))\b,? (?:please )?(.+)`, lasting),
		wish("standing rule", "when whenever every before after", `(?:when|whenever|every time|before|after) (?:you|i) (?:ask|say|write|send|paste|share|give|answer|reply|explain|suggest|show|review|change|commit|push|edit|refactor|generate|quote|propose|refer|cite|touch|mention|finish|make|write)\b[^,]*, (?:please |just |only |always |never |first |then )*((?:don't|do not|give|show|use|write|answer|reply|ask|run|keep|add|include|skip|start|put|explain|list|check|assume|tell|quote|stick|leave|wait|convert|prefer|be|make|link|cite|name|treat|mention|avoid)\b.*)`, standing),
		wish("style", "don't do stop avoid no skip please drop use write", `(?:please )?(?:don't|do not|stop|avoid|no|skip|drop|never|use|prefer|write in|stick to)(?: using| adding| with| giving(?: me)?| use| add| include| write| put| start with| end with| me)?(?: any| the| so many| in| all| more)? ?((?:`+styleThings+`)\b.*)`, lastingStyle),
		wish("style", "give explain please show", `(?:please )?(?:give me (?:only )?(?:`+styleThings+`|short answers|the short version|code first|examples)\b.*|(?:explain|describe|tell me) (?:things|everything|stuff|concepts|it all|code) .+)`, lastingStyle),
		wish("style", "keep please be make", `(?:please )?(?:keep|make) (?:all |your |the |all your )*(?:answers|replies|responses|explanations|messages|summaries|code samples|examples|commit messages)\b (.+)`, nil),
		wish("style", "don't do stop please", `(?:please )?(?:don't|do not|stop) (?:ever )?((?:apologi[sz]e|apologi[sz]ing|explain(?:ing)? (?:the )?basics|repeat(?:ing)? (?:the|my) question|remind(?:ing)? me|suggest(?:ing)?|sugar-?coat(?:ing)?|call(?:ing)? me|flatter(?:ing)?|prais(?:e|ing)|lectur(?:e|ing)|say(?:ing)? ["']?\pL+|us(?:e|ing) my (?:full|first|last) name|start(?:ing)? (?:your )?(?:answers|replies|every)|end(?:ing)? (?:your )?(?:answers|replies|every))\b.*)`, nil),
		wish("style", "prefer please favour favor", `(?:please )?(?:prefer|favou?r) (.+?) (?:over|to|rather than|instead of) (.+)`, nil),
		wish("address", "call please just", `(?:please )?(?:just )?call me (.+)`, address),
		ofUser("address", "i i'd", `i(?:'d| would)?(?: like| want| prefer) to be called (.+)`, address),
		wish("address", "address refer don't please", `(?:please )?(?:address me|don't call me|refer to me) .+`, nil),
		wish("permission", "you it's it from going in as", `(?:(?:from now on|from here on|from today on|going forward|in (?:the )?future|as of (?:now|today)),? )(?:you(?: may| can| could|'re allowed to| are allowed to| don't (?:have|need) to| do not (?:have|need) to| needn't| need not)|(?:it's|it is) (?:ok|okay|fine|all right) to) ((?:`+orders+`)\b.+)`, standing),
		wish("permission", "you it's it", `(?:you(?: may| can| could|'re allowed to| are allowed to| no longer (?:have|need) to| don't (?:have|need) to| do not (?:have|need) to| needn't)|(?:it's|it is) (?:ok|okay|fine|all right) to) (?:now |always )?((?:`+orders+`)\b.+?),? (?:from now on|from today on|again|any ?more|any longer|going forward|in (?:the )?future|without asking(?: me)?(?: first)?|at any time|any time)$`, standing),
		wish("style", "use prefer indent please", `(?:please )?(?:(?:use|prefer) (?:tabs|spaces|(?:two|four|eight|\d)[- ]?spaces?|single quotes|double quotes)|indent (?:code |everything )?(?:with|by|using) [\pL\d -]+?)(?:(?: for indent\w+| to indent| for strings| in (?:my|our|all|the) code|,? (?:not|instead of|rather than|over) (?:tabs|spaces|single(?: quotes)?|double(?: quotes)?)| from now on| please)*)$`, nil),
		ofUser("wish", "i i'd", `i(?:'d| would)? (?:want|like|need|expect|prefer) (?:you )?to (?:always|never) (.+)`, nil),
		ofUser("wish", "i i'd", `i(?:'d| would)? (?:want|like|need|expect|prefer) you (?:to )?((?:always|never|call|address|treat|keep|be|use|answer|reply|respond|speak|stick|stop|avoid|not)\b.*)`, lastingStyleOrAlways),
		ofUser("wish", "i i'd", `i(?:'d| would)? (?:want|like|prefer|need) (?:all )?(?:your|all|the) (?:answers|replies|responses|code|code samples|examples|commit messages|explanations) (?:to be |in |without |with |as )(.+)`, nil),
		wish("wish", "you", `you (?:should|can|must|may) (?:always|never|stop) (.+)`, nil),
		wish("wish", "your", `your (?:answers|replies|responses|explanations|messages) (?:should|must|are|need to) (?:always |never |be |too |far too |not )*(.+)`, nil),
		ofUser("wish", "i", `i {adv}(?:prefer|like|love|want|hate|dislike|don't (?:like|want|need)) (?:(?:it |that )?(?:when|if|how) you (?:always|never|start|end|use|add|keep|explain|give|show|ask|apologi[sz]e|repeat|write|answer|put|include)\b.*|(?:(?:very |really )?(?:short|brief|concise|long|detailed|direct|terse|plain|blunt|code-first|step-by-step|bulleted)(?:,? (?:and )?\pL+)? (?:answers?|replies|responses|explanations?|summaries|messages|lists).*))`, nil),
	}
}

// address reads what the user wants to be called, but for "call me later".
func address(m []string) (reading, bool) {
	name := properName(m[1])
	return reading{entity: strata.RuleAnswers, attribute: strata.RuleAddress, value: name}, name != "" && !laterWords.MatchString(m[1]) && words(m[1]) <= 4
}

// orders are the verbs that "always" and "never" make a rule of. Without such a
// list, "never saw this coming" would be one.
const orders = `add|address|answer|apologi[sz]e|append|apply|ask|assume|avoid|be|begin|book|build|buy|call|change|check|cite|close|comment|commit|confirm|convert|copy|create|delete|deploy|disable|document|do|edit|enable|end|escape|explain|export|fall back|fetch|follow|force[- ]push|format|generate|give|greet|guess|handle|hard-?code|import|include|indent|inform|install|interrupt|invent|keep|leave|link|lint|list|log|look|make|measure|mention|merge|mock|modify|move|name|number|offer|open|order|overwrite|paste|pin|prefer|prefix|print|propose|push|put|quote|read|rebase|recommend|refactor|refer|release|remember|remind|remove|rename|repeat|replace|reply|respond|return|review|round|run|save|say|schedule|send|set|share|ship|show|sign|skip|sort|speak|split|squash|start|state|stick|stop|store|suggest|summari[sz]e|switch|tag|talk|tell|test|touch|translate|treat|try|update|upgrade|use|validate|verify|wait|warn|work|wrap|write`

// answerLanguage reads the language of answers, of which there is one.
func answerLanguage(m []string) (reading, bool) {
	return reading{entity: strata.RuleAnswers, attribute: "language", value: m[1]}, true
}

var (
	giveUp   = expr(`(?i)^(?:give up|say never|stop (?:learning|dreaming|believing)|be (?:the same|there|grateful|happy|afraid)|look back|(?:remind|call|make|give|tell|show|help) (?:me|us) (?:of|on|smile|laugh|feel|happy|hope|a smile)|tell the user|leave (?:me|home))\b`)
	youNeed  = expr(`(?i)^whenever you (?:need|want|are|'re|feel|get|have|like|can)\b`)
	startsIn = expr(`(?i)^(?:to|we|i|you|it|the|there|my|our|he|she|they|this|that)\b`)
)

// standing refuses remarks that open like a rule: "never give up".
func standing(m []string) (reading, bool) {
	return reading{}, !giveUp.MatchString(m[1]) && words(m[1]) >= 2
}

// lasting reads "from now on, …": what follows is an order, or says of the work
// how it goes from now on.
func lasting(m []string) (reading, bool) {
	return reading{}, !youNeed.MatchString(m[0]) && words(m[1]) >= 2 && !startsIn.MatchString(m[1])
}

var once = expr(`(?i)\b(?:for this|this time|just this once|for now|here|in this (?:one|answer|case|file|function|message)|right now|today)\b`)

func lastingStyle(m []string) (reading, bool) { return reading{}, !once.MatchString(m[0]) }

func lastingStyleOrAlways(m []string) (reading, bool) {
	low := strings.ToLower(m[0])
	return reading{}, !once.MatchString(low) && !strings.Contains(low, "be able") && !strings.Contains(low, "keep in mind")
}
