package extract

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
