package recall

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/timeexpr"
)

const (
	// maxTerms is the most distinct terms a question is looked up by. People
	// ask in about ten words; a pasted document is represented by its first.
	maxTerms = 64
	// maxPhrases is the most quoted parts and identifiers that are looked up.
	maxPhrases = 4
	// maxPhraseTerms is the longest phrase, in terms; the rest is cut.
	maxPhraseTerms = 12
	// maxAnalyzed is how many bytes of a question are read at all.
	maxAnalyzed = 64 << 10
	// frameWeight is what a word counts that belongs to the form of a question
	// rather than to its subject.
	frameWeight = 0.4
)

// Term is one word of a question.
type Term struct {
	Term   string  // as in the index
	Word   string  // as written, lower case
	Weight float64 // how much it tells, in [0,1]; 0 for a stop word
	Stop   bool    // carries grammar rather than a subject
}

// Analysis is what a question asks for. The zero value asks for nothing.
type Analysis struct {
	// Terms are the distinct terms in order. Stop words are among them with
	// weight 0, unless the question has nothing else.
	Terms []Term
	// Names are the words that look like names: capitalized, and not because
	// a sentence begins. As written, without possessive.
	Names []string
	// Phrases are the quoted parts and the identifiers ("deploy-v2.4.7"), as
	// index terms that must follow each other.
	Phrases [][]string
	// Tags are the concept tags of the question.
	Tags []string
	// Range is the time the question speaks of; nil when it names none.
	Range *timeexpr.Range
	// Since tells that nothing said before Range is asked for ("since March"),
	// Only that nothing outside it is ("only in May").
	Since, Only bool
	// Relative is the event by which the question tells a time, where Range is
	// nil; nil when it does not.
	Relative *timeexpr.Relative
	// WantsTime tells that the question asks when or how long.
	WantsTime bool
	// Parts are the telling terms of each part of a question that has several.
	Parts [][]string
	// Unspaced tells that the question holds a script without spaces.
	Unspaced bool
	// Cut tells that the question was longer than what is looked up.
	Cut bool
}

// Analyze reads a question as asked at the time now, which anchors expressions
// like "last week". It never fails: a question without any word yields no terms.
func Analyze(question string, now time.Time) Analysis {
	var a Analysis
	if len(question) > maxAnalyzed {
		question, a.Cut = cutText(question, maxAnalyzed), true
	}
	question = norm.NFKC.String(strings.ToValidUTF8(question, " "))
	a.terms(question)
	a.identifiers(question)
	a.Names = names(question)
	a.Phrases = phrases(question)
	a.tags(question)
	a.time(question, now)
	a.Parts = questionParts(question, a.Names)
	a.Unspaced = text.HasUnspaced(question)
	return a
}

// terms fills Terms: the first maxTerms distinct ones that tell something, and
// as many stop words.
func (a *Analysis) terms(question string) {
	seen := make(map[string]int)
	telling, stops := 0, 0
	short := acronyms(question)
	for _, tok := range text.Analyze(question) {
		if tok.Stop && short[tok.Word] {
			tok.Stop = false // IT is not it
		}
		if at, ok := seen[tok.Term]; ok {
			// A term may come from a stop word and from another ("being", "be").
			if t := &a.Terms[at]; t.Stop && !tok.Stop && telling < maxTerms {
				*t = Term{Term: tok.Term, Word: tok.Word, Weight: wordWeight(tok.Word)}
				telling++
				stops--
			}
			continue
		}
		count := &telling
		if tok.Stop {
			count = &stops
		}
		if *count == maxTerms {
			a.Cut = a.Cut || !tok.Stop
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
	if telling == 0 {
		for i := range a.Terms {
			a.Terms[i].Weight = 1
		}
	}
}

// acronyms returns the words, in lower case, that a question writes in capitals
// of which some are also stop words: AI, IT, MIT. Who writes all in capitals
// means nothing by it.
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

// maxAcronym is the length of the longest acronym that may be a stop word.
const maxAcronym = 5

// frame are words by which questions are built ("what kind of", "how many
// times did"). They are no stop words, because a fact may be about them, but in
// a question they seldom say what it is about.
var frame = text.WordSet(`kind kinds type types sort sorts way ways thing things
	many much long often far name names called happen happened happens
	currently recently usually specific main different certain various
	describe mention mentioned discuss discussed explain list give find
	tell remember recall know think thought feel feels felt say`)

func wordWeight(word string) float64 {
	if frame[word] {
		return frameWeight
	}
	return 1
}

// names returns the capitalized words that do not begin a sentence, each once.
func names(question string) []string {
	var out []string
	seen := make(map[string]bool)
	begins := true
	for _, field := range strings.Fields(question) {
		w := strings.TrimFunc(field, notWord)
		if w == "" {
			continue
		}
		first, _ := utf8.DecodeRuneInString(w)
		w = strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s")
		if unicode.IsUpper(first) && !begins && w != "I" && !strings.HasPrefix(w, "I'") && !text.IsStop(strings.ToLower(w)) && !seen[w] {
			seen[w] = true
			if len(out) < maxTerms {
				out = append(out, w)
			}
		}
		begins = strings.ContainsAny(field[len(field)-1:], ".!?:")
	}
	return out
}

func notWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }

// phrases returns the quoted parts and identifiers of two terms or more.
func phrases(question string) [][]string {
	var out [][]string
	add := func(part string) {
		terms := text.Terms(part)
		if len(terms) < 2 || len(out) == maxPhrases {
			return
		}
		out = append(out, terms[:min(len(terms), maxPhraseTerms)])
	}
	for _, part := range quoted(question) {
		add(part)
	}
	for _, field := range strings.Fields(question) {
		if w := strings.TrimFunc(field, notWord); isIdentifier(w) {
			add(w)
		}
	}
	return out
}

// quoted returns what stands between quotation marks. A mark that is never
// closed opens nothing.
func quoted(s string) []string {
	var out []string
	closing := map[rune]string{'"': "\"", '“': "”", '„': "“”", '«': "»", '「': "」"}
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		marks, opens := closing[r]
		if !opens {
			continue
		}
		end := strings.IndexAny(s[i:], marks)
		if end < 0 {
			continue
		}
		out = append(out, s[i:i+end])
		_, size = utf8.DecodeRuneInString(s[i+end:])
		i += end + size
	}
	return out
}

// isIdentifier reports whether a word is written as programs write names: with
// a digit, underscore, slash, dot or at sign inside and punctuation that text
// analysis splits.
func isIdentifier(w string) bool {
	if !strings.ContainsAny(w, "-_/.:@#") {
		return false
	}
	return strings.ContainsAny(w, "_/@#0123456789") || strings.Contains(w, ".")
}

// cutText shortens s to at most n bytes at a character boundary.
func cutText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// time fills what the question says of time.
func (a *Analysis) time(question string, now time.Time) {
	if e := timeexpr.Find(question, now); e != nil {
		a.Range, a.Since, a.Only = &e.Range, e.Since, e.Only
	} else {
		a.Relative = timeexpr.FindRelative(question)
	}
	a.WantsTime = wantsTime(question)
}
