package ops

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/recall/answer"
	"github.com/strata-memory/strata/internal/secrets/fence"
)

// ThinkIn is the input of think.
type ThinkIn struct {
	Query     string `json:"query" opt:"arg,required,file" doc:"the question" agents:"question"`
	MaxTokens int    `json:"max_tokens,omitempty" tool:"-" doc:"token budget for the texts of the evidence; 0 means 4000"`
	AsOf      string `json:"as_of,omitempty" tool:"-" doc:"what was known then: a date, RFC 3339 time or words such as last week"`
	NoModel   bool   `json:"no_model,omitempty" tool:"-" doc:"answer with the evidence itself, even if a model is configured"`
	NoRecord  bool   `json:"no_record,omitempty" tool:"-" doc:"keep no trace and count no access"`
}

// evidenceTokens is the budget of the texts that support an answer, if the caller names
// none.
const evidenceTokens = 4000

// Thought is an answer from memory.
type Thought struct {
	Answer    string     `json:"answer" tool:"-" doc:"the answer in fewer than 150 words, with citations such as [1]; its last line says what memory does not hold"`
	Citations []Citation `json:"citations" doc:"what the answer cites, oldest first"`
	Missing   []string   `json:"missing" tool:"-" doc:"words and parts of the question that memory has nothing on"`
	Model     string     `json:"model,omitempty" tool:"-" doc:"the model that wrote it; left out if the answer is the evidence itself"`
	Trace     string     `json:"trace,omitempty" tool:"-" doc:"the stored explanation of the recall, for trace"`
	Notes     []string   `json:"notes,omitempty" tool:"-" doc:"what a reader should know"`
}

// Rows returns the citations, for output line by line.
func (t Thought) Rows() []any { return operation.Rows(t.Citations) }

// Citation is a memory that supports an answer.
type Citation struct {
	N       int         `json:"n" doc:"the number it is cited by"`
	ID      string      `json:"id" doc:"id of the fact, turn or section"`
	Kind    strata.Kind `json:"kind" doc:"fact, turn or section"`
	Address string      `json:"address" doc:"where it can be opened: the id of a fact, SESSION#SEQ of a turn, FILE:LINE of a section"`
	Scope   string      `json:"scope" doc:"who owns it"`
	At      time.Time   `json:"at" doc:"when the fact was recorded, the turn was said or the file was written"`
	Text    string      `json:"text" tool:"-" doc:"the memory itself"`
}

// citationOf converts a citation to its output form.
func citationOf(c answer.Citation) Citation {
	return Citation{N: c.Number, ID: c.ID, Kind: c.Kind, Address: answer.Address(c.Hit), Scope: c.Scope.Key(), At: c.At, Text: c.Text}
}

func think() operation.Operation {
	return operation.Op[ThinkIn, Thought]{
		Info: operation.Info{
			Name:    "think",
			Summary: "Answer a question from memory, with citations",
			Toolset: operation.AllTools,
			Advice:  "Answers a question from memory with citations. Call it when several memories bear on the answer.",
			Description: "Recalls what bears on the question and answers in fewer than 150 words. Every sentence cites what it rests on, and the last line " +
				"says which parts of the question memory does not cover. The configured model writes the answer, small_model before model; what it " +
				"says without a citation that supports it is left out. Without a model, or if it does not answer, the answer is the evidence in order" +
				" of time, each with its date, scope and address.",
			ReadOnly:  true,
			AsksModel: true,
			Examples: []operation.Example{
				{Doc: "ask", Input: `{"query": "how did we come to deploy on Tuesdays?"}`},
				{Doc: "the evidence, without a model", Input: `{"query": "where has Anna worked?", "no_model": true}`},
			},
		},
		Handle: handleThink,
	}
}

func handleThink(ctx context.Context, env *operation.Env, in ThinkIn) (Thought, error) {
	asOf, err := env.OptionalTime("as_of", in.AsOf)
	if err != nil {
		return Thought{}, err
	}
	q := strata.Query{
		View: env.View, Text: in.Query, Limit: answer.MaxEvidence, Tokens: in.MaxTokens, AsOf: asOf,
		Session: env.Session, Shown: env.Shown, Quiet: in.NoRecord,
	}
	if q.Tokens == 0 {
		q.Tokens = evidenceTokens
	}
	found, err := answer.Gather(ctx, q, env.Engine.Query)
	if err != nil {
		return Thought{}, err
	}
	model := env.Engine.Metered(env.Model)
	if in.NoModel {
		model = nil
	}
	a, err := answer.Of(ctx, model, answer.Request{Question: in.Query, Hits: found.Hits, Now: env.Engine.Now()})
	if err != nil {
		return Thought{}, err
	}
	out := Thought{
		Answer: a.Text, Citations: operation.Each(a.Citations, citationOf), Missing: append([]string{}, a.Missing...), Model: a.Model,
		Trace: found.Trace, Notes: found.Notes,
	}
	for _, c := range a.Citations {
		for _, n := range c.Notes {
			out.Notes = append(out.Notes, fmt.Sprintf("[%d] %s", c.Number, n))
		}
	}
	if a.Note != "" {
		out.Notes = append(out.Notes, a.Note)
	}
	return out, nil
}

// thoughtText returns the answer, its citations, and the notes. An answer written by a
// model refers to citations by number only.
func thoughtText(t Thought) string {
	var b strings.Builder
	b.WriteString(fence.Text(t.Answer))
	if t.Model != "" {
		for _, c := range t.Citations {
			fmt.Fprintf(&b, "\n[%d] %s", c.N, fence.Line(joined(c.Address, c.Scope, c.At.UTC().Format(time.DateOnly))))
		}
	}
	return blockOf("From memory. "+fence.AsData, []string{b.String()}) + noteLines(t.Notes)
}
