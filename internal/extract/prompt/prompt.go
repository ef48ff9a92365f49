// Package prompt has a language model say what a conversation changes in memory: it
// writes the request and reads the answer.
//
// The model is given the messages, what memory holds that may be meant, and what the
// rules found in the same messages. It answers with operations: add, supersede,
// retire. Each quotes the words that say so, and what is not grounded in the messages
// is dropped with a reason. What the rules found stays; see [Merge].
package prompt

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/secrets/fence"
)

// The prompts are files, so that they can be read and reviewed as prose.
var (
	//go:embed instructions.md
	instructions string
	//go:embed repair.md
	repair string
	//go:embed schema.json
	schema string
)

// Instructions are the system prompt of a request.
func Instructions() string { return instructions }

// Schema is the JSON schema of the answer.
func Schema() json.RawMessage { return json.RawMessage(schema) }

// Repair is what to say after an answer that cannot be read, for the reason err.
func Repair(err error) string { return strings.TrimSpace(repair) + " " + err.Error() }

// MaxFacts is how many facts of memory a request shows.
const MaxFacts = 24

// factChars is how much of one fact a request shows, in characters. A longer one is
// no statement that an operation could replace.
const factChars = 300

// maxEarlier is how many earlier turns a request shows.
const maxEarlier = 4

// Request is a part of a conversation and what is known of it.
type Request struct {
	// Turns are the messages, in order.
	Turns []strata.Turn
	// Earlier is what was said last before them, to understand them by. Of it the model
	// sees so much of each turn that it knows what was spoken of.
	Earlier []strata.Turn
	// Messages are the same as the model reads them, each line with its number.
	Messages string
	// Facts are current facts that may be meant, the likeliest first; those beyond
	// [MaxFacts] are not shown.
	Facts []strata.Fact
	// Found is what the rules found in the messages.
	Found []strata.Candidate
}

// Material is what the model is given: memory, days and messages.
func (r Request) Material() string {
	var b strings.Builder
	b.WriteString("Facts that memory holds:\n")
	for i, f := range r.shown() {
		fmt.Fprintf(&b, "%d. %s%s\n", i+1, label(f.Entity, f.Attribute, f.Verbatim), fence.Cut(fence.Line(f.Text), factChars))
	}
	for i, c := range r.Found {
		fmt.Fprintf(&b, "%d. %s%s (noted from the messages below)\n", len(r.shown())+i+1, label(c.Entity, c.Attribute, c.Verbatim), fence.Line(c.Content))
	}
	if len(r.Facts)+len(r.Found) == 0 {
		b.WriteString("(none)\n")
	}
	day := ""
	for _, t := range r.Turns {
		if t.At.IsZero() || t.At.Format(dayLayout) == day {
			continue
		}
		day = t.At.Format(dayLayout)
		fmt.Fprintf(&b, "From message %d on it is %s.\n", t.Seq, day)
	}
	if len(r.Earlier) > 0 {
		b.WriteString("\nWhat was said before the messages, only to understand them by. Take nothing from it:\n")
		for _, t := range r.Earlier[max(len(r.Earlier)-maxEarlier, 0):] {
			fmt.Fprintf(&b, "%s: %s\n", t.Role, fence.Cut(fence.Line(t.Text), factChars))
		}
	}
	b.WriteString("\nMessages:\n")
	b.WriteString(r.Messages)
	return b.String()
}

// dayLayout names a day with its weekday, by which "on Friday" is resolved.
const dayLayout = "Monday, 2006-01-02"

// shown are the facts of memory that the model sees.
func (r Request) shown() []strata.Fact { return r.Facts[:min(len(r.Facts), MaxFacts)] }

// label tells of a fact which slot it fills and that it is in the speaker's words.
func label(entity, attribute string, verbatim bool) string {
	switch {
	case entity != "":
		return "[" + fence.Line(entity) + ": " + fence.Line(attribute) + "] "
	case verbatim:
		return "[in the speaker's own words] "
	}
	return ""
}
