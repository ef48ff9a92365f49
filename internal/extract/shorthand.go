package extract

import "strings"

// expandShorthand returns a sentence with its abbreviations in full: "im allergic 2 nuts" is read as "I'm
// allergic to nuts".
func expandShorthand(text string) string {
	if !hasty.MatchString(text) {
		return text
	}
	fields := strings.Fields(text)
	for i, f := range fields {
		core := strings.TrimRight(f, ",.;:!?")
		if full, ok := hastyWords[strings.ToLower(core)]; ok && (core != "2" && core != "4" || i > 0 && i+1 < len(fields) && allergicTo[strings.ToLower(fields[i-1])]) {
			fields[i] = full + f[len(core):]
		}
	}
	return strings.Join(fields, " ")
}

var hasty = expr(`(?i)\b(?:im|ive|dont|doesnt|didnt|cant|wont|isnt|arent|u|ur|2|4)\b`)

var hastyWords = map[string]string{"im": "I'm", "ive": "I've", "dont": "don't", "doesnt": "doesn't", "didnt": "didn't", "cant": "can't", "wont": "won't",
	"isnt": "isn't", "arent": "aren't", "u": "you", "ur": "your", "2": "to", "4": "for"}

// allergicTo are words after which "2" is "to".
var allergicTo = map[string]bool{"allergic": true, "intolerant": true, "sensitive": true, "moved": true, "moving": true, "married": true, "addicted": true, "going": true}
