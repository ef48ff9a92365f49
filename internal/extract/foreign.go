package extract

import (
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/extract/language"
	"github.com/strata-memory/strata/internal/extract/verbframe"
)

// foreign reads the sentences of a turn that are in other languages than English.
type foreign struct {
	reader   language.Reader
	language *language.Language // of the sentence before; nil: English, or none yet
}

// read returns the language of a sentence with what it says; no language for
// English.
func (f *foreign) read(s sentence) (*language.Language, []language.Statement) {
	l := language.Of(s.text, f.language)
	if l == nil || inEnglish(s.text) {
		return nil, nil
	}
	f.language = l
	return l, f.reader.Read(l, s.text, s.question)
}

// inEnglish reports whether a sentence opens as English alone does: "I drive a Škoda".
func inEnglish(text string) bool {
	first, rest, _ := strings.Cut(text, " ")
	second, _, _ := strings.Cut(rest, " ")
	if first != "I" {
		return expansions[strings.ToLower(first)] != "" && strings.HasPrefix(first, "I'")
	}
	_, f := verbOf(strings.ToLower(second))
	return f == base || f == pastForm
}

// foreign keeps what a sentence in another language says, in its own words.
func (s *extractor) foreign(l *language.Language, said []language.Statement, t strata.Turn) {
	for _, st := range said {
		c := clause{text: st.Text, explicit: st.Explicit, correct: st.Corrects}
		if st.Text == "" {
			if old, made, ok := s.correctedForeign(l, st, t); ok {
				s.add(made, c, t, []string{old.source}, old)
			}
			continue
		}
		if st.Ended && s.filledAnew(st) {
			st.Attribute = ""
		}
		m := statement{match: foreignMatch(l, st), confidence: likely, when: timeless}
		if st.Explicit {
			m.confidence = certain
		}
		m.content = l.Dated(st.Text, t.At) + l.Stop()
		if t.Speaker != "" {
			m.content = t.Speaker + ": " + m.content
		}
		s.add(m, c, t, nil, previous{index: -1})
	}
}

// foreignMatch gives a statement its type and slot.
func foreignMatch(l *language.Language, st language.Statement) match {
	m := match{compiled: &compiled{rule: rule{name: "statement in " + l.Name, kind: strata.Type(st.Kind), verbatim: true}}}
	m.value = st.Value
	switch {
	case st.Rule != "":
		m.entity, m.attribute = st.Rule, st.Attribute
	case st.Attribute == "", st.Relation != "" && !isUnique(st.Relation):
	case st.Relation != "":
		m.entity, m.attribute = self+"'s "+verbframe.Role(st.Relation), st.Attribute
	default:
		m.entity, m.attribute = self, st.Attribute
	}
	return m
}

// filledAnew reports whether this conversation gave the slot of what has ended
// another value: who moved to Bonn and then says that they live in Cologne no more
// still lives in Bonn.
func (s *extractor) filledAnew(st language.Statement) bool {
	for _, h := range s.recent {
		if h.made.entity == self && h.made.attribute == st.Attribute && st.Relation == "" {
			return st.Value != "" && !strings.Contains(strings.ToLower(h.made.content), strings.ToLower(st.Value))
		}
	}
	return false
}

// correctedForeign finds the statement that a correction means, as
// [extractor.corrected] does, and puts the new value in its place.
func (s *extractor) correctedForeign(l *language.Language, st language.Statement, t strata.Turn) (previous, statement, bool) {
	for i := len(s.recent) - 1; i >= 0 && s.turns-s.recent[i].turn <= maxCorrected; i-- {
		h := s.recent[i]
		if h.speaker != t.Speaker {
			continue
		}
		old := h.made.content
		from, to, ok := l.Place(old, h.made.value, st.Value, st.Wrong)
		if !ok || strings.EqualFold(old[from:to], st.Value) {
			continue
		}
		return h, h.made.replaced(from, to, st.Value), true
	}
	return previous{}, statement{}, false
}

// classifyForeign is [Classify] for a statement in another language; not ok for English
// and for what no rule knows.
func classifyForeign(text string) (m match, ok bool) {
	var f foreign
	var only language.Statement
	n := 0
	for _, sen := range cutSentences(maskQuotes(strings.ReplaceAll(strings.TrimSpace(strings.ToValidUTF8(text, "")), "’", "'"))) {
		l, said := f.read(sen)
		if l == nil {
			return match{}, false
		}
		for _, st := range said {
			if st.Text != "" {
				only = st
				n++
			}
		}
		if n == 1 {
			m = foreignMatch(l, only)
		}
	}
	return m, n == 1
}
