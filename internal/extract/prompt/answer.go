package prompt

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/text/lazyregexp"
)

const (
	maxOperations = 64   // of one request; more is a copy of the messages
	maxTextBytes  = 1000 // of one fact; a longer one is a document
	// minQuote is the least number of characters of a quotation: one word or two occur
	// anywhere.
	minQuote = 6
	// grounded is the least share of a fact's words that must occur in the messages or
	// in the fact it replaces. What a model invents has less, a faithful sentence in
	// the third person more.
	grounded = 0.5
	// confidence is that of a fact a model found.
	confidence = 0.7
)

// operation is one change that the model wants.
type operation struct {
	Op    string `json:"op"`
	Fact  int    `json:"fact"`
	Text  string `json:"text"`
	Type  string `json:"type"`
	Turn  int64  `json:"turn"`
	Quote string `json:"quote"`
}

// Answer is what a model wants changed.
type Answer struct {
	// Candidates are to be written in this order; model names who found them in their
	// reasons.
	Candidates []strata.Candidate
	// Reworded are the indexes, in [Request.Found], of what a candidate says better.
	Reworded []int
	// Dropped says of each operation that was not taken why.
	Dropped []string
}

// Read reads the answer of a model to a request: one JSON object as the schema says, and
// nothing else save a code fence around it.
func (r Request) Read(answer, model string) (Answer, error) {
	if Echoes(answer, instructions) {
		return Answer{}, errors.New("the answer repeats the instructions")
	}
	ops, err := parse(answer)
	if err != nil {
		return Answer{}, err
	}
	var out Answer
	words := text.Vocabulary(r.Messages)
	for i, o := range ops {
		if o.Op == "none" {
			continue
		}
		c, found, err := r.candidate(o, words)
		if err != nil {
			out.Dropped = append(out.Dropped, fmt.Sprintf("operation %d: %v", i+1, err))
			continue
		}
		c.Reason = "model: " + model
		out.Candidates = append(out.Candidates, c)
		if found >= 0 {
			out.Reworded = append(out.Reworded, found)
		}
	}
	return out, nil
}

// parse reads the operations of an answer.
func parse(answer string) ([]operation, error) {
	answer = strings.TrimSpace(answer)
	if rest, ok := strings.CutPrefix(answer, "```"); ok {
		rest = strings.TrimSuffix(strings.TrimSpace(rest), "```")
		answer = strings.TrimPrefix(rest, "json")
	}
	var out struct {
		Operations *[]operation `json:"operations"`
	}
	dec := json.NewDecoder(strings.NewReader(answer))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&out); err != nil {
		return nil, fmt.Errorf("read operations: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("read operations: there is text after the object")
	}
	switch {
	case out.Operations == nil:
		return nil, errors.New(`read operations: "operations" is missing`)
	case len(*out.Operations) > maxOperations:
		return nil, fmt.Errorf("read operations: %d are more than %d", len(*out.Operations), maxOperations)
	}
	return *out.Operations, nil
}

// candidate turns an operation into a candidate, or says why it is not taken. Found is
// the index of what the rules found that it says better, else -1.
func (r Request) candidate(o operation, words map[string]bool) (c strata.Candidate, found int, err error) {
	turn, err := r.quoted(o)
	if err != nil {
		return c, -1, err
	}
	c = strata.Candidate{
		Origin: strata.OriginExtractor, Session: turn.Session, Sources: []string{turn.ID}, Confidence: confidence, Type: strata.Type(o.Type),
	}
	if turn.ID == "" {
		c.Sources = nil
	}
	if c.Type.Validate() != nil {
		c.Type = ""
	}
	found = -1
	switch o.Op {
	case "add":
		c.Content, err = r.statement(o, turn, "", words)
	case "supersede":
		if found, err = r.supersede(o, turn, words, &c); err != nil {
			return c, -1, err
		}
	case "retire":
		err = r.retire(o, &c)
	default:
		err = fmt.Errorf("there is no operation %.20q", o.Op)
	}
	if err == nil && !c.Type.OfProject() && turn.Role != strata.RoleUser {
		err = errors.New("what is known of the user is quoted from somebody else")
	}
	if err == nil {
		err = c.Validate()
	}
	return c, found, err
}

// quoted returns the turn that an operation quotes.
func (r Request) quoted(o operation) (strata.Turn, error) {
	at := slices.IndexFunc(r.Turns, func(t strata.Turn) bool { return t.Seq == o.Turn })
	if at < 0 {
		return strata.Turn{}, fmt.Errorf("there is no message %d", o.Turn)
	}
	quote := plain(o.Quote)
	if len([]rune(quote)) < minQuote && quote != plain(r.Turns[at].Text) {
		return strata.Turn{}, errors.New("the quotation is too short to tell anything")
	}
	if !strings.Contains(plain(r.Turns[at].Text), quote) {
		return strata.Turn{}, fmt.Errorf("the quotation does not occur in message %d", o.Turn)
	}
	return r.Turns[at], nil
}

// quotes are the marks that models write in place of each other.
var quotes = strings.NewReplacer("’", "'", "‘", "'", "“", `"`, "”", `"`)

// plain is a text as quotations are compared: case, white space and the shape of
// quotation marks aside.
func plain(s string) string {
	return strings.ToLower(strings.Join(strings.Fields(quotes.Replace(s)), " "))
}

// supersede makes c take the place of the fact that o names. Found is the index of what
// the rules found if it is that.
func (r Request) supersede(o operation, turn strata.Turn, words map[string]bool, c *strata.Candidate) (found int, err error) {
	i := o.Fact - 1
	if i < 0 || i >= len(r.shown())+len(r.Found) {
		return -1, fmt.Errorf("there is no fact %d", o.Fact)
	}
	if i < len(r.shown()) {
		f := r.Facts[i]
		c.Replaces, c.Scope, c.Type = f.Text, f.Scope, f.Type
		c.Content, err = r.statement(o, turn, f.Text, words)
		return -1, err
	}
	found = i - len(r.shown())
	if !r.Found[found].Verbatim {
		return -1, errors.New("it rewords what a rule has read")
	}
	c.Type = r.Found[found].Type
	c.Content, err = r.statement(o, turn, r.Found[found].Content, words)
	return found, err
}

// retire makes c end the fact that o names.
func (r Request) retire(o operation, c *strata.Candidate) error {
	if o.Fact < 1 || o.Fact > len(r.shown()) {
		return fmt.Errorf("there is no fact %d to retire", o.Fact)
	}
	f := r.Facts[o.Fact-1]
	c.Action, c.Target, c.BaseGeneration, c.Scope, c.Type = strata.ActionDelete, f.ID, f.Generation, f.Scope, f.Type
	return nil
}

// number finds numbers of two digits and more.
var number = lazyregexp.New(`\d{2,}`)

// statement returns the text of an operation, if it is grounded in the messages and in
// the fact that it replaces.
func (r Request) statement(o operation, turn strata.Turn, before string, words map[string]bool) (string, error) {
	said := strings.Join(strings.Fields(strings.ReplaceAll(strings.ToValidUTF8(o.Text, ""), "\x00", "")), " ")
	switch {
	case said == "":
		return "", errors.New("it has no text")
	case len(said) > maxTextBytes:
		return "", fmt.Errorf("its text is longer than %d bytes", maxTextBytes)
	}
	known := words
	if before != "" {
		known = text.Vocabulary(r.Messages + "\n" + before)
	}
	if text.Grounding(said, known) < grounded {
		return "", errors.New("its words do not come from the conversation")
	}
	material := r.Messages + "\n" + before
	for _, n := range number.FindAllString(said, -1) {
		if !strings.Contains(material, n) && !ofDate(n, turn) {
			return "", fmt.Errorf("nobody said %s", n)
		}
	}
	return said, nil
}

// ofDate reports whether a number may be part of a date that follows from the day of a
// turn: a day or month, or the year before, of or after it. Without a day nothing
// follows.
func ofDate(number string, turn strata.Turn) bool {
	n, err := strconv.Atoi(number)
	if err != nil || turn.At.IsZero() {
		return false
	}
	year := turn.At.Year()
	return n <= 31 || n >= year-1 && n <= year+1
}

// Echoes reports whether an answer repeats a line of the instructions: a model that
// does so did not follow them.
func Echoes(answer, instructions string) bool {
	for line := range strings.Lines(instructions) {
		if line = strings.TrimSpace(line); len(line) >= 40 && strings.Contains(answer, line) {
			return true
		}
	}
	return false
}
