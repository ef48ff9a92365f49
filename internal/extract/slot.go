package extract

import (
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/extract/verbframe"
	"github.com/strata-memory/strata/internal/text"
)

// Classify returns the type of a statement by its wording, [strata.TypeProject]
// when nothing in it says otherwise, and the slot that it fills, as
// ("user's cat", "name") for "My cat's name is Whiskerino". Only attributes that
// hold one value at a time have a slot; entity and attribute are empty when the
// statement fills none, or several. It reads the first person and the third alike
// ("The user lives in Berlin").
func Classify(a *text.Analysis) (kind strata.Type, entity, attribute string) {
	m, ok, foreign := classify(a.Text())
	plain := trimLead(strings.ReplaceAll(strings.TrimSpace(head(a.Text(), 2*maxSentence)), "’", "'")).text
	switch {
	case ok && m.verbatim && m.kind != "":
		kind = m.kind
	case isFeedback.MatchString(plain):
		kind = strata.TypeFeedback
	case isReference.MatchString(plain):
		kind = strata.TypeReference
	case ok && m.kind != "":
		kind = m.kind
	case ok, isUser.MatchString(plain) && !isOurWork.MatchString(plain):
		kind = strata.TypeUser
	default:
		if plain != a.Text() { // what led to the statement is no part of it
			a = text.Analyze(plain)
		}
		kind = typeByWords(a)
	}
	if ok {
		entity, attribute = m.entity, m.attribute
	}
	if kind != strata.TypeFeedback {
		entity, attribute = verbframe.Fill(firstPerson(plain), entity, attribute)
	}
	if kind == strata.TypeFeedback && entity == "" && !foreign {
		entity, attribute = ruleSlot(plain)
	}
	if strata.ValidateName("entity", entity) != nil || strata.ValidateName("attribute", attribute) != nil {
		return kind, "", ""
	}
	return kind, entity, attribute
}

// ValueOf returns what fills the slot of a statement, in its words; empty where no rule says.
func ValueOf(text string) string {
	m, _, _ := classify(text)
	return m.value
}

// classify is [classifyOne], in any language.
func classify(text string) (m match, ok, foreign bool) {
	if m, ok = classifyForeign(text); ok {
		return m, true, true
	}
	m, ok = classifyOne(text)
	return m, ok, false
}

// classifyOne returns what the rules read in a text of a single statement.
func classifyOne(text string) (match, bool) {
	if len(text) > 2*maxSentence {
		return match{}, false
	}
	found := cutSentences(maskQuotes(strings.ReplaceAll(strings.TrimSpace(text), "’", "'")))
	if len(found) != 1 || found[0].question {
		return match{}, false
	}
	var one match
	n := 0
	for _, part := range clauses(found[0]) {
		c := trimLead(firstPerson(part))
		if m, ok := rules().find(c.text); ok && !unsure.MatchString(m.plainly(c.text)) {
			one = m
			n++
		}
	}
	return one, n == 1
}

var (
	isFeedback  = expr(`(?i)^(?:please )?(?:always|never|don't|do not|stop|avoid|from now on|going forward|whenever you|when you|keep (?:your|the|all) (?:answers|replies|responses|explanations|messages)|be (?:brief|concise|direct|honest|blunt|terse)|(?:answer|reply|respond|speak|write)(?: to me)? in|no (?:emojis?|bullet|apolog|small talk|preamble)|address me|your (?:answers|replies|responses)|you (?:should|must|may) |remember to|make sure (?:to|you)|siempre|nunca|responde|immer|niemals|antworte|toujours|réponds|jamais)\b`)
	isReference = expr(`(?i)` + url + `|^see |\b(?:docs?|documentation|wiki|dashboard|runbooks?|spec|specification|repo|repository|manual|handbook|tracker|board) (?:is|are|lives?|can be found) (?:at|in|on|under)\b|\b(?:tracked|documented) (?:in|at|on) `)
	isUser      = expr(`(?i)^(?:i|i'm|i've|i'll|i'd|my|mine|the user|the user's|user|user's|users?'|mi|mis|me|yo|soy|vivo|tengo|prefiero|ich|meine?|je|j'\pL+|mon|ma|mes)\b`)
	isOurWork   = expr(`(?i)^(?:my|the user's|user's) (?:team|repo|repository|codebase|service|branch|cluster|server|app|project|product|api|pipeline|database)\b`)
)
