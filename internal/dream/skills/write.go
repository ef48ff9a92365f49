package skills

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/models/grounding"
	"github.com/strata-memory/strata/internal/secrets/fence"
	"github.com/strata-memory/strata/internal/text/lazyregexp"
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
const MaxFacts = 100

// Limits of an answer: numbers of skills, steps and files; bytes of a sentence and of a
// file.
const maxDrafts, minSteps, maxSteps, maxFiles, maxLine, maxFile = 3, 2, 12, 4, 300, 4 << 10

// Input is what skills are drafted from.
type Input struct {
	Facts  grounding.Facts // current ones; the model is given the first [MaxFacts]
	Skills []Skill         // existing skills
}

// Write asks a model to draft skills, and asks it once more if the answer cannot be used.
// It returns no drafts if the model finds no procedure. The error says why an answer
// cannot be used.
func Write(ctx context.Context, model llm.Chat, in Input) (drafts []Draft, err error) {
	in.Facts = in.Facts[:min(len(in.Facts), MaxFacts)]
	prompt := grounding.Prompt{Instructions: instructions, Schema: schema, Repair: repair}
	err = prompt.Ask(ctx, model, in.material(), func(answer string) (err error) {
		drafts, err = in.read(answer)
		return err
	})
	if err != nil {
		return nil, err
	}
	return drafts, nil
}

// material returns the input of the model.
func (in Input) material() string {
	var b strings.Builder
	number := make(map[string]int, len(in.Facts))
	for i, f := range in.Facts {
		number[f.ID] = i + 1
	}
	b.WriteString("Facts:\n" + in.Facts.String())
	for _, own := range []bool{false, true} {
		b.WriteString(map[bool]string{false: "\nSkills that there are:\n", true: "\nYour drafts:\n"}[own])
		none := true
		for _, s := range in.Skills {
			if s.Own != own {
				continue
			}
			none = false
			fmt.Fprintf(&b, "- %s: %s", fence.Line(s.Note.Name), fence.Cut(fence.Line(s.Note.Description), grounding.FactChars))
			if own {
				var facts []int
				for _, id := range s.Note.Provenance.Facts {
					if n := number[id]; n > 0 {
						facts = append(facts, n)
					}
				}
				fmt.Fprintf(&b, " %v", facts)
			}
			b.WriteString("\n")
		}
		if none {
			b.WriteString("(none)\n")
		}
	}
	return b.String()
}

// answer is the answer expected from the model.
type answer struct {
	Skills []struct {
		Name  string     `json:"name"`
		When  string     `json:"when"`
		Steps []sentence `json:"steps"`
		Files []struct {
			Path  string `json:"path"`
			Text  string `json:"text"`
			Facts []int  `json:"facts"`
		} `json:"files"`
	} `json:"skills"`
}

type sentence struct {
	Text  string `json:"text"`
	Facts []int  `json:"facts"`
}

// read returns the drafts in an answer that follow from their facts. The error says that
// the answer is malformed, or why none of its drafts follows.
func (in Input) read(reply string) ([]Draft, error) {
	var a answer
	if err := llm.DecodeObject(reply, &a); err != nil {
		return nil, err
	}
	if len(a.Skills) > maxDrafts {
		return nil, fmt.Errorf("it has %d skills, at most %d are read", len(a.Skills), maxDrafts)
	}
	var out []Draft
	var wrong error
	named := make(map[string]bool)
	for _, s := range a.Skills {
		if err := markdown.ValidateSkillName(s.Name); err != nil {
			return nil, errors.New(strata.MessageOf(err))
		}
		if named[s.Name] {
			return nil, fmt.Errorf("two skills are called %s", s.Name)
		}
		named[s.Name] = true
		if len(s.Steps) < minSteps || len(s.Steps) > maxSteps || len(s.Files) > maxFiles {
			return nil, fmt.Errorf("%s has %d steps and %d files; it is to have %d to %d steps and at most %d files", s.Name, len(s.Steps), len(s.Files), minSteps, maxSteps, maxFiles)
		}
		d := Draft{Name: s.Name, When: grounding.Plain(s.When)}
		err := d.say(in, s.Steps)
		for _, f := range s.Files {
			if !isFilePath(f.Path) {
				return nil, fmt.Errorf("a file of %s is to be called scripts/, templates/ or examples/ and a plain name", s.Name)
			}
			if err == nil {
				err = d.attach(in, f.Path, f.Text, f.Facts)
			}
		}
		if err != nil {
			wrong = fmt.Errorf("%s is not what its facts say: %w", s.Name, err)
			continue
		}
		out = append(out, d)
	}
	if len(out) == 0 {
		return nil, wrong // nil if there was nothing to write
	}
	return out, nil
}

// say adds the steps to a draft, and checks that they and the When sentence follow from
// the facts.
func (d *Draft) say(in Input, steps []sentence) error {
	var all []int
	for _, s := range steps {
		facts, err := in.follows(s.Text, s.Facts, maxLine)
		if err != nil {
			return err
		}
		d.Steps = append(d.Steps, Line{grounding.Plain(s.Text), facts})
		all = append(all, s.Facts...)
	}
	if len(d.facts()) < minSteps {
		return errors.New("a single fact is no procedure")
	}
	_, err := in.follows(d.When, all, maxLine)
	return err
}

// attach adds a file to a draft.
func (d *Draft) attach(in Input, path, body string, numbers []int) error {
	lines := strings.Split(strings.Trim(strings.ReplaceAll(strings.ToValidUTF8(body, ""), "\r\n", "\n"), "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.Map(func(r rune) rune {
			if unicode.IsPrint(r) || r == '\t' {
				return r
			}
			return -1
		}, line)
	}
	body = strings.Join(lines, "\n")
	facts, err := in.follows(body, numbers, maxFile)
	d.Files = append(d.Files, File{path, body, facts})
	return err
}

// follows returns the ids of the numbered facts if a text follows from them.
func (in Input) follows(said string, numbers []int, most int) (ids []string, err error) {
	facts, err := in.Facts.Support(said, numbers, most)
	if err != nil {
		return nil, err
	}
	for _, f := range facts {
		ids = append(ids, f.ID)
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// filePath matches the path of a file in a skill: a plain name in one of three
// directories.
var filePath = lazyregexp.New(`^(?:scripts|templates|examples)/[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

func isFilePath(p string) bool { return filePath.MatchString(p) && !strings.Contains(p, "..") }
