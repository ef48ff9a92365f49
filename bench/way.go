package bench

import (
	"fmt"
	"slices"
	"strings"
)

// Way is a way to ask for a generated statement.
type Way string

// The ways. All but the first two leave out one part of the statement, as
// someone does who wants to know it: the day, the place, or who it was.
const (
	// Exact asks in words that the statement has: who did what, where and when.
	Exact Way = "exact"
	// Long asks the same in about thirteen words, two of which no statement has,
	// and names the code of the statement.
	Long Way = "long"
	// Forms asks in other forms of the words: another tense, one for many.
	Forms Way = "forms"
	// Typo asks in words of the statement, one of them misspelt.
	Typo Way = "typo"
	// Synonyms asks in other words for what was done, or for the object.
	Synonyms Way = "synonyms"
	// Few asks in two to four words, without a sentence.
	Few Way = "few"
	// Mixed asks with another tense, other words for the object, and one of the
	// words that are left misspelt.
	Mixed Way = "mixed"
)

// Ways are all of them, in the order in which they are reported.
func Ways() []Way { return []Way{Exact, Long, Forms, Typo, Synonyms, Few, Mixed} }

// parts are what a statement is made of.
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
	wants // how many there are
)

// Ask returns a question that the statement answers, the same each time. An
// unknown way is asked as [Exact].
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

// month is the day without its number: who asks for the place knows no more.
func (p parts) month() string {
	month, _, _ := strings.Cut(p.day, " ")
	return month
}

// said asks for a part with the verb in the past.
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

// did asks for a part with the verb as it is after "did".
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

// during asks for a part with the verb as it is after "was".
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

// few are the words that are typed into a search field.
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

// misspelt returns the parts with one misspelt word in one of those that are
// asked with.
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
