package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/strata-memory/strata/internal/text"
)

// thirdPerson turns what a person says of themselves into a statement about
// them: "I live with my sister" becomes "The user lives with their sister". A
// speaker's name, where there is one, stands in for "the user". "We" and "our"
// stay: whom they mean only the conversation knows.
func thirdPerson(text, speaker string) string {
	p := person{name: "the user"}
	if speaker != "" {
		p.name = speaker
	}
	fields := strings.Fields(text)
	out := make([]string, 0, len(fields)+4)
	for i, f := range fields {
		before := ""
		if i > 0 {
			before = strings.ToLower(fields[i-1])
		}
		out = append(out, p.word(f, before)...)
	}
	return capitalize(strings.Join(out, " "))
}

// person is the state of a rewriting.
type person struct {
	name   string
	named  bool // the person was named, so that "they" is clear
	verb   bool // the next verb belongs to "the user" and needs an s
	plural bool // the last word was "they" for the person
	prior  bool // the last verb did, and one joined by "and" needs it too
}

// word rewrites one word; before is the word before it, in lower case.
func (p *person) word(f, before string) []string {
	core, tail := splitTail(f)
	low := strings.ToLower(core)
	subject := func(verb, plain string) []string {
		if p.named || before == "and" {
			return []string{p.pick("they"), plain + tail}
		}
		p.named = true
		return []string{p.name, verb + tail}
	}
	switch low {
	case "i":
		if before == "and" && !p.named {
			p.named = true
			return []string{p.name + tail}
		}
		if p.named {
			p.plural = true
			return []string{"they" + tail}
		}
		p.named, p.verb = true, true
		return []string{p.name + tail}
	case "i'm":
		return subject("is", "are")
	case "i've":
		return subject("has", "have")
	case "i'll":
		return subject("will", "will")
	case "i'd":
		return subject("would", "would")
	case "my":
		if p.named {
			return []string{"their" + tail}
		}
		p.named = true
		return []string{p.name + "'s" + tail}
	case "mine":
		if p.named {
			return []string{"theirs" + tail}
		}
		p.named = true
		return []string{p.name + "'s" + tail}
	case "me":
		if p.named {
			return []string{"them" + tail}
		}
		p.named = true
		return []string{p.name + tail}
	case "myself":
		return []string{"themselves" + tail}
	}
	switch they := p.plural; {
	case they && low == "was":
		p.plural = false
		return []string{"were" + tail}
	case they:
		p.plural = false
	case p.verb && low == "no":
	case p.verb && low == "longer" && before == "no":
	case p.verb && !isAdverb(low):
		p.verb, p.prior = false, true
		return []string{conjugate(core) + tail}
	case p.prior && (before == "and" || before == "or" || before == "but") && plainVerbs[low]:
		return []string{conjugate(core) + tail}
	case tail != "" && tail != "'":
		p.prior = false
	}
	return []string{f}
}

// pick returns the pronoun once the person was named, else the name.
func (p *person) pick(pronoun string) string {
	if p.named {
		return pronoun
	}
	p.named = true
	return p.name
}

// splitTail parts a word from the punctuation behind it.
func splitTail(f string) (core, tail string) {
	core = strings.TrimRightFunc(f, func(r rune) bool { return unicode.IsPunct(r) && r != '%' })
	return core, f[len(core):]
}

func isAdverb(w string) bool {
	return adverbs[w] || strings.HasSuffix(w, "ly") && w != "rely" && w != "fly" && w != "apply" && w != "reply"
}

var adverbs = text.WordSet(`always never often usually sometimes also just still now only ever already mostly actually really
	currently normally typically generally rarely seldom absolutely both even all either mainly then once first finally recently totally`)

// plainVerbs are verbs that are joined to a first one without a new subject.
var plainVerbs = text.WordSet(`live work play study like love hate prefer use run cycle swim read write cook bake teach eat drink
	have own drive take go walk speak travel collect paint draw sing dance knit hike climb`)

// invariant verbs have no form in s.
var invariant = text.WordSet(`can can't cannot could couldn't will won't would wouldn't must mustn't should shouldn't might may shall
	was wasn't had hadn't did didn't used went got made took bought met grew left came saw began found gave kept knew lost
	paid sold told thought wrote ran broke chose drove ate fell felt flew forgot held led meant quit said spent stood
	taught wore won woke swam sang spoke sent became rode rose hurt split built brought caught sprained`)

// presentInEd are verbs in -ed that are not past tense.
var presentInEd = text.WordSet(`need feed speed bleed seed embed breed heed exceed succeed proceed shed`)

// conjugate returns the third person singular of a verb in the first.
func conjugate(verb string) string {
	low := strings.ToLower(verb)
	switch low {
	case "am":
		return "is"
	case "have":
		return "has"
	case "haven't":
		return "has not"
	case "do":
		return "does"
	case "don't":
		return "does not"
	case "go":
		return "goes"
	}
	if invariant[low] || strings.HasSuffix(low, "ed") && !presentInEd[low] {
		return verb
	}
	for _, end := range []string{"s", "x", "ch", "sh", "z"} {
		if strings.HasSuffix(low, end) {
			return verb + "es"
		}
	}
	if n := len(low); n > 1 && low[n-1] == 'y' && !strings.ContainsRune("aeiou", rune(low[n-2])) {
		return verb[:n-1] + "ies"
	}
	return verb + "s"
}

// capitalize makes the first letter a capital, unless the first word is a name
// that is written otherwise: a path, a URL, code.
func capitalize(s string) string {
	word, _, _ := strings.Cut(s, " ")
	if strings.ContainsAny(word, "/.`_@:") {
		return s
	}
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// lowerFirst undoes [capitalize].
func lowerFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToLower(r)) + s[n:]
}

// finish closes a statement with a full stop.
func finish(s string) string {
	s = strings.TrimRight(strings.TrimSpace(s), " ,;:-–—")
	if r, _ := utf8.DecodeLastRuneInString(s); strings.ContainsRune(".!?…。।", r) {
		return s
	}
	return s + "."
}
