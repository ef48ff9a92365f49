package generated

import (
	"fmt"
	"strings"

	"github.com/strata-memory/strata"
)

// program is a function that was written or pasted.
type program struct {
	verb, object, detail string // parts of its name
	limit                int
}

var (
	codeVerbs   = ways("parse|validate|render|merge|encode|resolve")
	codeObjects = ways("invoice|voucher|shipment|report")
	codeDetails = ways("Date|Total|Header|Batch|Token|Footer|Address|Window")
)

// code returns two tellings: one of a function that the assistant wrote or the person
// pasted, and one that merely mentions it. Questions ask for the function by its name, by
// the words of its name, or by its content.
func (s *scope) code(number int) []telling {
	p := program{s.one(codeVerbs), s.one(codeObjects), s.one(codeDetails), 20 + s.IntN(400)}
	words := fmt.Sprintf("%s of the %s", strings.ToLower(p.detail), p.object)
	asks := [][]string{
		{fmt.Sprintf("What does %s return?", p.name()), fmt.Sprintf("Where did we write %s?", p.name())},
		{fmt.Sprintf("How did we %s the %s?", p.verb, words), fmt.Sprintf("Which function was it that should %s the %s?", p.verb, words)},
		{fmt.Sprintf("What is the limit for the %s?", words), fmt.Sprintf("What happens when the %s is too long?", words)},
	}[number%3]
	pasted := s.IntN(2) == 0
	written := telling{
		write: func(s *scope, about subject) string {
			if pasted {
				id := s.say(strata.RoleUser, "", "This does not do what I want, do you see why?\n\n"+p.goSource())
				s.say(strata.RoleAssistant, "", s.answer(about, ""))
				return id
			}
			s.say(strata.RoleUser, "", fmt.Sprintf("Write me a function for the %s of our %ss.", strings.ToLower(p.detail), p.object))
			return s.say(strata.RoleAssistant, "", s.sentences(about, 2)+"\n\n"+p.pythonSource()+"\n\n"+s.sentences(about, 3))
		},
		then: func(id string) { s.ask(KindCode, asks, Question{Answer: id}) },
	}
	mentioned := telling{
		write: func(s *scope, about subject) string {
			return s.exchange(about, fmt.Sprintf("CI is red, the log ends in %s at the %s. What do I do?", p.name(), words))
		},
		then: func(string) {},
	}
	return []telling{written, mentioned}
}

// name returns the name of the function in camel case for either language, since somebody
// who remembers it may write it either way.
func (p program) name() string {
	return p.verb + strings.ToUpper(p.object[:1]) + p.object[1:] + p.detail
}

func (p program) goSource() string {
	return fmt.Sprintf("```go\nfunc %s(in string) (string, error) {\n\tif len(in) > %d {\n\t\treturn \"\", errors.New(\"%s %s too long\")\n\t}\n\tparts := strings.SplitN(in, \";\", 2)\n\treturn strings.TrimSpace(parts[0]), nil\n}\n```",
		p.name(), p.limit, p.object, strings.ToLower(p.detail))
}

func (p program) pythonSource() string {
	name := fmt.Sprintf("%s_%s_%s", p.verb, p.object, strings.ToLower(p.detail))
	return fmt.Sprintf("```python\ndef %s(value: str) -> str:\n    if len(value) > %d:\n        raise ValueError(\"%s %s too long\")\n    head, _, _ = value.partition(\";\")\n    return head.strip()\n```",
		name, p.limit, p.object, strings.ToLower(p.detail))
}
