package transcript

import (
	"bufio"
	"strings"
)

// shortArguments are arguments that a model wrote as JSON in a string, with long texts
// in them shortened. What is no JSON is shortened as a whole.
func shortArguments(v value) string {
	if v.tail == "" {
		if len(v.text) <= maxArgument {
			return v.text
		}
		p := parser{in: bufio.NewReader(strings.NewReader(v.text))}
		if inner, err := p.next(); err == nil {
			return inner.json(maxArgument)
		}
	}
	return v.short(maxArgument)
}
