package extract

import (
	"strings"

	"github.com/strata-memory/strata/internal/extract/verbframe"
)

// peopleRules are the people and animals of a person's life.
func peopleRules() []rule {
	return []rule{
		{name: "name of one's own", heads: "my our", pattern: `(?:my|our) ({relation})'s name(?: is|'s) (.+)`, sure: sure, reads: relationName},
		{name: "name of one's own", heads: "my our", pattern: `(?:my|our) ({relation})(?: is|'s| was)(?: actually)? (?:called|named) (.+)`, sure: sure, reads: relationName},
		{name: "name of one's own", heads: "my our", pattern: `(?:my|our) (?:new |current )?({relation})(?: is|'s)(?: now| currently)? ((?:Mr|Mrs|Ms|Dr|Prof)?\.? ?\p{Lu}[\pL'-]+(?: \p{Lu}[\pL'-]+)?)(?: now| these days)?$`, reads: relationIsName},
		{name: "name of one's own", heads: "*", pattern: `(\p{Lu}[\pL'-]+(?: \p{Lu}[\pL'-]+)?) is (?:now )?(?:my|our) (?:new |current )?({relation})(?: now| these days)?$`, reads: nameFirst},
		{name: "new one", heads: "i i've we we've there's got", pattern: `(?:i|we|i've|we've|there's)(?: have| got| finally| just| now)*(?: have| got)? a new ({relation}|{attribute})(?:,|:| -| –| called| named)+ (?:an? )?(.+)`, sure: sure, reads: newOne},
		{name: "name of one's own", heads: "i i've we we've", pattern: `(?:i|we)(?:'ve| have)? {adv}(?:have|got|adopted|rescued|took in|welcomed) (?:an?|one) ((?:[\pL\d-]+ ){0,4}?)({relation})(?:,? (?:called|named)|,? (?:whose|her|his|its) name is) (.+)`, sure: sure, tense: past, reads: haveNamed},
		{name: "detail of one's own", heads: "my our", pattern: `(?:my|our) ({relation})(?:,? \p{Lu}\pL+)?'s ({attribute}|favou?rite [\pL -]+?)(?: is|'s)(?: on)?(?: now)? (.+)`, sure: sure, reads: relationDetail},
		{name: "own people", heads: "my our", pattern: `(?:my|our) ({relation})(?:,? (\p{Lu}[\pL'-]+),?)? (?:{adv})(?:(?:is|are|was|were) (?:{adv})(?:(?:allergic|afraid|scared|terrified|married|engaged|pregnant|vegan|vegetarian|diabetic|asthmatic|coeliac|celiac|deaf|blind|epileptic|retired|dyslexic|autistic|expecting|lactose|gluten|left-handed|born|based|living|studying|training|learning|getting married|turning|due|into|moving|visiting|coming|flying|starting|having (?:a baby|surgery)|originally|from|a|an|the|one|two|three|four|five|six|seven|eight|nine|ten|\d{1,3})\b|(?:{occupation})).*|(?:lives?|works?|grew up|moved|studies|study|speaks?|plays?|teaches|owns?|runs?|likes?|loves?|hates?|prefers?|collects?|drives?|turns? \w+|turned \w+|died|passed away|got (?:married|divorced|engaged|promoted|a (?:new )?job)|had (?:a baby|twins|surgery|a stroke|a heart attack|an operation|a (?:boy|girl|son|daughter))|has (?:an? |two |three |four |diabetes|asthma|{condition})|have (?:an? |two |three )|can't (?:eat|have|stand|drink)|doesn't (?:eat|drink|like)|won't eat|doesn't speak|only eats|eats|drinks|takes|needs|sleeps|goes to|started (?:school|nursery|university|college|work|a)|retired|graduated|celebrates?|retires|graduates|starts|came from|comes from|feeds|looks after|takes care of|minds|walks|babysits|picks up|weighs|is scared)\b.*)`, tense: future, reads: ownPeople},
		{name: "own people", heads: "the", pattern: `the (cat|dog|kids|children|twins|baby|puppy|kitten) (?:{adv})(?:is allergic|is called|are called|is named|can't eat|hates?|loves?|needs|takes|sleeps|goes to|go to|turns? \w+|turned \w+|has (?:diabetes|asthma|{condition}|an? [\pL]+ (?:allergy|problem))|weighs)\b.*`, tense: future},
	}
}

var badName = expr(`(?i)^(?:after|something|what|that|it|the|a|an|not|so|by|in)\b`)

// relationName reads the name of somebody of one's own.
func relationName(m []string) (reading, bool) {
	name := properName(m[2])
	if name == "" || badName.MatchString(m[2]) {
		return reading{}, false
	}
	relation := strings.ToLower(m[1])
	verb := " is named "
	if plural(relation) {
		return reading{}, startsUpper(name)
	}
	if rest := strings.TrimSpace(m[2]); !strings.EqualFold(rest, name) {
		// More is said than the name: the person's own words hold it all.
		return nameSlot(relation, name, ""), true
	}
	return nameSlot(relation, name, "My "+m[1]+verb+name), true
}

func nameSlot(relation, name, say string) reading {
	r := reading{say: say, value: name}
	if isUnique(relation) {
		r.entity, r.attribute = self+"'s "+verbframe.Role(relation), "name"
	}
	return r
}

func plural(word string) bool {
	return strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && !strings.HasSuffix(word, "boss") && word != "twins'" || word == "children"
}

// relationIsName reads "my wife is Ana", and leaves "my wife is Spanish" alone.
func relationIsName(m []string) (reading, bool) {
	if !startsUpper(m[2]) || demonym.MatchString(m[2]) {
		return reading{}, startsUpper(m[2])
	}
	return nameSlot(strings.ToLower(m[1]), m[2], "My "+m[1]+" is named "+m[2]), !plural(strings.ToLower(m[1]))
}

// nameFirst reads "Tobias is my manager now".
func nameFirst(m []string) (reading, bool) {
	if !uniqueRelation.MatchString(m[2]) || ours.MatchString(m[2]) || strings.HasSuffix(m[2], "lead") {
		return reading{}, false // "Marek is our tech lead" is about Marek
	}
	return relationIsName([]string{m[0], m[2], m[1]})
}

// newOne reads "we have a new landlord, Ms. Klein", "I've got a new address: …".
func newOne(m []string) (reading, bool) {
	what := strings.ToLower(m[1])
	if isUnique(what) {
		name := properName(m[2])
		return nameSlot(what, name, "My "+what+" is named "+name), name != "" && startsUpper(name)
	}
	r, ok := ownDetail([]string{m[0], what, m[2]})
	r.say = "My " + what + " is " + m[2]
	return r, ok
}

var demonym = expr(`(?i)(?:ish|ese|ian|ican|wegian|French|German|Greek|Dutch|Swiss|Czech|Thai|Welsh|Catholic|Muslim|Jewish|Korean|American|Mexican|African)$`)

func haveNamed(m []string) (reading, bool) {
	name := properName(m[3])
	if name == "" {
		return reading{}, false
	}
	return nameSlot(strings.ToLower(m[2]), name, ""), true
}

func relationDetail(m []string) (reading, bool) {
	relation, attr := strings.ToLower(m[1]), canonical(m[2])
	if badDetail.MatchString(m[3]) || words(m[3]) > 12 || !concrete(m[3]) || !fits(attr, m[3]) {
		return reading{}, false
	}
	r := reading{value: strings.TrimSpace(m[3])}
	if isUnique(relation) {
		r.entity, r.attribute = self+"'s "+verbframe.Role(relation), strings.Replace(attr, "favourite", "favorite", 1)
	}
	return r, true
}

var passing = expr(`(?i)\b(?:a bit|a mess|a pain|a little|an idiot|angry|tired|asleep|calling|waiting|the worst|the best|the one|a genius|a legend|a star|a nightmare|being|crazy|mad|driving me|needs (?:to|me|help|it)|took|takes (?:ages|forever|it)|is a joke)\b`)

// ownPeople refuses what will be over tomorrow.
func ownPeople(m []string) (reading, bool) {
	return reading{}, !passing.MatchString(m[0]) && (m[2] == "" || startsUpper(m[2]))
}
