package summary

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/strata-memory/strata/internal/models/grounding"
	"github.com/strata-memory/strata/internal/secrets/fence"
	"github.com/strata-memory/strata/llm"
)

// The prompt is in files, so that it can be read and reviewed as prose.
var (
	//go:embed instructions.md
	instructions string
	//go:embed repair.md
	repair string
	//go:embed schema.json
	schema string
)

// MaxFacts is the maximum number of facts given to the model.
const MaxFacts = 150

// MaxTokens is the maximum number of tokens of a summary that a session is shown.
const MaxTokens = 1500

const (
	// memoryChars is the number of characters of MEMORY.md given to the model.
	memoryChars = 6000
	// Limits of an answer: number of themes, bytes of a title and of a line.
	maxThemes, maxTitle, maxLine = 40, 80, 300
)

// Input is what a summary is written from.
type Input struct {
	// Facts are current ones, those that Earlier is based on first. The model is given
	// the first [MaxFacts].
	Facts   grounding.Facts
	Earlier Summary // its lines all still hold
	Memory  string  // MEMORY.md
}

// Write asks a model to write a summary, and asks it once more if the answer cannot be
// used. It drops lines that do not follow from their facts, or that contain a secret or
// an instruction, and keeps every theme of the earlier summary. The error says why there
// is no new summary.
func Write(ctx context.Context, model llm.Chat, in Input) (Summary, error) {
	in.Facts = in.Facts[:min(len(in.Facts), MaxFacts)]
	var s Summary
	prompt := grounding.Prompt{Instructions: instructions, Schema: schema, Repair: repair}
	err := prompt.Ask(ctx, model, in.material(), func(answer string) (err error) {
		s, err = in.read(answer)
		return err
	})
	if err != nil {
		return Summary{}, err
	}
	s, ok := fit(keeping(s, in.Earlier), MaxTokens)
	if !ok {
		return Summary{}, fmt.Errorf("its %d themes do not fit %d tokens", len(s.Themes), MaxTokens)
	}
	return s, nil
}

// material returns the input of the model.
func (in Input) material() string {
	var b strings.Builder
	number := make(map[string]int, len(in.Facts))
	for i, f := range in.Facts {
		number[Key(f)] = i + 1
	}
	b.WriteString("Facts:\n" + in.Facts.String())
	b.WriteString("\nThe summary so far:\n")
	for _, t := range in.Earlier.Themes {
		fmt.Fprintf(&b, "## %s\n", fence.Line(t.Title))
		for _, l := range t.Lines {
			var facts []int
			for _, f := range l.Facts {
				if n := number[f]; n > 0 {
					facts = append(facts, n)
				}
			}
			fmt.Fprintf(&b, "- %s %v\n", fence.Line(l.Text), facts)
		}
	}
	if len(in.Earlier.Themes) == 0 {
		b.WriteString("(none)\n")
	}
	b.WriteString("\nWhat is remembered most:\n")
	for _, line := range fence.Lines(fence.Cut(in.Memory, memoryChars)) {
		b.WriteString(line + "\n")
	}
	return b.String()
}

// read returns the usable part of an answer. The error says what is wrong with the
// answer.
func (in Input) read(answer string) (Summary, error) {
	var a struct {
		Themes []struct {
			Title string `json:"title"`
			Lines []struct {
				Text  string `json:"text"`
				Facts []int  `json:"facts"`
			} `json:"lines"`
		} `json:"themes"`
	}
	if err := llm.DecodeObject(answer, &a); err != nil {
		return Summary{}, err
	}
	if len(a.Themes) > maxThemes {
		return Summary{}, fmt.Errorf("it has %d themes, at most %d are read", len(a.Themes), maxThemes)
	}
	var s Summary
	left := 0
	for _, theme := range a.Themes {
		t := Theme{Title: grounding.Plain(theme.Title)}
		if t.Title == "" || len(t.Title) > maxTitle || !grounding.Safe(t.Title) {
			return Summary{}, errors.New("a theme has no title of a few words")
		}
		for _, line := range theme.Lines {
			l, err := in.line(line.Text, line.Facts)
			if err != nil {
				left++
				continue
			}
			t.Lines = append(t.Lines, l)
		}
		if len(t.Lines) > 0 {
			s.Themes = append(s.Themes, t)
		}
	}
	if len(s.Themes) == 0 {
		return Summary{}, fmt.Errorf("none of its %d lines says what the facts say that it names", left)
	}
	return s, nil
}

// line returns a line of an answer if its facts say the same.
func (in Input) line(said string, numbers []int) (Line, error) {
	l := Line{Text: grounding.Plain(said)}
	facts, err := in.Facts.Support(l.Text, numbers, maxLine)
	if err != nil {
		return l, err
	}
	for _, f := range facts {
		l.Facts = append(l.Facts, Key(f))
	}
	slices.Sort(l.Facts)
	l.Facts = slices.Compact(l.Facts)
	return l, nil
}
