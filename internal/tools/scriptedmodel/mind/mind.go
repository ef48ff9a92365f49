// Package mind answers in place of a model by simple rules. Everything it says comes from
// the request, so that its answers show what was in the prompt.
//
// It gives the name of "my cat" and the like if the prompt states it, and otherwise calls
// memory_recall. It saves what it is told to remember, reopens turns, finds facts and
// writes summaries for the context manager. Otherwise it makes small talk. "hang",
// "break" and "fail" make it misbehave.
package mind

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"regexp"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/models/llmtest/scripted"
	"github.com/strata-memory/strata/internal/text/token"
	"github.com/strata-memory/strata/llm"
)

// Mind answers requests. The zero Mind is ready.
type Mind struct {
	// Window is the context length that it claims to have, in tokens. 0 means that it
	// does not claim one.
	Window int
}

// Answer implements [scripted.Script].
func (m Mind) Answer(r scripted.Request) scripted.Reply {
	if r.Kind != scripted.KindChat {
		return scripted.Reply{Window: m.Window}
	}
	reply := answer(r.Chat)
	reply.Usage.Prompt = cost(r.Chat)
	for _, p := range reply.Parts {
		reply.Usage.Completion += token.Count(p.Text)
	}
	return reply
}

func answer(req llm.Request) scripted.Reply {
	last := req.Messages[len(req.Messages)-1]
	switch {
	case len(req.Schema) > 0:
		return scripted.Say(operations(last.Text))
	case strings.HasPrefix(last.Text, "Summary so far:"):
		return scripted.Say(summary(last.Text))
	case last.Role == strata.RoleTool:
		return afterTool(req, last)
	}
	return converse(req, said(last.Text))
}

// added matches what the context manager appends to a message.
var added = regexp.MustCompile(`(?s)\n*<(recalled-memory|context-note)>.*?</(recalled-memory|context-note)>`)

// said returns the part of a message that the user wrote.
func said(text string) string { return strings.TrimSpace(added.ReplaceAllString(text, "")) }

var (
	asksName  = regexp.MustCompile(`(?i)what(?:'s| is) my (\w+)(?:'s)? (?:name|called)`)
	asksTurn  = regexp.MustCompile(`(?i)what (?:did I say|was said) in turn (\d+)`)
	remembers = regexp.MustCompile(`(?is)^(?:please )?remember(?: that|:)? (.+)$`)
)

// converse answers a user message.
func converse(req llm.Request, text string) scripted.Reply {
	switch strings.ToLower(strings.Trim(text, " .!")) {
	case "hang":
		return scripted.Reply{Parts: []scripted.Part{{Text: "Let me think about that "}, {Hang: true}}}
	case "break":
		return scripted.Reply{Parts: []scripted.Part{{Text: "It begins well "}, {Cut: true}}}
	case "fail":
		return scripted.Fail(500, "the model has a bad day")
	}
	if q := asksName.FindStringSubmatch(text); q != nil {
		if name, ok := nameOf(req, q[1]); ok {
			return stream(fmt.Sprintf("Your %s's name is %s.", q[1], name))
		}
		if offered(req, "memory_recall") {
			return call("memory_recall", map[string]any{"query": "the name of the user's " + q[1]})
		}
		return stream(fmt.Sprintf("I do not know your %s's name.", q[1]))
	}
	if q := asksTurn.FindStringSubmatch(text); q != nil && offered(req, "memory_expand") {
		return call("memory_expand", map[string]any{"from": json.Number(q[1]), "to": json.Number(q[1])})
	}
	if q := remembers.FindStringSubmatch(text); q != nil && offered(req, "memory_save") {
		return call("memory_save", map[string]any{"content": strings.TrimRight(q[1], " ")})
	}
	return stream(talk(text))
}

// afterTool answers after a tool has returned a result.
func afterTool(req llm.Request, result llm.Message) scripted.Reply {
	question := ""
	for _, m := range req.Messages {
		if m.Role == strata.RoleUser {
			question = said(m.Text)
		}
	}
	if q := asksName.FindStringSubmatch(question); q != nil {
		if name, ok := nameOf(req, q[1]); ok {
			return stream(fmt.Sprintf("I looked it up: your %s's name is %s.", q[1], name))
		}
		return stream(fmt.Sprintf("I do not know your %s's name.", q[1]))
	}
	if result.Tool == "memory_save" {
		return stream("I will remember it.")
	}
	return stream("Here is what I found: " + clip(result.Text, 60))
}

// nameOf searches the messages of a request for a name.
func nameOf(req llm.Request, who string) (string, bool) {
	says := regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(who) + `(?:'s name is|,? (?:is )?(?:named|called)) (\p{Lu}\w+)`)
	for i := len(req.Messages) - 1; i >= 0; i-- {
		if found := says.FindStringSubmatch(req.Messages[i].Text); found != nil {
			return found[1], true
		}
	}
	return "", false
}

func offered(req llm.Request, tool string) bool {
	for _, t := range req.Tools {
		if t.Name == tool {
			return true
		}
	}
	return false
}

func call(tool string, arguments map[string]any) scripted.Reply {
	data, err := json.Marshal(arguments)
	if err != nil {
		return scripted.Fail(500, err.Error())
	}
	return scripted.Call(strata.ToolCall{Name: tool, Arguments: string(data)})
}

// stream returns a reply that streams a text a few words at a time.
func stream(text string) scripted.Reply {
	var parts []scripted.Part
	words := strings.SplitAfter(text, " ")
	for len(words) > 0 {
		n := min(4, len(words))
		parts = append(parts, scripted.Part{Text: strings.Join(words[:n], "")})
		words = words[n:]
	}
	return scripted.Reply{Parts: parts}
}

// remarks returns small talk, so that a conversation fills its window.
func remarks() []string {
	return []string{
		"That is worth thinking about, and there is more than one way to look at it.",
		"In my experience it helps to begin with the part that worries you most and to leave the rest for later.",
		"Some people keep a list of such things on paper, others trust that what matters comes back by itself.",
		"If it were up to me I would try the simple way first and see how far it carries.",
		"There is no hurry, and a good night of sleep has settled harder questions than this one.",
		"You could ask somebody who has done it before, because they know what they would do differently.",
		"It may also turn out that the question answers itself once the first step is done.",
	}
}

// talk returns small talk of about ninety words.
func talk(text string) string {
	list := remarks()
	h := fnv.New32a()
	h.Write([]byte(text)) // writing to a hash cannot fail
	out := "You said: " + clip(text, 12)
	for i := range 5 {
		out += " " + list[(int(h.Sum32()%7)+i)%len(list)]
	}
	return out
}

// clip returns the first words of a text.
func clip(text string, words int) string {
	list := strings.Fields(text)
	if len(list) > words {
		return strings.Join(list[:words], " ") + " …"
	}
	return strings.Join(list, " ")
}

// cost estimates the tokens of a request roughly like servers do.
func cost(req llm.Request) int {
	n := 3
	for _, m := range req.Messages {
		n += 4 + token.Count(m.Text)
		for _, c := range m.Calls {
			n += 8 + token.Count(c.Name) + token.Count(c.Arguments)
		}
	}
	for _, t := range req.Tools {
		n += 12 + token.Count(t.Name) + token.Count(t.Description) + token.Count(string(t.Parameters))
	}
	return n
}
