package contextmgr

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/extract"
	"github.com/strata-memory/strata/llm"
)

const (
	maxFacts     = 64   // of one chunk; more is a copy of the text
	maxFactBytes = 1000 // of one fact; a longer one is a document
	// grounded is the least share of a fact's words that must occur in the
	// conversation. What a model invents has less, a faithful sentence in the
	// third person more.
	grounded = 0.5
	// modelConfidence is that of a fact a model found.
	modelConfidence = 0.7
)

// fact is one line of the small model's answer.
type fact struct {
	Text  string  `json:"text"`
	Type  string  `json:"type"`
	Turns []int64 `json:"turns"`
}

// parseFacts reads an answer: one JSON object as the schema says, and nothing
// else save a code fence around it.
func parseFacts(answer string) ([]fact, error) {
	answer = strings.TrimSpace(answer)
	if rest, ok := strings.CutPrefix(answer, "```"); ok {
		rest = strings.TrimSuffix(strings.TrimSpace(rest), "```")
		answer = strings.TrimPrefix(rest, "json")
	}
	var out struct {
		Facts *[]fact `json:"facts"`
	}
	dec := json.NewDecoder(strings.NewReader(answer))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&out); err != nil {
		return nil, fmt.Errorf("read facts: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("read facts: there is text after the object")
	}
	switch {
	case out.Facts == nil:
		return nil, errors.New(`read facts: "facts" is missing`)
	case len(*out.Facts) > maxFacts:
		return nil, fmt.Errorf("read facts: %d facts are more than %d", len(*out.Facts), maxFacts)
	}
	return *out.Facts, nil
}

// facts asks the model for the facts of a batch. When it fails in the middle,
// what it found so far is returned with the error.
func (h *helper) facts(ctx context.Context, b batch) ([]strata.Candidate, error) {
	var out []strata.Candidate
	for _, piece := range b.chunks {
		found, err := h.factsOf(ctx, piece)
		if err != nil {
			return out, err
		}
		kept := h.candidates(found, b.turns, vocabulary(piece))
		if len(kept) == 0 && len(found) > 0 {
			return out, errors.New("nothing the model wrote comes from the conversation")
		}
		out = append(out, kept...)
	}
	return out, nil
}

// factsOf asks about one chunk, and once more if the answer cannot be read.
func (h *helper) factsOf(ctx context.Context, piece string) ([]fact, error) {
	req := llm.Request{Messages: instruct(promptExtract, piece), Schema: schema(), MaxTokens: h.opt.SmallWindow / 4}
	answer, err := h.ask(ctx, req)
	if err != nil {
		return nil, err
	}
	found, err := readFacts(answer)
	if err == nil {
		return found, nil
	}
	// What the model wrote is repeated only as far as it cannot crowd out the
	// request itself.
	req.Messages = append(req.Messages,
		llm.Message{Role: strata.RoleAssistant, Text: cutAfter(answer, 400)},
		llm.Message{Role: strata.RoleUser, Text: strings.TrimSpace(promptRepair) + " " + err.Error()})
	if answer, err = h.ask(ctx, req); err != nil {
		return nil, err
	}
	return readFacts(answer)
}

// readFacts is parseFacts that refuses the instructions as an answer.
func readFacts(answer string) ([]fact, error) {
	if echoes(answer, promptExtract) {
		return nil, errors.New("read facts: the answer repeats the instructions")
	}
	return parseFacts(answer)
}

// candidates turns what the model found into candidates, without what is not
// grounded in the conversation.
func (h *helper) candidates(found []fact, turns []strata.Turn, known map[string]bool) []strata.Candidate {
	var out []strata.Candidate
	for _, f := range found {
		text := oneLine(strings.ReplaceAll(strings.ToValidUTF8(f.Text, ""), "\x00", ""))
		if text == "" || len(text) > maxFactBytes || grounding(text, known) < grounded {
			continue
		}
		c := strata.Candidate{
			Content: text, Type: strata.Type(f.Type), Origin: strata.OriginExtractor, Session: turns[0].Session,
			Sources: sources(f.Turns, turns), Confidence: modelConfidence, Reason: "model: " + h.model.Model(),
		}
		if c.Type.Validate() != nil {
			c.Type = ""
		}
		if c.Validate() == nil {
			out = append(out, c)
		}
	}
	return out
}

// sources are the ids of the turns with the given numbers; of all turns where
// the model named none that is there.
func sources(numbers []int64, turns []strata.Turn) []string {
	var named, all []string
	for _, t := range turns {
		all = append(all, t.ID)
		if slices.Contains(numbers, t.Seq) {
			named = append(named, t.ID)
		}
	}
	if len(named) > 0 {
		return named
	}
	return all
}

// ruleFacts are what the rules find in turns. The turns before them are read
// too, because a correction points back, but say nothing by themselves.
func ruleFacts(before, turns []strata.Turn) []strata.Candidate {
	var out []strata.Candidate
	for _, c := range extract.Turns(append(slices.Clip(before), turns...)) {
		if slices.ContainsFunc(turns, func(t strata.Turn) bool { return slices.Contains(c.Sources, t.ID) }) {
			out = append(out, c)
		}
	}
	return out
}

// requestID makes saving a candidate repeatable: it follows from the turns it
// comes from and what it says.
func requestID(c strata.Candidate) string {
	var b bytes.Buffer
	for _, s := range c.Sources {
		b.WriteString(s)
		b.WriteByte(0)
	}
	b.WriteString(c.Content)
	sum := sha256.Sum256(b.Bytes())
	return "flush_" + hex.EncodeToString(sum[:16])
}
