package extract

import (
	"slices"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/extract/language"
	"github.com/strata-memory/strata/internal/extract/reach"
	"github.com/strata-memory/strata/internal/extract/verbframe"
	"github.com/strata-memory/strata/internal/text"
)

// maxPerTurn bounds the facts of one turn. A person states a handful at a time;
// a turn that yields hundreds is a document.
const maxPerTurn = 200

// Turns returns what the turns of a session say that is worth remembering, in
// the order it was said. Only the user's turns are read, and of the assistant's what
// the user agrees to; a correction such as
// "no, it's Thursday" is understood from the user's own turns before it. The
// candidates leave the scope to the type, name their turns as sources and the
// rule as reason, and all pass [strata.Candidate.Validate]. Relative dates are
// resolved against the turn's time; where it is zero they stay as they were
// said. The time is linear in the length of the turns.
func Turns(turns []strata.Turn) []strata.Candidate {
	s := extractor{seen: make(map[string]int), replaced: make(map[int]bool)}
	s.read(turns)
	return s.out
}

// read reads turns in order.
func (s *extractor) read(turns []strata.Turn) {
	for _, t := range turns {
		switch {
		case t.Forgotten:
		case t.Role == strata.RoleUser:
			s.turn(t)
		case t.Role == strata.RoleAssistant && t.Text != "":
			s.proposed = t.Text
		}
	}
}

// maxClauses bounds the clauses of a turn that are tried against the rules,
// about 150 KB of prose. It keeps a pasted book from costing minutes.
const maxClauses = 3000

// extractor collects the candidates of a run of turns.
type extractor struct {
	out     []strata.Candidate
	seen    map[string]int // normalized content -> index in out
	recent  []previous     // latest statements that a correction may mean, newest last
	subject string         // whom "she", "he" and "it" mean, as "my sister"; empty for nobody
	turns   int            // counts the user's turns
	// proposed is the assistant's turn before, which the user may agree to.
	proposed string
	// correcting is set for the rest of a turn that says something was wrong.
	correcting bool
	// greeted is set for the sentence after one that only greets.
	greeted  bool
	replaced map[int]bool // indexes in out whose statements others took the place of
	acted    bool         // the turn asks for something to be done with what it names
	news     bool         // the sentence before told something of the user
	// language is the one other than English that was last used, nil for none.
	language *language.Language
	// leave is told what is left out; nil where nobody asks. Made counts the statements
	// that were not.
	leave func(Left)
	made  int
}

// maxRecent bounds the statements that a correction may mean.
const maxRecent = 12

// previous is a statement with a value that a later turn may correct.
type previous struct {
	made    statement
	said    string // the clause it was made of
	turn    int
	speaker string
	source  string
	index   int // in out
}

// statement is a statement that a rule produced.
type statement struct {
	match
	content    string // what is remembered, without its full stop
	confidence float64
	when       tense // on which side of now its dates lie
}

// opensPronoun opens a turn that goes on about the person of the turn before.
var opensPronoun = expr(`(?i)^(?:(?:no|actually|oh|well|sorry|update|yes|wait),? )*(?:she|he)(?:'s|'ll)?\b`)

// turn reads one turn of the user.
func (s *extractor) turn(t strata.Turn) {
	s.turns++
	s.correcting, s.greeted, s.acted, s.news = false, false, handled.MatchString(head(t.Text, maxParagraph)), false
	if !opensPronoun.MatchString(t.Text) || animals.MatchString(s.subject) {
		s.subject = ""
	}
	start, tried := len(s.out), 0
	s.answer(t)
	here := false // what follows is about the project
	other := foreign{language: s.language}
	defer func() { s.language = other.language }()
	for _, sen := range sentences(strings.ToValidUTF8(strings.ReplaceAll(t.Text, "\x00", " "), "")) {
		if joking.MatchString(sen.text) {
			s.retract(start) // "… Just kidding."
			continue
		}
		if l, said := other.read(sen); l != nil {
			s.foreign(l, said[:min(len(said), maxPerTurn)], t)
			if tried++; tried > maxClauses || len(s.out)-start >= maxPerTurn {
				return
			}
			continue
		}
		sen.text = verbframe.LivesThere(expandShorthand(sen.text))
		if sen.text, here = s.conventions(sen, here, t); sen.text == "" {
			continue
		}
		if s.news && goesOn.MatchString(sen.text) {
			sen.text = "I'm " + lowerFirst(sen.text)
		}
		before := len(s.out)
		for _, part := range framed(sen) {
			if tried = s.sentence(part, t, tried); tried > maxClauses || len(s.out)-start >= maxPerTurn {
				return
			}
		}
		s.news = slices.ContainsFunc(s.out[min(before, len(s.out)):], func(c strata.Candidate) bool { return c.Type == strata.TypeUser })
	}
}

// goesOn is what somebody who has told news of themselves does next: "Starting as a
// nurse on 1 September".
var goesOn = expr(`(?i)^(?:starting|moving|joining|flying|leaving|going|travel?ling|getting|having|taking|heading|returning|graduating|relocating|beginning|marrying) (?:(?:as|at|with|in|to|from|on|for|my|our|an?|back|home|out|married|full[- ]time|part[- ]time|(?-i:\p{Lu})[\pL'-]+)\b|the (?:\pL+ )?(?:job|role|position|course|degree|program(?:me)?|training)\b).*{when}`)

// sentence reads the clauses of a sentence, of which a turn has so many before it,
// and returns how many they are now.
func (s *extractor) sentence(sen sentence, t strata.Turn, tried int) int {
	about, thing := s.subject, ""
	s.subject = ""
	start := len(s.out)
	parts, greeted := clauses(sen), s.greeted
	whole := trimLead(sen.text)
	s.greeted = whole.greeted && whole.text == ""
	if len(parts) == 0 && s.leave != nil {
		s.leave(Left{Source: t.ID, Text: strings.TrimSpace(sen.text), Reason: whyLeft(whole, sen.text, sen.question)})
	}
	for _, text := range parts {
		if tried++; tried > maxClauses || len(s.out)-start >= maxPerTurn {
			return tried
		}
		c := trimLead(text)
		c.greeted = c.greeted || greeted
		if !sen.question {
			c.text = writtenOut(c.text)
		}
		if k := relationSubject(c.text); k != "" {
			about = k
		} else if thing != "" && itIs.MatchString(c.text) {
			c.text = thing + c.text[len("it"):]
			c.text = strings.Replace(c.text, "'s ", " is ", 1)
		} else if about != "" {
			c.text = replacePronoun(c.text, about)
		}
		thing = thingOf(c.text)
		if k := objectRelation(c.text); k != "" {
			about = k
		}
		made := s.made
		s.clause(c, t)
		if s.leave != nil && s.made == made {
			s.leave(Left{Source: t.ID, Text: strings.TrimSpace(text), Reason: whyLeft(c, text, sen.question)})
		}
	}
	s.subject = about
	return tried
}

// retract drops the last statement of a turn whose next words take it back.
func (s *extractor) retract(start int) {
	if n := len(s.out); n > start {
		delete(s.seen, key(s.out[n-1].Content))
		s.out = s.out[:n-1]
		if l := len(s.recent); l > 0 && s.recent[l-1].index == n-1 {
			s.recent = s.recent[:l-1]
		}
	}
}

// clause keeps what one clause says.
func (s *extractor) clause(c clause, t strata.Turn) {
	if c.text == "" || wrongly.MatchString(c.text) {
		s.correcting = s.correcting || c.correct || c.text != ""
		return
	}
	c = s.meansIt(c, t.Speaker)
	if s.forgets(c, t) {
		return
	}
	if movedTo.MatchString(c.text) {
		if old, made, ok := s.corrected(c, t); ok {
			s.add(made, c, t, []string{old.source}, old)
			return
		}
	}
	if m, ok := interpret(c, t.Speaker, t.At); ok && s.acted && m.kind == strata.TypeReference && !c.explicit {
		return
	} else if ok {
		s.add(m, c, t, nil, s.revised(m, c, t.Speaker))
		return
	}
	c.correct = c.correct || s.correcting
	if old, made, ok := s.corrected(c, t); ok {
		c.correct = true
		s.add(made, c, t, []string{old.source}, old)
		return
	}
	m, ok := inOwnWords(c, t.Speaker, t.At, s.restates(c, t.Speaker))
	if ok {
		s.add(m, c, t, nil, s.revised(m, c, t.Speaker))
	}
}

// wrongly says no more than that something was wrong.
var wrongly = expr(`(?i)^(?:(?:that's|it's|that was|i was|oops|sorry|totally|completely|i(?:'ve| have)?(?: since| just| now)?) )*(?:moved(?: again| house)?|wrong|incorrect|nonsense|rubbish|outdated|stale|not right)$`)

// add appends a statement as a candidate.
func (s *extractor) add(m statement, c clause, t strata.Turn, sources []string, old previous) {
	content := finish(m.content)
	reason := "rule: " + m.name
	if c.correct {
		reason += " (correction)"
	}
	entity, attribute := m.entity, m.attribute
	if m.kind != strata.TypeFeedback {
		entity, attribute = verbframe.Fill(c.text, entity, attribute)
	}
	if rest, ok := strings.CutPrefix(entity, self); ok && t.Speaker != "" && (rest == "" || rest[0] == '\'') {
		entity = strings.ToLower(t.Speaker) + rest
	}
	if t.ID != "" {
		sources = append(sources, t.ID)
	}
	cand := strata.Candidate{
		Content: content, Type: m.kind, Entity: entity, Attribute: attribute, Origin: strata.OriginExtractor,
		Session: t.Session, Sources: sources, Confidence: m.confidence, ValidFrom: validFrom(content), ValidTo: validTo(content),
		Verbatim: m.name == ownWords, Reason: reason,
	}
	if cand.Type == "" {
		cand.Type = strata.TypeUser
	}
	if attribute != m.attribute {
		cand.Type = verbframe.Type(attribute)
	}
	if strata.ValidateName("entity", cand.Entity) != nil || strata.ValidateName("attribute", cand.Attribute) != nil {
		cand.Entity, cand.Attribute = "", ""
	}
	if cand.Validate() != nil {
		return
	}
	s.made++
	if at, ok := s.seen[key(content)]; ok && s.isCurrent(at) {
		s.out[at].Sources = union(s.out[at].Sources, cand.Sources)
		return
	}
	if old.index >= 0 && old.turn != s.turns {
		cand.Replaces = old.made.content
		s.replaced[old.index] = true
	}
	if old.index >= 0 && old.turn == s.turns {
		// Put right in the same breath: the slip is not worth a place in history.
		delete(s.seen, key(s.out[old.index].Content))
		s.out[old.index] = cand
		s.seen[key(content)] = old.index
		return
	}
	s.seen[key(content)] = len(s.out)
	s.out = append(s.out, cand)
	m.content = content
	s.recent = append(s.recent, previous{made: m, said: c.text, turn: s.turns, speaker: t.Speaker, source: t.ID, index: len(s.out) - 1})
	if len(s.recent) > maxRecent {
		s.recent = s.recent[1:]
	}
}

// isCurrent reports whether the candidate at i is the latest of its slot, so that
// saying it again adds nothing. After A and B, a new A is a change back.
func (s *extractor) isCurrent(i int) bool {
	c := s.out[i]
	if c.Entity == "" {
		return true
	}
	for _, later := range s.out[i+1:] {
		if later.Entity == c.Entity && later.Attribute == c.Attribute {
			return false
		}
	}
	return true
}

// interpret turns one clause into a statement, if a rule recognizes it.
func interpret(c clause, speaker string, at time.Time) (statement, bool) {
	if c.greeted && !demonym.MatchString(c.text) && !noCaller.MatchString(c.text) && !software.MatchString(callee.ReplaceAllString(c.text, "")) {
		c.text = introduced.ReplaceAllString(c.text, "My name is $1")
	}
	m, ok := rules().find(c.text)
	if turned := subjectFirst(c.text); !ok && turned != c.text {
		if m, ok = rules().find(turned); ok {
			c.text = turned
		}
	}
	if !ok && c.explicit {
		m, ok = explicitFact(c)
	}
	asked := c
	if ok {
		asked.text = m.plainly(c.text)
	}
	if !ok || refused(asked) && !c.explicit || !c.explicit && m.kind != strata.TypeFeedback && m.kind != strata.TypeReference && passes(c.text) {
		return statement{}, false
	}
	text := c.text
	if m.say != "" {
		text = m.say
	}
	dates := tenseOf(text, m.tense)
	text = reach.WithoutHere(m.kind, resolve(text, at, dates))
	if !m.deictic {
		if text, ok = selfContained(text); !ok {
			return statement{}, false
		}
	}
	out := statement{match: m, confidence: m.sure, when: dates}
	if c.explicit {
		out.confidence = certain
	}
	if m.verbatim {
		text = polite.ReplaceAllString(text, "")
		out.content = capitalize(text)
		if speaker != "" {
			out.content = speaker + ": " + text
		}
		return out, true
	}
	out.content = thirdPerson(text, speaker)
	if speaker != "" && !strings.HasPrefix(out.content, speaker) && m.kind != strata.TypeReference && ours.MatchString(text) {
		out.content = speaker + ": " + text // whose "we" it is matters
	}
	return out, true
}

// plainly returns a clause without the words that make a standing wish polite, which
// are doubt in any other statement.
func (m match) plainly(text string) string {
	if m.kind != strata.TypeFeedback {
		return text
	}
	return politely.ReplaceAllString(text, "I want ")
}

var politely = expr(`(?i)^i(?:'d| would) (?:like|love|prefer|want|appreciate) `)

// ownWords is the name of what no rule could read.
const ownWords = "in own words"

// inOwnWords keeps a clause that no rule knows in the speaker's own words, if it
// states something that lasts.
func inOwnWords(c clause, speaker string, at time.Time, known bool) (statement, bool) {
	if refused(c) {
		return statement{}, false
	}
	c.text = movedHere.ReplaceAllString(subjectFirst(c.withTime()), "$1")
	says, said := readClaim(c.text), text.Analyze(c.text)
	kind, ok := says.lasting(c.text)
	switch {
	case !ok && known:
		kind, _, _ = Classify(said)
	case !ok:
		return statement{}, false
	case kind == strata.TypeProject && aboutLife(said):
		kind = strata.TypeUser
	case kind == strata.TypeUser && says.subject == namedSubj && lifeScore(said) < 0:
		kind = strata.TypeProject
	}
	if says.subject == selfSubj && says.words[0] != "i" {
		c.text = "I " + lowerFirst(c.text) // "moved to Leeds last year"
	}
	text, ok := selfContained(resolve(c.text, at, says.when()))
	if !ok {
		return statement{}, false
	}
	out := statement{match: match{compiled: &compiled{rule: rule{name: ownWords, kind: kind}}}, confidence: fair, when: says.when()}
	out.content = thirdPerson(text, speaker)
	if speaker != "" && !strings.HasPrefix(out.content, speaker) && ours.MatchString(text) {
		out.content = speaker + ": " + text
	}
	return out, true
}

// withTime returns the text of a clause with the time that introduced it at its
// end: "two years ago I broke my leg".
func (c clause) withTime() string {
	if m := leadingTime.FindString(c.lead); m != "" {
		return c.text + " " + strings.ToLower(strings.TrimRight(m, ", "))
	}
	return c.text
}

// subjectFirst moves what stands before the speaker to the end: "since the operation
// I can't manage stairs".
func subjectFirst(text string) string {
	if m := fronted.FindStringSubmatch(text); m != nil {
		return m[2] + " " + lowerFirst(m[1])
	}
	if m := hereAmI.FindStringSubmatch(text); m != nil {
		return "I'm " + lowerFirst(m[1]) // "vegan here"
	}
	return text
}

// movedHere is a place that only the speaker sees.
var movedHere = expr(`(?i)\b(moved|came|relocated|emigrated|immigrated) (?:over )?here\b`)

var (
	fronted = expr(`(?i)^((?:\pL+days|weekends|mornings|evenings|yesterday(?: morning| afternoon| evening)?|(?:last|this) (?:week|weekend|month|year|spring|summer|autumn|fall|winter|` + weekdays + `|` + months + `))|(?:ever since|since|before|after|during|at|in|on|as|from|for|every|each|once a|twice a|with|without|most|because of|thanks to|due to|despite|by|outside|apart from|besides|(?:\pL+day) (?:mornings?|evenings?|nights?|afternoons?)) ?[^,]{0,40}?),? ((?:i|i'm|i've|we|we're|we've|my|our|nobody|everyone|everybody|tests|migrations|deploys|builds|releases|commits|branches|prices|invoices|staging|production) .+)$`)
	hereAmI = expr(`(?i)^((?:[\pL\d-]+ ){0,3}?(?:{occupation}|{diet}|{state}|diabetic|mum|mom|dad|parent|beginner|newbie|native speaker|owner|user|fan)) here\b`)
)

var leadingTime = expr(`(?i)\b(?:\w+ (?:days?|weeks?|months?|years?) ago|(?:in|since) (?:19|20)\d\d|as a (?:kid|child|teenager|student))\b`)

// tenseOf is the tense of a statement by its verb, that of the rule where the
// verb tells none.
func tenseOf(text string, byRule tense) tense {
	says := readClaim(text)
	if says.tense != timeless && !(says.tense == past && arranges[says.verb]) {
		return says.tense
	}
	return byRule
}

// arranges are verbs whose past tense arranges what is to come: "we booked a flat
// from 14 May", "I signed up for the race on 14 June".
var arranges = text.WordSet(`book sign schedule arrange reserve register plan set invite order buy apply enrol enroll agree confirm organize organise move postpone get`)

// when is on which side of now the dates of a claim lie.
func (c *claim) when() tense {
	switch {
	case c.tense == past && arranges[c.verb]:
		return timeless
	case c.tense != timeless:
		return c.tense
	case c.progressive, c.verb == "have", thingVerbs[c.verb], lifeVerbs[c.verb] && c.form != base:
		return future
	}
	return timeless
}

// introduced is how people say who they are after a greeting: "Hi, I'm Priya Raman".
var introduced = expr(`^(?:I'm|I am|i'm|i am|(?:[Tt]his is|[Ii]t's|[Ii]t is)(?: me,)?) (\p{Lu}[\pL'-]+(?: (?:\p{Lu}[\pL'-]+|de|van|von|da|el|bin))*)(?: (?:from|in) \p{L}.*)?$`)

var callee = expr(`(?i)^(?:this is|it's|it is) `)

// noCaller is what else "it's" may name after a greeting: "hey, it's Monday".
var noCaller = expr(`(?i)^(?:this is|it's|it is) (?:` + weekdays + `|` + months + `|christmas|easter|halloween|new year\S*|thanksgiving|ramadan|spring|summer|autumn|winter|tgif|ok|[\d]\S*)\b`)

// polite opens an instruction without being part of it.
var polite = expr(`(?i)^(?:please|bitte|por favor,?) `)

// key is the form in which two candidates are the same.
func key(content string) string { return strings.ToLower(content) }

func union(a, b []string) []string {
	for _, id := range b {
		found := false
		for _, have := range a {
			found = found || have == id
		}
		if !found {
			a = append(a, id)
		}
	}
	return a
}
