package summary

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/fence"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/secretscan"
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

// MaxFacts is how many facts a model is given.
const MaxFacts = 150

// MaxTokens is what a session is shown of a summary at most.
const MaxTokens = 1500

const (
	// modelTimeout bounds a call.
	modelTimeout = 2 * time.Minute
	// modelWindow is the context that the model is asked to have, in tokens.
	modelWindow = 16_384
	// maxAnswerTokens bounds the answer, and maxAnswer is how many bytes are waited for.
	maxAnswerTokens = 3000
	maxAnswer       = 64 << 10
	// factChars and memoryChars are how much of a fact and of MEMORY.md the model reads, in
	// characters.
	factChars   = 300
	memoryChars = 6000
	// Bounds of an answer: themes, and bytes of a title and a line.
	maxThemes, maxTitle, maxLine = 40, 80, 300
	// grounded is the least share of a line's words that its facts must have.
	grounded = 0.6
)

// Input is what a summary is written from.
type Input struct {
	// Facts are current ones, the first [MaxFacts] of which the model is given. Those that
	// Earlier rests on come first.
	Facts   []strata.Fact
	Earlier Summary // every line of which still holds
	Memory  string  // MEMORY.md
}

// Write has a model write a summary, and asks it once more where the answer cannot be read.
// Lines that their facts do not say, or that hold a secret or an instruction, are left out,
// and no theme of the earlier summary is lost. An error says why there is no new summary.
func Write(ctx context.Context, model llm.Chat, in Input) (Summary, error) {
	in.Facts = in.Facts[:min(len(in.Facts), MaxFacts)]
	var s Summary
	err := llm.AskObject(ctx, model, llm.ObjectRequest{
		Instructions: instructions, Material: in.material(), Schema: schema, Repair: repair,
		MaxTokens: maxAnswerTokens, Window: modelWindow, MaxBytes: maxAnswer, Timeout: modelTimeout,
	}, func(answer string) (err error) {
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

// material is what the model is given, between lines that none of it can imitate.
func (in Input) material() string {
	var b strings.Builder
	number := make(map[string]int, len(in.Facts))
	b.WriteString("Facts:\n")
	for i, f := range in.Facts {
		number[Key(f)] = i + 1
		fmt.Fprintf(&b, "%d. (%s, %s) %s\n", i+1, f.Type, f.RecordedAt.Format(time.DateOnly), fence.Cut(fence.Line(f.Text), factChars))
	}
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
	sum := sha256.Sum256([]byte(b.String()))
	id := hex.EncodeToString(sum[:8])
	return fence.Open("memory", id) + "\n" + b.String() + fence.Close("memory", id) + "\n"
}

// read returns what of an answer can be used. The error says what is wrong with it.
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
		t := Theme{Title: plain(theme.Title)}
		if t.Title == "" || len(t.Title) > maxTitle || unsafe(t.Title) {
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

// digits finds numbers.
var digits = regexp.MustCompile(`\d+`)

// line returns a line of an answer if its facts say it.
func (in Input) line(said string, numbers []int) (Line, error) {
	l := Line{Text: plain(said)}
	var material []string
	for _, n := range numbers {
		if n < 1 || n > len(in.Facts) {
			return l, fmt.Errorf("there is no fact %d", n)
		}
		material = append(material, in.Facts[n-1].Text)
		l.Facts = append(l.Facts, Key(in.Facts[n-1]))
	}
	all := strings.Join(material, "\n")
	switch {
	case len(numbers) == 0:
		return l, errors.New("it names no fact")
	case l.Text == "" || len(l.Text) > maxLine:
		return l, errors.New("it is no sentence")
	case unsafe(l.Text):
		return l, errors.New("it holds a secret or an instruction")
	case text.Grounding(l.Text, text.Vocabulary(all)) < grounded:
		return l, errors.New("its facts do not say it")
	}
	for _, n := range digits.FindAllString(l.Text, -1) {
		if !strings.Contains(all, n) {
			return l, fmt.Errorf("its facts do not say %s", n)
		}
	}
	slices.Sort(l.Facts)
	l.Facts = slices.Compact(l.Facts)
	return l, nil
}

// plain is a text in one line that can end no comment and begin no heading.
func plain(s string) string {
	return strings.TrimLeft(strings.NewReplacer("<!--", "", "-->", "").Replace(fence.Line(strings.ToValidUTF8(s, ""))), "#->* ")
}

// unsafe reports whether a text must not stand in a prompt.
func unsafe(s string) bool { return len(secretscan.Scan(s)) > 0 || len(secretscan.Threats(s)) > 0 }
