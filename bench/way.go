package bench

import (
	"fmt"
	"slices"
	"strings"
)

// Way is a way to ask for a generated statement.
type Way string

// The ways. All but the first two leave out the part of the statement that they ask for:
// the day, the place, or the person.
const (
	// Exact asks in words of the statement: who did what, where and when.
	Exact Way = "exact"
	// Long asks the same in about thirteen words, two of which no statement holds, and
	// gives the code of the statement.
	Long Way = "long"
	// Forms asks with other forms of the words: another tense, or the plural for the
	// singular.
	Forms Way = "forms"
	// Typo asks in words of the statement, one of which is misspelled.
	Typo Way = "typo"
	// Synonyms asks with other words for the action or for the object.
	Synonyms Way = "synonyms"
	// Few asks in two to four words, without a sentence.
	Few Way = "few"
	// Mixed asks with another tense, other words for the object, and a misspelling in one
	// of the other words.
	Mixed Way = "mixed"
)

// Ways returns all ways, in the order in which they are reported.
func Ways() []Way { return []Way{Exact, Long, Forms, Typo, Synonyms, Few, Mixed} }

// parts holds the parts of a statement.
type parts struct {
	number                        int
	who, verb, object, place, day string
}

// wanted is the part of a statement that a question leaves out and asks for.
type wanted int

const (
	wantDay wanted = iota
	wantPlace
	wantWho
	wants // number of parts that can be asked for
)

// Ask returns a question that the statement answers. It is deterministic, and treats an
// unknown way as [Exact].
func (s Synthetic) Ask(way Way) string {
	p, want := s.parts, wanted(s.parts.number)%wants
	verb, object := verbs()[p.verb], things()[p.object]
	switch way {
	case Long:
		return s.Long
	case Forms:
		p.object = object.form
		return p.during(want, verb.going)
	case Typo:
		return p.misspelt(want).said(want, p.verb)
	case Synonyms:
		if p.number/int(wants)%2 == 0 {
			p.object = object.synonyms
			return p.said(want, p.verb)
		}
		return p.said(want, verb.synonyms)
	case Few:
		return p.few(want, object.head)
	case Mixed:
		p.object = object.synonyms
		return p.misspelt(want).did(want, verb.base)
	}
	return s.Question
}

// month returns the month of the day: somebody who asks for the place knows no more.
func (p parts) month() string {
	month, _, _ := strings.Cut(p.day, " ")
	return month
}

// said returns a question for a part with the verb in the past tense.
func (p parts) said(want wanted, verb string) string {
	switch want {
	case wantDay:
		return fmt.Sprintf("do you remember when it was that %s %s %s in %s?", p.who, verb, p.object, p.place)
	case wantPlace:
		return fmt.Sprintf("where was it that %s %s %s in %s?", p.who, verb, p.object, p.month())
	default:
		return fmt.Sprintf("who was it that %s %s in %s on %s?", verb, p.object, p.place, p.day)
	}
}

// did returns a question for a part with the verb in the form that follows "did".
func (p parts) did(want wanted, verb string) string {
	switch want {
	case wantDay:
		return fmt.Sprintf("what day did %s %s %s in %s?", p.who, verb, p.object, p.place)
	case wantPlace:
		return fmt.Sprintf("tell me where %s did %s %s in %s", p.who, verb, p.object, p.month())
	default:
		return fmt.Sprintf("who did %s %s in %s on %s?", verb, p.object, p.place, p.day)
	}
}

// during returns a question for a part with the verb in the form that follows "was".
func (p parts) during(want wanted, verb string) string {
	switch want {
	case wantDay:
		return fmt.Sprintf("which day was %s %s %s in %s?", p.who, verb, p.object, p.place)
	case wantPlace:
		return fmt.Sprintf("in which place was %s %s %s in %s?", p.who, verb, p.object, p.month())
	default:
		return fmt.Sprintf("who was %s %s in %s on %s?", verb, p.object, p.place, p.day)
	}
}

// few returns the words that somebody would type into a search field.
func (p parts) few(want wanted, head string) string {
	who, place := lastWord(p.who), lastWord(p.place)
	var words []string
	switch want {
	case wantDay:
		words = []string{who, head, place}
	case wantPlace:
		words = []string{who, head, p.day}
	default:
		words = []string{head, place, p.day}
	}
	return strings.ToLower(strings.Join(words, " "))
}

func lastWord(phrase string) string { return phrase[strings.LastIndexByte(phrase, ' ')+1:] }

// misspelt returns the parts with one misspelled word, in a part that the question uses.
func (p parts) misspelt(want wanted) parts {
	asked := []*string{&p.who, &p.object, &p.place, &p.day}
	switch want {
	case wantDay:
		asked = slices.Delete(asked, 3, 4)
	case wantPlace:
		asked = slices.Delete(asked, 2, 3)
	default:
		asked = slices.Delete(asked, 0, 1)
	}
	turn := p.number / int(wants)
	part := asked[turn%len(asked)]
	*part = misspell(*part, turn/len(asked))
	return p
}
