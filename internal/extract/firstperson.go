package extract

import (
	"strings"
)

// firstPerson undoes [thirdPerson] for the opening of a statement, so that one
// set of rules reads "My cat is …", "The user's cat is …" and "User's cat is …".
func firstPerson(text string) string {
	low := strings.ToLower(head(text, len("the user's ")))
	for _, who := range []string{"the user", "user"} {
		if strings.HasPrefix(low, who+"'s ") {
			return "My " + text[len(who)+3:]
		}
		if strings.HasPrefix(low, who+" ") {
			fields := strings.Fields(text[len(who)+1:])
			for i, f := range fields {
				if !isAdverb(strings.ToLower(f)) {
					fields[i] = baseForm(f)
					break
				}
			}
			said := strings.ReplaceAll(strings.Join(fields, " "), "does not", "don't")
			if m := perfect.FindString(said); m != "" {
				return "I've " + said[len("have "):]
			}
			return "I " + said
		}
	}
	return strings.ReplaceAll(text, "the user's ", "my ")
}

// perfect opens "have been", "have moved" and the like.
var perfect = expr(`(?i)^have (?:(?:just|recently|now|always|finally) )?(?:been|had|got|gone|given|grown|\pL+ed)\b`)

// baseForm undoes [conjugate].
func baseForm(verb string) string {
	low := strings.ToLower(verb)
	switch low {
	case "is":
		return "am"
	case "has":
		return "have"
	case "does", "was", "goes":
		return map[string]string{"does": "does", "was": "was", "goes": "go"}[low]
	}
	for _, end := range []string{"ches", "shes", "xes", "sses", "zzes"} {
		if strings.HasSuffix(low, end) {
			return verb[:len(verb)-2]
		}
	}
	switch {
	case strings.HasSuffix(low, "ies") && len(low) > 4:
		return verb[:len(verb)-3] + "y"
	case strings.HasSuffix(low, "s") && !strings.HasSuffix(low, "ss"):
		return verb[:len(verb)-1]
	}
	return verb
}
