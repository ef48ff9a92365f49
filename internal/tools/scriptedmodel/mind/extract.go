package mind

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
)

// turn matches a line of the transcript sent by the context manager: "[12] user: …".
var turn = regexp.MustCompile(`(?m)^\[(\d+)\] user: (.*)$`)

var (
	named = regexp.MustCompile(`(?i)\bmy (\w+)(?:'s name is| is called) (\p{Lu}\w+)`)
	lives = regexp.MustCompile(`(?i)\bI live in (\p{Lu}\w+)`)
	likes = regexp.MustCompile(`(?i)\bI (?:really )?(?:like|love|prefer) ([\w ]+)`)
)

type operation struct {
	Op    string `json:"op"`
	Fact  int    `json:"fact"`
	Text  string `json:"text"`
	Type  string `json:"type"`
	Turn  int64  `json:"turn"`
	Quote string `json:"quote"`
}

// operations returns the facts found in a transcript in the form that the extraction
// schema requires.
func operations(material string) string {
	found := []operation{}
	for _, line := range turn.FindAllStringSubmatch(material, -1) {
		seq, err := strconv.ParseInt(line[1], 10, 64)
		if err != nil {
			continue // too long for a number
		}
		add := func(text, quote string) {
			found = append(found, operation{Op: "add", Text: strings.TrimSpace(text) + ".", Type: "user", Turn: seq, Quote: quote})
		}
		if m := named.FindStringSubmatch(line[2]); m != nil {
			add("The user's "+strings.ToLower(m[1])+" is named "+m[2], m[0])
		}
		if m := lives.FindStringSubmatch(line[2]); m != nil {
			add("The user lives in "+m[1], m[0])
		}
		if m := likes.FindStringSubmatch(line[2]); m != nil {
			add("The user likes "+m[1], m[0])
		}
	}
	data, err := json.Marshal(map[string]any{"operations": found})
	if err != nil {
		return "{}" // refused, like malformed output of another model
	}
	return string(data)
}

// summary extends the summary so far with what the user said.
func summary(material string) string {
	so, messages, _ := strings.Cut(material, "\n\nMessages that follow:\n")
	so = strings.TrimSpace(strings.TrimPrefix(so, "Summary so far:"))
	var lines []string
	if so != "" && so != "(none)" {
		lines = append(lines, so)
	}
	for _, line := range turn.FindAllStringSubmatch(messages, -1) {
		lines = append(lines, "The user said: "+strings.TrimSuffix(clip(line[2], 14), "."))
	}
	if len(lines) == 0 {
		return "Nothing new was said by the user."
	}
	return strings.Join(lines, ".\n") + "."
}
