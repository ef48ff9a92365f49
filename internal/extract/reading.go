package extract

import (
	"strings"
)

// slot reads the first group as the value of a slot.
func slot(entity, attribute string) func([]string) (reading, bool) {
	return func(m []string) (reading, bool) {
		return reading{entity: entity, attribute: attribute, value: strings.TrimSpace(m[1])}, m[1] != ""
	}
}

// object accepts a match whose group names something by itself.
func object(group int) func([]string) (reading, bool) {
	return func(m []string) (reading, bool) { return reading{}, concrete(m[group]) }
}

var noSubject = expr(`(?i)^(?:the|hard|a lot|all (?:day|night)|late|more|for|together|too)\b`)

// concreteAfter accepts a match unless what follows the verb is empty of meaning.
func concreteAfter(verb string) func([]string) (reading, bool) {
	after := expr(`(?i)` + verb + `(.+)`)
	return func(m []string) (reading, bool) {
		found := after.FindStringSubmatch(m[0])
		return reading{}, found == nil || concrete(found[1]) && !noSubject.MatchString(found[1])
	}
}

// capitalAt accepts a match whose group opens with a capital.
func capitalAt(group int) func([]string) (reading, bool) {
	return func(m []string) (reading, bool) { return reading{}, startsUpper(m[group]) }
}

// canonical gives the names of one attribute one form.
func canonical(attribute string) string {
	a := strings.ToLower(attribute)
	switch a {
	case "date of birth", "birth date":
		return "birthday"
	case "phone", "mobile number":
		return "phone number"
	case "email address", "e-mail":
		return "email"
	case "home address":
		return "address"
	case "timezone":
		return "time zone"
	case "mother tongue", "first language":
		return "native language"
	case "job title", "role", "occupation", "profession":
		return "job"
	case "company":
		return "employer"
	case "home town":
		return "hometown"
	case "blood group":
		return "blood type"
	case "os":
		return "operating system"
	case "last name":
		return "surname"
	case "due date":
		return "deadline"
	case "time-out":
		return "timeout"
	case "hostname":
		return "host"
	}
	return a
}
