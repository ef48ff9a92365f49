// Package verbframe reads which slot a clause fills that names it by its verb, or by a
// noun beside the value: who reports to Ines has her as a manager, whose home is in Porto
// lives there, and "Vivaldi is my default browser" says what the browser is.
//
// A slot holds one value, and another one ends it, so that frames are for what somebody or
// something has one of. A clause that lists several values, or says when or where the value
// holds, fills none: "I report to Ines and Bo", "I browse with Vivaldi at work".
package verbframe

import (
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text/prefilter"
)

// User is the entity of what a person says of themselves.
const User = "user"

// Slot returns the entity and the attribute that a clause in the first person fills, both
// empty where no frame fits.
func Slot(clause string) (entity, attribute string) {
	for _, f := range frames {
		m := f.re.FindStringSubmatch(clause)
		if m == nil {
			continue
		}
		entity, attribute = f.fill(m)
		if entity != "" {
			return entity, attribute
		}
	}
	return "", ""
}

// Fill returns the slot of a clause of which a rule has read another one, or none. What is
// used in the place of another thing says less of what it is used for.
func Fill(clause, entity, attribute string) (string, string) {
	if entity == "" || strings.HasPrefix(attribute, "choice of ") {
		if e, a := Slot(clause); e != "" {
			return e, a
		}
	}
	return entity, attribute
}

// Type is that of facts with an attribute that [Slot] returned: of a part of a project, or
// of the user and those they know.
func Type(attribute string) strata.Type {
	if ofProject.MatchString(attribute) {
		return strata.TypeProject
	}
	return strata.TypeUser
}

// LivesThere says at once where somebody lives who got a home and lives there: "Ana bought
// a flat in Bath and lives there" is read as "Ana lives in a flat in Bath".
func LivesThere(sentence string) string {
	m := livesThere.FindStringSubmatch(sentence)
	if m == nil {
		return sentence
	}
	return m[1] + " " + m[3] + " in " + m[2] + "."
}

// Role is the one name of a role that has several: who is a boss is a manager too.
func Role(name string) string {
	name = strings.ToLower(name)
	switch strings.TrimPrefix(name, "line ") {
	case "boss", "manager", "supervisor":
		return "manager"
	case "gp", "family doctor", "physician", "doctor":
		return "doctor"
	case "os":
		return "operating system"
	case "text editor", "code editor":
		return "editor"
	case "login shell":
		return "shell"
	}
	return name
}

// frame is an expression for clauses that fill a slot. Groups of it are named: the value,
// and whatever of the slot the clause names itself.
type frame struct {
	entity, attribute string // empty where groups name them
	named             bool   // the value is a name, a number or a known tool
	re                *prefilter.Regexp
	groups            func() []string
}

// fill returns the slot that a match of the frame fills.
func (f frame) fill(m []string) (entity, attribute string) {
	entity, attribute = f.entity, f.attribute
	value, thing, kin := "", "", ""
	for i, group := range f.groups() {
		switch text := strings.ToLower(strings.TrimSpace(m[i])); group {
		case "v":
			value = strings.TrimSpace(m[i])
		case "role":
			attribute = Role(text)
			entity = User
			if people.MatchString(attribute) {
				entity, attribute = User+"'s "+attribute, "name"
			}
		case "attr":
			attribute = text
		case "thing":
			thing = text
			entity = strings.TrimSpace(text + " " + f.entity)
		case "kin":
			kin = strings.ToLower(m[i])
		case "who":
			thing = m[i]
			entity = kin + text // "brother henrik": there may be another Henrik
		}
	}
	if value == "" || several.MatchString(value) || noThing.MatchString(thing) || f.named && !isName(value) || attribute == "city" && dated.MatchString(value) {
		return "", ""
	}
	return entity, attribute
}

var (
	livesThere = prefilter.Of(func() string {
		return `(?i)^(.+?) (?:has |have |just |recently )*(?:bought|got|built|inherited|rents?|owns?|found) (an? (?:[\pL-]+ )?(?:house|flat|apartment|cottage|place) in [^,;]{2,30}?) and (?:now )?(lives?) there[.!]?$`
	})
	// several are words of a value that is one of several, or not always the one.
	several = prefilter.Of(func() string {
		return `(?i)\b(?:and|or|nor|both|too|also|as well|either|sometimes|often|occasionally|mostly|partly|another|one of|besides|not|never|was|were|would|if|when|at home|at work|for work|in summer|in winter|on weekends|weekends)\b`
	})
	// noThing opens what names nothing, or nobody.
	noThing = prefilter.Of(func() string {
		return `(?i)^(?:it|this|that|these|those|they|he|she|i|we|you|who|which|there|here|what|nobody|everybody|everyone|someone|same|other|first|last|next|new|old|whole)\b`
	})
	// dated opens what is moved to a day, or a number, which is no place.
	dated = prefilter.Of(func() string {
		return `(?i)^(?:\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:january|february|march|april|may|june|july|august|september|october|november|december)\b|` + tools + `)`
	})
	// ofProject are the attributes of frames for parts of a project.
	ofProject = prefilter.Of(func() string { return `^(?:` + attributes + `|day)$` })
	// people are roles of persons, who have names.
	people = prefilter.Of(func() string { return `^(?:` + persons + `)$` })
	// aName is a value that is one, without an article before it.
	aName = prefilter.Of(func() string {
		return `^(?:\p{Lu}|\d|(?i:(?:` + tools + `)\b)|\pL+ (?:on|at|in) \p{Lu})`
	})
)

// isName reports whether a value is a name, a number or a tool, for instance.
func isName(value string) bool {
	if first, rest, ok := strings.Cut(value, " "); ok && articles[strings.ToLower(first)] {
		value = rest
	}
	return aName.MatchString(value) && !noThing.MatchString(value)
}

var articles = map[string]bool{"a": true, "an": true, "the": true}

// f makes a frame of an expression, in which {v} is the value and {end} what may follow it.
func f(entity, attribute, expression string) frame {
	return makeFrame(entity, attribute, expression, false)
}

// named is [f] for a value that must be a name, since other words in its place say what
// something is like: "my gym is closed".
func named(entity, attribute, expression string) frame {
	return makeFrame(entity, attribute, expression, true)
}

func makeFrame(entity, attribute, expression string, named bool) frame {
	re := prefilter.Of(func() string { return `(?i)^` + strings.NewReplacer(words...).Replace(expression) + after })
	return frame{entity: entity, attribute: attribute, named: named, re: re, groups: func() []string { return names(re) }}
}

func names(re *prefilter.Regexp) []string { return re.Plain().SubexpNames() }

// after may follow a value: that it is so now, and what was before.
const after = `(?:,? (?:now|these days|nowadays|at the moment|currently|from now on|from here on|since [^,]{1,20}))*(?:,? (?:instead of|rather than|not|and not|no longer) [^,]{1,40}|, [^,]{1,30} (?:was|were|left|closed|retired|hurt|is history)\b.*|, has been for .*)?[.!]?$`
