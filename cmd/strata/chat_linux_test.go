package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
)

// chatOn is a chat with a model that answers by rules, on a terminal.
func chatOn(t *testing.T, columns, rows int, env ...string) *console {
	t.Helper()
	cmd := strataCommand(t, t.TempDir(), "chat", "--model", "ollama:scripted", "--base-url", rules(t), "--window", "3000", "--scope", "global")
	cmd.Env = append(append(cmd.Env, "TERM=xterm-256color"), env...)
	return newConsole(t, columns, rows, cmd)
}

func TestChatInATerminal(t *testing.T) {
	p := chatOn(t, 100, 40)
	p.wait("/help lists the commands")
	p.tell("My cat's name is Whiskerino")
	p.wait("2 turns]")

	// A paste of several lines is one message; a backslash joins lines.
	p.prompt()
	p.paste("First line\nsecond line\n")
	p.wait("First line⏎second line")
	p.say("")
	p.wait("You said: First line second line")
	p.wait("4 turns]")
	p.tell(`A long \`)
	p.say("message")
	p.wait("You said: A long message")
	p.wait("6 turns]")

	// Tab completes, the up key brings back what was said.
	p.prompt()
	p.press("/cont" + keyTab)
	p.wait("/context")
	p.say("")
	p.wait("snapshot of memory")
	p.prompt()
	p.press(keyUp + keyUp + keyUp + keyUp)
	p.wait("> My cat's name is Whiskerino")
	p.press(controlU)
	p.prompt()

	// Ctrl-C stops the answer, and the chat goes on.
	p.tell("hang")
	p.wait("Let me think about that")
	p.press(controlC)
	p.wait("interrupted")
	p.tell("/reset")
	p.wait("1 fact saved: The user's cat is named Whiskerino.")
	p.tell("What is my cat's name?")
	p.wait("Your cat's name is Whiskerino.")

	p.tell("/memory clear")
	p.wait("Delete 1 fact of the scope global?")
	p.say("n")
	p.wait("nothing was changed")
	p.prompt()

	// Ctrl-C twice at the prompt leaves; the session that is open is kept.
	p.press(controlC)
	p.wait("Ctrl-C again, or Ctrl-D, leaves")
	p.press(controlC)
	p.wait("go on with: strata chat --session session_")
	if code := p.exit(); code != 0 {
		t.Errorf("left with %d", code)
	}
}

// Between two lines a terminal makes a signal of the key. The second interrupt leaves by it
// as by the key: with a word, and with what was said.
func TestASignalAtThePromptLeaves(t *testing.T) {
	p := chatOn(t, 100, 40)
	p.tell("My cat's name is Whiskerino")
	p.wait("2 turns]")
	p.prompt()
	p.press(controlC)
	p.wait("Ctrl-C again, or Ctrl-D, leaves")
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	p.wait("go on with: strata chat --session session_")
	if code := p.exit(); code != 0 {
		t.Errorf("left with %d", code)
	}
}

// consoles are terminals of people: what was usual, a narrow one, one without UTF-8, one of
// somebody who wants no colors.
var consoles = []struct {
	name          string
	columns, rows int
	env           []string
	ascii, plain  bool
}{
	{name: "80 by 24", columns: 80, rows: 24},
	{name: "20 columns", columns: 20, rows: 24},
	{name: "no UTF-8", columns: 80, rows: 24, env: []string{"LANG=C"}, ascii: true},
	{name: "no UTF-8 in 20 columns", columns: 20, rows: 24, env: []string{"LANG=C"}, ascii: true},
	{name: "no colors", columns: 80, rows: 24, env: []string{"NO_COLOR=1"}, plain: true},
}

var isASCII = regexp.MustCompile(`^[\x00-\x7f]*$`)

func TestAChatIsReadOnAnyTerminal(t *testing.T) {
	const long = "Anyone who walks along the harbour in the evening sees ferries, trawlers and a lighthouse keeper"
	for _, tt := range consoles {
		t.Run(tt.name, func(t *testing.T) {
			p := chatOn(t, tt.columns, tt.rows, tt.env...)
			p.wait("/help lists the commands")
			p.tell("My cat's name is Whiskerino")
			p.wait("2 turns]")
			p.tell(long)
			p.wait("4 turns]")
			p.tell("hang")
			p.wait("Let me think about that")
			p.press(controlC)
			p.wait("interrupted")
			p.tell("What is my cat's name?")
			p.wait("Your cat's name is Whiskerino.")
			p.prompt()
			p.press(controlD)
			p.wait("go on with: strata chat --session")
			if code := p.exit(); code != 0 {
				t.Errorf("exit code %d", code)
			}
			text, colored := p.text()
			checkReadable(t, text, tt.columns, tt.ascii)
			if colored == tt.plain {
				t.Errorf("colors: %t", colored)
			}
			_, answer, _ := strings.Cut(text, "You said:")
			for _, word := range strings.Fields(long)[:8] { // the model repeats the beginning
				if !strings.Contains(answer, word) {
					t.Errorf("%q is cut in the answer", word)
				}
			}
			if t.Failed() || testing.Verbose() {
				t.Logf("the screen:\n%s", text)
			}
		})
	}
}

func TestATourIsReadOnAnyTerminal(t *testing.T) {
	for _, tt := range consoles {
		t.Run(tt.name, func(t *testing.T) {
			cmd := strataCommand(t, t.TempDir(), "tour")
			cmd.Env = append(append(cmd.Env, "TERM=xterm-256color"), tt.env...)
			p := newConsole(t, tt.columns, tt.rows, cmd)
			p.wait("three samples are used.")
			p.tell("My sister Ana works at the harbour hospital")
			p.tell("")
			p.wait("Ask for one of them in your own words")
			p.tell("where does Ana work?")
			p.wait("Say what has changed")
			p.tell("My sister Ana works at the city hospital now")
			p.wait("keep something by hand")
			if code := p.exit(); code != 0 {
				t.Errorf("exit code %d", code)
			}
			text, colored := p.text()
			checkReadable(t, text, tt.columns, tt.ascii)
			if colored == tt.plain {
				t.Errorf("colors: %t", colored)
			}
			for _, word := range []string{"needed.", "thrown", "weighed", "history.", "session.", "hospital"} {
				if !strings.Contains(text, word) {
					t.Errorf("%q is cut", word)
				}
			}
			if t.Failed() || testing.Verbose() {
				t.Logf("the screen:\n%s", text)
			}
		})
	}
}

// checkReadable fails the test for what cannot be read on a terminal of so many columns, or
// is beyond ASCII on one that has nothing else.
func checkReadable(t *testing.T, text string, columns int, ascii bool) {
	t.Helper()
	for line := range strings.Lines(text) {
		if n := terminal.Columns(strings.TrimSuffix(line, "\n")); n > columns {
			t.Errorf("%d columns: %q", n, line)
		}
		if ascii && !isASCII.MatchString(line) {
			t.Errorf("beyond ASCII: %q", line)
		}
	}
}
