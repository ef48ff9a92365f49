package decide

import (
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/text/lazyregexp"
	"github.com/strata-memory/strata/internal/text/prefilter"
)

// replaceEnded retires what a statement says to be over: "I quit my job at Acme"
// ends "The user works at Acme", "Rex died" ends "The user's dog is named Rex", "the
// meeting moved to Monday" ends the day that it had. Facts about somebody else, about
// the past and about what is not are left alone.
func replaceEnded(in *trial) (Outcome, bool) {
	e := endOf(in.Candidate.Content)
	if !e.any() {
		return Outcome{}, false
	}
	var ended []*strata.Fact
	for i := range in.Near {
		f := &in.Near[i].Fact
		if in.related()[i].relation != contradicts && e.ends(f) { // else rule "contradiction" decides
			ended = append(ended, f)
		}
	}
	if len(ended) == 0 || len(ended) > 1 && e.namesakes(ended) {
		return Outcome{}, false
	}
	return over(ended[0]), true
}

// end is what a statement says to be over.
type end struct {
	text      string
	over      []string // words that name it
	everybody bool     // it is over for everybody
	retires   bool     // all work of somebody is
	part, was []string // words of a part of something, and of what it no longer is, has or is with
	partOwner bool     // the part is of whoever opens the text
	// rescheduled, resumed and relocated are the matches of the patterns of these
	// names; nil for none.
	rescheduled, resumed, relocated []string
	// moved is who has another home; empty for nobody.
	moved string
}

func endOf(text string) end {
	e := end{
		text: text, retires: retires(text),
		rescheduled: rescheduled.FindStringSubmatch(text), resumed: resumed.FindStringSubmatch(text), relocated: relocated.FindStringSubmatch(text),
	}
	if m := movedHome.FindStringSubmatch(text); m != nil {
		e.moved = m[1] + m[2]
	}
	e.over, e.everybody = ending(text)
	e.part, e.was, e.partOwner = replacedPart(text)
	return e
}

// any reports whether the statement says that anything is over.
func (e end) any() bool {
	return len(e.over) > 0 || len(e.was) > 0 || e.retires || e.moved != "" || e.rescheduled != nil || e.resumed != nil || e.relocated != nil
}

// ends reports whether the statement says that what a fact says is over.
func (e end) ends(f *strata.Fact) bool {
	held := parse(contrast.ReplaceAllString(anymoreBut.ReplaceAllString(f.Text, "$1 $2"), "")) // what was before that is no part of it
	if e.endsPlace(f, held) || e.endsReplacement(f.Text) || e.resumed != nil && held.negated() && sameSubject(e.text, f.Text) && says(held, nouns(e.resumed[1])) {
		return true
	}
	if held.question || held.negated() {
		return false
	}
	if chosen.MatchString(f.Text) || anymoreBut.MatchString(f.Text) {
		return len(e.was) > 0 && says(held, e.part) && says(held, e.was)
	}
	if wasSo.MatchString(f.Text) || happened.MatchString(f.Text) {
		return false
	}
	switch {
	case e.retires && sameSubject(e.text, f.Text) && (f.Attribute == "job" || f.Attribute == "employer" || employed.MatchString(f.Text)),
		endsHabit(e.text, f.Text),
		len(e.was) > 0 && (!e.partOwner || sameSubject(e.text, f.Text)) && says(held, e.part) && says(held, e.was),
		len(e.over) > 0 && (e.everybody || sameSubject(e.text, f.Text)) && says(held, e.over),
		e.rescheduled != nil && says(held, nouns(e.rescheduled[1])) && sameWhen(held, parse(e.rescheduled[2])):
		return true
	}
	return false
}

// endsPlace reports whether the statement says that somebody has moved from where a fact
// says that they live, or that something is elsewhere than a fact says.
func (e end) endsPlace(f *strata.Fact, held statement) bool {
	if m := livesIn.FindStringSubmatch(f.Text); m != nil && e.isMoved(m[1]) {
		return true
	}
	return e.relocated != nil && !happened.MatchString(f.Text) && says(held, nouns(e.relocated[1])) && onlyCopula(held.atoms) > 0 && !wasSo.MatchString(f.Text)
}

// isMoved reports whether a subject is who has another home: the same person of the
// user's, or somebody whose name alone was said.
func (e end) isMoved(subject string) bool {
	if who := opening(e.moved); person.MatchString(who) {
		return who == opening(subject)
	}
	return e.bareName() && person.MatchString(subject) && (strings.HasSuffix(subject, " "+e.moved) || strings.HasPrefix(subject, e.moved+", "))
}

// bareName reports whether who moved was called by name alone, which several may bear.
func (e end) bareName() bool { return personName.MatchString(e.moved) }

// namesakes reports whether facts speak of different people of the name that was said.
func (e end) namesakes(facts []*strata.Fact) bool {
	return e.bareName() && slices.ContainsFunc(facts, func(f *strata.Fact) bool { return opening(f.Text) != opening(facts[0].Text) })
}

// endsHabit reports whether a text says that somebody has stopped doing what a fact
// says they do: "quit smoking" ends "smokes", and "smokes ten a day", but "stopped
// running" does not end "runs a bakery".
func endsHabit(said, held string) bool {
	stop, does := stopsDoing.FindStringSubmatch(said), habit.FindStringSubmatch(held)
	if stop == nil || does == nil || !sameSubject(said, held) || !slices.Equal(text.Terms(stop[1]), text.Terms(does[1])) {
		return false
	}
	if what := nouns(stop[2]); len(what) > 0 {
		return says(parse(held), what)
	}
	return noObject.MatchString(does[2])
}

// over is the outcome for a fact that has ended.
func over(f *strata.Fact) Outcome {
	return Outcome{
		Op: strata.OpSupersede, Reason: "says that it is over: " + quote(f.Text), Confidence: likelyReplaced,
		Target: f, Ambiguous: &Ambiguity{Kind: AmbiguousContradiction, Facts: []strata.Fact{*f}},
	}
}

// expr makes a pattern with a cheap test before it: nearly no statement ends anything.
func expr(source string) *prefilter.Regexp {
	return prefilter.Of(func() string { return source })
}

var (
	// endings name what is over, as their last group.
	endings = []*prefilter.Regexp{
		expr(`(?i)\b(?:do|does|am|is|are|can|will)(?: not|n't) (?:\pL+ ){0,2}?(.+?) (?:any ?more|any longer)\b`),
		expr(`(?i)\bno longer (?:\pL+ing |live[sd]? |work[s]? |use[s]? |\pL+ )(.+?)(?:[,.;].*)?$`),
		expr(`(?i)\b(?:stopped|quit|quits|gave up(?: on)?|given up(?: on)?|got rid of|dropped|sold|gave away|cancell?ed|left|resigned from|retired from|stepped down (?:as|from)|broke up with|divorced|ditched|abandoned|removed|retired|decommissioned|replaced|got over|(?:is|are) gone from|moved (?:away |out )?(?:from|of)|moved off|switched (?:away )?from|migrated (?:\pL+ ){0,4}?from|changed from|dropped out of|unsubscribed from) (?:(?:eating|drinking|using|playing|going to|working (?:at|for)|being|taking|doing|having|smoking) )?(.+?)(?: (?:to|with|in favou?r of|last|because|since|after|on|around|and|so|for good)\b.*|[,.].*)?$`),
		expr(`(?i)(?:\binstead of|\brather than|,? not|,? and not|, (?:and )?no longer) (.+?)[.,]?$`),
	}
	// parted and gone name who or what is no more; relocated, movedHome and rescheduled
	// what is elsewhere, who, and what has another day or number.
	parted      = expr(`(?i)^(?:(.+?) and (?:the user|i|they)|(?:the user|we|they) and (.+?)|the user) (?:(?:have|has|are|got|just|finally|recently) )*(?:got )?(?:divorced|split up|split|separated|broke up|broken up|parted ways)(?: from (.+?)| with (.+?))?(?: in | last | on |[.,]|$)`)
	relocated   = expr(`(?i)\b(?:moved|migrated|switched|ported|transferred) (?:the |our |my |their |all (?:the |our )?)(.+?) (?:(?:away )?from .+? )?(?:over )?to (.+)`)
	movedHome   = expr(`(?i)^(.+?) (?:(?:has|have|just|recently|'ve) )*(?:moved|relocated)(?: back| over| up| down| out)? to |^(.+?) (?:lives|is living|is based) in .+ (?:now|these days)[.!]?$`)
	livesIn     = expr(`(?i)^(.+?)(?: (?:lives?|is living|are living|has been living|has settled|is based|is|resides?)|'s (?:home|house|flat|apartment|place) is) in `)
	gone        = expr(`(?i)^(.+?) (?:(?:died|passed away|is dead|has died|was put down|was put to sleep|was stolen|broke up|was cancell?ed|got cancell?ed|has been cancell?ed|is cancell?ed)\b|(?:is gone|is over)(?:[.,!]|$| (?:now|forever|for|since|and)\b))`)
	rescheduled = expr(`(?i)^(.+?) (?:(?:has|was|got|is|has been|will be) )?(?:moved|postponed|rescheduled|pushed(?: back)?|brought forward|changed|shifted|delayed|put off|raised|lowered|increased|reduced|cut|extended|bumped(?: up)?|upped|slipped|went up|went down|grew|rose|fell)(?: from .+?)? (?:to|until|by) (.+)`)
	// retirement ends every work of somebody, without its name.
	retirement = expr(`(?i)^.+? (?:(?:is|has|have|are|was|now|just|recently|finally|officially|already|fully) )*retired(?: (?:now|since|in|last|at|early|this|on|a|two|three|for good)\b.*)?[.!]?$`)
	// quitting ends an employment without its name.
	quitting = expr(`(?i)\b(?:(?:quit|left|lost|gave up) (?:the|their|his|her|my|our) (?:job|position)|handed in (?:their|his|her|my|our) (?:notice|resignation)|resigned|(?:was|got) (?:laid off|fired|made redundant))(?:,? (?:and|to|last|in|on|yesterday|today|because|this|two|three|after|a|for good)\b.*)?[.!]?$`)
	employed = expr(`(?i)^(?:the user|\S+) (?:\pL+ly |now |still |also )*(?:works?|is working|is employed) (?:at|for|as|with|by)\b`)
	// stopsDoing names what somebody does no more, and what they did it to.
	stopsDoing = expr(`(?i) (?:quit|quits|stopped|gave up|given up) (\pL+ing)\b(?: (.+?))??(?:,? (?:last|because|since|after|around|so|for good|in|on|at|this|a|two|three|completely|altogether|yesterday|entirely) ?.*)?[.!]?$`)
	habit      = expr(`(?i)^(?:the user|we|i|\S+) (?:\pL+ly |always |often |sometimes |still |also )*(\pL+)(?: (.+?))?[.!]?$`)
	// noObject follows a verb that says all by itself.
	noObject = expr(`(?i)^(?:|(?:every|each|in|on|at|to|with|for|about|around|daily|regularly|most|a (?:lot|bit|little|pack)|once|twice|again|now|too|like|outside|indoors|and|\d+|two|three|four|five|six|ten|twenty|before|after|during|when|while)(?: .*)?)$`)
	// replacements name a part of something, and what it no longer is, has or is with.
	replacements = []*prefilter.Regexp{
		expr(`(?i)\b(?:migrated|moved|switched|ported|converted|changed|transferred|handed|passed) (.+?) (?:over )?from (.+?) (?:over )?to .+$`),
		expr(`(?i)^(.+?) (?:has been |was |were |have been |got )?(?:migrated|moved|switched|ported|converted|changed|transferred|handed|passed) (?:over )?from (.+?) (?:over )?to .+$`),
		expr(`(?i)\btook over (.+?) from (.+?)[.!]?$`),
		expr(`(?i)\b(?:on|about|for) ([^:]+?): [^:]+?, not (.+?)[.!]?$`),
	}
	// ownPart is a part of whoever a text is about, who is named before.
	ownPart = expr(`(?i)^(?:her|his|their|its)\b`)
	// contrast is what another thing is in the place of.
	contrast = expr(`(?i),? (?:instead of|rather than|and not|no longer) [^,]+$`)
	// anymoreBut says what is no more, and what is in its place.
	anymoreBut = expr(`(?i)\b(?:do|does)(?:n't| not) (\pL+ .+?) (?:(?:to|on|in|with|at|as|for) [^,]+?|\S+) any ?more,? but (.+)$`)
	// chosen is what was done once and lasts until something else is chosen.
	chosen = expr(`(?i)^(?:the user|we|\S+) (?:settled on|settled for|decided on|agreed on|decided to use|agreed to use|chose|picked|selected|adopted|went with|opted for) `)
	// resumed is what was given up and is done again.
	resumed = expr(`(?i)\b(?:started|began|resumed|went back to|am back to|is back to|are back to|back to) (?:\pL+ing )?(.+?)(?: again\b.*)?$`)
	// happened is what was done once, which does not end.
	happened = expr(`(?i)^(?:the user|we|\S+(?: (?-i:\p{Lu}\pL+))?)(?: \pL+ly| just)? (?:\pL+ed|went|bought|made|took|got|saw|met|wrote|gave|found|built|ran|came|drew|flew|sent|taught|told|won|held|spoke|sang|ate|drank|drove|swam|began|broke|chose|kept|lost|paid|put|rode|set|spent|stood|swept|threw|wore|cut|hung|grew|read|sewed|dug|fed|hid|knit|led|lent|lit|shot|slept|stuck|tore|woke|wound)\b`)
	// wasSo marks what was said to be past, or is no state that could end.
	wasSo = expr(`(?i)\b(?:was|were|used to|had|died|quit|left|sold|hates?|dislikes?|avoids?|allergic|stopped|no longer|any ?more|wants?)\b`)
)

// Ended returns the words that name what a statement says to be over, or to have
// another day; none for others. Facts that hold them all are worth comparing.
func Ended(text string) []string {
	if retires(text) {
		return []string{"works"}
	}
	if part, was, _ := replacedPart(text); was != nil {
		return append(part, was...)
	}
	if over, _ := ending(text); over != nil {
		return over
	}
	for _, re := range []*prefilter.Regexp{rescheduled, relocated, movedHome, resumed} {
		if m := re.FindStringSubmatch(text); m != nil {
			return nouns(m[1])
		}
	}
	return nil
}

// ending returns the words of what a statement says to be over, and whether it is
// over for everybody.
func ending(text string) (over []string, all bool) {
	if retires(text) {
		return nil, false
	}
	if m := parted.FindStringSubmatch(text); m != nil {
		for _, who := range m[1:] {
			if who != "" {
				return nouns(who), true
			}
		}
	}
	if m := gone.FindStringSubmatch(text); m != nil {
		return nouns(m[1]), true
	}
	for _, re := range endings {
		if m := re.FindStringSubmatch(text); m != nil {
			return nouns(withoutPlace(m[1])), false
		}
	}
	return nil, false
}

// retires reports whether a text says that somebody has left work, or their job.
func retires(text string) bool { return retirement.MatchString(text) || quitting.MatchString(text) }

// replacedPart returns the words of a part of something and of what a text says that it no
// longer is, has or is with, and whether the part is of whoever opens the text: the mailer
// and MariaDB of "we moved the mailer from MariaDB to Postgres".
func replacedPart(text string) (part, was []string, owned bool) {
	for _, re := range replacements {
		if m := re.FindStringSubmatch(text); m != nil {
			if part, was = nouns(m[1]), nouns(m[2]); len(part) > 0 && len(was) > 0 {
				return part, was, ownPart.MatchString(m[1])
			}
		}
	}
	return nil, nil, false
}

// endsReplacement reports whether the statement says that what a fact put in the place of
// something has been replaced in its turn.
func (e end) endsReplacement(held string) bool {
	part, _, _ := replacedPart(held)
	at := strings.LastIndex(held, " to ")
	return len(e.was) > 0 && at >= 0 && slices.Equal(part, e.part) && says(parse(held[at:]), e.was) && sameSubject(e.text, held)
}

// withoutPlace cuts where something is from a phrase that names what it is: who sold
// "an oak table in Zagreb" has not left Zagreb.
func withoutPlace(phrase string) string {
	if what, _, ok := strings.Cut(phrase, " in "); ok && len(nouns(what)) > 0 {
		return what
	}
	return phrase
}

// nouns returns the keys of the words of a phrase that name something: of names,
// where it has any, those alone.
func nouns(phrase string) []string {
	var names, all []string
	for i, a := range parse(phrase).atoms {
		word := a.word
		if a.class.has(linking|definite|indefinite|preposition|connective|negation|auxiliary) || nameless[word] {
			continue
		}
		all = append(all, a.key)
		if a.literal || strings.Contains(phrase, strings.ToUpper(word[:1])+word[1:]) && (i > 0 || word != strings.ToLower(phrase)) {
			names = append(names, a.key)
		}
	}
	if len(names) > 0 {
		return names
	}
	return all
}

// nameless are words of a phrase that name nothing: whose it is, and verbs.
var nameless = map[string]bool{"drink": true, "eat": true, "use": true, "like": true, "love": true, "enjoy": true, "live": true, "work": true, "play": true,
	"have": true, "own": true, "drive": true, "go": true, "take": true, "speak": true, "study": true, "attend": true, "user's": true, "their": true, "our": true, "his": true, "her": true, "its": true, "they": true, "we": true, "job": true}

// says reports whether a statement has all of some words.
func says(st statement, keys []string) bool {
	for _, k := range keys {
		if !slices.ContainsFunc(st.atoms, func(a atom) bool { return withoutPossessive(a.key) == withoutPossessive(k) }) {
			return false
		}
	}
	return len(keys) > 0
}

// sameWhen reports whether two statements have values of one sort, as two days or two
// numbers: what moved to Friday is in the same room still.
func sameWhen(a, b statement) bool {
	return a.hasKind(number) && b.hasKind(number) || a.hasKind(weekday, month) && b.hasKind(weekday, month)
}

// hasKind reports whether a statement has a value of one of some kinds.
func (st statement) hasKind(kinds ...kind) bool {
	return slices.ContainsFunc(st.atoms, func(a atom) bool { return slices.Contains(kinds, a.kind) })
}

// sameSubject reports whether two texts open with the same person, group or thing: what
// somebody's sister has left, they have not.
func sameSubject(a, b string) bool {
	if opening(a) != opening(b) {
		return false
	}
	if m := thing.FindStringSubmatch(a); m != nil && !strings.HasPrefix(opening(a), "the user") {
		return says(parse(b), nouns(m[1]))
	}
	x, y := surname(a), surname(b)
	return x == "" || y == "" || x == y
}

var (
	subjects = lazyregexp.New(`(?i)^(?:the user's (?:\pL+ )??` + relatives + `(?:'s \pL+)?|the user's (?:\pL+ )?\pL+|the user|we|our|\pL+)`)
	// thing names a thing that a text opens with, or what that is of.
	thing = lazyregexp.New(`(?i)^(?:the|an?) (?:(?:new|old|current|main|whole|entire) )*(?:[\pL\d-]+ of (?:the |our |an? )?)?([\pL\d-]+)`)
	// personName is a name, first or full.
	personName = lazyregexp.New(`^\p{Lu}[\pL'-]+(?: \p{Lu}[\pL'-]+)?$`)
	fullName   = lazyregexp.New(`^\p{Lu}\pL+ (\p{Lu}\pL+)`)
)

// surname is that of the person who opens a text with both names; else empty.
func surname(text string) string {
	if m := fullName.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

// opening is who or what a text opens with, in lower case: of what the user has, the user.
func opening(text string) string {
	s := strings.ToLower(subjects.FindString(text))
	switch {
	case s == "we" || s == "our":
		return "we"
	case strings.HasPrefix(s, "the user's") && !person.MatchString(s):
		return "the user" // what is theirs
	}
	return s
}

// person is somebody of the user's, who is another subject than the user.
var person = lazyregexp.New(`(?i)\b` + relatives + `\b`)

const relatives = `(?:wife|husband|partner|spouse|girlfriend|boyfriend|mother|father|mum|mom|dad|sister|brother|son|daughter|child|kid|aunt|uncle|cousin|niece|nephew|grand\pL+|friend|colleague|boss|manager|neighbou?r|flatmate|roommate|landlord|teacher|team|company)s?`
