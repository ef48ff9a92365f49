package extract

import (
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
)

// Whoever changes or corrects something seldom names what they said before: "that's
// stale, we moved to GitLab", "she's just switched to psychology", "other way round:
// Ana does the design". Such a statement takes the place of the latest one about the
// same.

var (
	// changed are words of a statement that says what is different from now on.
	changed = expr(`(?i)\b(?:now|instead|in (?:its|their|his|her) place|from now on|these days|nowadays|since then|(?:just|recently|finally|has|have) (?:switched|swapped|changed|moved)|switched (?:over )?to|changed to|swapped|down to|up to|no longer|any ?more)\b`)
	// movedTo is the other value that something has now.
	movedTo = expr(`(?i)^(?:the|our|my|it|they|that|we|he|she|it's|they've|we've)(?:'s| has| have| had)?\b(?: [\pL'-]+){0,5}? ?\b(?:moved|pushed|postponed|rescheduled|changed|cut|raised|lowered|reduced|increased|extended|went|gone|gone up|slipped|renamed|bumped|upgraded|downgraded|switched|shifted|delayed|brought forward|set|shortened)(?: it| that| them)?(?: back| up| down| forward| out)? (?:to|till|until|by|for) (.{1,40})$`)
	// notThis puts one value in the place of another.
	notThis = expr(`(?i)^not (?:the |on |in |at )?([^,]{1,30}), (?:it's |but |the |on |in |at )*([^,]{1,30})$`)
	// useThis is an address to use instead.
	useThis = expr(`(?i)^(?:please )?(?:use|call|try|write to) (\S+@\S+|\+?\d[\d ()/-]{5,}\d|https?://\S+)(?: instead| from now on| now| in future)*$`)
	// forgetting takes back what was said about something.
	forgetting = expr(`(?i)^(?:please )?(?:forget|scratch|ignore|disregard|strike) (?:about )?(?:what i (?:said|told you) about |that |the |my )*(.{3,40}?)(?: thing| part| bit| stuff)?$`)
	// isGone is somebody or something that is no more, or with somebody else.
	isGone = expr(`(?i)\b(?:died|passed away|(?:got|was|were) (?:stolen|sold|put down|scrapped|written off|cancell?ed|closed)|is gone|ran away|(?:give|gave|given) .{2,20} away|split up|broke up|got divorced|separated)\b`)
	// worksNoMore ends an employment without a name.
	worksNoMore = expr(`(?i)^(?:.+) (?:is|are|'s)?(?: \pL+)* ?\b(?:retired|unemployed|between jobs|laid off|made redundant|fired|resigned|handed in (?:their|my) notice|quit(?: in| last| on| their job|$)|job hunting)\b`)
	parts       = expr(`(?i)\b(?:split up|broke up|got divorced|separated|divorced)\b`)
	partners    = expr(`(?i)'s (?:wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|spouse)$`)
	// exchanged says that two things were taken for each other, or have changed places.
	exchanged = expr(`(?i)^(?:(?:oh|ah|gah|no|wait|sorry|actually|oops|hang on|as of .{3,20}?|since .{3,20}?)[, ]+)*(?:(?:it's |that's |it was )?(?:the )?other way (?:a)?round|vice versa|(?:i|we)(?:'ve|'d| have| had)? (?:just |accidentally )*(?:mixed|muddled|confused|got|had|swapped|switched) (?:them|those|these|the two|the names|it|that|both)(?: up| backwards| round| around| the wrong way round| confused| mixed up)?|(?:they|we|you|the two)(?:'ve| have)? (?:all |both |just )*(?:swapped|switched|traded|exchanged)(?: (?:both|places|roles|jobs|seats|rooms|days|cars|sides|them|round|over|desks|shifts|slots|names))*(?: for good| last \pL+| this \pL+)*)(?:\s*[,:;.–—-]+\s*|$)`)
	// trailing marks a value that puts one right.
	trailing = expr(`(?i)^(.{1,40}?),? (?:actually|sorry|i should say|i should have said|i mean|i meant|to be (?:precise|exact|correct)|rather)(?:,.*)?$`)
	// spelledOut introduces how a name is written.
	spelledOut = expr(`(?i)^(?:it's |that's )?(?:spelled |spelt |written )?with (?:an? |one |two |double )[^:]{1,20}:\s*(\p{Lu}[\pL'-]+)$`)
	// counted is what is left, or has become of a number.
	counted = expr(`(?i)^(?:so |and )?(?:we're|i'm|it's|they're|we are|there are|that leaves us with|that makes)(?: now| only)*(?: down to| up to| back to)? (` + numbers + `)(?: now| left| these days)?$`)
	// anotherNumber opens with a number that was another one before.
	anotherNumber = expr(`(?i)^(\d{1,3}|` + numbers + `), (?:my|i|it|we|not)\b`)
	// onAnother is another day for something that has one.
	aTime     = expr(`(?i)\d|\b(?:{weekday}s?|{month}|noon|midnight|morning|afternoon|evening|night|week|weekend|month)s?\b`)
	onAnother = expr(`(?i)\b(?:now|instead)\b.{0,30}\b(?:on|for|at) (.{3,30}?)$|\b(?:on|for|at|to) (.{3,30}?) (?:now|instead)$`)
)

// revised finds the statement of an earlier turn whose place a new one takes, if it says
// that something is different or was wrong.
func (s *extractor) revised(m statement, c clause, speaker string) previous {
	certain := c.correct || s.correcting
	says, who := readClaim(m.content), aboutWhom(m.content)
	change, gone := certain || changed.MatchString(c.text), isGone.MatchString(c.text)
	switches := switchesTo.MatchString(c.text)
	for i := len(s.recent) - 1; i >= 0 && s.turns-s.recent[i].turn <= maxCorrected; i-- {
		h := s.recent[i]
		if h.turn == s.turns || h.speaker != speaker || s.replaced[h.index] || strings.EqualFold(h.made.content, m.content) {
			continue
		}
		old := readClaim(h.made.content)
		shared := common(h.made.content, m.content)
		same := aboutWhom(h.made.content) == who
		last := h.turn == s.turns-1 && i == len(s.recent)-1
		switch {
		case (h.made.attribute == "employer" || h.made.attribute == "job") && h.made.entity == self && who == "we" && worksNoMore.MatchString(m.content),
			parts.MatchString(c.text) && partners.MatchString(h.made.entity) && (who == "we" || shared > 0),
			gone && shared > 0 && old.tense != past,
			same && shared > 0 && old.negated != says.negated && old.verb == says.verb && old.modal == says.modal,
			s.correcting && same && last, // "that's stale, …" right after it
			switches && same && last && !old.negated && old.tense == timeless && canSwitch(old, c.text),
			change && (shared > 0 && same || shared > 1 && certain || same && sameState(h.made.content, m.content)):
			return h
		}
	}
	return previous{index: -1}
}

// switchesTo is what somebody uses, does or lives in now, without what it was before.
var switchesTo = expr(`(?i)^(?:i|we)(?:'ve| have)? (?:\pL+ly |just |since )*(?:switched|migrated|moved|upgraded|changed|gone over) (?:everything |all )?(?:over )?to \p{L}`)

// canSwitch reports whether a statement says what can be switched from: where somebody is,
// or what they use or do. One who moved has moved house, unless it was said for a team.
func canSwitch(old claim, text string) bool {
	first, _, _ := strings.Cut(old.object, " ")
	where := old.verb == "live" || old.verb == "stay" || old.verb == "be" && prepositions[first]
	return where || doing[old.verb] && !movedHouse.MatchString(text)
}

// doing are verbs of what somebody uses or does, which another can take the place of.
var doing = text.WordSet(`use run deploy host build write store keep pay buy drink eat drive ride study learn play read watch work teach wear take order get prefer
	ship train practice practise sleep cook code test publish serve manage track develop target follow operate go`)

var movedHouse = expr(`(?i)^i(?:'ve| have)? (?:\pL+ly |just |since )*moved\b`)

// common returns how many words two statements share that tell what they are about.
func common(a, b string) int {
	n, of := 0, aboutWords(b)
	for w := range aboutWords(a) {
		if of[w] {
			n++
		}
	}
	return n
}

// restates reports whether a clause, in a turn that puts something right, is about what
// an earlier statement was about: then it is one, whatever its form.
func (s *extractor) restates(c clause, speaker string) bool {
	if !c.correct && !s.correcting && !isGone.MatchString(c.text) || refused(c) || readClaim(c.text).verb == "" {
		return false
	}
	least := 2
	if isGone.MatchString(c.text) {
		least = 1
	}
	for _, h := range s.recent {
		if h.turn != s.turns && h.speaker == speaker && s.turns-h.turn <= maxCorrected && common(c.text, h.made.content) >= least {
			return true
		}
	}
	return false
}

// aboutWhom is the person that a statement is about: the user, "we", or somebody.
func aboutWhom(content string) string {
	says := readClaim(content)
	who := says.who
	if who == "the user" || who == "they" || who == "i" {
		return "we"
	}
	if says.subject == weSubj || says.subject == ourSubj {
		return "we"
	}
	return who
}

// sameState reports whether two statements say what somebody is on, in or at.
func sameState(a, b string) bool {
	x, y := readClaim(a), readClaim(b)
	p, _, _ := strings.Cut(x.object, " ")
	q, _, _ := strings.Cut(y.object, " ")
	return (x.verb == y.verb || x.verb == "live" && y.verb == "be") && p == q && prepositions[p]
}

// aboutWords returns the words of a statement that tell what it is about.
func aboutWords(content string) map[string]bool {
	out := make(map[string]bool)
	for _, t := range tokens(content) {
		w := strings.TrimSuffix(t.low, "s")
		if len(w) > 3 && !auxiliaries[t.low] && !midAdverbs[t.low] && !prepositions[t.low] && !determiners[t.low] && !noTopic[t.low] || t.name && len(w) > 1 && t.at > 0 {
			out[w] = true
		}
	}
	return out
}

// noTopic are words that many statements share.
var noTopic = text.WordSet(`user user's users their theirs them they have with from that this these those every each take takes works work lives live years year months
	month week weeks time times moved move changed switched longer anymore instead place these january february march april june july august september october
	november december monday tuesday wednesday thursday friday saturday sunday likes loves prefers uses using called named`)

// forgets takes back the statement that a clause says to forget.
func (s *extractor) forgets(c clause, t strata.Turn) bool {
	m := forgetting.FindStringSubmatch(c.text)
	if m == nil {
		return false
	}
	for i := len(s.recent) - 1; i >= 0; i-- {
		h := s.recent[i]
		if h.turn == s.turns || h.speaker != t.Speaker || s.replaced[h.index] || common(m[1], h.made.content) == 0 {
			continue
		}
		made := statement{match: match{compiled: &compiled{rule: rule{name: ownWords, kind: h.made.kind}}}, confidence: sure, when: timeless}
		made.content = "It is no longer so that " + lowerFirst(h.made.content)
		s.add(made, c, t, []string{h.source}, h)
		return true
	}
	return false
}

// meansIt replaces "it" in a statement of change by what the latest statement was
// about: "I drink it black now", "I sold it".
func (s *extractor) meansIt(c clause, speaker string) clause {
	at := itself.FindStringIndex(c.text)
	if at == nil || !iSaid.MatchString(c.text) || !changed.MatchString(c.text) && !partsWith.MatchString(c.text) || len(s.recent) == 0 {
		return c
	}
	var m []string
	for i := len(s.recent) - 1; i >= 0 && m == nil; i-- {
		h := s.recent[i]
		if h.speaker != speaker || s.turns-h.turn > 1 {
			return c
		}
		says := readClaim(h.said)
		if first, _, _ := strings.Cut(says.object, " "); says.verb != "be" && says.verb != "get" && !prepositions[first] && !says.progressive && h.turn < s.turns {
			m = nounPhrase.FindStringSubmatch(says.object)
		}
	}
	if m == nil {
		return c
	}
	thing := m[2]
	if own := strings.ToLower(m[1]); own == "my " || own == "our " {
		thing = own + thing
	} else if m[1] != "" {
		thing = "the " + thing
	}
	c.text = c.text[:at[0]] + thing + c.text[at[1]:]
	return c
}

var (
	partsWith  = expr(`(?i)^(?:i|we)(?:'ve| have)? (?:\pL+ly |just )*(?:sold|gave|given|cancell?ed|quit|stopped|dropped|returned|scrapped|binned|lost|left|got rid of|swapped|replaced) (?:it|them)\b`)
	nounPhrase = expr(`(?i)^(my |our |an? |the )?((?:[\pL\d-]+ ){0,3}?[\pL\d-]+)(?:$|[,.;]| (?:in|on|at|with|for|from|to|of|by|every|and|about|as)\b)`)
)
