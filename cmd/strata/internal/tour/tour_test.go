package tour

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
)

// walk takes a tour in which a reader types lines, or nobody does, and returns the
// commands that ran.
func walk(t *testing.T, typed []string) (commands []string, shown string) {
	t.Helper()
	var out strings.Builder
	same := func(s string) string { return s }
	tour := Tour{
		Print: func(text string) { out.WriteString(text) }, Strong: same, Faint: same,
		Run:    func(args ...string) error { commands = append(commands, strings.Join(args, " ")); return nil },
		Newest: func() (string, error) { return "dec_AAAAAAA", nil },
	}
	if typed != nil {
		tour.Read = func() (string, error) {
			if len(typed) == 0 {
				return "", io.EOF
			}
			line := typed[0]
			typed = typed[1:]
			return line, nil
		}
	}
	if err := tour.Walk(); err != nil {
		t.Fatal(err)
	}
	return commands, out.String()
}

func TestWalk(t *testing.T) {
	samplesToo := []string{"save " + samples[0], "save " + samples[1], "save " + samples[2], "recall " + sampleQuestion,
		"save " + sampleCorrection, "recall " + sampleQuestion, "decision dec_AAAAAAA", "undo --yes", "context"}
	for _, c := range []struct {
		name  string
		typed []string
		want  []string
	}{
		{"nobody is there", nil, samplesToo},
		{"a reader who says nothing", []string{}, samplesToo},
		{"a reader", []string{"I live in Oslo.", "", "where do I live?", "I live in Bergen now."},
			[]string{"save I live in Oslo.", "recall where do I live?", "save I live in Bergen now.", "recall where do I live?",
				"decision dec_AAAAAAA", "undo --yes", "context"}},
		{"no correction", []string{"I live in Oslo.", "", "", ""},
			[]string{"save I live in Oslo.", "recall I live in Oslo.", "decision dec_AAAAAAA", "undo --yes", "context"}},
	} {
		got, shown := walk(t, c.typed)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if !strings.Contains(shown, `$ strata undo --yes`) {
			t.Errorf("%s: the command is not shown:\n%s", c.name, shown)
		}
	}
}

func TestAFailureEndsTheWalk(t *testing.T) {
	broken := errors.New("no room")
	tour := Tour{Print: func(string) {}, Strong: strings.Clone, Faint: strings.Clone, Run: func(...string) error { return broken }}
	if err := tour.Walk(); !errors.Is(err, broken) {
		t.Errorf("ended with %v", err)
	}
}
