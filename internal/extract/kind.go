package extract

import (
	"strings"
)

// A slot holds values of its kind: what is said of a birthday that is no day, or of
// a job that is no occupation, is a remark and fills nothing.

// fits reports whether value can be what an attribute holds.
func fits(attribute, value string) bool {
	value = strings.Trim(value, " .,!?;")
	if value == "" || trouble.MatchString(value) {
		return false
	}
	if check, ok := kindOf[attribute]; ok {
		return check.MatchString(value)
	}
	first, _, _ := strings.Cut(strings.ToLower(value), " ")
	return !passingPhrase.MatchString(value) && !passingMark.MatchString(value) && !passingStates[strings.Trim(first, ",;")] && !judged.MatchString(value)
}

var (
	aDay    = expr(`(?i)\b(?:` + months + `|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b|\d{1,2}[./-]\d{1,2}|` + weekdays + `|christmas|easter|new year|halloween|valentine|the \d{1,2}(?:st|nd|rd|th)|end of|q[1-4]\b`)
	aNumber = expr(`\d|(?i:^(?:` + numbers + `)\b)`)
	aName   = expr(`^(?:the |a |an )?\p{Lu}|^[\pL\d._-]+$`)
	// judged are opinions about a thing, where something named was to be expected.
	judged = expr(`(?i)^(?:(?:really|very|so|too|quite|pretty|just|such|not|still|always|a|an|the|kind of|sort of|bit|little|absolute|total|complete) )*(?:mess|joke|nightmare|pain|bargain|disaster|dream|mystery|problem|issue|one thing|enough|wreck|bit \pL+|hard to|easy to|going|getting|being|making|killing|acting|driving|about to|up to)\b`)
)

// kindOf is what the value of an attribute must look like. Attributes that are not
// here take any value that is no state of the moment.
var kindOf = map[string]*pattern{
	"birthday": aDay, "wedding anniversary": aDay, "anniversary": aDay, "deadline": aDay, "start date": aDay, "end date": aDay, "launch date": aDay,
	"release date": aDay, "day": expr(`(?i)` + weekdays + `|daily|every`),
	"age": aNumber, "height": aNumber, "weight": aNumber, "shoe size": aNumber, "ring size": aNumber, "birth year": aNumber, "port": aNumber,
	"phone number": expr(`(?:\d[ ()./-]*){5,}`), "email": expr(`@`), "postcode": aNumber, "zip code": aNumber,
	"time zone":  expr(`(?i)^(?:\(?(?:utc|gmt)|[a-z]{2,5}$|[\pL_]+/[\pL_]+|(?:\pL+ )*(?:time|zone)\b|[+-]\d)|^\p{Lu}`),
	"pronouns":   expr(`(?i)^(?:she|he|they|it|xe|ze|any|\pL+/\pL+)`),
	"blood type": expr(`(?i)^(?:a|b|ab|o|0)\b`),
	"name":       aName, "nickname": aName, "surname": aName, "middle name": aName, "maiden name": aName,
	"city": expr(`^(?:the )?\p{Lu}|^[^\s]+$|^[^\s\d]+ [^\s\d]+$`),
}
