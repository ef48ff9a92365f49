// Package tour shows in two minutes what a memory does, with the reader's own sentences:
// save, recall, correct, explain, undo, and begin a new session. Every step really runs a
// command.
package tour

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// Tour runs the tour.
type Tour struct {
	// Print shows text, and wraps a line that is longer than the screen.
	Print func(text string)
	// Run runs a strata command line on the home of the tour, and shows its output.
	Run func(args ...string) error
	// Newest returns the short id of the newest decision.
	Newest func() (string, error)
	// Read returns what the reader types, or io.EOF at the end. If it is nil, nobody is
	// there, and the tour uses sample sentences.
	Read func() (string, error)
	// Strong and Faint style a text.
	Strong, Faint func(string) string
}

// Sentences for a reader who gives none.
var samples = []string{
	"My cat is called Whiskerino.",
	"We deploy on Thursdays, because the shop is quiet then.",
	"I am allergic to peanuts.",
}

const (
	sampleQuestion   = "what is my cat called?"
	sampleCorrection = "My cat is called Felix now."
	mostSentences    = 3
)

// Walk takes the reader through all steps. It ends early if the reader leaves or a
// command fails.
func (t *Tour) Walk() error {
	t.say("This takes two minutes, in a home that is thrown away at the end. No model is needed.")
	own, err := t.sentences()
	if err != nil {
		return err
	}
	facts, question, correction := samples, sampleQuestion, sampleCorrection
	if len(own) > 0 {
		facts, question, correction = own, own[0], ""
	}

	t.step("Keep", "Each statement is weighed against what memory holds. The line says what was done, and why.")
	for _, fact := range facts {
		if err := t.run("save", fact); err != nil {
			return err
		}
	}

	t.step("Recall", "A question finds them again, in other words too. What memory does not know it does not find.")
	if question, err = t.ask("Ask for one of them in your own words", question); err != nil {
		return err
	}
	if err := t.run("recall", question); err != nil {
		return err
	}

	t.step("Correct", "Things change. A new value takes the place of the old one, which stays in the history.")
	if correction, err = t.ask("Say what has changed", correction); err != nil {
		return err
	}
	if correction != "" {
		if err := t.run("save", correction); err != nil {
			return err
		}
		if err := t.run("recall", question); err != nil {
			return err
		}
	}

	t.step("Why", "Every save is a decision with a reason.")
	id, err := t.Newest()
	if err != nil {
		return err
	}
	if err := t.run("decision", id); err != nil {
		return err
	}

	t.step("Undo", "Every decision can be taken back, and that can be taken back, too.")
	if err := t.run("undo", "--yes"); err != nil {
		return err
	}

	t.step("A new session", "This is what an agent is told at the beginning of its next session.")
	if err := t.run("context"); err != nil {
		return err
	}
	t.step("Yours", "That was all in a home that is gone now. To begin for real:")
	for _, line := range [][2]string{
		{"strata connect", "give your agents this memory"},
		{"strata chat --model ollama:qwen3:4b", "talk with a model that remembers"},
		{`strata save "..."`, "keep something by hand"},
	} {
		t.say(fmt.Sprintf("  %-38s %s", line[0], t.Faint(line[1])))
	}
	return nil
}

// sentences returns a few sentences that the reader types; none if nobody is there or
// nothing is typed.
func (t *Tour) sentences() ([]string, error) {
	if t.Read == nil {
		return nil, nil
	}
	t.say("Tell it two or three things, one a line: who is around you, what you like, how you work.")
	t.say(t.Faint("An empty line is enough; without any, three samples are used."))
	var out []string
	for len(out) < mostSentences {
		line, err := t.typed("")
		if err != nil {
			return nil, err
		}
		if line == "" {
			break
		}
		out = append(out, line)
	}
	return out, nil
}

// ask returns what the reader types, or otherwise if that is nothing.
func (t *Tour) ask(question, otherwise string) (string, error) {
	if t.Read == nil {
		return otherwise, nil
	}
	if otherwise != "" {
		question += t.Faint(" (Enter: " + otherwise + ")")
	} else {
		question += t.Faint(" (Enter: nothing)")
	}
	line, err := t.typed(question)
	if line == "" {
		line = otherwise
	}
	return line, err
}

// typed returns a line that the reader types; empty at the end of the input.
func (t *Tour) typed(question string) (string, error) {
	if question != "" {
		t.say(question)
	}
	t.Print("> ")
	line, err := t.Read()
	if errors.Is(err, io.EOF) {
		t.say("")
		return "", nil
	}
	return strings.TrimSpace(line), err
}

// step begins a step.
func (t *Tour) step(name, what string) {
	t.say("\n" + t.Strong(name) + "  " + what)
}

// run shows a command and its output.
func (t *Tour) run(args ...string) error {
	t.say("\n" + t.Faint("$ strata "+strings.Join(quoted(args), " ")))
	return t.Run(args...)
}

func (t *Tour) say(line string) { t.Print(line + "\n") }

// quoted returns arguments as one would type them.
func quoted(args []string) []string {
	out := make([]string, len(args))
	for i, a := range args {
		if out[i] = a; strings.ContainsAny(a, " '\"$?*&;|<>()") {
			out[i] = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace(a) + `"`
		}
	}
	return out
}
