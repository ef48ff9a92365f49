package extract

import (
	"strings"

	"github.com/strata-memory/strata/internal/extract/language"
)

// Subject is whom or what of the user's a fact is about.
type Subject struct {
	Relation string // in English and lower case, "sister"; empty for the user
	Name     string // "Clara", where the statement says it with the relation
	Pet      bool
	Person   bool
}

var (
	persons  = expr(`(?i)^(?:{relation})$`)
	theirOwn = expr(`(?i)^(?:my|our|the user's|user's) ((?:{relation}))(?:,? (\p{Lu}[\pL'-]+))?\b`)
)

// SubjectOf returns whom a statement is about, by the entity of its slot ("user's cat")
// where it fills one, else by its words.
func SubjectOf(text, entity string) Subject {
	var s Subject
	if rel, ok := strings.CutPrefix(entity, self+"'s "); ok {
		s.Relation = rel
	}
	if m := theirOwn.FindStringSubmatch(text); m != nil {
		if s.Relation == "" {
			s.Relation = strings.ToLower(m[1])
		}
		if startsUpper(m[2]) {
			s.Name = m[2]
		}
	} else if l := language.Of(text, nil); l != nil && s.Relation == "" {
		s.Relation = l.Relation(text)
	}
	s.Pet = animals.MatchString(s.Relation)
	s.Person = !s.Pet && persons.MatchString(s.Relation)
	return s
}

// SecondPerson addresses a statement about the user to them: "The user lives in Leeds
// with their cat" is "You live in Leeds with your cat". Others stay as they are.
func SecondPerson(text string) string {
	said := firstPerson(text)
	switch {
	case strings.HasPrefix(said, "I "):
		said = "You " + verbOfYou(said[len("I "):])
	case strings.HasPrefix(said, "I've "):
		said = "You have " + said[len("I've "):]
	case strings.HasPrefix(said, "I'm "):
		said = "You are " + said[len("I'm "):]
	case strings.HasPrefix(said, "My "):
		return strings.ReplaceAll("Your "+said[len("My "):], " the user's ", " your ")
	default:
		before, after, found := strings.Cut(text, " the user")
		if !found {
			return text
		}
		return before + yours.Replace(strings.Replace(" the user"+after, " the user ", " you ", 1))
	}
	return yours.Replace(said)
}

// yours turns what refers to the user. In a statement of which they are the subject
// "their" is theirs as a rule.
var yours = strings.NewReplacer(" their ", " your ", " themselves", " yourself", " they ", " you ", " my ", " your ", " they're ", " you're ", " the user's ", " your ")

func verbOfYou(said string) string {
	first, rest, _ := strings.Cut(said, " ")
	switch first {
	case "am", "'m":
		first = "are"
	case "was":
		first = "were"
	}
	return first + " " + rest
}
