package question

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/text/timeexpr"
	"github.com/strata-memory/strata/internal/topics"
)

const (
	// MaxTerms is the most distinct terms of a question that are matched. People ask in
	// about ten words; a pasted document is represented by its first terms.
	MaxTerms = 64
	// maxAnalyzed is how many bytes of a question are read.
	maxAnalyzed = 64 << 10
	// maxAcronym is the length of the longest acronym that may be a stop word.
	maxAcronym = 5
	// genericWeight is the weight of a generic word.
	genericWeight = 0.4
	// maxTags is the most concept tags of a question.
	maxTags = 4
	// tagWeight is the weight of a word that comes from a tag: the name that a glossary
	// gives to what the question says in other words.
	tagWeight = 0.3
	// identifierPartWeight is the weight of a part of an identifier, in addition to
	// the identifier itself.
	identifierPartWeight = 0.4
)

// Term is one word of a question.
type Term struct {
	Term   string  // as in the index
	Word   string  // as written, in lower case
	Weight float64 // in [0,1]; 0 for a stop word
	Stop   bool    // is a stop word
	Tag    bool    // comes from a concept tag, not from the question itself
}

// Analysis is what a question asks for. The zero value asks for nothing.
type Analysis struct {
	// Terms are the distinct terms in order. Stop words have weight 0 unless the question
	// consists only of stop words.
	Terms []Term
	// Names are the words that look like names: capitalized, and not at the beginning of
	// a sentence. They are kept as written, without a possessive.
	Names []string
	// Phrases are the quoted parts and the identifiers ("deploy-v2.4.7"), as index terms
	// that must follow one another.
	Phrases [][]string
	// Tags are the concept tags of the question.
	Tags []string
	// Range is the time that the question names; nil if it names none.
	Range *timeexpr.Range
	// Since reports that the question excludes what was said before Range ("since
	// March"), and Only that it excludes anything outside of it ("only in May").
	Since, Only bool
	// Relative is a time that the question gives relative to an event; nil if it gives
	// none, or if Range is set.
	Relative *timeexpr.Relative
	// WantsTime reports whether the question asks when or how long.
	WantsTime bool
	// Expected is what the question implies about its answer.
	Expected Expectation
	// GoesOn reports whether the question continues what was said before. The words of an
	// assistant then count in full.
	GoesOn bool
	// Value says which of several values of a thing the question asks for.
	Value Value
	// Subquestions holds the terms of each part of a question that has several parts.
	Subquestions [][]string
	// Unspaced reports whether the question holds a script that is written without
	// spaces.
	Unspaced bool
	// Truncated reports whether the question was too long to be used as a whole.
	Truncated bool
}

// Analyze reads a question that is asked at the time now; "last week" is relative to it.
// It never fails: a question without words has no terms.
func Analyze(question string, now time.Time) Analysis {
	var a Analysis
	if len(question) > maxAnalyzed {
		question, a.Truncated = text.Head(question, maxAnalyzed), true
	}
	asked := text.Analyze(question)
	question = asked.Composed()
	a.terms(asked)
	a.identifiers(question)
	a.Names = names(question)
	a.Phrases = phrases(question)
	a.tags(asked)
	a.time(asked.Words(), now)
	a.Expected = expectationOf(asked, a.WantsTime)
	a.GoesOn = goesOn(question)
	a.Value = valueOf(asked.Words())
	a.Subquestions = subquestions(question, a.Names)
	a.Unspaced = text.HasUnspaced(question)
	return a
}

// terms fills Terms: the first MaxTerms distinct terms that are not stop words,
// and as many that are.
func (a *Analysis) terms(asked *text.Analysis) {
	seen := make(map[string]int)
	content, stops := 0, 0
	short := acronyms(asked.Composed())
	for _, tok := range asked.Tokens() {
		if tok.Stop && short[tok.Word] {
			tok.Stop = false // "IT" is not "it"
		}
		if at, ok := seen[tok.Term]; ok {
			// A stop word and another word may have the same term ("be", "being").
			if t := &a.Terms[at]; t.Stop && !tok.Stop && content < MaxTerms {
				*t = Term{Term: tok.Term, Word: tok.Word, Weight: wordWeight(tok.Word)}
				content++
				stops--
			}
			continue
		}
		count := &content
		if tok.Stop {
			count = &stops
		}
		if *count == MaxTerms {
			a.Truncated = a.Truncated || !tok.Stop
			continue
		}
		*count++
		seen[tok.Term] = len(a.Terms)
		t := Term{Term: tok.Term, Word: tok.Word, Stop: tok.Stop}
		if !t.Stop {
			t.Weight = wordWeight(tok.Word)
		}
		a.Terms = append(a.Terms, t)
	}
	if content == 0 {
		for i := range a.Terms {
			a.Terms[i].Weight = 1
		}
	}
}

// acronyms returns the stop words, in lower case, that a question writes in
// capitals: IT, US. In a question that is all in capitals there are none.
func acronyms(question string) map[string]bool {
	var out map[string]bool
	if !strings.ContainsFunc(question, unicode.IsLower) && strings.ContainsFunc(strings.TrimSpace(question), unicode.IsSpace) {
		return nil
	}
	for _, field := range strings.Fields(question) {
		w := strings.TrimFunc(field, notWord)
		if len(w) < 2 || len(w) > maxAcronym || strings.ToUpper(w) != w || !strings.ContainsFunc(w, unicode.IsUpper) {
			continue
		}
		if lower := strings.ToLower(w); text.IsStop(lower) {
			if out == nil {
				out = make(map[string]bool)
			}
			out[lower] = true
		}
	}
	return out
}

// generic are words that questions are built with ("what kind of", "how many times did").
// They are not stop words, because a fact may be about them, but they seldom say what a
// question is about.
var generic = text.WordSet(`kind kinds type types sort sorts way ways thing things
	many much long often far name names called happen happened happens
	currently recently usually specific main different certain various
	describe mention mentioned discuss discussed explain list give find
	tell remember recall know think thought feel feels felt say`)

func wordWeight(word string) float64 {
	if generic[word] {
		return genericWeight
	}
	return 1
}

// tags fills Tags and adds the terms that come only from tags. FactText indexes the tags
// of facts, which these terms match.
func (a *Analysis) tags(asked *text.Analysis) {
	a.Tags = topics.Derive(asked, maxTags)
	for _, tag := range a.Tags {
		for tok := range text.Tokens(tag) {
			a.addTerm(Term{Term: tok.Term, Word: tok.Word, Weight: tagWeight, Stop: tok.Stop, Tag: true})
		}
	}
}

// identifiers adds the words of the identifiers of a question to its terms.
func (a *Analysis) identifiers(question string) {
	for _, word := range text.IdentifierWords(question) {
		for tok := range text.Tokens(word) {
			a.addTerm(Term{Term: tok.Term, Word: tok.Word, Weight: identifierPartWeight, Stop: tok.Stop})
		}
	}
}

// addTerm adds a term unless it is known, is a stop word, or would exceed MaxTerms.
func (a *Analysis) addTerm(t Term) {
	known := slices.ContainsFunc(a.Terms, func(have Term) bool { return have.Term == t.Term })
	if !known && !t.Stop && len(a.Terms) < MaxTerms {
		a.Terms = append(a.Terms, t)
	}
}

// time fills the fields that concern time.
func (a *Analysis) time(words []string, now time.Time) {
	if e := timeexpr.Find(words, now); e != nil {
		a.Range, a.Since, a.Only = &e.Range, e.Since, e.Only
	} else {
		a.Relative = timeexpr.FindRelative(words)
	}
	a.WantsTime = wantsTime(words)
}
