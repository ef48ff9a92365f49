package decide

import (
	"strings"
	"unicode"

	"github.com/strata-memory/strata/internal/text"
)

// statement is a text parsed for comparison.
type statement struct {
	atoms      []atom
	question   bool // it asks rather than states
	indefinite bool // its subject is one of many ("a mirror", "another mirror")
	presently  bool // it says that it is so now
	further    bool // it says that it is so besides something else

	copula bool // while parsing: "is" was seen
	one    bool // while parsing: an indefinite article comes before the next atom
}

// atom is one word, or one literal: a number, address, path or anything else
// that is not made of letters alone and must therefore match exactly.
type atom struct {
	key     string // what is compared: the word without regular inflection
	word    string // lower case
	class   class
	literal bool
	neg     bool // a negation, or part of one
	one     bool // an indefinite article stood before it
	kind    kind // what sort of value it is
}

// kind is a sort of value of which a thing has one at a time.
type kind int

const (
	noKind kind = iota
	weekday
	month
	number
	address // a URL, an e-mail address or a path
)

// parse parses s. It keeps the order and every word that may matter:
// prepositions, pronouns and tenses as well as names and numbers.
func parse(s string) statement { return parseComposed(text.Analyze(s).Composed()) }

// parseComposed is parse for a text in NFKC.
func parseComposed(s string) statement {
	var st statement
	chunks := strings.Fields(s)
	st.atoms = make([]atom, 0, len(chunks)+2)
	start := true // at the start of a sentence
	for i, raw := range chunks {
		st.question = st.question || strings.HasSuffix(strings.TrimRight(raw, `"'”’)`), "?")
		chunk := trimPunctuation(raw)
		switch {
		case chunk == "" || start && isInterjection(raw):
		case isPlain(chunk):
			next := ""
			if i+1 < len(chunks) {
				next = trimPunctuation(chunks[i+1])
			}
			st.addWords(chunk, next, start)
		default:
			w := strings.ToLower(chunk)
			st.add(atom{key: w, word: w, literal: true, kind: literalKind(w)})
		}
		start = strings.ContainsAny(raw[len(raw)-1:], ".:!?")
	}
	st.markNegations()
	return st
}

// addWords appends the words of a chunk of letters. The next chunk
// separates articles from names: an article is followed by a word.
func (st *statement) addWords(chunk, next string, start bool) {
	named := !start && chunk != strings.ToLower(chunk) // "team A", "LA"
	for _, w := range wordsOf(chunk) {
		switch c := classOf(w); {
		case c.has(filler):
		case c.has(presently):
			st.presently = true
		case c.has(further):
			st.further = true
		case !named && next != "" && c.has(definite):
		case !named && next != "" && c.has(indefinite):
			st.one = true
			st.indefinite = st.indefinite || !st.copula
		case c.has(withoutWord):
			st.addWord("not")
			st.addWord(withNegation[w])
		default:
			st.indefinite = st.indefinite || c.has(several) && !st.copula
			if w != "cannot" && !strings.Contains(w, "'") {
				st.addWord(w)
				break
			}
			for _, part := range expand(w) {
				st.addWord(part)
			}
		}
	}
}

// wordsOf returns the words of a chunk of letters in lower case. Where words are
// set apart by spaces the chunk is one word already.
func wordsOf(chunk string) []string {
	if !isASCIIWord(chunk) && text.HasUnspaced(chunk) {
		return text.Words(chunk)
	}
	return []string{strings.ReplaceAll(strings.ToLower(chunk), "’", "'")}
}

func (st *statement) addWord(w string) {
	c := classOf(w)
	st.add(atom{key: inflectionless(w, c), word: w, class: c, kind: wordKind(c)})
}

func (st *statement) add(a atom) {
	a.one, st.one = st.one, false
	st.copula = st.copula || a.class.has(copula)
	st.atoms = append(st.atoms, a)
}

// expand writes contractions out.
func expand(w string) []string {
	if base, ok := strings.CutSuffix(w, "n't"); ok {
		switch base {
		case "ca", "wo", "sha":
			base = map[string]string{"ca": "can", "wo": "will", "sha": "shall"}[base]
		}
		return []string{base, "not"}
	}
	if w == "cannot" {
		return []string{"can", "not"}
	}
	head, tail, ok := strings.Cut(w, "'")
	if !ok || head == "" || tail == "" {
		return []string{w}
	}
	switch head {
	case "n":
		return []string{"ne", tail}
	case "l": // the French article
		return []string{tail}
	case "d", "j", "m", "t", "s", "c", "qu":
		return []string{head + "'", tail}
	case "it", "he", "she", "that", "there", "here", "what", "who", "where":
		if tail == "s" {
			return []string{head, "is"}
		}
	}
	if verb, ok := map[string]string{"m": "am", "re": "are", "ll": "will", "ve": "have"}[tail]; ok {
		return []string{head, verb}
	}
	return []string{w}
}

// inflectionless removes the regular -s of English verbs and plurals. It removes
// no more: the stems of "lived", "operator" and "university" would make
// different statements alike.
func inflectionless(w string, c class) string {
	switch w {
	case "has":
		return "have"
	case "goes":
		return "go"
	}
	if len(w) <= 3 || w[len(w)-1] != 's' || c != 0 && c != once || !isASCIIWord(w) {
		return w
	}
	for _, end := range []string{"ss", "us", "is"} {
		if strings.HasSuffix(w, end) {
			return w
		}
	}
	if base, ok := strings.CutSuffix(w, "ies"); ok && len(base) > 1 {
		return base + "y"
	}
	for _, end := range []string{"sses", "xes", "ches", "shes"} {
		if strings.HasSuffix(w, end) {
			return strings.TrimSuffix(w, "es")
		}
	}
	return strings.TrimSuffix(w, "s")
}

// isASCIIWord reports whether w is made of the letters of English alone, which
// most words are.
func isASCIIWord(w string) bool {
	for i := 0; i < len(w); i++ {
		if c := w[i] | 0x20; c < 'a' || c > 'z' {
			return false
		}
	}
	return true
}

// isPlain reports whether a chunk is made of letters and apostrophes.
func isPlain(chunk string) bool {
	if isASCIIWord(chunk) {
		return true
	}
	for _, r := range chunk {
		if !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '\'' && r != '’' {
			return false
		}
	}
	return true
}

// trimPunctuation removes what surrounds a word in a sentence. Signs that
// belong to a value stay: "-5", ".env", "C++", "5%".
func trimPunctuation(chunk string) string {
	if isASCIIWord(chunk) {
		return chunk
	}
	const quotes = "\"'`“”„‘’«»()[]{}「」『』"
	chunk = strings.TrimLeft(chunk, quotes+"¿¡")
	chunk = strings.TrimRight(chunk, quotes+".,;:!?…。、")
	switch chunk {
	case "-", "–", "—", ".", ",":
		return ""
	}
	return chunk
}

// isInterjection reports whether a chunk at the start of a sentence answers
// what was said before and denies nothing in it: "No, the day is Friday".
func isInterjection(raw string) bool {
	switch strings.ToLower(raw) {
	case "no,", "nope,", "non,", "nein,", "yes,", "sí,", "oui,", "ja,":
		return true
	}
	return false
}

func wordKind(c class) kind {
	switch {
	case c.has(weekdayName):
		return weekday
	case c.has(monthName):
		return month
	}
	return noKind
}

func literalKind(w string) kind {
	if strings.Contains(w, "://") || strings.Contains(w, "@") || strings.ContainsAny(w[:1], "/~") {
		return address
	}
	w = strings.TrimPrefix(strings.TrimLeft(w, "+-~$€£#"), "v")
	if w != "" && w[0] >= '0' && w[0] <= '9' {
		return number
	}
	return noKind
}

// withoutPossessive removes an English possessive ending.
func withoutPossessive(key string) string { return strings.TrimSuffix(key, "'s") }
