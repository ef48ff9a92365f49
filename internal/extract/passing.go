package extract

import (
	_ "embed"

	"github.com/strata-memory/strata/internal/text"
)

// What passes: moods, states of the moment, and the matters of a conversation.
// The lists are of everyday English; what they lack is judged by its grammar.
var (
	// passingMark are words that bind a statement to the moment.
	passingMark = expr(`(?i)\b(?:right now|at the moment|for now|just now|at present|as we speak|for the moment|momentarily|this (?:second|minute|instant|time|once)|(?:all|the whole) (?:day|morning|night|week|evening|afternoon)|today|tonight|this (?:week|morning|afternoon|evening)|earlier|a (?:minute|second|moment|while) ago|(?:an?|two|three) (?:hours?|minutes?|seconds?) ago|(?:un)?till? (?:noon|midnight|then|later|tomorrow|tonight|lunch|dinner|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2}(?::\d\d)?(?: ?[ap]m)?|` + weekdays + `)|for the (?:weekend|day|night|evening|moment)|for (?:an?|one|two|three|five|ten|\d+) (?:minutes?|hours?)|again|lately|in a (?:minute|second|moment|bit|hurry|rush))\b`)
	// trouble are words of something that went wrong in the work at hand.
	trouble = expr(`(?i)\b(?:errors?|exceptions?|bugs?|buggy|crash\w*|fail(?:s|ed|ing|ure|ures)?|broken|breaks|broke down|stack ?traces?|tracebacks?|segfaults?|time(?:s|d) out|timeouts? (?:after|when|on)|404|500|50[234]|null|undefined|nan|nil pointer|not (?:working|found|responding|loading|compiling|starting)|doesn't (?:work|compile|start|load|build|run)|does not (?:work|compile|start|load|build|run)|won't (?:work|compile|start|load|build|run|open)|unable to|stuck|hangs?|hanging|freezes|frozen|overheat\w*|jammed|glitch\w*|weird|permission denied|out of memory|oom\w*|exit code|leaks?|leaking|flaky|typo|warnings?|deprecated warning|killing me|driving me|messed up)\b`)
	// passingPhrase are states that a preposition names.
	passingPhrase = expr(`(?i)^(?:at \d+ ?(?:%|percent)|at the \pL+ (?:shop|centre|center|garage)|on (?:page|chapter|step|line|level|slide|question|part|version|vacation|holiday|leave|strike|fire|sale|hold|time|track|it|my way|the way|the phone|a call|a train|a plane|a bus|a break|edge|schedule|pause)|in (?:trouble|danger|a (?:hurry|rush|bad mood|good mood|meeting|call|mess|queue|bind|pickle|good place|bad place)|pieces|shock|pain|tears|need|love with (?:it|this|that)|doubt|luck|bed|progress|review|between|the (?:middle|garage|shop|mood|way|zone|process|loop|office|car|kitchen|shower|dark|red)|here|there|hospital)|out of (?:office|stock|date|order|town|the office|luck|ideas|control|memory|time|sync|breath)|at (?:lunch|risk|work|home|the (?:airport|office|doctor|dentist|gym|shop|station|door|moment|desk|hospital|garage)|a loss|war|sea|least|fault)|off (?:today|work|sick|line|track)|under (?:pressure|attack|water|stress|review|control|construction|way)|up (?:to (?:my|our) )|behind (?:schedule|on)|with you|for (?:now|real|sure)|about to|like (?:that|this|a)|as (?:well|usual))`)
)

// passingStates are adjectives and participles of a mood, an opinion or a state
// that will be over: what "is" one of them is not a fact to keep.
var passingStates = text.WordSet(passingList)

//go:embed passing.txt
var passingList string

// lastingStates are adjectives and participles that stay true of people and things.
var lastingStates = expr(`(?i)^(?:(?:very|quite|really|a bit|a little|severely|mildly|badly|highly|deathly|slightly|partially|partly|fully|completely|totally|legally|clinically|mostly|originally|naturally|half|also|pretty|terribly|so|incredibly|always|still|now) )*(?:allergic|intolerant|intolerance|sensitive to|vegan|vegetarian|pescatarian|coeliac|celiac|diabetic|asthmatic|epileptic|dyslexic|autistic|adhd|neurodivergent|anaemic|anemic|deaf|blind|mute|disabled|colou?r-?\s?blind|short-?sighted|near-?sighted|far-?sighted|long-?sighted|left-?handed|right-?handed|ambidextrous|pregnant|expecting|married to|married|engaged to|engaged|divorced|widowed|separated|single|retired|unemployed|self-?employed|freelance|bilingual|trilingual|fluent|native|teetotal|sober|kosher|halal|gluten-?free|lactose|gay|lesbian|bisexual|queer|trans|transgender|non-?binary|asexual|straight|catholic|protestant|muslim|jewish|hindu|buddhist|christian|orthodox|atheist|agnostic|religious|bald|blond|ginger|tall|born|raised|based|called|named|known as|nicknamed|trained as|qualified|certified|licensed|diagnosed|adopted|vaccinated|obsessed with|passionate about|keen on|into|fond of|crazy about|addicted to|hooked on|afraid of|scared of|terrified of|phobic|good at|bad at|terrible at|hopeless at|great at|no good at|responsible for|in charge of|head of|lead of|part of|a member of|enrolled|registered|subscribed|insured|written in|built (?:in|on|with)|hosted|deployed (?:on|to|with|via)|located|stored|kept|managed by|owned by|maintained by|run by|made of|made in|licensed under|named after|scheduled for|due on|due in|planned for|closed on|open (?:on|from|until)|(?:\p{Lu}\pL+(?:an|ish|ese|ian|ch|sh|i|ss|ek|wegian|lander|ean)$))`)

// mental are verbs whose present tense tells of the moment: what is thought,
// felt, wanted or said just now.
var mental = text.WordSet(`decide think guess hope want need wonder mean agree disagree see understand know feel believe suppose doubt bet promise swear thank
	appreciate apologize apologise beg ask suggest recommend expect forget remember notice find look sound seem try wait hear say tell wish get
	assume imagine realize figure mind matter happen admit argue claim insist complain miss please require intend hate-you reckon regret request
	report stare struggle fail crash hang break freeze appear become come let make depend end go turn show return throw print hurt`)

// errandNouns are what somebody has in a conversation or at work for an hour.
var errandNouns = expr(`(?i)^(?:(?:an?|the|some|one|two|three|four|five|six|seven|eight|nine|ten|few|several|another|many|no|any|quick|small|big|weird|strange|\d+|a few|a couple of|a lot of|lots of|more|this|that|these|other|good|bad|terrible|great|bit of a|simple|similar|same) )*(?:questions?|problems?|issues?|ideas?|doubts?|outages?|incidents?|spikes?|regressions?|demos?|coffees?|sore \pL+|tooth ?ache|stomach ?ache|earache|blister|hiccups|suspicion|feelings?|suggestions?|requests?|favou?rs?|minutes?|moments?|seconds?|time|clue|hunch|headache|cold|fever|cough|hangover|bugs?|errors?|lists?|files?|functions?|class(?:es)?|strings?|tables?|arrays?|variables?|loops?|objects?|methods?|modules?|queries|query|dataframes?|columns?|rows?|datasets?|csv|json|scripts?|tests?|tickets?|tasks?|todo|deadlines?|calls?|choices?|options?|trouble|concerns?|points?|fun|luck|access|permission|reason|intention|plans?|look|go|try|chat|talk|word|look at|to|tons|stuff|things?|work|homework|assignments?|essays?|exams?|quiz|meetings?|interviews?|merge conflicts?|conflicts?|changes?|commits?|prs?|pull requests?|branch(?:es)?|draft|screenshot|logs?|output|code|component|button|form|page|template|spreadsheet|document|report|presentation|paper|chapter|paragraph|sentence|text|email|message|version|example|snippet|regex|hard time|good time|great time|nice day|bad day|long day|rough day|busy day|enough|nothing|everything|something|it|that)\b`)

// talkNouns are things of a conversation: "my question is", "my code is".
var talkNouns = expr(`(?i)^(?:my|our) (?:[\pL-]+ ){0,2}?(?:questions?|points?|guess|bad|mistakes?|apolog\w+|problems?|issues?|errors?|bugs?|code|functions?|scripts?|tests?|quer\w+|understanding|thinking|thoughts?|goal|tasks?|assignment|homework|essay|ideas?|concerns?|bet|hunch|impression|feeling|take|view|opinion|turn|input|output|prompt|request|message|comment|draft|paragraph|sentence|text|example|attempt|solution|answer|head|brain|mind|screen|terminal|soup|plan|day|morning|week|weekend|evening|night|luck|fault|god|goodness|word|pleasure|gut|reason|argument|hypothesis|suspicion|advice|suggestion|worry|fear|hope|wish)\b`)
