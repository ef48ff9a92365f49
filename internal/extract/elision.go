package extract

import "strings"

// People leave out what is clear when they speak of themselves: "Love hiking", "Two
// kids, one dog", "Petra here". Such clauses are written out before they are read.

// ellipsis is a way to leave words out, and what is put in the place of its match.
type ellipsis struct {
	re   *pattern
	with string
}

// writtenOut returns a clause with what it leaves out.
func writtenOut(text string) string {
	for _, e := range ellipses {
		at := e.re.FindStringSubmatchIndex(text)
		if at == nil {
			continue
		}
		out := e.with
		for g := 1; g < len(at)/2; g++ {
			group := ""
			if at[2*g] >= 0 {
				group = text[at[2*g]:at[2*g+1]]
			}
			if g == 1 && strings.HasPrefix(e.with, "I") {
				group = lowerFirst(group)
			}
			out = strings.Replace(out, "$"+string(rune('0'+g)), group, 1)
		}
		return out + text[at[1]:]
	}
	return text
}

var ellipses = []ellipsis{
	{expr(`(?i)^the (wife|missus|husband|in-laws|mother-in-law|father-in-law|other half)\b`), "My $1"},
	{expr(`(?i)^(?:the name(?:'s| is)|it's|it is|this is) ((?-i:\p{Lu}[\pL'-]+)(?: (?-i:\p{Lu}[\pL'-]+))?)(?: here| speaking| by the way|, by the way)$`), "My name is $1"},
	{expr(`^((?:\p{Lu}\pL+)(?: \p{Lu}[\pL'-]+)?) here$`), "My name is $1"},
	{expr(`(?i)^(i'm the only .{3,40}) here$`), "$1"},
	{expr(`(?i)^it takes me (.{3,30}?) to (?:get to|reach|drive to|walk to|cycle to) `), "I need $1 to get to "},
	{expr(`(?i)^it's (?:just|only) me and (my|our) `), "I live with $1 "},
	{expr(`(?i)^it's (my \pL+) (?:who|that)(?:'s| is) `), "$1 is "},
	{expr(`(?i)^it's (my \pL+) (?:who|that) `), "$1 "},
	{expr(`(?i)^it's (our|my) (policy|rule|habit|tradition|practice) to `), "$1 $2 is to "},
	{expr(`(?i)^it's a (family|household|team) of `), "We're a $1 of "},
	{expr(`(?i)^(?:my |our )?(allergies|intolerances|diet|hobbies|pets|pronouns|dislikes|time ?zone|star sign): (\pL)`), "My $1 are $2"},
	{expr(`(?i)^(?:my |our |the |about my )?(setup|rig|workstation|gear): (\pL)`), "My $1 is $2"},
	{expr(`(?i)^(?:my |our |the )?((?:tech )?stack|team|tooling|infra|hosting|database|backend|frontend|ci): (\S)`), "Our $1 is $2"},
	{expr(`(?i)^(?:the )?name(?:'s| is) ((?-i:\p{Lu}[\pL'-]+)(?: (?-i:\p{Lu}[\pL'-]+))?)$`), "My name is $1"},
	{expr(`(?i)^(?:people|friends|my friends|everyone|everybody)(?: at \pL+| here)? (?:call|calls|know|knows) me (?:as )?((?-i:\p{Lu})[\pL'-]+)$`), "Everyone calls me $1"},
	{expr(`(?i)^i (?:happen|tend|try|like) to be (\pL)`), "I'm $1"},
	{expr(`(?i)^i (?:happen|tend) to ((?:have|own|live|work|speak|know|play|drive|eat|drink|sleep|avoid|prefer|cook|get|keep|wear|use|write|read)\b)`), "I $1"},
	{expr(`(?i)^(?:my |the |our )?(?:doctor|gp|consultant|cardiologist|psychiatrist|neurologist|hospital|vet|they)(?: has|'s)? (?:put|moved|switched) me (?:back )?on(?:to)? (\pL)`), "I'm on $1"},
	{expr(`(?i)^((?:our |the )?[\pL-]+(?: [\pL-]+)? (?:are|is|last|run|start|take) [^,]{3,40}) here$`), "$1"},
	{expr(`(?i)^i'm (?:more into|more of a fan of) (.{2,30}?) than (\pL)`), "I prefer $1 over $2"},
	{expr(`(?i)^(love|hate|adore|detest|dislike|enjoy|live in|live with|live on|work as|work at|work for|work nights|grew up|spent my|studied|used to live|collect) `), "I $1 "},
	{expr(`(?i)^((?:just |finally )?(?:got|landed|passed|finished|won|accepted)) (the (?:job|keys|position|promotion|scholarship|flat|house|visa|offer|exam|test|bar exam)|my (?:\pL+ )?(?:licen[cs]e|degree|diploma|visa|citizenship|exams?|test|finals|phd|thesis|results|black belt))\b`), "I $1 $2"},
	{expr(`(?i)^(got|own|drive) (an?|one|two|three|four|five|\d+|no) (\pL)`), "I $1 $2 $3"},
	{expr(`(?i)^((?:living|working|based|studying|retired|married|engaged|divorced|expecting|originally from|allergic to|intolerant to|learning|training for|raising|self-employed|unemployed)\b)(.{0,60})$`), "I'm $1$2"},
	{expr(`(?i)^(born (?:and (?:raised|bred) )?in) `), "I was $1 "},
	{expr(`(?i)^never (been|had|learned|learnt|smoked|eaten|owned|driven|tried|touched|drunk|married|liked|flown) `), "I've never $1 "},
	{expr(`(?i)^((?:just )?turned \d\d)`), "I $1"},
	{expr(`(?i)^(don't|do not) ((?:drink|smoke|drive|eat meat|eat fish|eat dairy|do dairy|own a car|have a car|have kids|speak \pL+)(?:$|,| or ))`), "I don't $2"},
	{expr(`(?i)^((?:{diet})|left[- ]handed|right[- ]handed|colou?r-?blind|coeliac|celiac|diabetic|(?:lactose|gluten)[- ]intolerant)($|,| and | but )`), "I'm $1$2"},
	{expr(`(?i)^((?:{number}|one) (?:[\pL-]+ )?(?:kids|children|sons?|daughters?|boys|girls|cats?|dogs?|sisters?|brothers?|siblings|grandchildren)(?:$|,| and | at home).{0,60})$`), "I have $1"},
	{expr(`(?i)^((?:big|huge|keen|lifelong|massive|total) )?(fan|lover|supporter|admirer) of `), "I'm a $1$2 of "},
	{expr(`(?i)^(not )?(?:really )?an? ((?:[\pL-]+ )?(?:person|drinker|eater|smoker|reader|gamer|drinker|driver|drinking family|fan of .+))$`), "I'm $1a $2"},
	{expr(`(?i)^((?:[\pL-]+ )?(?:drinker|eater|lover|addict|supporter)) (?:through and through|for life|by nature|at heart|all the way)$`), "I'm a $1"},
}
